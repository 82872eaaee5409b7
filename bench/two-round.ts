/**
 * Trees on data that do not fit into memory as values: seconds and peak memory of reading in two rounds and training ten trees, ours and
 * LightGBM's (`two_round=true`, from Python, where `python3` or $TIERWISE_PYTHON has it). Each is a process of its own. Rows and features may
 * follow the name, then a file, which is written where it is not there: npm run bench two-round 10500000 220 /data/wide.txt. A large file may be
 * written in parts before: npm run bench two-round write 10500000 220 /data/wide.txt 0, then 1, and so on. With --ours or --theirs behind, one of the
 * two is measured.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { objective, readBinned, train, trees } from "../src/index.ts";
import { Heap } from "../src/numeric/heap.ts";
import { cores } from "../src/teams/threads.ts";
import { writeWidePart, writeWideText } from "./wide-text.ts";

const TREES = 10;

interface Measurement {
  readonly load: number; // seconds
  readonly train: number;
  readonly cpu: number; // seconds of all cores
  readonly peak: number; // bytes of the process
  readonly rows: number;
  readonly bins?: number; // bytes
}

async function measure(path: string, threads: number): Promise<Measurement> {
  const model = trees({ rounds: TREES, leaves: 31, learningRate: 0.1, l2: 0, listFraction: 1, featureFraction: 1 });
  const begun = performance.now();
  const { data } = await readBinned([path], { model, threads, heap: new Heap() });
  const loaded = performance.now();
  await train(data, { model, objective: objective("lambdarank"), threads });
  const ended = performance.now();
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const { features } = data;
  return {
    ...{ load: (loaded - begun) / 1000, train: (ended - loaded) / 1000, cpu: (userCPUTime + systemCPUTime) / 1e6 },
    ...{ peak: maxRSS * 1024, rows: features.rows, bins: features.kind === "dense" ? features.binned!.bins.length : 0 },
  };
}

function started(command: string, args: readonly string[]): Measurement | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1)!);
  console.log(`${command} ${args[0]}: ${stderr?.trim().split("\n").at(-1) ?? "could not be started"}`);
  return undefined;
}

function compare(rows: number, features: number, given: string | undefined, which: string | undefined): void {
  const home = mkdtempSync(join(tmpdir(), "tierwise-two-round-"));
  try {
    const path = given ?? join(home, "wide.txt");
    if (!existsSync(path)) writeWideText(path, rows, features);
    const python = process.env.TIERWISE_PYTHON ?? "python3";
    const rival = fileURLToPath(new URL("../../bench/two-round-rival.py", import.meta.url));
    const ours = which === "--theirs" ? undefined : started(process.execPath, [fileURLToPath(import.meta.url), "run", path]);
    const hasRival = which !== "--ours" && spawnSync(python, ["-c", "import lightgbm"]).status === 0;
    const theirs = hasRival ? started(python, [rival, path, String(TREES), String(cores())]) : undefined;
    const row = (name: string, found: Measurement | undefined) =>
      found && {
        ...{ "": name, rows: found.rows, "read, s": found.load.toFixed(1), [`${TREES} trees, s`]: found.train.toFixed(1) },
        ...{ "cpu, s": found.cpu.toFixed(1), "peak, MB": Math.round(found.peak / 1e6) },
        ...(found.bins && { "peak / bins": (found.peak / found.bins).toFixed(2) }),
      };
    console.table([row("tierwise", ours), row("LightGBM", theirs)].filter((one) => one !== undefined));
    if (!hasRival && which !== "--ours") console.log("LightGBM is left out: no Python with lightgbm ($TIERWISE_PYTHON)");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const [what = "500000", ...words] = process.argv.slice(2);
if (what === "run") console.log(JSON.stringify(await measure(words[0]!, cores())));
else if (what === "write") writeWidePart(words[2]!, Number(words[0]), Number(words[1]), Number(words[3]));
else compare(Number(what), Number(words[0] ?? 220), words[1], words[2]);
