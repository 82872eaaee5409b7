/**
 * Coordinate ascent beside RankLib's own, on the five folds of MQ2008: both with 5 restarts and 25 iterations on NDCG@10 of the training
 * lists, and NDCG@10 of the test lists computed here from the scores of either, lists without a relevant document left out. Both climb from
 * features in random order, and RankLib's order cannot be seeded, so there are several runs.
 *
 *   TIERWISE_RANKLIB=ranklib-2.10.1.jar:commons-math3-3.6.1.jar npm run bench ranklib -- --data DIR [--runs 3]
 *
 * DIR holds mq2008/S1.txt to S5.txt (or .gz), as for `tierwise papers`. TIERWISE_RANKLIB is a Java class path; the two jars are
 * org.codelibs:ranklib and org.apache.commons:commons-math3 of Maven Central.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { findSet, mq2008 } from "../papers/data-sets.ts";
import { coordinateAscent } from "../papers/plrank/systems.ts";
import { loadFold, runTrial } from "../papers/trial.ts";
import { average, ndcg } from "../src/index.ts";
import type { Dataset } from "../src/types.ts";

const { values: requested } = parseArgs({
  options: { data: { type: "string", default: "data" }, runs: { type: "string", default: "3" } },
});
const jars = process.env.TIERWISE_RANKLIB;

const textOf = (path: string) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path));

function ranklib(folder: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("java", ["-cp", jars!, "ciir.umass.edu.eval.Evaluator", ...args], {
    ...{ cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 },
  });
  if (status !== 0) throw new Error(`RankLib failed: ${error?.message ?? stderr.trim().split("\n").at(-1)}`);
}

/** NDCG@10 of the test lists under RankLib's model, which writes a line of qid, place in the list and score for each document. */
function theirs(folder: string, test: Dataset): number {
  ranklib(folder, ..."-train train.txt -validate valid.txt -ranker 4 -metric2t NDCG@10 -save model.txt".split(" "));
  ranklib(folder, ..."-load model.txt -rank test.txt -score scores.txt".split(" "));
  const lines = readFileSync(join(folder, "scores.txt"), "utf8").trim().split("\n");
  const scores = Float64Array.from(lines, (line) => Number(line.split("\t")[2]));
  if (scores.length !== test.labels.length) throw new Error(`RankLib scored ${scores.length} of ${test.labels.length} documents`);
  return average(ndcg({ k: 10, ties: "order" }), scores, test).mean;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (values: readonly number[]) => values.map((value) => value.toFixed(4)).join(" ");

const found = findSet(mq2008, requested.data);
if (!found) console.log(`no MQ2008 in ${requested.data}: ${mq2008.obtain}; put it under ${mq2008.files.join(", ")}`);
else {
  if (!jars) console.log("RankLib is left out: TIERWISE_RANKLIB names no jars");
  const all: { ours: number; theirs: number }[] = [];
  for (let run = 0; run < Number(requested.runs); run++) {
    const folds: { ours: number; theirs: number }[] = [];
    for (const [fold, { train, valid, test }] of mq2008.folds.entries()) {
      const folder = mkdtempSync(join(tmpdir(), "tierwise-ranklib-"));
      for (const [name, files] of Object.entries({ train, valid: valid ?? [], test }))
        writeFileSync(join(folder, `${name}.txt`), Buffer.concat(files.map((file) => textOf(found.paths[file]!))));
      const parts = await loadFold(found, fold);
      const outcome = await runTrial(parts, coordinateAscent.recipe(found), 10 * run + fold + 1, 1);
      folds.push({ ours: outcome.metrics["ndcg@10"]!, theirs: jars ? theirs(folder, parts.test) : Number.NaN });
      rmSync(folder, { recursive: true });
    }
    all.push({ ours: mean(folds.map(({ ours }) => ours)), theirs: mean(folds.map(({ theirs }) => theirs)) });
    console.log(`run ${run + 1}, NDCG@10 by fold: tierwise ${shown(folds.map(({ ours }) => ours))}`);
    if (jars) console.log(`                        RankLib  ${shown(folds.map(({ theirs }) => theirs))}`);
  }
  const [ours, other] = [all.map(({ ours }) => ours), all.map(({ theirs }) => theirs)];
  console.log(`means of five folds: tierwise ${shown(ours)}, in all ${mean(ours).toFixed(4)}`);
  if (jars) console.log(`                     RankLib  ${shown(other)}, in all ${mean(other).toFixed(4)}`);
}
