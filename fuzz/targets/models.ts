/**
 * Readers of model files. A model that is read must score rows as its trees do one by one, must be the same after it was written and read
 * again, and must not read outside a row.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exportModel } from "../../src/formats/models/export.ts";
import { modelFormats } from "../../src/formats/models/formats.ts";
import { importModel } from "../../src/formats/models/import.ts";
import { parseModel, serializeModel } from "../../src/formats/models/native.ts";
import { InputError } from "../../src/input-error.ts";
import { isTrees } from "../../src/models/index.ts";
import { leafOf } from "../../src/models/trees/tree.ts";
import { random } from "../../src/numeric/random.ts";
import type { Dataset, Model } from "../../src/types.ts";
import { answerOf, digestOf, Finding, type Target } from "../target.ts";

const folder = fileURLToPath(new URL("../../../test/fixtures/models/", import.meta.url)); // from dist/fuzz/targets
const LARGEST = 60_000; // bytes of a sample
const ROWS = 6;
const COLUMNS = 100_000; // a model of more is not scored here

/** Rows of ordinary, odd and missing values. */
function rowsFor(columns: number): Float32Array {
  const draw = random(columns, 0xf022);
  const odd = [Number.NaN, 0, -0, 1, -1, 1e30, 0.5, 3, 1e-40];
  return Float32Array.from({ length: ROWS * columns }, () =>
    draw() < 0.5 ? odd[Math.floor(odd.length * draw())]! : 4 * draw() - 2,
  );
}

function scoresOf(model: Model, values: Float32Array): Float64Array {
  const { count, base, names } = model.columns;
  const data: Dataset = {
    ...{ starts: Uint32Array.of(0, ROWS), labels: new Float32Array(ROWS), base, names: names ? { features: names } : {} },
    features: { kind: "dense", rows: ROWS, columns: count, values },
  };
  const scores = new Float64Array(ROWS);
  model.score(data, scores);
  return scores;
}

/** The fast scorer must give what following each tree gives, up to rounding. */
function compareWithWalk(model: Model, values: Float32Array, scores: Float64Array): void {
  if (!isTrees(model) || model.reduction) return;
  const { trees } = model;
  const { precision, start, divisor, scale, bias } = model.sum;
  const tolerance = precision === "float64" ? 1e-12 : 1e-5;
  for (let row = 0; row < ROWS; row++) {
    const leaves = trees.map((tree) => tree.value[leafOf(tree, values, row * model.columns.count)]!);
    const total = start + leaves.reduce((a, b) => a + b, 0);
    const factor = scale / divisor;
    const size = Math.abs(factor) * leaves.reduce((a, b) => a + Math.abs(b), Math.abs(start)) + Math.abs(bias);
    const score = factor * total + bias;
    if (Number.isFinite(size) && size < 1e30 && !(Math.abs(score - scores[row]!) <= tolerance * size))
      throw new Finding(`row ${row}: the scorer gives ${scores[row]}, its trees ${score}`);
  }
}

function digestOfModel(bytes: Uint8Array, from: string): { digest: string; shape: string } {
  const file = importModel(bytes, { from, path: "file" });
  const { model } = file;
  const saved = serializeModel(file);
  const again = parseModel(saved, "file");
  if (serializeModel(again) !== saved) throw new Finding("another model file after it was written and read");
  if (model.columns.count > COLUMNS) return { digest: digestOf(saved), shape: "wide" };
  const values = rowsFor(model.columns.count);
  const scores = scoresOf(model, values);
  const others = scoresOf(again.model, values);
  if (scores.some((score, i) => !Object.is(score, others[i]))) throw new Finding("other scores after it was written and read");
  compareWithWalk(model, values, scores);
  return { digest: digestOf(saved, scores), shape: `${file.training.objective} ${file.notes.length}`.slice(0, 60) };
}

const readable = modelFormats.filter(({ read }) => read).map(({ id }) => id);

/** Fixtures by the format that they are read as. */
function samplesOf(id: string): Uint8Array[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith(".case.json") && !name.endsWith(".f32"))
    .map((name) => new Uint8Array(readFileSync(folder + name)))
    .filter((bytes) => bytes.length <= LARGEST)
    .filter((bytes) => {
      try {
        return importModel(bytes).format === id;
      } catch {
        return false;
      }
    });
}

/** Models of LightGBM and RankLib as the library writes them in a format. */
function written(id: string): Uint8Array[] {
  const models = [...samplesOf("lightgbm"), ...samplesOf("ranklib")].slice(0, 12).map((bytes) => importModel(bytes));
  return models.flatMap((file) => {
    try {
      const content = id === "tierwise" ? serializeModel(file) : exportModel(file.model, { to: id, missing: "zero" }).content;
      return [typeof content === "string" ? new TextEncoder().encode(content) : content];
    } catch (error) {
      if (error instanceof InputError) return []; // the format cannot express the model
      throw error;
    }
  });
}

const words =
  'null true false NaN Infinity -1 1e309 { } [ ] : , "id":"trees" "left": "right": tree_sizes= num_leaves= leaf_value= split_feature= threshold= ' +
  "Tree=0 end\\u0020of\\u0020trees <split> </split> <feature> <output> <tree> <ensemble> \u0000\u0000\u0000\u0001 $ # L l U i d D S";

export const modelTargets: readonly Target[] = ["tierwise", ...readable].map((id) => ({
  id: `model-${id}`,
  seeds: () => [...(id === "tierwise" ? [] : samplesOf(id)), ...written(id).slice(0, 4)],
  words: words.split(" "),
  run: (bytes) => answerOf(() => digestOfModel(bytes, id)),
}));
