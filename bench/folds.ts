/**
 * Writes the folds of the leaderboard's data sets as plain arrays, so that other tools train, validate and test on the same lists
 * (bench/score-files.py).
 *
 *   npm run bench folds -- --data DIR --out FOLDER
 *
 * DIR is that of `tierwise papers`. FOLDER gets folds.json and, for each data set, fold and part, the features (32-bit floats, row after row),
 * the labels (32-bit floats) and the offsets of the lists (32-bit integers).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { comparedSets, findSet } from "../papers/data-sets.ts";
import { denseValues, foldDigest, PARTS } from "../papers/fold-digest.ts";
import { loadFold } from "../papers/trial.ts";

const { values: requested } = parseArgs({
  options: { data: { type: "string", default: "data" }, out: { type: "string", default: "folds" } },
});
const { data: source, out } = requested;

mkdirSync(out, { recursive: true });
const written: object[] = [];
for (const set of comparedSets) {
  const found = findSet(set, source);
  if (!found) {
    console.log(
      `${set.title} is not in ${source}: put it under ${set.files.join(", ")} (or the same with .gz). From ${set.obtain}`,
    );
    continue;
  }
  for (const fold of set.folds.keys()) {
    const parts = await loadFold(found, fold);
    for (const part of PARTS) {
      const data = parts[part];
      const arrays = { values: denseValues(data), labels: data.labels, starts: data.starts };
      for (const [name, array] of Object.entries(arrays))
        writeFileSync(join(out, `${set.id}-${fold + 1}-${part}.${name}`), array);
    }
    written.push({ data: set.id, fold: fold + 1, features: parts.train.features.columns, digest: foldDigest(parts) });
  }
  console.log(`${set.title}: ${set.folds.length} folds`);
}
writeFileSync(join(out, "folds.json"), `${JSON.stringify(written, null, 1)}\n`);
