/**
 * Writes models in all formats, with rows and the scores that their targets must give, for scripts/check-exports.py:
 *
 *   node scripts/export-models.mjs OUT [folder of scripts/model-fixtures.py]
 *
 * The models are those of the folder (default: the fixtures of the tests) and a few trained here, on data with missing values and categories.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectedScore } from "../dist/src/formats/models/shared/lower.js";
import { portable, portableScore } from "../dist/src/formats/models/shared/portable.js";
import { build, exportModel, fit, importModel, lambdaRank, learner, modelFormats, plPartition } from "../dist/src/index.js";

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

const cases = [];
for (const zeros of [false, true]) {
  const given = tame(rowsOf.get("rows-finite.f32"), zeros);
  writeFileSync(join(out, zeros ? "rows-zero.f32" : "rows.f32"), given);
}
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
    const matrix = tame(rowsOf.get("rows-finite.f32"), zeros);
    const plain = portable(model);
    const scores = Array.from({ length: matrix.length / COLUMNS }, (_, r) =>
      portableScore(plain, matrix.subarray(r * COLUMNS, (r + 1) * COLUMNS), parity.precision, expectedScore),
    );
    const features = model.columns.names ?? Array.from({ length: COLUMNS }, (_, c) => `f${c + model.columns.base}`);
    cases.push({
      file,
      format: id,
      kind: plain.kind,
      precision: parity.precision,
      tolerance: parity.tolerance,
      features,
      rows: zeros ? "rows-zero.f32" : "rows.f32",
      scores,
    });
  }
writeFileSync(join(out, "cases.json"), JSON.stringify(cases));
console.log(`${cases.length} files in ${out}`);
