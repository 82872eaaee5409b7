import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../test/rows.ts";
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { build } from "./build.ts";
import { dataset } from "./dataset.ts";

const rows = [
  { query: "b", rating: 3, doc: "x", price: 1.5, fresh: true },
  { query: "a", rating: 1, doc: "y", price: null, fresh: false },
  { query: "b", rating: 0, doc: "z", price: 0.5, fresh: true },
];
const roles = { list: "query", label: "rating", id: "doc" } as const;

/** What a dataset holds, for comparison: NaN equals NaN. */
const plain = (data: Dataset) => ({ ...data, features: rowsOf(data.features), columns: data.features.columns });

describe("dataset", () => {
  it("labels that are words take the order that is given", () => {
    const words = [{ q: 1, y: "good", x: 1 }, { q: 1, y: "bad", x: 2 }]; // biome-ignore format: rows
    const how = { list: "q", label: "y" } as const;
    expect([...dataset(words, { ...how, labelOrder: ["great", "good", "bad"] }).labels]).toEqual([1, 0]);
    expect(() => dataset(words, how)).toThrow('got "good"; give words in order, the best first: labelOrder: [');
    expect(() => dataset(words, { ...how, labelOrder: ["good"] })).toThrow('row 2: the label "bad" is not in labelOrder');
    expect(() => dataset(words, { ...how, labelOrder: ["good", "good"] })).toThrow("expected different labels as texts");
  });
  it("labels may be below all others of their list", () => {
    const words = [{ q: 1, y: 5, x: 1 }, { q: 1, y: "DNF", x: 2 }, { q: 2, y: "dsq", x: 1 }, { q: 2, y: -3, x: 1 }, { q: 2, y: "DNF", x: 1 }]; // biome-ignore format: rows
    const how = { list: "q", label: "y" } as const;
    expect([...dataset(words, { ...how, labelLast: ["DNF", "dsq"] }).labels]).toEqual([5, 0, -4, -3, -4]);
    expect([...dataset(words.slice(0, 1), { ...how, labelLast: ["5.0"] }).labels]).toEqual([0]);
    expect(() => dataset(words, how)).toThrow('or those that are below all others: labelLast: ["DNF"]');
    expect(() => dataset([{ q: 1, y: Infinity, x: 1 }], { ...how, labelLast: ["DNF"] })).toThrow("row 1: expected a finite label, got Infinity"); // biome-ignore format: one line
    expect(() => dataset(words, { ...how, labelLast: [] })).toThrow(
      "dataset, option labelLast: expected different labels as texts",
    );
    expect(() => dataset(words, { ...how, labelLast: ["a"], labelOrder: ["b"] })).toThrow("put its words at the end of labelOrder"); // biome-ignore format: one line
  });
  it("takes an array of objects, all columns without another role being features", () => {
    const data = dataset(rows, roles);
    expect(data.names).toEqual({ lists: ["b", "a"], entries: ["x", "z", "y"], features: ["price", "fresh"] });
    expect([...data.starts]).toEqual([0, 2, 3]);
    expect([...data.labels]).toEqual([3, 0, 1]);
    expect(rowsOf(data.features)).toEqual([
      [1.5, 1],
      [0.5, 1],
      [Number.NaN, 0],
    ]);
  });

  it("gives the same for columns, iterables, async iterables and Arrow tables", async () => {
    const expected = plain(dataset(rows, roles));
    const columns = {
      query: rows.map(({ query }) => query),
      rating: Float64Array.from(rows, ({ rating }) => rating),
      doc: rows.map(({ doc }) => doc),
      price: rows.map(({ price }) => price),
      fresh: rows.map(({ fresh }) => fresh),
    };
    expect(plain(dataset(columns, roles))).toEqual(expected);
    expect(plain(dataset(new Set(rows), roles))).toEqual(expected);
    const later = async function* () {
      yield* rows;
    };
    expect(plain(await dataset(later(), roles))).toEqual(expected);
    const table = {
      numRows: rows.length,
      schema: { fields: Object.keys(columns).map((name) => ({ name })) },
      getChild: (name: string) => ({ get: (i: number) => columns[name as keyof typeof columns][i] }),
    };
    expect(plain(dataset(table, roles))).toEqual(expected);
    expect(
      plain(dataset(rows, { list: ({ query }) => query, label: (row) => row.rating, id: "doc", features: ["price", "fresh"] })),
    ).toEqual(expected);
  });

  it("takes vectors of features, which are then numbered", () => {
    const vectors = rows.map(({ query, rating }, i) => ({ query, rating, x: [i, 10 * i] }));
    const data = dataset(vectors, { list: "query", label: "rating", features: "x" });
    expect(rowsOf(data.features)).toEqual([
      [0, 0],
      [2, 20],
      [1, 10],
    ]);
    expect([data.base, data.names.features]).toEqual([1, undefined]);
    const flat = { query: ["b", "a", "b"], rating: [3, 1, 0], x: Float32Array.of(0, 0, 1, 10, 2, 20) };
    expect(plain(dataset(flat, { list: "query", label: "rating", features: "x" }))).toEqual(plain(data));
    const same = build(
      vectors.map(({ query, rating, x }) => ({ list: query, label: rating, features: x })),
      { absent: "missing" },
    );
    expect(plain(data)).toEqual(plain(same));
  });

  it("a column that only some rows have is missing in the others, whichever comes first", () => {
    const data = dataset([{ q: 1, y: 1, a: 1 }, { q: 1, y: 0, b: 2 } as { q: number; y: number; a?: number }], {
      list: "q",
      label: "y",
    });
    expect(data.names.features).toEqual(["a", "b"]);
    expect(rowsOf(data.features)).toEqual([
      [1, Number.NaN],
      [Number.NaN, 2],
    ]);
  });

  it("holds every value of random tables, with weights", () => {
    const cell = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constant(null), fc.boolean(), fc.constant(Number.NaN));
    const row = fc.record({ q: fc.nat(3), y: fc.nat(4), w: fc.nat(2), a: cell, b: cell });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (all) => {
        const data = dataset(all, { list: "q", label: "y", weight: "w", id: ({ a, b }) => `${a} ${b}` });
        const value = (one: unknown) => (one === null ? Number.NaN : Number(one));
        const order = [...new Set(all.map(({ q }) => q))].flatMap((q) => all.filter((one) => one.q === q));
        expect(rowsOf(data.features)).toEqual(order.map(({ a, b }) => [value(a), value(b)]));
        expect([...data.labels]).toEqual(order.map(({ y }) => y));
        const lists = data.names.lists!;
        const weights = order.map(({ q }, i) => data.itemWeights?.[i] ?? data.listWeights?.[lists.indexOf(String(q))] ?? 1);
        expect(weights).toEqual(order.map(({ w }) => w));
      }),
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  type Wrong = any;
  const wrong: [what: string, run: () => unknown, message: string][] = [
    ["no rows", () => dataset(undefined as Wrong, roles), "expected rows"],
    ["a promise of rows", () => dataset(3 as Wrong, roles), "expected rows"],
    ["no options", () => dataset(rows, undefined as Wrong), "expected options"],
    ["no list", () => dataset(rows, { label: "rating" } as Wrong), "the option list is needed"],
    ["an unknown option", () => dataset(rows, { ...roles, lable: "rating" } as Wrong), 'no option "lable"; did you mean label'],
    ["a list column that is not there", () => dataset(rows, { ...roles, list: "qid" } as Wrong), "row 1: expected a list"],
    [
      "a label column that is not there",
      () => dataset(rows, { ...roles, label: "stars" } as Wrong),
      "row 1: expected a finite label",
    ],
    [
      "a feature that no row has",
      () => dataset(rows, { ...roles, features: ["prise"] } as Wrong),
      'no row has the feature "prise"',
    ],
    [
      "a feature named twice",
      () => dataset(rows, { ...roles, features: ["price", "price"] }),
      'the column "price" is named twice',
    ],
    ["no features named", () => dataset(rows, { ...roles, features: [] }), "expected at least one column"],
    ["features of another kind", () => dataset(rows, { ...roles, features: 7 } as Wrong), "option features"],
    [
      "text",
      () => dataset([{ q: 1, y: 1, title: "rolls" }], { list: "q", label: "y" }),
      'expected a number in column "title", got "rolls"',
    ],
    [
      "a number as text",
      () => dataset([{ q: 1, y: 1, a: "3" }], { list: "q", label: "y" }),
      'expected a number in column "a", got "3"',
    ],
    ["a date", () => dataset([{ q: 1, y: 1, a: new Date(0) }], { list: "q", label: "y" }), "got a Date"],
    ["an infinite value", () => dataset([{ q: 1, y: 1, a: 1e39 }], { list: "q", label: "y" }), "expected a finite number"],
    ["a row that is no object", () => dataset([7] as Wrong, { list: "q" }), "row 1: expected an object, got 7"],
    ["columns of different lengths", () => dataset({ q: [1, 2], y: [1] }, { list: "q", label: "y" }), 'column "y" has 1'],
    [
      "a column that is no array",
      () => dataset({ q: [1, 2], y: 3 } as Wrong, { list: "q", label: "y" }),
      'expected an array in column "y"',
    ],
    ["a negative weight", () => dataset([{ q: 1, y: 1, w: -1 }], { list: "q", label: "y", weight: "w" }), "weight of at least 0"],
    [
      "vectors of different lengths",
      () =>
        dataset(
          [
            { q: 1, x: [1] },
            { q: 1, x: [1, 2] },
          ],
          { list: "q", features: "x" },
        ),
      "expected 1 features as in row 1",
    ],
  ];
  it.each(wrong)("refuses %s in one line", (_, run, message) => {
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
    expect(run).not.toThrow("\n");
  });
});
