/**
 * Limits instead of crashes: input that would take more memory or time than there is ends in one line with exit code 2, before the memory is
 * gone. Every case is a process of its own, whose largest resident memory is measured.
 */
import { spawn } from "node:child_process";
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, main, svmlight } from "./cli.ts";

const MB = 2 ** 20;

/** What a process may use above its budget: what is allocated until the next look at its memory, and until its threads have ended. */
const TOLERANCE = 96 * MB;

const cwd = folder({
  "s.txt": svmlight(20),
  "peak.mjs": `import { writeFileSync } from "node:fs"; import { isMainThread } from "node:worker_threads";
    if (isMainThread) process.on("exit", () => writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)));`,
  "unshared.mjs": "delete globalThis.SharedArrayBuffer;",
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Bytes. */
  readonly peak: number;
}

interface How {
  /** Flags of Node. */
  readonly node?: readonly string[];
  /** Is sent to standard input again and again, until that is closed. */
  readonly endless?: string;
}

let runs = 0;

function run(words: readonly string[], { node = [], endless }: How = {}): Promise<Ended> {
  const file = join(cwd, `peak-${runs++}`);
  const child = spawn(process.execPath, [...node, "--import", "./peak.mjs", main, ...words], {
    cwd,
    env: { ...process.env, PEAK: file },
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => {}); // the command has seen enough
  if (endless === undefined) child.stdin.end();
  else {
    const send = () => {
      while (child.stdin.writable && child.stdin.write(endless));
      if (child.stdin.writable) child.stdin.once("drain", send);
    };
    send();
  }
  return new Promise((resolve) =>
    child.on("close", (code) => {
      const peak = 1024 * Number(readFileSync(file, "utf8"));
      rmSync(file);
      resolve({ code, out, err, peak });
    }),
  );
}

/** The command ends with this line alone, and uses at most so much memory. */
async function refused(words: readonly string[], line: RegExp, most: number, how: How = {}): Promise<void> {
  const { code, out, err, peak } = await run(words[0] === "show" ? words : [...words, "--quiet"], how);
  expect({ code, out, err }).toEqual({
    code: 2,
    out: "",
    err: expect.stringMatching(new RegExp(`^tierwise: ${line.source}\n$`)),
  });
  expect(peak).toBeLessThan(most);
}

/** A gzip file of a beginning and a text repeated so often: members of gzip may follow each other. */
function bomb(name: string, head: string, text: string, times: number): void {
  const file = openSync(join(cwd, name), "w");
  writeSync(file, gzipSync(head));
  const member = gzipSync(text, { level: 9 });
  for (let i = 0; i < times; i++) writeSync(file, member);
  closeSync(file);
}

/** A file that takes no space on the disk. */
function hole(name: string, bytes: number): string {
  const file = openSync(join(cwd, name), "w");
  ftruncateSync(file, bytes);
  closeSync(file);
  return name;
}

const TERABYTE = 1e12;
const linear = ["--model", "linear", "--threads", "1"];
if (process.platform !== "linux") console.warn("skipped: memory is measured, and files of holes are made, on Linux only");

describe.skipIf(process.platform !== "linux")("a gzip bomb", () => {
  it("of rows ends at the budget, with how much came out of how little", async () => {
    bomb("rows.txt.gz", "", "1 qid:1 1:1\n".repeat(1e6), 200); // 2.4 GB
    const line =
      /rows\.txt\.gz: out of memory: \d+ MB are in use after \d+ MB of the file \(unpacked from \d+(\.\d)? [KM]B\), and the budget is 250 MB; use less data, or raise --memory/;
    await refused(["train", "rows.txt.gz", ...linear, "--memory", "250m"], line, 250 * MB + TOLERANCE);
  });

  it("of a table and of a run", { timeout: 600_000 }, async () => {
    bomb("t.csv.gz", "label,qid,a,b\n", "1,x,0.5,2\n".repeat(1e6), 200);
    bomb("r.run.gz", "", "q1 Q0 d1 1 0.5 x\n".repeat(5e5), 400);
    const budget = ["--memory", "250m"];
    // The watch from outside may come first where an array is doubled between two chunks.
    const line = (file: string) =>
      new RegExp(`(${file}: )?out of memory: .+ the budget is 250 MB; use less data.* raise --memory`);
    await refused(["train", "t.csv.gz", ...linear, ...budget], line("t.csv.gz"), 250 * MB + TOLERANCE);
    await refused(["compare", "r.run.gz", "r.run.gz", "s.txt", ...budget], line("r.run.gz"), 250 * MB + TOLERANCE);
  });
});

describe.skipIf(process.platform !== "linux")("a line of 1 GB", () => {
  it.each([
    ["l.txt.gz", "1 qid:1 ", "1:1 "],
    ["l.csv.gz", "label,qid,a\n", "1234"],
    ["l.orders.gz", "a > b", "bbbb"],
  ])("of %s is refused", async (name, head, text) => {
    bomb(name, head, text.repeat(4 * MB), 64);
    await refused(["train", name, "--threads", "1"], new RegExp(`${name}:\\d: the line is longer than 256 MB`), 1000 * MB);
  });

  it("is refused by a smaller budget before that", async () => {
    bomb("l.txt.gz", "1 qid:1 ", "1:1 ".repeat(4 * MB), 64);
    await refused(
      ["train", "l.txt.gz", ...linear, "--memory", "200m"],
      /(l\.txt\.gz: |l\.txt\.gz:1: a line of more than \d+ MB: )?out of memory: .+ raise --memory/,
      200 * MB + TOLERANCE,
    );
  });
});

describe.skipIf(process.platform !== "linux")("numbers that promise too much", () => {
  it.each(["trees", "linear", "mlp", "coordinate-ascent"])("10^9 as a feature number, for %s", async (model) => {
    writeFileSync(join(cwd, "f.txt"), "1 qid:1 1:1 1000000000:2\n0 qid:1 1:2\n2 qid:2 1:1 5:3\n0 qid:2 7:3\n");
    const line =
      /out of memory: a training (of trees )?over 1000000000 features, which takes memory for every feature number, needs \d+ GB, .+/;
    await refused(["train", "f.txt", "--model", model, "--threads", "1", "--memory", "8g"], line, 600 * MB);
  });

  it("a dense matrix of 10^9 columns", async () => {
    writeFileSync(join(cwd, "f.txt"), "1 qid:1 4000000000:2\n");
    await refused(
      ["train", "f.txt", ...linear],
      /f\.txt:1: expected a feature number up to 2147483647, got "4000000000:2"/,
      200 * MB,
    );
  });

  it("10^7 columns of a table", async () => {
    const file = openSync(join(cwd, "wide.csv"), "w");
    writeSync(file, `label,qid${Array.from({ length: 1e7 }, (_, i) => `,${i.toString(36)}`).join("")}\n1,1${",1".repeat(1e7)}\n`);
    closeSync(file);
    const line =
      /wide\.csv:1: the header has 10000002 columns, and a table can have 1048576; write wide data as SVMlight, where features have numbers/;
    await refused(["train", "wide.csv", ...linear], line, 500 * MB);
  });

  it("1000 threads", async () => {
    await refused(
      ["train", "s.txt", "--threads", "1000"],
      /--threads: expected a whole number from 1 to \d+, got "1000"/,
      200 * MB,
    );
  });

  it.each([
    ["features", /"count": 3/, '"count": 4000000000000'],
    ["versions", /"version": 1/, '"version": 99999999999'],
    ["a node", /"feature": \[/, '"feature": [4000000000,'],
  ])("a model file with an absurd number of %s", async (_, from, to) => {
    await run(["train", "s.txt", "--model", "trees:rounds=2,min-items=2", "--out", "t.json", "--quiet"]);
    const text = readFileSync(join(cwd, "t.json"), "utf8");
    expect(text).toMatch(from);
    writeFileSync(join(cwd, "absurd.json"), text.replace(from, to));
    await refused(["rank", "absurd.json", "s.txt"], /.*absurd\.json.+/, 300 * MB);
  });

  it("10^7 items in a list under an objective of pairs", { timeout: 600_000 }, async () => {
    const rows = Array.from({ length: 1e6 }, (_, i) => `${i} qid:1 1:${i % 7}\n`).join("");
    bomb("long.txt.gz", "", rows, 10);
    await refused(
      ["train", "long.txt.gz", "--objective", "ranknet", ...linear],
      /objective ranknet looks at every pair of a list, and list "1" has 10000000 items and 5\.0e\+13 pairs, .+/,
      2500 * MB,
    );
  });
});

describe.skipIf(process.platform !== "linux")("brackets nested 10^5 deep", () => {
  const deep = `${"[".repeat(1e5)}${"]".repeat(1e5)}`;
  it.each<[string, string, readonly string[]]>([
    ["a model file", `{"format":"tierwise","model":${deep}}`, ["show", "deep.json"]],
    ["a model of XGBoost", `{"learner":${deep},"version":[2,0,0]}`, ["show", "deep.json"]],
    ["settings", `{"model":${deep}}`, ["train", "s.txt", "--config", "deep.json"]],
    ["tier lists", deep, ["train", "deep.json", "--data-format", "tiers"]],
    ["a history", deep, ["report", "m.json", "--history", "deep.json", "--out", "r.html"]],
  ])("in %s", async (_, text, words) => {
    writeFileSync(join(cwd, "deep.json"), text);
    await run(["train", "s.txt", "--out", "m.json", "--quiet"]);
    await refused(words, /.*deep\.json.*/, 300 * MB);
  });
});

describe.skipIf(process.platform !== "linux")("files of 10^12 bytes", () => {
  beforeAll(() => void hole("hole.txt", TERABYTE));
  it.each([
    ["data", ["train", "hole.txt", "--threads", "2"], /hole\.txt:1: the line is longer than 256 MB/],
    ["a model", ["show", "hole.txt"], /hole\.txt: the file is larger than 2\.0 GB, which no file of this kind is/],
    [
      "settings",
      ["train", "s.txt", "--config", "hole.txt"],
      /hole\.txt: the file is larger than 256 MB, which no file of this kind is/,
    ],
    ["a split", ["train", "s.txt", "--split", "hole.txt"], /hole\.txt: .+/],
  ])("as %s", async (_, words, line) => refused(words, line, 1000 * MB));

  it("as a side file", async () => {
    writeFileSync(join(cwd, "side.txt"), "1 1:1\n0 1:2\n");
    hole("side.txt.query", TERABYTE);
    await refused(
      ["train", "side.txt"],
      /side\.txt\.query: the file is larger than 2 GB, which no file of this kind is/,
      200 * MB,
    );
  });
});

describe.skipIf(process.platform !== "linux")("endless standard input", () => {
  it.each([
    ["rows", "1 qid:1 1:1 2:0.5\n".repeat(5000)],
    ["one line", "1".repeat(100_000)],
  ])("of %s ends at the budget", async (_, text) => {
    await refused(
      ["train", "-", ...linear, "--memory", "128m"],
      /(-:(1: a line of more than .+ [KM]B:)? )?out of memory: .+; use less data.* raise --memory/,
      128 * MB + TOLERANCE,
      {
        endless: text,
      },
    );
  });
});

describe.skipIf(process.platform !== "linux")("a heap of JavaScript", () => {
  const full =
    /out of memory: the JavaScript heap is full; NODE_OPTIONS=--max-old-space-size=MEGABYTES makes it larger, where the machine has more/;
  it("of 64 MB is enough for small data", async () => {
    const { code } = await run(["train", "s.txt", "--model", "trees:rounds=5", "--quiet"], { node: ["--max-old-space-size=64"] });
    expect(code).toBe(0);
  });

  it("that ids fill ends in one line", async () => {
    bomb("ids.txt.gz", "", Array.from({ length: 2e5 }, (_, i) => `1 qid:${i} 1:1 # document-${i}\n`).join(""), 40);
    await refused(["train", "ids.txt.gz", ...linear], full, 1000 * MB, { node: ["--max-old-space-size=64"] });
  });

  it("of 8 MB ends in one line", async () => {
    await refused(["train", "s.txt", ...linear], full, 200 * MB, { node: ["--max-old-space-size=8"] });
  });
});

describe.skipIf(process.platform !== "linux")("without shared memory", () => {
  const node = ["--import", "./unshared.mjs"];
  it("a command runs in one thread, with the same model", async () => {
    for (const model of ["trees:rounds=3,min-items=2", "linear"]) {
      await run(["train", "s.txt", "--model", model, "--out", "here.json", "--quiet"]);
      const { code, err } = await run(["train", "s.txt", "--model", model, "--out", "alone.json", "--quiet"], { node });
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(readFileSync(join(cwd, "alone.json"), "utf8")).toBe(readFileSync(join(cwd, "here.json"), "utf8"));
    }
  });
});

describe.skipIf(process.platform !== "linux")("--memory", () => {
  const columns = 400;
  const rowsOf = 40_000; // a matrix of 61 MB, and 15 MB of bins
  beforeAll(() => {
    const file = openSync(join(cwd, "dense.txt"), "w");
    for (let from = 0; from < rowsOf; from += 1000) {
      let text = "";
      for (let row = from; row < from + 1000; row++) {
        text += `${row % 3} qid:${Math.floor(row / 20)}`;
        for (let c = 1; c <= columns; c++) text += ` ${c}:${((row * 7919 + c * 104729) % 1000) / 1000}`;
        text += "\n";
      }
      writeSync(file, text);
    }
    closeSync(file);
  });

  it.each(["trees:rounds=3,leaves=64", "linear:optimizer=adam(epochs=2)"])(
    "is kept by reading and training %s, whether that succeeds or is refused",
    { timeout: 600_000 },
    async (model) => {
      const outcomes: (number | null)[] = [];
      for (const megabytes of [128, 192, 256, 320, 448, 640]) {
        const words = ["train", "dense.txt", "--model", model, "--memory", `${megabytes}m`, "--quiet", "--json"];
        const { code, err, peak } = await run([...words, "--threads", "2"]);
        expect(peak, `${model} with ${megabytes} MB`).toBeLessThan(megabytes * MB + TOLERANCE);
        if (code !== 0)
          expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^tierwise: .*out of memory: .+ --memory\n$/) });
        outcomes.push(code);
      }
      expect(outcomes.at(0)).toBe(2);
      expect(outcomes.at(-1)).toBe(0);
    },
  );

  it("has no influence on the model", { timeout: 600_000 }, async () => {
    for (const memory of ["450m", "3g"])
      await run([
        "train",
        "dense.txt",
        "--model",
        "trees:rounds=2,leaves=255",
        "--memory",
        memory,
        "--out",
        `${memory}.json`,
        "--quiet",
      ]);
    expect(readFileSync(join(cwd, "450m.json"), "utf8")).toBe(readFileSync(join(cwd, "3g.json"), "utf8"));
  });

  it.each(["", "2x", "-1g", "10m", "0"])("refuses %j", async (size) => {
    await refused(
      ["train", "s.txt", "--memory", size],
      /--memory: expected (a size such as 500m or 2g|at least 64m), got .+/,
      200 * MB,
    );
  });
});

it("no temporary file is left", () => expect(readdirSync(cwd).filter((name) => name.endsWith(".part"))).toEqual([]));
