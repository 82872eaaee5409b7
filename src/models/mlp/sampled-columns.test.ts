import { expect, it } from "vitest";
import type { Dataset } from "../../types.ts";
import { SampledColumns } from "./sampled-columns.ts";

const data: Dataset = {
  ...{ starts: Uint32Array.of(0, 2, 4), items: Uint32Array.of(3, 40, 7, 40), labels: Float32Array.of(1, 2, 1, 2) },
  ...{ labelSpaceSize: 50, base: 1, names: {} },
  features: { kind: "dense", rows: 2, columns: 0, values: new Float32Array(0) },
};

it("labels and columns point at each other in every step, whatever was drawn before", () => {
  const columns = new SampledColumns(50, 20, true);
  for (let step = 1; step <= 5; step++) {
    const list = step % 2;
    columns.draw(data, Uint32Array.of(list), 4, 1, step);
    const drawn = Array.from(columns.labels.subarray(0, columns.used));
    expect(new Set(drawn).size).toBe(columns.used);
    expect(drawn.map((label) => columns.columnOf[label])).toEqual(drawn.map((_, c) => c));
    expect(drawn).toEqual(expect.arrayContaining(list === 0 ? [3, 40] : [7, 40]));
    expect(columns.columnOf.filter((c) => c >= 0).length).toBe(columns.used);
    expect(columns.blocks.at(-1)!.to).toBe(columns.used);
    columns.clear();
    expect(columns.columnOf.every((c) => c === -1)).toBe(true);
  }
});
