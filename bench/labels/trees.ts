/**
 * `label-tree` beside omikuji on synthetic data of the shape of Amazon-670K, or a share of it: seconds, processor seconds and memory (as /usr/bin/time -v has
 * them, reading the file included) and precision on documents that were not trained on. Both have their defaults, which are the same settings, and
 * the same number of trees.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { amazon670k, writeSynthetic } from "./synthetic.ts";

const main = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));
const omikuji = fileURLToPath(new URL("../../../bench/labels/run-omikuji.py", import.meta.url));
const METRICS = "precision@1,precision@3,precision@5";

export interface TreesOptions {
  /** Share of the rows and labels of Amazon-670K. */
  readonly share: number;
  readonly threads: number;
  /** Options of the model, as on the command line. */
  readonly model: string;
  /** A file to train on and one to test on, instead of synthetic ones. */
  readonly files?: readonly [string, string];
  readonly rival: boolean;
}

export function labelTrees({ share, threads, model, files, rival }: TreesOptions): void {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-labels-"));
  try {
    const [train, test] = files ?? made(folder, share);
    console.log(`${"label trees".padEnd(24)} threads   train s     cpu s   GiB   P@1    P@3    P@5   test s`);
    ours(folder, train, test, threads, model);
    if (rival) theirs(train, test, threads, model);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function made(folder: string, share: number): [string, string] {
  const shape = {
    rows: Math.ceil(amazon670k.rows * share),
    features: amazon670k.features,
    labels: Math.ceil(amazon670k.labels * share),
  };
  const [train, test] = [join(folder, "train.xc.txt"), join(folder, "test.xc.txt")];
  writeSynthetic(train, shape, 1);
  writeSynthetic(test, { ...shape, rows: Math.min(5000, shape.rows) }, 2);
  console.log(`synthetic: ${shape.rows} rows, ${shape.features} features, ${shape.labels} labels, ${share} of Amazon-670K's`);
  return [train, test];
}

interface Timed {
  readonly seconds: number;
  /** Seconds of processors, which other work on the machine hardly changes. */
  readonly cpu: number;
  readonly memory: number; // GiB
  readonly out: string;
}

function timed(command: string, args: readonly string[]): Timed {
  const { stdout, stderr, status } = spawnSync("/usr/bin/time", ["-v", command, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr.slice(-2000)}`);
  const [, hours = "0", minutes, seconds] = stderr.match(/\(h:mm:ss or m:ss\): (?:(\d+):)?(\d+):([\d.]+)/)!;
  const kilobytes = Number(stderr.match(/Maximum resident set size \(kbytes\): (\d+)/)![1]);
  const cpu = ["User", "System"].reduce(
    (sum, kind) => sum + Number(stderr.match(`${kind} time \\(seconds\\): ([\\d.]+)`)![1]),
    0,
  );
  return {
    seconds: 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds),
    ...{ cpu, memory: kilobytes / 2 ** 20, out: stdout },
  };
}

const row = (
  who: string,
  threads: number,
  { seconds, cpu, memory }: Omit<Timed, "out">,
  precision: readonly number[],
  test: number,
) =>
  console.log(
    `${who.padEnd(24)} ${threads}       ${seconds.toFixed(1).padStart(9)} ${cpu.toFixed(1).padStart(9)} ${memory.toFixed(2).padStart(5)} ${precision.map((p) => (100 * p).toFixed(2).padStart(6)).join(" ")} ${test.toFixed(1).padStart(7)}`,
  );

function ours(folder: string, train: string, test: string, threads: number, model: string): void {
  const out = join(folder, "label-tree.model");
  const trained = timed(process.execPath, [main, "train", train, "--model", model, "--threads", `${threads}`, "--out", out]);
  const tested = timed(process.execPath, [main, "evaluate", out, test, "--metrics", METRICS]);
  const precision = METRICS.split(",").map((name) => Number(tested.out.match(new RegExp(`${name}\\s+([\\d.]+)`))![1]));
  row(`tierwise ${model}`, threads, trained, precision, tested.seconds);
}

function theirs(train: string, test: string, threads: number, model: string): void {
  const python = process.env.OMIKUJI_PYTHON ?? "python3";
  if (spawnSync(python, ["-c", "import omikuji"]).status !== 0) {
    console.log(`omikuji is not here (${python}; OMIKUJI_PYTHON says where else): left out`);
    return;
  }
  const trees = /trees=(\d+)/.exec(model)?.[1] ?? "3";
  const { memory, out } = timed(python, [omikuji, train, test, `${threads}`, trees]);
  const found = JSON.parse(out.trim().split("\n").at(-1)!) as {
    train: number;
    cpu: number;
    test: number;
    precision: number[];
  };
  row(`omikuji, ${trees} trees`, threads, { seconds: found.train, cpu: found.cpu, memory }, found.precision, found.test);
}
