/** Commands that are interrupted continue from their checkpoints to the same results. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { folder, main, succeed, svmlight, tierwise } from "./cli.ts";

const { useInterrupt } = (await import(
  new URL("../dist/src/cli/interrupt.js", import.meta.url).href
)) as typeof import("../src/cli/interrupt.ts");

function shared(signal: number): Int32Array<SharedArrayBuffer> {
  const both = new Int32Array(new SharedArrayBuffer(8));
  both[0] = signal;
  return both;
}
afterEach(() => useInterrupt(shared(0)));

const ballots = "9: a > b > c\n5: b > a = c\n7: c > a > b\n4: a > c\n3: b > c\n2: c = a > b\n";
const labelSets = `8 4 3\n${["0,1 0:1 2:0.5", "1 1:1", "2 3:1 0:0.3", "0 0:0.9", "0,2 3:0.7 2:1", "1 1:0.4 2:1", "2 3:0.2", "0 0:0.6 1:0.1"].join("\n")}\n`;
const files = { "train.txt": svmlight(12), "other.txt": svmlight(13), "votes.orders": ballots, "labels.txt": labelSets };
const contentsOf = (cwd: string, names: readonly string[]) =>
  names.map((name) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "base64") : ""));

const model = ["--out", "m.json", "--history", "h.json"];
const small = "trees:rounds=4,leaves=3,min-items=2";
/** Each with a request to stop from the beginning, so that every run advances by one round, or one pass, and ends. */
const commands: Readonly<Record<string, readonly string[]>> = {
  trees: ["train", "train.txt", "--model", `${small},bag=2`, "--hold-out", "0.3", "--patience", "0", ...model],
  "a longer model": ["train", "train.txt", "--model", small, "--init", "init.json", "--objective", "lambdarank", ...model],
  linear: ["train", "train.txt", "--model", "linear:l2=0.1", "--optimizer", "lbfgs(iterations=5)", ...model],
  adagrad: ["train", "train.txt", "--optimizer", "adagrad(epochs=4)", "--hold-out", "0.3", ...model],
  mlp: ["train", "train.txt", "--model", "mlp:hidden=3,epochs=2,batch=5,rate=0.01/0.1", "--hold-out", "0.3", ...model],
  utilities: ["train", "votes.orders", ...model],
  leml: ["train", "labels.txt", "--model", "leml:rank=2,rounds=4", ...model],
  "coordinate ascent": ["train", "train.txt", "--model", "coordinate-ascent:restarts=2", ...model],
  cv: ["cv", "train.txt", "--model", small, "--folds", "3", "--values", "v.json", "--json"],
  tune: ["tune", "train.txt", "--model", "trees:rounds=3,min-items=2", "leaves=2,3", "--folds", "2", "--json"],
};

describe("interrupted after every round, a command continues to the same result", () => {
  it.each(Object.entries(commands))("%s", async (_, command) => {
    const cwd = folder(files);
    if (command.includes("init.json"))
      await succeed(["train", "train.txt", "--model", "trees:rounds=2,leaves=3,min-items=2", "--out", "init.json", "--quiet"], {
        cwd,
      });
    const results = ["m.json", "h.json", "v.json"];
    const out = await succeed([...command, "--quiet"], { cwd });
    const expected = contentsOf(cwd, results);
    useInterrupt(shared(15));
    let runs = 0;
    for (; ; runs++) {
      const ran = await tierwise([...command, "--checkpoint", "ck", ...(runs > 0 ? ["--resume"] : [])], { cwd });
      if (ran.code === 0) {
        if (command.includes("--json")) expect(ran.out).toBe(out);
        break;
      }
      expect(ran.err.split("\n").at(-2)).toBe(
        "tierwise: ended by SIGTERM; the state of the training is in ck, and the same command continues from it",
      );
      expect(ran.code).toBe(143);
      expect(runs).toBeLessThan(40);
    }
    expect(runs).toBeGreaterThan(1);
    expect(contentsOf(cwd, results)).toEqual(expected);
    expect(readdirSync(join(cwd, "ck"))).toEqual([]); // the result is written, and nothing is left to continue
  });
});

describe("--checkpoint", () => {
  const command = ["train", "train.txt", "--model", small, "--out", "m.json", "--checkpoint", "ck", "--quiet"];
  const begun = async () => {
    const cwd = folder(files);
    useInterrupt(shared(2));
    expect((await tierwise(command, { cwd })).code).toBe(130);
    useInterrupt(shared(0));
    return cwd;
  };

  it("is refused by other data and options, with the first difference", async () => {
    const cwd = await begun();
    const refused = async (...other: readonly string[]) => {
      const { code, err } = await tierwise([...other, "--checkpoint", "ck", "--quiet"], { cwd });
      expect(code).toBe(2);
      expect(existsSync(join(cwd, "m.json"))).toBe(false);
      return err;
    };
    const rest = "; use what it was made with, or remove it to begin again\n";
    expect(await refused("train", "train.txt", "--model", small.replace("=3", "=4"))).toBe(
      `tierwise: ck: the checkpoint was made with leaves=3, and this run has leaves=4${rest}`,
    );
    expect(await refused("train", "other.txt", "--model", small)).toBe(
      `tierwise: ck: the checkpoint was made with other training data${rest}`,
    );
    expect(await refused("train", "train.txt", "--model", small, "--seed", "2")).toBe(
      `tierwise: ck: the checkpoint was made with seed 1, and this run has seed 2${rest}`,
    );
  });

  it("continues with a copy of the data under another name, and with other threads", async () => {
    const cwd = await begun();
    writeFileSync(join(cwd, "copy.txt"), files["train.txt"]);
    const { code, err } = await tierwise(
      ["train", "copy.txt", "--model", small, "--out", "m.json", "--checkpoint", "ck", "--threads", "2"],
      { cwd },
    );
    expect(err).toContain("ck: continuing after round 1\n");
    expect(code).toBe(0);
    await succeed(["train", "train.txt", "--model", small, "--out", "whole.json", "--quiet"], { cwd });
    expect(contentsOf(cwd, ["m.json"])).toEqual(contentsOf(cwd, ["whole.json"]));
  });

  it("keeps the last two states, and continues from the older one if the newest is damaged", async () => {
    const cwd = folder(files);
    useInterrupt(shared(2));
    for (let runs = 0; runs < 3; runs++) expect((await tierwise(command, { cwd })).code).toBe(130);
    useInterrupt(shared(0));
    const names = readdirSync(join(cwd, "ck")).sort();
    expect(names).toEqual(["training.000002.checkpoint", "training.000003.checkpoint"]);
    const newest = join(cwd, "ck", names[1]!);
    writeFileSync(newest, readFileSync(newest).subarray(0, -100));
    const { code, err } = await tierwise(command.slice(0, -1), { cwd });
    expect(err).toMatch(/^ck: the checkpoint is damaged: .*; the one before it is used\nck: continuing after round 2\n/m);
    expect(code).toBe(0);
    await succeed(["train", "train.txt", "--model", small, "--out", "whole.json", "--quiet"], { cwd });
    expect(contentsOf(cwd, ["m.json"])).toEqual(contentsOf(cwd, ["whole.json"]));
  });

  it("leaves other files of the directory alone, and removes what a killed write left", async () => {
    const cwd = await begun();
    writeFileSync(join(cwd, "ck", "notes.txt"), "mine");
    writeFileSync(join(cwd, "ck", ".tierwise-0123abcd.part"), "half");
    await succeed(command, { cwd });
    expect(readdirSync(join(cwd, "ck"))).toEqual(["notes.txt"]);
  });

  it.each([
    [["--checkpoint-every", "5"], "--checkpoint-every needs --checkpoint DIR, the directory of the checkpoints"],
    [["--resume"], "--resume needs --checkpoint DIR, the directory of the checkpoints"],
    [["--checkpoint", "ck", "--resume"], "--resume: there is no checkpoint in ck; leave --resume out to begin from the start"],
    [["--checkpoint", "train.txt"], /^--checkpoint train.txt: expected a folder, and \S+ is a file$/],
    [["--checkpoint", ""], "--checkpoint: expected the name of a folder, got an empty one"],
    ...["0", "-1", "1.5", "5x", "s", "0s", "1e3"].map((text): [string[], string] => [
      ["--checkpoint", "ck", `--checkpoint-every=${text}`],
      `--checkpoint-every: expected a time such as 30s or 5m, or a number of rounds above 0, got "${text}"`,
    ]),
  ])("%j is refused in one line", async (flags, message) => {
    const cwd = folder(files);
    const { code, err } = await tierwise(["train", "train.txt", "--quiet", ...flags], { cwd });
    expect(code).toBe(2);
    expect(err.replace(/^tierwise: /, "").trimEnd()).toMatch(message);
    expect(readdirSync(cwd).sort()).toEqual(Object.keys(files).sort());
  });
});

describe("a signal", () => {
  const endless = ["train", "train.txt", "--optimizer", "adam(epochs=100000000)", "--out", "m.json", "--checkpoint", "ck"];

  it.each<[NodeJS.Signals, number, threads: string]>([
    ["SIGINT", 130, "1"],
    ["SIGTERM", 143, "2"],
  ])("%s saves the state, says where, and ends with %i on %s threads", async (signal, code, threads) => {
    const cwd = folder(files);
    const child = spawn(process.execPath, [main, ...endless, "--threads", threads], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (!err.includes("[") && text.includes("[")) child.kill(signal);
      err += text;
    });
    expect(await new Promise((resolve) => child.on("close", (...how) => resolve(how)))).toEqual([code, null]);
    expect(err.split("\n").at(-2)).toBe(
      `tierwise: ended by ${signal}; the state of the training is in ck, and the same command continues from it`,
    );
    expect(readdirSync(join(cwd, "ck"))).toEqual(["training.000001.checkpoint"]);
    expect(existsSync(join(cwd, "m.json"))).toBe(false);
  });

  it("for the second time ends the command at once", async () => {
    const cwd = folder({ ...files, "slow.mjs": SLOW });
    const words = ["train", "train.txt", "--objective", "./slow.mjs", "--out", "m.json", "--checkpoint", "ck", "--threads", "1"];
    const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (!err.includes("slow") && text.includes("slow")) {
        child.kill("SIGTERM"); // the first round never ends
        setTimeout(() => child.kill("SIGTERM"), 300);
      }
      err += text;
    });
    expect(await new Promise((resolve) => child.on("close", (...how) => resolve(how)))).toEqual([143, null]);
    expect(err.split("\n").at(-2)).toBe("tierwise: ended by SIGTERM");
    expect(existsSync(join(cwd, "ck"))).toBe(false); // nothing was saved
  });
});

const SLOW = `
  import { writeSync } from "node:fs";
  import { plPartition } from ${JSON.stringify(new URL("../dist/src/index.js", import.meta.url).href)};
  const inner = plPartition();
  let calls = 0;
  export const objective = { ...inner, id: "slow", spec: "slow", evaluate(...all) {
    if (calls++ === 20) { writeSync(2, "slow\\n"); for (;;); }
    return inner.evaluate(...all);
  } };
`;
