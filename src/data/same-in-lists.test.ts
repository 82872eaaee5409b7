import { expect, it } from "vitest";
import { below, random } from "../numeric/random.ts";
import { build } from "./build.ts";
import { sameInLists } from "./same-in-lists.ts";

it("columns that all items of a list share, and not all rows, are those that a look at every pair of rows finds, dense and sparse", () => {
  for (let seed = 0; seed < 200; seed++) {
    const draw = random(seed, 0, 0);
    const lists = 1 + below(draw, 4);
    const value = (c: number, list: number) =>
      c === 0 ? 7 : c === 1 ? list % 2 : c === 2 && list === 0 ? Number.NaN : c < 4 ? list % 3 : draw() < 0.15 ? draw() : list > 1 ? 0 : list; // biome-ignore format: by column
    const rows = Array.from({ length: lists }, (_, list) => Array.from({ length: 1 + below(draw, 4) }, () => ({ list, label: below(draw, 3), features: Array.from({ length: 6 }, (__, c) => value(c, list)) }))).flat(); // biome-ignore format: one table
    const same = (a: number, b: number) => Object.is(Math.fround(a), Math.fround(b));
    const isSame = (c: number, everywhere: boolean) =>
      rows.every((a) => rows.every((b) => (!everywhere && a.list !== b.list) || same(a.features[c]!, b.features[c]!)));
    const columns = [0, 1, 2, 3, 4, 5];
    const isLong = rows.some((row, at) => at > 0 && rows[at - 1]!.list === row.list);
    const expected = isLong ? columns.filter((c) => isSame(c, false) && !isSame(c, true)) : [];
    for (const storage of ["dense", "sparse"] as const) expect(sameInLists(build(rows, { storage }))).toEqual(expected);
  }
});

it("columns that no row has take no time", () => {
  const features = { kind: "sparse", rows: 3, columns: 2 ** 31, starts: Uint32Array.of(0, 2, 3, 4), indices: Uint32Array.of(5, 2 ** 31 - 1, 5, 7), values: Float32Array.of(1, 3, 1, 2), absent: 0 } as const; // biome-ignore format: one matrix
  const data = { starts: Uint32Array.of(0, 2, 3), labels: Float32Array.of(1, 0, 1), features, base: 1, names: {} } as const;
  expect(sameInLists(data)).toEqual([5, 7]);
});
