/**
 * Writes models in all formats, with rows and the scores that their targets must give, for scripts/check-exports.py:
 *
 *   node scripts/export-models.mjs OUT [folder of scripts/model-fixtures.py]
 *
 * The models are those of the folder (default: the fixtures of the tests) and a few trained here, on data with missing values and categories.
 * Half of the values of the rows are thresholds of the model and their neighbours in float32.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectedScore } from "../dist/src/formats/models/shared/lower.js";
import { portable, portableScore } from "../dist/src/formats/models/shared/portable.js";
import { build, exportModel, fit, importModel, lambdaRank, learner, modelFormats, plPartition } from "../dist/src/index.js";
import { above32, below32, floor32 } from "../dist/src/numeric/float32.js";
import { below, random } from "../dist/src/numeric/random.js";

const [out = "exports", fixtures = "test/fixtures/models"] = process.argv.slice(2);
mkdirSync(out, { recursive: true });

const floats = (path) => {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};
const COLUMNS = 10;
const rowsOf = new Map(["rows.f32", "rows-finite.f32"].map((name) => [name, floats(join(fixtures, name))]));

/** Rows whose categories are whole, which is what all targets agree on; without missing values where the target takes them as 0. */
const tame = (values, zeros) =>
  values.map((value, at) => {
    if (Number.isNaN(value)) return zeros ? 0 : value;
    const column = at % COLUMNS;
    if (column === 5 || column === 6) return Math.max(0, Math.trunc(value));
    return Number.isFinite(value) && Math.abs(value) > 1e-30 ? value : 0;
  });

const models = [];
for (const name of readdirSync(fixtures).filter((one) => one.endsWith(".case.json"))) {
  const one = JSON.parse(readFileSync(join(fixtures, name), "utf8"));
  if (one.scores !== "refused")
    models.push([one.file.replace(/\W/g, "-"), importModel(readFileSync(join(fixtures, one.file)), { from: one.format }).model]);
}
const values = tame(rowsOf.get("rows-finite.f32"), false);
const rows = Array.from({ length: values.length / COLUMNS }, (_, r) => ({
  list: String(Math.floor(r / 10)),
  label: Math.floor(Math.abs(values[r * COLUMNS] || 0) * 2),
  features: values.slice(r * COLUMNS, (r + 1) * COLUMNS),
}));
const data = build(rows.map(({ list, label, features }) => ({ list, label, features: [...features] })));
for (const [name, text, objective] of [
  ["trees", "trees:rounds=20,leaves=7,min-items=2", lambdaRank()],
  ["categories", "trees:rounds=20,leaves=7,min-items=2,categorical=(6,7)", plPartition()],
  ["linear", "linear:l2=1", plPartition()],
  ["network", "mlp:hidden=8/4,epochs=3", plPartition()],
])
  models.push([`tierwise-${name}`, fit(data, { model: learner(text), objective }).model]);

/** The rows for one model: values that meet its thresholds, and those next to them, in every second place. */
function rowsFor(model, zeros) {
  const given = tame(rowsOf.get("rows-finite.f32"), zeros);
  const near = Array.from({ length: COLUMNS }, () => []);
  for (const { feature, threshold, sets } of model.trees ?? [])
    feature.forEach((column, node) => {
      const at = floor32(threshold[node]);
      if (column >= 0 && !sets.has(node) && Number.isFinite(at)) near[column].push(at, above32(at), below32(at));
    });
  const draw = random(7);
  return given.map((value, at) => {
    const values = near[at % COLUMNS];
    if (values.length === 0 || draw() < 0.5 || Number.isNaN(value)) return value;
    const picked = values[below(draw, values.length)];
    return Math.abs(picked) > 1e-30 ? picked : 0;
  });
}

const cases = [];
for (const [name, model] of models)
  for (const { id, endings, write } of modelFormats) {
    if (!write) continue;
    let exported;
    try {
      exported = exportModel(model, { to: id, missing: "zero", name: name.replaceAll("-", "_") });
    } catch (error) {
      if (error.name === "Mistake" || error.name === "InputError") continue;
      throw error;
    }
    const { content, parity } = exported;
    const file = `${name}.${id}${endings[0]}`;
    writeFileSync(join(out, file), content);
    const zeros = ["ranklib", "solr", "opensearch-ranklib"].includes(id);
    const matrix = rowsFor(model, zeros);
    const rowsName = `${name}.rows${zeros ? "-zero" : ""}.f32`;
    writeFileSync(join(out, rowsName), matrix);
    const plain = portable(model);
    const scores = Array.from({ length: matrix.length / COLUMNS }, (_, r) =>
      portableScore(plain, matrix.subarray(r * COLUMNS, r * COLUMNS + model.columns.count), parity.precision, (trees, row) =>
        expectedScore(trees, row, parity.precision, ["js", "c"].includes(id) ? "float64" : "float32"),
      ),
    );
    const { columns } = model;
    const features = columns.names ?? Array.from({ length: columns.count }, (_, c) => `f${c + columns.base}`);
    cases.push({
      file,
      format: id,
      kind: plain.kind,
      precision: parity.precision,
      tolerance: parity.tolerance,
      features,
      rows: rowsName,
      scores,
    });
  }
writeFileSync(join(out, "cases.json"), JSON.stringify(cases));
console.log(`${cases.length} files in ${out}`);
