/** One run of ours for bench/trees.ts: folder, objective or "load", threads. Prints one line of JSON. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { average, ndcg, objective, readData, train, trees } from "../src/index.ts";
import { Heap } from "../src/numeric/heap.ts";
import { runSolo } from "../src/teams/solo.ts";
import { runThreads } from "../src/teams/threads.ts";
import type { Dataset } from "../src/types.ts";
import { FEATURES } from "./mslr.ts";
import { run as bin } from "./trees-bin.ts";

const [folder, what, threads] = [process.argv[2]!, process.argv[3]!, Number(process.argv[4])];
const heap = new Heap();

/** The numbers of a file, in the heap, without a second copy of the whole. */
function floats(path: string, count: number): Float32Array {
  const values = heap.f32(count);
  const chunk = Buffer.alloc(1 << 24);
  const file = openSync(path, "r");
  for (let at = 0; at < count; ) {
    const some = readSync(file, chunk) / 4;
    values.set(new Float32Array(chunk.buffer, chunk.byteOffset, some), at);
    at += some;
  }
  closeSync(file);
  return values;
}

function load(name: string): Dataset {
  const bytes = readFileSync(`${folder}/${name}.starts`);
  const starts = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const rows = starts.at(-1)!;
  return {
    ...{ starts, labels: floats(`${folder}/${name}.labels`, rows) },
    features: { kind: "dense", rows, columns: FEATURES, values: floats(`${folder}/${name}.values`, rows * FEATURES) },
    ...{ base: 1, names: {} },
  };
}

async function main(): Promise<Record<string, unknown>> {
  if (what === "load") {
    const start = performance.now();
    const { features } = (await readData([`${folder}/train.txt`], { threads, heap })).data;
    if (threads === 1) runSolo((team) => bin(team, features));
    else await runThreads({ size: threads, program: new URL("./trees-bin.js", import.meta.url), payload: features });
    return { load: (performance.now() - start) / 1000 };
  }
  const times: number[] = [];
  const used: number[] = [];
  const { model } = await train(load("train"), {
    ...{
      model: trees({ rounds: 100, leaves: 31, learningRate: 0.1, l2: 0, listFraction: 1, featureFraction: 1 }),
      objective: objective(what),
      threads,
      seed: 1,
    },
    onRound: () => {
      const { user, system } = process.cpuUsage();
      used.push((user + system) / 1e6);
      times.push(performance.now());
    },
  });
  const test = load("test");
  const scores = new Float64Array(test.labels.length);
  const start = performance.now();
  model.score(test, scores);
  return {
    perTree: (times.at(-1)! - times[0]!) / (times.length - 1) / 1000,
    cpu: (used.at(-1)! - used[0]!) / (used.length - 1),
    scored: (1000 * scores.length) / (performance.now() - start),
    ndcg: [1, 5, 10].map((k) => average(ndcg({ k, ties: "order" }), scores, test).mean),
  };
}

const result = await main();
console.log(JSON.stringify({ ...result, memory: process.resourceUsage().maxRSS * 1024 }));
