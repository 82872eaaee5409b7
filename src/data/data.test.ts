/** Building, picking, splitting, joining and aligning datasets. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../test/rows.ts";
import { parseData } from "../formats/data/parse.ts";
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { align } from "./align.ts";
import { build, type Row, RowAdder } from "./build.ts";
import { Builder } from "./builder.ts";
import { concat } from "./concat.ts";
import { folds } from "./folds.ts";
import { split } from "./split.ts";
import { subset } from "./subset.ts";
import { summary } from "./summary.ts";

const row = (list: string, label: number, features: Row["features"], more: Partial<Row> = {}): Row => ({
  list,
  label,
  features,
  ...more,
});
const sparse = (cells: Record<number, number>) => ({ numbers: Object.keys(cells).map(Number), values: Object.values(cells) });

describe("build", () => {
  it("brings scattered rows of a list together, lists as first seen and rows in their order", () => {
    const data = build([
      row("b", 1, [1], { id: "x" }),
      row("a", 2, [2], { id: "y" }),
      row("b", 3, [3], { id: "z", weight: 2 }),
      row("a", 4, [4]),
    ]);
    expect([...data.starts]).toEqual([0, 2, 4]);
    expect([...data.labels]).toEqual([1, 3, 2, 4]);
    expect(rowsOf(data.features)).toEqual([[1], [3], [2], [4]]);
    expect(data.names).toEqual({ lists: ["b", "a"], entries: ["x", "z", "y", ""] });
    expect([...data.itemWeights!]).toEqual([1, 2, 1, 1]);
  });

  it("weights that are equal within every list are list weights", () => {
    const data = build([row("a", 1, [], { weight: 2 }), row("a", 0, [], { weight: 2 }), row("b", 1, [], { weight: 0.5 })]);
    expect([...data.listWeights!]).toEqual([2, 0.5]);
    expect(data.itemWeights).toBeUndefined();
  });

  it("a third of the cells makes a dense matrix, less a sparse one", () => {
    expect(build([row("a", 1, sparse({ 3: 7 }))]).features.kind).toBe("dense"); // 1 of 3
    expect(build([row("a", 1, sparse({ 4: 7 }))]).features.kind).toBe("sparse"); // 1 of 4
    expect(build([row("a", 1, sparse({ 4: 7 }))], { storage: "dense" }).features.kind).toBe("dense");
    expect(build([row("a", 1, [1, 2])], { storage: "sparse" }).features.kind).toBe("sparse");
  });

  it("a sparse matrix stores what differs from the absent value, missing cells among zeros included", () => {
    const cells = row("a", 1, { numbers: [5, 2, 9, 1], values: [0, Number.NaN, 3, -0] });
    const zero = build([cells], { storage: "sparse" }).features;
    expect(zero).toMatchObject({ columns: 9, absent: 0, indices: Uint32Array.of(1, 8), values: Float32Array.of(Number.NaN, 3) });
    const missing = build([cells], { storage: "sparse", absent: "missing" }).features;
    expect(missing).toMatchObject({ indices: Uint32Array.of(0, 4, 8), values: Float32Array.of(0, 0, 3) });
  });

  it("features are numbered from 1, from 0, or from what occurs", () => {
    const from = (base: 0 | 1 | "auto", cells: Record<number, number>) => {
      const data = build([row("a", 1, sparse(cells))], { base });
      return { base: data.base, cells: rowsOf(data.features)[0] };
    };
    expect(from(1, { 1: 5, 2: 6 })).toEqual({ base: 1, cells: [5, 6] });
    expect(from(0, { 1: 5, 2: 6 })).toEqual({ base: 0, cells: [0, 5, 6] });
    expect(from("auto", { 1: 5, 2: 6 })).toEqual({ base: 1, cells: [5, 6] });
    expect(from("auto", { 0: 5, 2: 6 })).toEqual({ base: 0, cells: [5, 0, 6] });
    expect(() => from(1, { 0: 5 })).toThrow("row 1: expected a feature number from 1 to 2147483647, got 0");
  });

  it("the largest feature number does not allocate a matrix of that width", () => {
    const { features } = build([row("a", 1, sparse({ [2 ** 31 - 1]: 1 })), row("a", 1, sparse({ 1: 1 }))]);
    expect(features).toMatchObject({ kind: "sparse", columns: 2 ** 31 - 1, indices: Uint32Array.of(2 ** 31 - 2, 0) });
    const wide = [1, 2].map(() => row("a", 1, sparse({ [2 ** 31 - 1]: 1 })));
    expect(() => build(wide, { storage: "dense" })).toThrow("2 rows and 2147483647 columns needs 16.0 GB; store it as sparse");
  });

  it("refuses what cannot be ranked", () => {
    expect(() => build([row("a", Number.NaN, [])])).toThrow("row 1: expected a finite label, got NaN");
    expect(() => build([row("a", 1, [1e39])])).toThrow("row 1, feature 1: expected a finite value of at most 3.4e38, got 1e+39");
    expect(() => build([row("a", 1, [], { weight: -1 })])).toThrow("row 1: expected a finite weight of at least 0, got -1");
    expect(() => build([row("a", 1, { numbers: [3, 3], values: [1, 1] })])).toThrow("row 1: feature 3 is given twice");
    expect(() => build([row("a", 1, [1, 2])], { features: ["x"] })).toThrow(InputError);
  });

  it("columns with names are numbered from the base as well", () => {
    const cells = [row("a", 1, { numbers: [1, 3], values: [5, 6] })];
    const names = ["x", "y", "z"];
    expect([...build(cells, { features: names, storage: "dense" }).features.values]).toEqual([5, 0, 6]);
    expect(() => build(cells, { features: names, base: 0 })).toThrow('3 features have names, the last being "z"');
    const zero = [row("a", 1, { numbers: [0, 2], values: [5, 6] })];
    for (const base of [0, "auto"] as const)
      expect([...build(zero, { features: names, base, storage: "dense" }).features.values]).toEqual([5, 0, 6]);
    expect([...build([row("a", 1, [5, 0, 6])], { features: names }).features.values]).toEqual([5, 0, 6]);
    expect(() => build([row("a", 1, { numbers: [3, 3], values: [1, 1] })], { features: names })).toThrow(
      'row 1: feature "z" is given twice',
    );
  });

  it("the same list name in two sections names two lists", () => {
    const builder = new Builder();
    const adder = new RowAdder(builder);
    adder.add(row("a", 1, [1])).add(row("b", 1, [1]));
    builder.beginSection();
    adder.add(row("a", 2, [1]));
    const data = builder.finish();
    expect(data.names.lists).toEqual(["a", "b", "a"]);
    expect([...data.starts]).toEqual([0, 1, 2, 3]);
  });

  const anyRow = fc.record({
    list: fc.constantFrom("a", "b", "c", "d"),
    label: fc.integer({ min: 0, max: 4 }),
    weight: fc.constantFrom(1, 2),
    features: fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 1, -2.5, Number.NaN)), { selector: ([n]) => n })
      .map((cells) => ({ numbers: cells.map(([n]) => n), values: cells.map(([, v]) => v) })),
  });

  it("dense and sparse storage hold the same cells as a table made row by row", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 30 }), fc.constantFrom("zero", "missing"), (rows, absent) => {
        const seen = [...new Set(rows.map(({ list }) => list))];
        const order = seen.flatMap((list) => rows.filter((one) => one.list === list));
        const columns = Math.max(0, ...rows.flatMap(({ features }) => features.numbers));
        const table = order.map(({ features: { numbers, values } }) => {
          const cells = new Array<number>(columns).fill(absent === "zero" ? 0 : Number.NaN);
          numbers.forEach((number, i) => {
            cells[number - 1] = values[i]!;
          });
          return cells;
        });
        for (const storage of ["dense", "sparse", "auto"] as const) {
          const data = build(rows, { absent, storage });
          expect(rowsOf(data.features)).toEqual(table);
          expect([...data.labels]).toEqual(order.map(({ label }) => label));
          if (data.itemWeights) expect([...data.itemWeights]).toEqual(order.map(({ weight }) => weight));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("windows of cells, dense and sparse in turn, make one matrix", () => {
    // 30,000 rows fill the window of 4,096 rows several times; the second ten thousand are wide and thin.
    const cellsOf = (r: number) =>
      r % 20_000 < 10_000 ? { from: 1, step: 1, count: 10 } : { from: 1 + (r % 7), step: 50, count: 5 };
    const rows = Array.from({ length: 30_000 }, (_, r) => {
      const { from, step, count } = cellsOf(r);
      const numbers = Array.from({ length: count }, (_, i) => from + i * step);
      return row(String(r % 3), r % 5, { numbers, values: numbers.map((number) => r + number / 1000) });
    });
    for (const storage of ["dense", "sparse"] as const) {
      const { features } = build(rows, { storage });
      expect(features.columns).toBe(207); // 7 + 4 * 50
      const check = rowsOf(features);
      for (let r = 0; r < rows.length; r += 997) {
        const { from, step, count } = cellsOf(r);
        const expected = new Array<number>(207).fill(0);
        for (let i = 0; i < count; i++) expected[from + i * step - 1] = Math.fround(r + (from + i * step) / 1000);
        expect(check[(r % 3) * 10_000 + Math.floor(r / 3)]).toEqual(expected);
      }
    }
  });
});

const five: Dataset = build(
  Array.from({ length: 25 }, (_, i) =>
    row(`q${Math.floor(i / 2)}`, i % 3, [i, -i], { id: `d${i}`, weight: 1 + Math.floor(i / 2) }),
  ),
);

describe("subset", () => {
  it("picks lists with all that belongs to them, in the order given", () => {
    const part = subset(five, [12, 1]);
    expect([...part.starts]).toEqual([0, 1, 3]);
    expect([...part.labels]).toEqual([24 % 3, 2 % 3, 3 % 3]);
    expect(rowsOf(part.features)).toEqual([[24, -24], [2, -2], [3, -3]]); // biome-ignore format: rows
    expect([...part.listWeights!]).toEqual([13, 2]);
    expect(part.names).toEqual({ lists: ["q12", "q1"], entries: ["d24", "d2", "d3"] });
    expect(() => subset(five, [13])).toThrow("subset: there is no list 13 among 13");
  });

  it("picks the same rows from a sparse matrix", () => {
    const rows = [row("a", 1, sparse({ 2: 5 })), row("b", 1, sparse({ 9: 1, 3: 2 })), row("b", 1, sparse({}))];
    const data = build(rows, { storage: "sparse" });
    expect(rowsOf(subset(data, [1, 0]).features)).toEqual([1, 2, 0].map((r) => rowsOf(data.features)[r]));
  });
});

describe("split and folds", () => {
  it("parts share no list, leave none out and keep the order of the data", () => {
    const [a, b, c] = split(five, [0.5, 0.25, 0.25], 7) as [Dataset, Dataset, Dataset];
    const all = [a, b, c].map((part) => part.names.lists!);
    expect(all.map((names) => names.length)).toEqual([7, 3, 3]); // round(6.5), round(9.75) - 7, 13 - 10
    expect(new Set(all.flat()).size).toBe(13);
    const number = (name: string) => Number(name.slice(1));
    for (const names of all) expect(names.map(number)).toEqual([...names.map(number)].sort((x, y) => x - y));
  });

  it("the seed decides the parts", () => {
    const names = (seed: number) => split(five, [0.5], seed)[0]!.names.lists;
    expect(names(1)).toEqual(names(1));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => String(names(seed)))).size).toBeGreaterThan(1);
  });

  it("refuses fractions that make no sense and parts that would be empty", () => {
    expect(() => split(five, [0.8, 0.4], 1)).toThrow("sum to at most 1, got 0.8, 0.4");
    expect(() => split(five, [], 1)).toThrow("got none");
    expect(() => split(five, [0.9, 0.01], 1)).toThrow("13 lists are too few for a part of 0.01");
    expect(() => folds(five, 2, 1)).toThrow("at least 3 parts");
    expect(() => folds(five, 14, 1)).toThrow("13 lists are too few for 14 parts");
  });

  it("every list is tested once and validated once, and never trained on in that fold", () => {
    const made = folds(five, 5, 3);
    expect(made.flatMap(({ test }) => test.names.lists!).sort()).toEqual([...five.names.lists!].sort());
    expect(made.flatMap(({ valid }) => valid.names.lists!).sort()).toEqual([...five.names.lists!].sort());
    for (const { train, valid, test, lists } of made) {
      expect(new Set([train, valid, test].flatMap((part) => part.names.lists!)).size).toBe(13);
      expect([...lists.train].map((q) => `q${q}`)).toEqual(train.names.lists);
    }
  });
});

describe("concat", () => {
  it("numbered columns stay at their number, whatever the base and width", () => {
    const a = build([row("a", 1, [1, 2])], { base: 1 });
    const b = build([row("b", 2, [9, 8, 7, 6])], { base: 0 });
    const both = concat([a, b]);
    expect(both.base).toBe(0);
    expect(rowsOf(both.features)).toEqual([[0, 1, 2, 0], [9, 8, 7, 6]]); // biome-ignore format: rows
    expect([...both.starts]).toEqual([0, 1, 2]);
    expect(both.names.lists).toEqual(["a", "b"]);
  });

  it("dense and sparse join as sparse, weights and ids are filled in", () => {
    const a = build([row("a", 1, [1, 0, 3], { weight: 2 })]);
    const b = build([row("b", 2, sparse({ 6: 4 }), { id: "x" }), row("b", 0, [])], { storage: "sparse" });
    const both = concat([a, b]);
    expect(both.features.kind).toBe("sparse");
    expect(rowsOf(both.features)).toEqual([[1, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 0, 0]]); // biome-ignore format: rows
    expect([...both.listWeights!]).toEqual([2, 1]);
    expect(both.names.entries).toEqual(["", "x", ""]);
  });

  it("named columns go to the place of their name", () => {
    const a = build([row("a", 1, [1, 2])], { features: ["x", "y"] });
    const b = build([row("b", 1, [3, 4])], { features: ["y", "x"] });
    expect(rowsOf(concat([a, b]).features)).toEqual([[1, 2], [4, 3]]); // biome-ignore format: rows
    const other = build([row("b", 1, [3, 4])], { features: ["y", "z"] });
    expect(() => concat([a, other])).toThrow('needs the feature "x"');
  });

  it("splitting and joining gives back the rows", () => {
    const back = concat([subset(five, [0, 1, 2]), subset(five, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])]);
    expect(back).toEqual(five);
  });

  it("refuses to mix absent zeros with absent missing values", () => {
    const thin = (absent: "zero" | "missing") => build([row("a", 1, sparse({ 9: 1 }))], { absent, storage: "sparse" });
    expect(() => concat([thin("zero"), thin("missing")])).toThrow("read or build both with the same absent");
    expect(() => concat([])).toThrow(InputError);
  });
});

describe("align", () => {
  const numbered = (count: number, base: 0 | 1 = 1) => ({ count, base });

  it("pads numbered columns with what is absent", () => {
    for (const storage of ["dense", "sparse"] as const) {
      const zero = align(build([row("a", 1, [1, 2])], { storage }), numbered(4));
      expect(rowsOf(zero.data.features)).toEqual([[1, 2, 0, 0]]);
      const missing = align(build([row("a", 1, [1, 2])], { storage, absent: "missing" }), numbered(3));
      expect(rowsOf(missing.data.features)).toEqual([[1, 2, Number.NaN]]);
    }
  });

  it("names the first feature that the model does not know, and the way out", () => {
    for (const storage of ["dense", "sparse"] as const) {
      const data = build([row("a", 1, [1, 2, 3, 4])], { storage });
      expect(() => align(data, numbered(2))).toThrow(
        'the model does not know feature 3 of the data (it knows 1 to 2); the option unknownFeatures: "ignore" leaves such features out',
      );
      const cut = align(data, numbered(2), { unknownFeatures: "ignore" });
      expect(rowsOf(cut.data.features)).toEqual([[1, 2]]);
      expect(cut.notices).toEqual(["feature 3 and 1 more of the data dropped: the model does not know them"]);
    }
  });

  it("matches by number when the bases differ", () => {
    const fromOne = build([row("a", 1, [5, 6])], { base: 1 });
    expect(rowsOf(align(fromOne, numbered(3, 0)).data.features)).toEqual([[0, 5, 6]]);
    const fromZero = build([row("a", 1, [4, 5, 6])], { base: 0 });
    expect(() => align(fromZero, numbered(2, 1))).toThrow("does not know feature 0 of the data");
    expect(rowsOf(align(fromZero, numbered(2, 1), { unknownFeatures: "ignore" }).data.features)).toEqual([[5, 6]]);
  });

  it("finds named columns by name and misses none silently", () => {
    const model = { count: 2, base: 1, names: ["price", "age"] } as const;
    for (const storage of ["dense", "sparse"] as const) {
      const data = build([row("a", 1, [1, 2, 3])], { features: ["age", "size", "price"], storage });
      expect(() => align(data, model, { unknownFeatures: "error" })).toThrow(
        'the model does not know the feature "size" of the data; the option unknownFeatures: "ignore" leaves such features out',
      );
      const cut = align(data, model);
      expect(cut.notices).toEqual(['the feature "size" is ignored: the model does not know it']);
      expect(rowsOf(cut.data.features)).toEqual([[3, 1]]);
      expect(cut.data.names.features).toEqual(["price", "age"]);
    }
    const wide = build([row("a", 1, [1, 2, 3, 4, 5, 6, 7, 8, 9])], { features: ["age", "price", ..."abcdefg"] });
    expect(align(wide, model).notices).toEqual([
      'the features "a", "b", "c", "d", "e", "f" and 1 more are ignored: the model does not know them',
    ]);
    const lacking = build([row("a", 1, [1, 2])], { features: ["age", "prices"] });
    expect(() => align(lacking, model)).toThrow(
      'the model needs the feature "price", which is not in the data; did you mean prices?',
    );
  });

  it("features of categories that the model does not know are left out under the name of their column", () => {
    const text = "qid,label,age,size\na,1,1,small\na,0,2,large\nb,1,3,small\nb,0,4,large\n";
    const { data } = parseData([{ name: "t.csv", content: text }]);
    expect(data.names.features).toEqual(["age", "size=large", "size=small"]);
    const { notices, data: cut } = align(data, { count: 1, base: 1, names: ["age"] });
    expect(notices).toEqual(['the feature "size" is ignored: the model does not know it']);
    expect(rowsOf(cut.features)).toEqual([[1], [2], [3], [4]]);
  });

  it("concat leaves no feature out", () => {
    const [one, two] = [["age"], ["age", "size"]].map((features) =>
      build([row("a", 1, [1, 2].slice(0, features.length))], { features }),
    );
    expect(() => concat([one!, two!])).toThrow('the feature "size"');
    expect(() => concat([two!, one!])).toThrow('needs the feature "size"');
  });

  it("names and numbers do not mix", () => {
    const named = build([row("a", 1, [1])], { features: ["age"] });
    const plain = build([row("a", 1, [1])]);
    expect(() => align(named, numbered(1))).toThrow('the data have named features, such as "age"');
    expect(() => align(plain, { count: 1, base: 1, names: ["age"] })).toThrow("the data have numbered features");
  });

  it("data that fit are handed back as they are", () => {
    expect(align(five, numbered(2)).data).toBe(five);
  });
});

describe("summary", () => {
  it("counts lists, labels, sizes and lists without a positive label", () => {
    const data = build([
      row("a", 0, [1, 0]),
      row("a", 2, [Number.NaN, 0]),
      row("b", 0, [1, 0]),
      row("c", 2, [1, 1]),
      row("c", 1, [1, 1]),
      row("c", 0, [1, 1]),
      row("d", 0, [1, 1]),
      row("d", 0, [1, 1]),
      row("d", 0, [1, 1]),
      row("d", 0, [1, 1]),
    ]);
    expect(summary(data)).toEqual({
      lists: 4,
      entries: 10,
      features: 2,
      base: 1,
      storage: "dense",
      filled: 16 / 20, // two ones in the first three rows, fourteen after
      missing: 1,
      labels: [
        { label: 0, count: 7 },
        { label: 1, count: 1 },
        { label: 2, count: 2 },
      ],
      sizes: { least: 1, median: 2.5, most: 4 },
      listsWithoutPositive: 2,
    });
  });
});
