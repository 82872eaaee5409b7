/**
 * What do threads bring? Linear training by L-BFGS, and the tier likelihood alone, on made-up data in the shape of MSLR (300,000 documents of
 * 136 features; another number may follow the name). Runs with 1 thread and with several alternate; the best of each counts, since machines
 * are shared. The models must have the same bits.
 */
import { createHash } from "node:crypto";
import { serializeModel } from "../src/formats/models/native.ts";
import { lbfgs, linear, plPartition, rankNet, train } from "../src/index.ts";
import { cores } from "../src/teams/threads.ts";
import type { Dataset, Objective } from "../src/types.ts";
import { FEATURES, mslr } from "./mslr.ts";

const documents = Number(process.argv[2] ?? 300_000);
const sizes = [...new Set([1, cores()])];
const { starts, labels, values } = mslr(documents, 1);
const data: Dataset = {
  starts,
  labels,
  features: { kind: "dense", rows: documents, columns: FEATURES, values },
  base: 1,
  names: {},
};
/** No features: what is left is the objective over the lists, and the overhead of starting. */
const bare: Dataset = { ...data, features: { kind: "dense", rows: documents, columns: 1, values: values.slice(0, documents) } };
const model = linear({ optimizer: lbfgs({ iterations: 20, tolerance: 0 }) });

async function seconds(given: Dataset, objective: Objective, threads: number): Promise<{ spent: number; hash: string }> {
  let first = 0;
  let last = 0;
  const { model: fitted } = await train(given, {
    ...{ model, objective, threads, seed: 1 },
    onRound: ({ round }) => {
      last = performance.now();
      if (round === 1) first = last;
    },
  });
  const text = serializeModel({ model: fitted, training: { model: model.spec, objective: objective.spec }, metrics: {} });
  return { spent: (last - first) / 1000, hash: createHash("sha256").update(text).digest("hex").slice(0, 12) };
}

for (const [name, given, objective] of [
  ["linear, pl-partition", data, plPartition()],
  ["linear, ranknet", data, rankNet()],
  ["pl-partition alone", bare, plPartition()],
] as const) {
  const best = new Map(sizes.map((size) => [size, Infinity]));
  const hashes = new Set<string>();
  for (let iteration = 0; iteration < 3; iteration++) {
    for (const size of sizes) {
      const { spent, hash } = await seconds(given, objective, size);
      best.set(size, Math.min(best.get(size)!, spent));
      hashes.add(hash);
    }
  }
  const result = sizes.map((size) => `${size} thread${size > 1 ? "s" : ""} ${best.get(size)!.toFixed(2)} s`).join(", ");
  const ratio = best.get(1)! / best.get(sizes.at(-1)!)!;
  console.log(
    `${name}, 19 rounds: ${result}, ${ratio.toFixed(2)} times faster, ${hashes.size === 1 ? `same bits (${[...hashes][0]})` : "BITS DIFFER"}`,
  );
  if (hashes.size > 1) process.exitCode = 1;
}
