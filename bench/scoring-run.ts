/** One run of ours for bench/scoring.ts: folder, model. Prints one line of JSON. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { importModel, scoreRows } from "../src/index.ts";
import { readTrees } from "../src/models/trees/index.ts";
import { Heap } from "../src/numeric/heap.ts";
import type { Dataset } from "../src/types.ts";
import { FEATURES } from "./mslr.ts";

const [folder, name] = [process.argv[2]!, process.argv[3]!];
const model =
  name === "imported"
    ? importModel(readFileSync(`${folder}/${name}.lightgbm.txt`)).model
    : readTrees(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")), { count: FEATURES, base: 1 });
const bytes = readFileSync(`${folder}/${name.startsWith("categories") ? "categories" : "numbers"}.values`);
const rows = bytes.length / 4 / FEATURES;
const values = new Heap().f32(rows * FEATURES);
values.set(new Float32Array(bytes.buffer, bytes.byteOffset, values.length));

const data: Dataset = {
  ...{ starts: Uint32Array.of(0, rows), labels: new Float32Array(rows), base: model.columns.base },
  names: model.columns.names ? { features: model.columns.names } : {},
  features: { kind: "dense", rows, columns: FEATURES, values },
};
const scores = new Float64Array(rows);
const cpu = () => process.cpuUsage().user + process.cpuUsage().system;

const start = performance.now();
scoreRows(model, [Array.from(values.subarray(0, FEATURES))]);
const first = performance.now() - start; // tables are made

let best = Infinity;
for (let iteration = 0; iteration < 9; iteration++) {
  const used = cpu();
  model.score(data, scores);
  if (iteration > 1) best = Math.min(best, cpu() - used); // the first calls compile
}

const small: Record<number, number> = {};
for (const n of [1, 10, 100, 200]) {
  const lists = Array.from({ length: n }, (_, i) => Array.from(values.subarray(i * FEATURES, (i + 1) * FEATURES)));
  const times = Array.from({ length: 1000 }, () => {
    const begin = performance.now();
    scoreRows(model, lists);
    return performance.now() - begin;
  });
  small[n] = times.sort((a, b) => a - b)[500]!;
}
const digest = createHash("md5").update(scores).digest("hex");
console.log(JSON.stringify({ rate: (rows * 1e6) / best, small, first, sum: scores.reduce((a, b) => a + b, 0), digest }));
