/** Output files: every option that names one, found in the program itself, refuses what would lose data or could not be written. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Option } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { commands, folder, main, succeed, svmlight, tierwise } from "./cli.ts";

const full = existsSync("/dev/full");
if (!full) console.warn("skipped: no /dev/full here to stand for a full disk");

const cwd = folder({
  "battles.csv": "winner,loser\na,b\nb,c\nc,a\na,c\n",
  "log.csv": "query,doc,position,clicked\nq1,d1,1,1\nq1,d2,2,0\nq1,d2,1,1\nq1,d1,2,1\n",
  "items.csv": "item,size\na,1\nb,2\nc,4\n",
  "s.txt": svmlight(8),
  "v.txt": svmlight(4),
  "b.orders": "a > b > c\nb > a > c\nc > a > b\na > c > b\n",
});
mkdirSync(join(cwd, "folds"));
for (const part of [1, 2, 3]) writeFileSync(join(cwd, "folds", `S${part}.txt`), svmlight(4));

/** For every command with outputs: words that work, and the files that these read. */
const cases: Readonly<Record<string, { words: readonly string[]; reads: readonly string[] }>> = {
  train: {
    words: ["train", "s.txt", "--valid", "v.txt", "--init", "t.json", "--model", "trees:rounds=2", "--config", "c.conf"],
    reads: ["s.txt", "v.txt", "t.json", "c.conf", "s.txt.weight"],
  },
  report: {
    words: ["report", "m.json", "s.txt", "--train", "v.txt", "--against", "r.json", "--history", "h.json"],
    reads: ["m.json", "s.txt", "v.txt", "r.json", "h.json"],
  },
  rank: { words: ["rank", "m.json", "s.txt"], reads: ["m.json", "s.txt"] },
  show: { words: ["show", "u.json"], reads: ["u.json"] },
  blend: { words: ["blend", "m.json", "r.json", "--valid", "v.txt"], reads: ["m.json", "r.json", "v.txt"] },
  leaderboard: {
    words: ["leaderboard", "battles.csv", "--item-features", "items.csv"],
    reads: ["battles.csv", "items.csv"],
  },
  ratings: { words: ["ratings", "battles.csv", "--from", "state.json"], reads: ["battles.csv", "state.json"] },
  serve: {
    words: ["serve", "m.json", "--shadow", "r.json", "--interleave", "team-draft"],
    reads: ["m.json", "r.json"],
  },
  clicks: { words: ["clicks", "log.csv", "--features", "s.txt"], reads: ["log.csv", "s.txt"] },
  cv: { words: ["cv", "folds", "--folds", "3"], reads: ["folds/S1.txt", "folds/S3.txt"] },
  tune: { words: ["tune", "s.txt", "l2=1,2", "--valid", "v.txt"], reads: ["s.txt", "v.txt"] },
};

/** A command that writes trials: one of trees makes none. */
const searching = (verb: string, option: string) =>
  verb === "train" && option === "--trials-file"
    ? ["train", "s.txt", "--model", "auto", "--trials", "1", "--patience", "1"]
    : cases[verb]!.words;

const outputs = commands.flatMap((command) =>
  command.options
    .filter((option) => (option as Option & { role?: string }).role === "writes")
    .map((option) => ({ verb: command.name(), option: option.long! })),
);

const everything = () =>
  readdirSync(cwd, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => [name, statSync(join(cwd, name)).isFile() ? readFileSync(join(cwd, name), "latin1") : "folder"]);

async function refuses(words: readonly string[], answer: RegExp): Promise<void> {
  const before = everything();
  const { code, out, err } = await tierwise(words, { cwd });
  expect({ code, out }, words.join(" ")).toEqual({ code: 2, out: "" });
  expect(err).toMatch(new RegExp(`^tierwise: ${answer.source}\n$`));
  expect(everything()).toEqual(before);
}

beforeAll(async () => {
  await succeed(["train", "s.txt", "--out", "m.json", "--history", "h.json", "--quiet"], { cwd });
  await succeed(["train", "s.txt", "--objective", "ranknet", "--out", "r.json", "--quiet"], { cwd });
  await succeed(["train", "s.txt", "--model", "trees:rounds=2,min-items=2", "--out", "t.json", "--quiet"], { cwd });
  await succeed(["train", "b.orders", "--out", "u.json", "--quiet"], { cwd });
  await succeed(["ratings", "battles.csv", "--out", "state.json", "--quiet"], { cwd });
  writeFileSync(join(cwd, "c.conf"), "patience = 0\nthreads = 1\n");
  writeFileSync(join(cwd, "s.txt.weight"), "1\n".repeat(8));
});

describe("every option that names an output", () => {
  it("is known to be one, and has a case here", () => {
    expect(outputs.map(({ verb, option }) => `${verb} ${option}`)).toEqual([
      ...[
        "train --out",
        "train --report",
        "train --history",
        "train --trials-file",
        "rank --out",
        "report --out",
        "show --plot",
        "blend --out",
        "cv --values",
        "tune --trials-file",
        "leaderboard --report",
        "ratings --out",
        "serve --impressions",
        "clicks --out",
      ],
    ]);
    // An option for a file that nobody declared as read or written would escape all that is tested here.
    const plain = commands.flatMap((command) =>
      command.options
        .filter(({ flags }) => /<(file|model)s?(\.\.\.)?>/.test(flags))
        .filter((option) => (option as Option & { role?: string }).role === undefined)
        .map((option) => `${command.name()} ${option.long}`),
    );
    // --baseline is one of the systems that stand among the files; --model is no file but the name of a model.
    expect(plain.filter((one) => !one.endsWith(" --model"))).toEqual(["compare --baseline"]);
  });

  it.each(outputs)("$verb $option refuses a file that the command reads, under any name", async ({ verb, option }) => {
    const { words, reads } = cases[verb]!;
    for (const name of reads) {
      const lost = /would be lost; name another/;
      await refuses(
        [...words, option, name],
        new RegExp(`${option} ${name}: this file is read by the command and ${lost.source}`),
      );
      await refuses(
        [...words, option, join(cwd, name)],
        new RegExp(`${option} .+, which the command reads and which ${lost.source}`),
      );
    }
    const [first] = reads as [string];
    const links = join(cwd, `${verb}${option}`);
    mkdirSync(links);
    symlinkSync(join(cwd, first), join(links, "soft"));
    linkSync(join(cwd, first), join(links, "hard"));
    for (const name of ["soft", "hard"]) await refuses([...words, option, join(links, name)], /.+ would be lost; name another/);
    await refuses([...words, option, `./${first}`], /.+ would be lost; name another/);
  });

  it.each(outputs)("$verb $option is refused before data are read where it cannot be written", async ({ verb, option }) => {
    const { words } = cases[verb]!;
    await refuses([...words, option, "v.txt/x"], /v\.txt\/x: cannot be written, .+\/v\.txt is not a folder/);
    await refuses([...words, option, "missing/x"], /missing\/x: cannot be written: no such folder: .+\/missing/);
    await refuses([...words, option, "folds"], /folds: expected a file to write to, got a directory/);
    await refuses([...words, option, ""], /expected the name of a file to write to, got an empty one/);
  });

  // A server does not end when its log cannot be written: it reports that in its own log.
  const ending = outputs.filter(({ verb }) => verb !== "serve");
  it.skipIf(!full).each(ending)("$verb $option tells of a full disk in one line", async ({ verb, option }) => {
    const before = everything();
    const { code, err } = await tierwise([...searching(verb, option), option, "/dev/full"], { cwd });
    expect(code).toBe(2);
    expect(err.trimEnd().split("\n").at(-1)).toBe("tierwise: /dev/full: cannot be written (ENOSPC, the disk is full)");
    expect(err).not.toContain("    at ");
    expect(everything()).toEqual(before);
  });
});

describe("outputs", () => {
  it("are refused where two are the same file, also one that is not there yet", async () => {
    const words = ["train", "s.txt", "--out", "new.json"];
    await refuses([...words, "--history", "./new.json"], /--out and --history are the same file, \.\/new\.json; name two/);
    await refuses([...words, "--report", join(cwd, "new.json")], /--out and --report are the same file, .+; name two/);
    symlinkSync("new.json", join(cwd, "later"));
    const { code, err } = await tierwise([...words, "--history", "later"], { cwd });
    expect({ code, err }).toEqual({ code: 2, err: "tierwise: --out and --history are the same file, later; name two\n" });
    rmSync(join(cwd, "later"));
    const cache = ["train", "s.txt", "--cache", "--out", "s.txt.tierwise-cache"];
    await refuses(cache, /--out and the cache are the same file, s\.txt\.tierwise-cache; name two/);
  });

  it("may all go to one device", async () => {
    await succeed(["train", "s.txt", "--out", "/dev/null", "--history", "/dev/null", "--quiet"], { cwd });
  });

  it("are seen to be standard input, and standard output to be an input", () => {
    const home = folder({ "s.txt": svmlight(4), "m.json": readFileSync(join(cwd, "m.json")) });
    const shell = (line: string) => spawnSync("sh", ["-c", line, process.execPath, main], { cwd: home, encoding: "utf8" });
    const cv = shell('"$0" "$1" cv - --folds 3 --values s.txt < s.txt');
    expect(cv.status).toBe(2);
    expect(cv.stderr).toMatch(/^tierwise: --values s\.txt: this is the file of standard input, which .+ would be lost; .+\n$/);
    const rank = shell('"$0" "$1" rank m.json s.txt >> s.txt');
    expect(rank.status).toBe(2);
    expect(rank.stderr).toBe("tierwise: s.txt: this file is read, and standard output leads into it; name another\n");
    expect(readFileSync(join(home, "s.txt"), "utf8")).toBe(svmlight(4));
  });

  it("in a folder of caches that is a file are refused", async () => {
    for (const path of ["v.txt", "v.txt/in"])
      await refuses(["train", "s.txt", "--cache-dir", path], /--cache-dir .+: expected a folder, and .+\/v\.txt is a file/);
    await refuses(["papers", "pl-partition", "--out", "v.txt"], /--out v\.txt: expected a folder, and .+\/v\.txt is a file/);
  });

  it("of a search stay whole when a trial cannot be added", () => {
    const home = folder({ "s.txt": svmlight(8) });
    const words = ["tune", "s.txt", "l2=1,2", "--trials-file", "t.jsonl", "--quiet", "--threads", "1"];
    expect(spawnSync(process.execPath, [main, ...words], { cwd: home }).status).toBe(0);
    const before = readFileSync(join(home, "t.jsonl"), "utf8");
    writeFileSync(
      join(home, "full.mjs"),
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const write = fs.writeSync; let written = false;
      fs.writeSync = (file, bytes, at) => {
        if (file <= 2) return write(file, bytes, at);
        if (written) throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
        written = true;
        return write(file, bytes, at, 20);
      };
      syncBuiltinESMExports();`,
    );
    const more = ["--import", "./full.mjs", main, ...words.map((word) => (word === "l2=1,2" ? "l2=1,2,3" : word))];
    const { status, stderr } = spawnSync(process.execPath, more, { cwd: home, encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "tierwise: t.jsonl: cannot be written (ENOSPC, the disk is full)\n",
    });
    expect(readFileSync(join(home, "t.jsonl"), "utf8")).toBe(before);
  });
});

it("a report without its plot package is refused before training", () => {
  const home = folder({ "s.txt": svmlight(8) });
  writeFileSync(
    join(home, "hooks.mjs"),
    `export const resolve = (name, context, next) => { if (name === "jsdom") throw Object.assign(new Error("gone"), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); };`,
  );
  writeFileSync(join(home, "without.mjs"), `import { register } from "node:module"; register("./hooks.mjs", import.meta.url);`);
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ["--import", "./without.mjs", main, ...words], { cwd: home, encoding: "utf8" });
  const { status, stderr, stdout } = run("train", "s.txt", "--report", "r.html", "--out", "m.json");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^tierwise: a report is drawn with the package jsdom, which is not installed: .+\n$/);
  expect(readdirSync(home).sort()).toEqual(["hooks.mjs", "s.txt", "without.mjs"]);
});
