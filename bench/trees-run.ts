/** One run of ours for bench/trees.ts: folder, objective or "load", threads. Prints one line of JSON. */
import { readFileSync } from "node:fs";
import { average, ndcg, objective, readData, train, trees } from "../src/index.ts";
import { tabulate } from "../src/models/trees/table.ts";
import { Heap } from "../src/numeric/heap.ts";
import { runSolo } from "../src/teams/solo.ts";
import type { Dataset } from "../src/types.ts";
import { FEATURES } from "./mslr.ts";

const [folder, what, threads] = [process.argv[2]!, process.argv[3]!, Number(process.argv[4])];
const heap = new Heap();

function load(name: string): Dataset {
  const bytes = (part: string) => readFileSync(`${folder}/${name}.${part}`);
  const numbers = (part: string) => {
    const from = bytes(part);
    return new Float32Array(from.buffer, from.byteOffset, from.length / 4);
  };
  const starts = bytes("starts");
  const values = heap.f32(numbers("values").length);
  values.set(numbers("values"));
  return {
    starts: new Uint32Array(starts.buffer.slice(starts.byteOffset, starts.byteOffset + starts.length)),
    labels: numbers("labels").slice(),
    features: { kind: "dense", rows: values.length / FEATURES, columns: FEATURES, values },
    base: 1,
    names: {},
  };
}

async function main(): Promise<Record<string, unknown>> {
  if (what === "load") {
    const start = performance.now();
    const data = (await readData([`${folder}/train.txt`])).data;
    runSolo((team) => tabulate(team, data.features, { most: 255, fewest: 3, categorical: new Set() }));
    return { load: (performance.now() - start) / 1000 };
  }
  const times: number[] = [];
  const { model } = await train(load("train"), {
    ...{ model: trees(), objective: objective(what), threads, seed: 1 },
    onRound: () => times.push(performance.now()),
  });
  const test = load("test");
  const scores = new Float64Array(test.labels.length);
  const start = performance.now();
  model.score(test, scores);
  return {
    perTree: (times.at(-1)! - times[0]!) / (times.length - 1) / 1000,
    scored: (1000 * scores.length) / (performance.now() - start),
    ndcg: [1, 5, 10].map((k) => average(ndcg({ k, ties: "order" }), scores, test).mean),
  };
}

const told = await main();
console.log(JSON.stringify({ ...told, memory: process.resourceUsage().maxRSS * 1024 }));
