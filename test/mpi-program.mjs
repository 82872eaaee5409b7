/** Trains several models with the processes that mpirun has started, or alone, and prints a digest of each model file. THREADS FILE... */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readData } from "../dist/src/formats/data/read.js";
import { readShard } from "../dist/src/formats/data/read-shard.js";
import { writeModel } from "../dist/src/formats/models/files.js";
import { metric } from "../dist/src/metrics/index.js";
import { learner } from "../dist/src/models/index.js";
import { objective } from "../dist/src/objectives/index.js";
import { joinProcesses } from "../dist/src/teams/processes.js";
import { train } from "../dist/src/train.js";

const [threads, rows, held, ballots] = process.argv.slice(2);
const world = await joinProcesses();
const read = (path) => (world ? readShard(world, [path], {}) : readData([path]));

const cases = [
  ["trees:rounds=3,leaves=6", "lambdarank", rows, held],
  ["trees:rounds=2,leaves=6,list-fraction=1,min-items-unit=rows", "pl-partition", rows],
  ["trees:rounds=2,leaves=6,shape=symmetric", "plrank", rows],
  ["linear:l2=0.1", "pl-partition", rows, held],
  ["utilities", "pl-partition", ballots],
];
const folder = mkdtempSync(join(tmpdir(), "tierwise-mpi-"));
for (const [model, cost, path, valid] of cases) {
  const { data } = model === "utilities" ? await readData([path]) : await read(path);
  const options = { model: learner(model), objective: objective(cost), threads: Number(threads), blocking: true };
  const more = valid ? { valid: (await read(valid)).data, metrics: [metric("ndcg@5")] } : {};
  const fitted = await train(data, { ...options, ...more });
  if ((world?.rank ?? 0) > 0) continue;
  const file = join(folder, "model.json");
  writeModel(file, { model: fitted.model, training: fitted.training, metrics: fitted.metrics });
  console.log(`${model} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
}
rmSync(folder, { recursive: true });
world?.finalize();
