/**
 * Models made by the tools themselves score as their tool scores them, to the last bit: the fixtures of the repository, and the folder in
 * TIERWISE_MODELS where that is set (see scripts/model-fixtures.py).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import { modelFormat, sniff } from "./formats.ts";

interface Case {
  readonly file: string;
  readonly format: string;
  readonly tool: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly columns: number;
  readonly rows: string;
  readonly scores: readonly number[] | "refused";
}

const folders = [
  fileURLToPath(new URL("../../../test/fixtures/models", import.meta.url)),
  ...(process.env.TIERWISE_MODELS ? [process.env.TIERWISE_MODELS] : []),
];

function dataset(values: Float32Array, columns: number): Dataset {
  const rows = values.length / columns;
  return {
    starts: Uint32Array.of(0, rows),
    labels: new Float32Array(rows),
    features: { kind: "dense", rows, columns, values },
    base: 0,
    names: {},
  };
}

for (const folder of folders) {
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith(".case.json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Case);

  describe(folder === folders[0] ? "models of other tools" : folder, () => {
    it.each(cases.map((one) => [one.file, one] as const))("%s", (_, { file, format, columns, rows, scores, settings }) => {
      const bytes = new Uint8Array(readFileSync(join(folder, file)));
      expect(sniff(bytes)?.id).toBe(format);
      const read = () => modelFormat(format).read!(bytes, file);
      if (scores === "refused") {
        expect(read).toThrow(InputError);
        return;
      }
      const { model } = read();
      const raw = readFileSync(join(folder, rows));
      const values = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
      const data = dataset(values, columns);
      const own = new Float64Array(data.labels.length);
      model.score(data, own);
      const worst = own.findIndex((score, i) => score !== scores[i]);
      const apart = own.filter((score, i) => score !== scores[i]).length;
      if (worst >= 0)
        expect.fail(
          `${apart} of ${own.length} rows differ, such as row ${worst}: ${own[worst]} instead of ${scores[worst]} (${values.slice(worst * columns, (worst + 1) * columns).join(" ")}) ${JSON.stringify(settings)}`,
        );
    });
  });
}
