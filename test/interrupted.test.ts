/** A command that is ended from outside leaves whole files. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, main, runBy, succeed, svmlight } from "./cli.ts";

const long = ["train", "train.txt", "--optimizer", "adam(epochs=100000000)", "--out", "m.json"];

it.each<[NodeJS.Signals, number]>([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("%s ends a long synchronous computation with %i and one line", async (signal, code) => {
  const cwd = folder({ "s.txt": svmlight(40), "a.run": runBy(0, 40), "b.run": runBy(2, 40) });
  const words = ["compare", "a.run", "b.run", "s.txt", "--metrics", "dcg", "--rounds", "2000000000"];
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (err === "") setTimeout(() => child.kill(signal), 500); // the data are read, and the test runs
    err += text;
  });
  const ended = await new Promise((resolve) => child.on("close", (...how) => resolve(how)));
  expect(ended).toEqual([code, null]);
  expect(err.split("\n").slice(-2)).toEqual([`tierwise: ended by ${signal}`, ""]);
});

describe("training", () => {
  it.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("ended by %s exits with %i and leaves the old model and no other file", async (signal, code) => {
    const cwd = folder({ "train.txt": svmlight(20), "m.json": "old" });
    const child = spawn(process.execPath, [main, ...long], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (text.includes("[")) child.kill(signal); // a round is done, others follow
    });
    const ended = await new Promise((resolve) => child.on("close", (...how) => resolve(how)));
    expect(ended).toEqual([code, null]);
    expect(readdirSync(cwd).sort()).toEqual(["m.json", "train.txt"]);
    expect(readFileSync(join(cwd, "m.json"), "utf8")).toBe("old");
  });

  it.each<[when: string, fault: string]>([
    [
      "in the middle of writing",
      "const write = fs.writeSync; fs.writeSync = (file, bytes) => { write(file, bytes, 0, 100); die(); };",
    ],
    ["when all is written but not yet in its place", "fs.renameSync = die;"],
  ])("killed %s leaves the old model whole, and the next one succeeds", async (_, fault) => {
    const cwd = folder({ "train.txt": svmlight(5), "m.json": "old" });
    const text = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      const die = () => process.kill(process.pid, "SIGKILL"); ${fault} syncBuiltinESMExports();`;
    writeFileSync(join(cwd, "fault.mjs"), text);
    const words = ["train", "train.txt", "--out", "m.json", "--quiet"];
    const { signal } = spawnSync(process.execPath, ["--import", "./fault.mjs", main, ...words], { cwd });
    expect(signal).toBe("SIGKILL");
    expect(readFileSync(join(cwd, "m.json"), "utf8")).toBe("old");
    await succeed(words, { cwd });
    expect(await succeed(["show", "m.json"], { cwd })).toContain("linear");
  });
});
