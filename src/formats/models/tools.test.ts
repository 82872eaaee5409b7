/**
 * Models made by the tools themselves score as their tool scores them, to the last bit: the fixtures of the repository, and the folder in
 * TIERWISE_MODELS where that is set (see scripts/model-fixtures.py).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import type { Dataset, Model } from "../../types.ts";
import { modelFormat, sniff } from "./formats.ts";

interface Case {
  readonly file: string;
  readonly format: string;
  readonly tool: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly columns: number;
  readonly rows: string;
  readonly scores: readonly number[] | "refused";
  /** How far scores may be from those, relative to 1 + |score|. Default: 0. */
  readonly tolerance?: number;
  /** Of the first rows: what each feature adds by the tool's own account, and the expected score last. */
  readonly shap?: readonly (readonly number[])[];
}

const folders = [
  fileURLToPath(new URL("../../../test/fixtures/models", import.meta.url)),
  ...(process.env.TIERWISE_MODELS ? [process.env.TIERWISE_MODELS] : []),
];

/** The rows of a file with the columns that a model knows: dumps and RankLib files may know fewer. */
function dataset(file: string, columns: number, model: Model, most = Infinity): Dataset {
  const raw = readFileSync(file);
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const [rows, { count, base, names }] = [Math.min(most, all.length / columns), model.columns];
  const values = Float32Array.from({ length: rows * count }, (_, at) => all[Math.floor(at / count) * columns + (at % count)]!);
  return {
    starts: Uint32Array.of(0, rows),
    labels: new Float32Array(rows),
    features: { kind: "dense", rows, columns: count, values },
    base,
    names: names ? { features: names } : {},
  };
}

const apart = (a: number, b: number) => (a === b ? 0 : Math.abs(a - b) / (1 + Math.abs(b)));

/** XGBoost computes contributions in float32. */
const SHAP_TOLERANCE: Readonly<Record<string, number>> = { xgboost: 2e-5, "xgboost-ubj": 2e-5 };

for (const folder of folders) {
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith(".case.json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Case);

  describe(folder === folders[0] ? "models of other tools" : folder, () => {
    it.each(cases.map((one) => [one.file, one] as const))(
      "%s",
      (_, { file, format, columns, rows, scores, settings, tolerance = 0 }) => {
        const bytes = new Uint8Array(readFileSync(join(folder, file)));
        expect(sniff(bytes)?.id).toBe(format);
        const read = () => modelFormat(format).read!(bytes, file);
        if (scores === "refused") {
          expect(read).toThrow(InputError);
          return;
        }
        const { model } = read();
        const data = dataset(join(folder, rows), columns, model);
        const own = new Float64Array(data.labels.length);
        model.score(data, own);
        const isOff = (score: number, i: number) => !(apart(score, scores[i]!) <= tolerance);
        const worst = own.findIndex(isOff);
        if (worst >= 0)
          expect.fail(
            `${own.filter(isOff).length} of ${own.length} rows differ, such as row ${worst}: ${own[worst]} instead of ${scores[worst]} ${JSON.stringify(settings)}`,
          );
      },
    );

    const explained = cases.filter(({ shap }) => shap);
    it.each(explained.map((one) => [one.file, one] as const))(
      "%s is explained as its tool does",
      (_, { file, format, columns, rows, shap }) => {
        const { model } = modelFormat(format).read!(new Uint8Array(readFileSync(join(folder, file))), file);
        const data = dataset(join(folder, rows), columns, model, shap!.length);
        const { contributions, expected } = model.explain!(data, 0);
        const tolerance = SHAP_TOLERANCE[format] ?? 1e-9;
        shap!.forEach((wanted, row) => {
          const own = [...contributions[row]!, expected];
          expect(own).toHaveLength(wanted.length);
          const off = own.findIndex((value, c) => !(apart(value, wanted[c]!) <= tolerance));
          if (off >= 0) expect.fail(`row ${row}, feature ${off}: ${own[off]} instead of ${wanted[off]} (${own} and ${wanted})`);
        });
      },
    );
  });
}
