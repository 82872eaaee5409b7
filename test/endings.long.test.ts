/**
 * How every command ends when it is ended: by a signal at any moment, by a full disk or a closed pipe under standard output. The commands
 * are those of the program, so that a new one without a case here fails.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands, folder, main, runBy, servers, start, succeed, svmlight } from "./cli.ts";

interface Case {
  /** Words that end soon, with a result on standard output. */
  readonly soon: readonly string[];
  /** Words that do not end by themselves; absent where there are none. "-" is a standard input that never ends. */
  readonly never?: readonly string[];
  /** Words whose data come from standard input, and the file that is sent there; absent where the command reads no data. */
  readonly stdin?: readonly [words: readonly string[], file: string];
}

const endless = ["--model", "linear:optimizer=adam(epochs=100000000)", "--threads", "1"];
const patient = ["--patience", "0"]; // validation data would end it
const quiet = "--quiet";
const single = [quiet, "--threads", "1"]; // starting threads takes longer than this little work
const cases: Readonly<Record<string, Case>> = {
  train: { soon: ["train", "s.txt", ...single], never: ["train", "s.txt", ...endless] },
  inspect: { soon: ["inspect", "s.txt", quiet], never: ["inspect", "-"], stdin: [["inspect", "-", quiet], "s.txt"] },
  evaluate: {
    soon: ["evaluate", "m.json", "s.txt", quiet],
    never: ["evaluate", "m.json", "-"],
    stdin: [["evaluate", "m.json", "-", quiet], "s.txt"],
  },
  rank: {
    soon: ["rank", "m.json", "s.txt", quiet],
    never: ["rank", "m.json", "s.txt", "--probabilities", "--exact", "0", "--draws", "2000000000"],
    stdin: [["rank", "m.json", "-", quiet], "s.txt"],
  },
  report: { soon: ["report", "m.json", "--out", "/dev/null", quiet], never: ["report", "m.json", "-", "--out", "/dev/null"] },
  show: { soon: ["show", "m.json"] },
  explain: {
    soon: ["explain", "m.json", "s.txt", quiet],
    never: ["explain", "m.json", "-"],
    stdin: [["explain", "m.json", "-", quiet], "s.txt"],
  },
  importance: {
    soon: ["importance", "m.json", "s.txt", quiet],
    never: ["importance", "m.json", "s.txt", "--repeats", "2000000000"],
    stdin: [["importance", "m.json", "-", quiet], "s.txt"],
  },
  "what-if": {
    soon: ["what-if", "m.json", "s.txt", "--set", "1=0", quiet],
    never: ["what-if", "m.json", "-", "--set", "1=0"],
    stdin: [["what-if", "m.json", "-", "--set", "1=0", quiet], "s.txt"],
  },
  blend: {
    soon: ["blend", "m.json", "r.json", "--valid", "s.txt", quiet],
    never: ["blend", "m.json", "r.json", "--valid", "-"],
    stdin: [["blend", "m.json", "r.json", "--valid", "-", quiet], "s.txt"],
  },
  compare: {
    soon: ["compare", "m.json", "r.json", "s.txt", quiet],
    never: ["compare", "a.run", "b.run", "s.txt", "--metrics", "dcg", "--rounds", "2000000000"],
    stdin: [["compare", "m.json", "r.json", "-", quiet], "s.txt"],
  },
  cv: {
    soon: ["cv", "s.txt", "--folds", "3", ...single],
    never: ["cv", "s.txt", "--folds", "3", ...endless, ...patient],
    stdin: [["cv", "-", "--folds", "3", ...single], "s.txt"],
  },
  tune: {
    soon: ["tune", "s.txt", "l2=1,2", ...single],
    never: ["tune", "s.txt", "l2=1,2", ...endless, ...patient],
    stdin: [["tune", "-", "l2=1,2", ...single], "s.txt"],
  },
  leaderboard: {
    soon: ["leaderboard", "battles.csv", quiet],
    never: ["leaderboard", "-"],
    stdin: [["leaderboard", "-", quiet], "battles.csv"],
  },
  ratings: {
    soon: ["ratings", "battles.csv", quiet],
    never: ["ratings", "-"],
    stdin: [["ratings", "-", quiet], "battles.csv"],
  },
  next: {
    soon: ["next", "battles.csv", quiet],
    never: ["next", "-"],
    stdin: [["next", "-", quiet], "battles.csv"],
  },
  interleave: {
    soon: ["interleave", "clicks.jsonl", quiet],
    never: ["interleave", "-"],
    stdin: [["interleave", "-", quiet], "clicks.jsonl"],
  },
  "compare-ties": {
    soon: ["compare-ties", "b.orders", "--parts", "2", quiet],
    never: ["compare-ties", "-"],
    stdin: [["compare-ties", "-", "--data-format", "orders", "--parts", "2", quiet], "b.orders"],
  },
  clicks: {
    soon: ["clicks", "clicks.csv", quiet],
    never: ["clicks", "-"],
    stdin: [["clicks", "-", quiet], "clicks.csv"],
  },
  convert: { soon: ["convert", "--check", "m.onnx", quiet] },
  papers: { soon: ["papers"] },
  list: { soon: ["list"] },
};

const verbs = commands.map((command) => command.name()).filter((name) => !servers.includes(name));

const battles = "model_a,model_b,winner,count\na,b,model_a,3\na,b,model_b,2\nb,c,tie,2\nc,b,model_a,2\nb,c,model_a,1\n";
const clicks = `{"impression":"r1/0","method":"team-draft","a":"old@1","b":"new@1","items":["p","q","r"],"credit":[1,0,0]}
{"click":"q","impression":"r1/0"}
`;
const ballots = "a > b > c\nb > a > c\nc > a > b\na > c > b\n";
const cwd = folder({
  "s.txt": svmlight(40),
  "b.orders": ballots,
  "battles.csv": battles,
  "clicks.jsonl": clicks,
  "clicks.csv": "query,doc,position,clicked\nq,a,1,1\nq,b,2,0\nq,b,1,1\nq,a,2,1\n",
  "a.run": runBy(0, 40),
  "b.run": runBy(2, 40),
});
const files = () => readdirSync(cwd).sort();
const contents = () => files().map((name) => readFileSync(join(cwd, name), "latin1"));

beforeAll(async () => {
  await succeed(["train", "s.txt", "--out", "m.json", quiet], { cwd });
  await succeed(["train", "s.txt", "--objective", "ranknet", "--out", "r.json", quiet], { cwd });
  await succeed(["convert", "m.json", "m.onnx", quiet], { cwd });
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

/** Runs a command whose standard input never ends, and sends it a signal some milliseconds after it was started. */
function interrupted(words: readonly string[], signal: NodeJS.Signals, delay: number): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ["pipe", "ignore", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const timer = setTimeout(() => child.kill(signal), delay);
  return new Promise((resolve) =>
    child.on("close", (code, by) => {
      clearTimeout(timer);
      child.stdin.destroy();
      resolve({ code, signal: by, err });
    }),
  );
}

/** Runs a command with its standard output opened by a shell: `redirect` follows the words. */
function redirected(words: readonly string[], redirect: string): Promise<Ended> {
  const line = `{ "$0" "$@"; echo "code $?" >&2; } ${redirect}`;
  const child = spawn("sh", ["-c", line, process.execPath, main, ...words], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) =>
    child.on("close", () => {
      const [, message = "", code] = /^([\s\S]*)code (\d+)\n$/.exec(err) ?? [];
      resolve({ code: Number(code), signal: null, err: message });
    }),
  );
}

it("every command has a case", () => {
  expect(Object.keys(cases).sort()).toEqual([...verbs].sort());
});

describe.concurrent("a signal", () => {
  const signals = [["SIGINT", 130], ["SIGTERM", 143]] as const; // biome-ignore format: a table
  it.each(verbs.flatMap((verb) => signals.map(([signal, code]) => ({ verb, signal, code }))))(
    "$signal ends $verb at any moment, with $code and one line",
    async ({ verb, signal, code }) => {
      const { soon, never } = cases[verb]!;
      const before = contents();
      const ended = await interrupted(never ?? soon, signal, Math.random() * (never ? 1500 : 500));
      if (ended.signal !== null)
        expect(ended.signal).toBe(signal); // Node itself had not started yet
      else if (ended.code === code) expect(ended.err.split("\n").slice(-2)).toEqual([`tierwise: ended by ${signal}`, ""]);
      else expect({ ...ended, ended: never === undefined }).toMatchObject({ code: 0, ended: true }); // it was done before
      expect(ended.err).not.toContain("    at ");
      expect(contents()).toEqual(before);
    },
  );
});

describe.concurrent("standard output", () => {
  const full = existsSync("/dev/full");
  if (!full) console.warn("skipped: no /dev/full here to stand for a full disk");
  it.skipIf(!full).each(verbs)("of %s on a full disk is one line", async (verb) => {
    const result = await redirected(cases[verb]!.soon, "> /dev/full");
    expect(result).toEqual({ code: 2, signal: null, err: "tierwise: standard output: cannot be written (ENOSPC)\n" });
  });

  it.each(verbs)("of %s that nobody reads is quiet", async (verb) => {
    expect(await redirected(cases[verb]!.soon, "| true")).toEqual({ code: 0, signal: null, err: "" });
  });

  it.each(verbs)("of %s may be closed", async (verb) => {
    expect(await redirected(cases[verb]!.soon, ">&-")).toEqual({ code: 0, signal: null, err: "" });
  });

  it.skipIf(!full)("of help on a full disk is one line, and remarks on one are not missed", async () => {
    const result = await redirected(["train", "--help"], "> /dev/full");
    expect(result).toEqual({ code: 2, signal: null, err: "tierwise: standard output: cannot be written (ENOSPC)\n" });
    const out = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [main, "evaluate", "m.json", "s.txt"], { cwd, stdio: ["ignore", "pipe", out] });
    let text = "";
    child.stdout!.setEncoding("utf8").on("data", (more: string) => (text += more));
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    closeSync(out);
    expect(text).toContain("ndcg@10");
  });
});

describe("standard input", () => {
  const reading = verbs.flatMap((verb) => (cases[verb]!.stdin ? [{ verb, stdin: cases[verb]!.stdin! }] : []));
  it.each(reading)("is data for $verb, and gives what the file gives", async ({ stdin: [words, file] }) => {
    const { out, err } = start(words, { cwd, input: readFileSync(join(cwd, file)) });
    const named = words.map((word) => (word === "-" ? file : word));
    expect({ err, out: out.replace("tierwise train - ", `tierwise train ${file} `) }).toEqual({
      err: "",
      out: await succeed(named, { cwd }),
    });
  });
});

it("a signal in the middle of writing takes the half-written file away", async () => {
  const home = folder({ "s.txt": svmlight(5), "m.json": "old" });
  writeFileSync(
    join(home, "slow.mjs"),
    `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const write = fs.writeSync;
    fs.writeSync = (file, ...rest) => {
      if (file < 3) return write(file, ...rest);
      write(file, "half");
      process.kill(process.pid, "SIGTERM");
      for (;;);
    };
    syncBuiltinESMExports();`,
  );
  const words = ["--import", "./slow.mjs", main, "train", "s.txt", "--out", "m.json", quiet];
  const child = spawn(process.execPath, words, { cwd: home, stdio: "ignore" });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(143);
  expect(readdirSync(home).sort()).toEqual(["m.json", "s.txt", "slow.mjs"]);
  expect(readFileSync(join(home, "m.json"), "utf8")).toBe("old");
});

it("a command that waits for the reader of its output hears a signal too", async () => {
  const many = Array.from({ length: 40 }, () => "s.txt");
  const child = spawn(process.execPath, [main, "rank", "m.json", ...many, quiet], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  await new Promise((resolve) => child.stdout.once("readable", resolve)); // and is not read: the pipe fills
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  const [code, signal] = await new Promise<unknown[]>((resolve) => child.on("exit", (...how) => resolve(how)));
  expect([143, "SIGTERM"]).toContain(code ?? signal);
  child.stdout.destroy();
});
