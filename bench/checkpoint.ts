/**
 * What do checkpoints cost? Trees, a linear model and a network on made-up data in the shape of MSLR (300,000 documents of 136 features; another
 * number may follow the name). Each is trained without checkpoints and with one after every round, alternately; the difference in processor
 * time, over the number of checkpoints, is the cost of one, with fsync, and over the default of 60 seconds the share of the training time. The
 * models must have the same bits.
 *
 *   npm run bench checkpoint [documents] [repeats] [trees,linear,mlp]
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serializeModel } from "../src/formats/models/native.ts";
import { adam, checkpointDirectory, lambdaRank, lbfgs, linear, mlp, plPartition, train, trees } from "../src/index.ts";
import type { Dataset, Learner, Objective } from "../src/types.ts";
import { FEATURES, mslr } from "./mslr.ts";

const documents = Number(process.argv[2] ?? 300_000);
const repeats = Number(process.argv[3] ?? 2);
const only = process.argv[4]?.split(",");
const INTERVAL = 60; // seconds, the default
const { starts, labels, values } = mslr(documents, 1);
const data: Dataset = {
  ...{ starts, labels, base: 1, names: {} },
  features: { kind: "dense", rows: documents, columns: FEATURES, values },
};
const folder = mkdtempSync(join(tmpdir(), "tierwise-bench-"));

const cases: readonly (readonly [string, Learner, Objective])[] = [
  ["trees, 20 rounds of 31 leaves", trees({ rounds: 20, leaves: 31, learningRate: 0.1 }), lambdaRank()],
  ["linear, 10 rounds of lbfgs", linear({ optimizer: lbfgs({ iterations: 10, tolerance: 0 }) }), plPartition()],
  ["linear, 4 epochs of adam", linear({ optimizer: adam({ epochs: 4 }) }), plPartition()],
  ["mlp, 2 epochs, 64 units", mlp({ hidden: [64], epochs: 2 }), plPartition()],
];

/** Seconds of processors, checkpoints, milliseconds in which they were written, and the bits of the model. */
async function once(model: Learner, objective: Objective, keeps: boolean) {
  const directory = checkpointDirectory(folder);
  let [saves, saving, bytes] = [0, 0, 0];
  const store = {
    ...directory,
    save(name: string, content: Uint8Array) {
      const begun = performance.now();
      directory.save(name, content);
      saving += performance.now() - begun;
      saves++;
      bytes = content.length;
    },
  };
  const before = process.cpuUsage();
  const fitted = await train(data, {
    ...{ model, objective, threads: 1, blocking: true },
    ...(keeps && { checkpoint: { store, rounds: 1 } }),
  });
  const { user, system } = process.cpuUsage(before);
  directory.clear();
  const hash = createHash("sha256").update(serializeModel(fitted)).digest("hex").slice(0, 12);
  return { cpu: (user + system) / 1e6, saves, saving, bytes, hash };
}

console.log(`${documents} documents of ${FEATURES} features, one thread\n`);
const rows = [];
for (const [name, model, objective] of cases) {
  if (only && !only.includes(model.id)) continue;
  let [without, kept] = [Infinity, Infinity];
  let last = await once(model, objective, false);
  for (let repeat = 0; repeat < repeats; repeat++) {
    const plain = repeat === 0 ? last : await once(model, objective, false);
    last = await once(model, objective, true);
    if (plain.hash !== last.hash) throw new Error(`${name}: checkpoints changed the model`);
    without = Math.min(without, plain.cpu);
    kept = Math.min(kept, last.cpu);
  }
  const each = Math.max(0, kept - without) / last.saves;
  const row = {
    training: name,
    "cpu s without": without.toFixed(2),
    "with, every round": kept.toFixed(2),
    checkpoints: last.saves,
    "MB each": (last.bytes / 1e6).toFixed(2),
    "cpu ms each": (1000 * each).toFixed(1),
    "ms to write": (last.saving / last.saves).toFixed(1),
    "% at the default": ((100 * Math.max(each, last.saving / last.saves / 1000)) / INTERVAL).toFixed(3),
  };
  rows.push(row);
  console.error(JSON.stringify(row));
}
console.table(rows);
rmSync(folder, { recursive: true });
