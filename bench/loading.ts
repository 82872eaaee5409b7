/**
 * How fast is text of the shape of MSLR-WEB loaded, and in how much memory? By one thread, by all cores, from the cache, and by LightGBM
 * (binned, from Python, where `python3` or $TIERWISE_PYTHON has it). Each run is a process of its own; runs alternate and the best of each
 * counts, since machines are shared. The number of documents may follow the name: npm run bench loading 300000.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readData } from "../src/formats/data/read.ts";
import { Heap } from "../src/numeric/heap.ts";
import { cores } from "../src/teams/threads.ts";
import { mslr, svmlight } from "./mslr.ts";

interface Measurement {
  readonly seconds: number;
  readonly cpu: number; // seconds of all cores
  readonly peak: number; // MB of the process
}

const LIGHTGBM = `
import json, resource, sys, time
import lightgbm as lgb
begun = time.time()
lgb.Dataset(sys.argv[1], params=dict(max_bin=255, num_threads=int(sys.argv[2]), verbose=-1)).construct()
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps(dict(seconds=time.time() - begun, cpu=used.ru_utime + used.ru_stime, peak=used.ru_maxrss / 1000)))
`;

if (process.argv[2] === "run") {
  const [path, threads, cache] = process.argv.slice(3) as [string, string, string];
  const begun = performance.now();
  const { data } = await readData([path], { threads: Number(threads), heap: new Heap(), cache: cache === "cache" });
  const seconds = (performance.now() - begun) / 1000;
  if (data.labels.length === 0) throw new Error("nothing was read");
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.log(JSON.stringify({ seconds, cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1000 } satisfies Measurement));
} else compare(Number(process.argv[2] ?? 300_000));

function compare(documents: number): void {
  const home = mkdtempSync(join(tmpdir(), "tierwise-loading-"));
  try {
    const [path, other] = [join(home, "train.txt"), join(home, "lightgbm.txt")];
    writeText(path, other, documents);
    const { size } = statSync(path);
    const ours = (threads: number, cache = "") =>
      iteration(process.execPath, [fileURLToPath(import.meta.url), "run", path, String(threads), cache]);
    const theirs = (threads: number) =>
      iteration(process.env.TIERWISE_PYTHON ?? "python3", ["-c", LIGHTGBM, other, String(threads)]);
    const ways: [string, () => Measurement | undefined][] = [
      ["1 thread", () => ours(1)],
      [`${cores()} threads`, () => ours(cores())],
      ["cache", () => ours(1, "cache")],
      ["LightGBM, 1 thread", () => theirs(1)],
      [`LightGBM, ${cores()} threads`, () => theirs(cores())],
    ];
    ours(1, "cache"); // writes it
    const best = new Map<string, Measurement>();
    for (let round = 0; round < 4; round++)
      for (const [name, run] of ways) {
        const [one, before] = [run(), best.get(name)];
        if (one && !(before && before.seconds <= one.seconds)) best.set(name, one);
      }
    console.log(`${documents} documents, ${(size / 1e6).toFixed(0)} MB of text; load average ${loadavg()[0]!.toFixed(1)}`);
    console.log(`${"way".padEnd(24)}${["seconds", "MB/s", "cpu s", "peak MB"].map((head) => head.padStart(10)).join("")}`);
    for (const [name, { seconds, cpu, peak }] of best)
      console.log(
        `${name.padEnd(24)}${[seconds.toFixed(2), (size / 1e6 / seconds).toFixed(0), cpu.toFixed(2), peak.toFixed(0)].map((cell) => cell.padStart(10)).join("")}`,
      );
    if (!best.has(ways[3]![0])) console.log("LightGBM is not installed here.");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** LightGBM reads no qid: it gets the same rows without, and the sizes of the lists beside them. */
function writeText(path: string, other: string, documents: number): void {
  const { starts, ...made } = mslr(documents, 1);
  const [file, without] = [openSync(path, "w"), openSync(other, "w")];
  for (let list = 0; list < starts.length - 1; list += 20) {
    const text = svmlight({ starts, ...made }, list, Math.min(list + 20, starts.length - 1));
    writeSync(file, text);
    writeSync(without, text.replace(/ qid:\d+/g, ""));
  }
  for (const one of [file, without]) closeSync(one);
  writeFileSync(`${other}.query`, Array.from(starts.subarray(1), (end, list) => `${end - starts[list]!}\n`).join(""));
}

function iteration(program: string, args: readonly string[]): Measurement | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? (JSON.parse(stdout.trim().split("\n").at(-1)!) as Measurement) : undefined;
}
