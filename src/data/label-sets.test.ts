import { describe, expect, it } from "vitest";
import { rowsOf } from "../../test/rows.ts";
import { evaluate } from "../evaluate.ts";
import { fit } from "../fit.ts";
import { InputError } from "../input-error.ts";
import { precision } from "../metrics/index.ts";
import { leml } from "../models/index.ts";
import { rank } from "../rank.ts";
import { labelSets } from "./label-sets.ts";

const docs = [
  { tags: ["wine", "red"], words: { oak: 2, plum: 1 } },
  { tags: ["beer"], words: { hops: 3 } },
  { tags: [], words: { oak: 1 } },
];
const roles = { labels: "tags", features: "words" } as const;

describe("labelSets", () => {
  it("makes a list of the whole label space for each document", () => {
    const data = labelSets(docs, roles);
    expect(data.labelSpaceSize).toBe(3);
    expect(data.names).toEqual({ items: ["wine", "red", "beer"], features: ["oak", "plum", "hops"] });
    expect([...data.starts]).toEqual([0, 2, 3, 3]);
    expect([...data.items!]).toEqual([0, 1, 2]);
    expect([...data.labels]).toEqual([1, 1, 1]);
    expect(rowsOf(data.features)).toEqual([
      [2, 1, 0],
      [0, 0, 3],
      [1, 0, 0],
    ]);
  });

  it("takes vectors and a given label space", () => {
    const data = labelSets([{ y: ["b"], x: Float32Array.of(1, 2) }], { labels: "y", features: ({ x }) => x, space: ["a", "b"] });
    expect([data.labelSpaceSize, [...data.items!], rowsOf(data.features), data.names.features]).toEqual([
      2,
      [1],
      [[1, 2]],
      undefined,
    ]);
  });

  it("data with named features train, evaluate and rank, whatever order other documents name them in", () => {
    const many = Array.from({ length: 8 }, () => docs).flat();
    const data = labelSets(many, roles);
    const { model } = fit(data, { model: leml({ rank: 2, rounds: 5 }), seed: 1 });
    const turned = docs.map(({ tags, words }) => ({
      tags,
      words: Object.fromEntries(Object.entries({ hops: 0, plum: 0, oak: 0, ...words }).reverse()),
    }));
    const same = labelSets(turned, { ...roles, space: data.names.items! });
    const metrics = [precision({ k: 1 })];
    expect(evaluate(model, same, metrics)).toEqual(evaluate(model, labelSets(docs, roles), metrics));
    expect([...rank(model, same, 1)].map(({ items }) => items[0]!.id).slice(1, 2)).toEqual(["beer"]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  type Wrong = any;
  const wrong: [what: string, run: () => unknown, message: string][] = [
    ["no rows", () => labelSets(undefined as Wrong, roles), "expected rows"],
    ["no options", () => labelSets(docs, undefined as Wrong), "expected options"],
    ["an unknown option", () => labelSets(docs, { ...roles, label: "tags" } as Wrong), 'no option "label"; did you mean labels'],
    ["no features", () => labelSets(docs, { labels: "tags" } as Wrong), "the option features is needed"],
    ["labels that are no names", () => labelSets([{ tags: [1], words: {} }], roles), "row 1: expected a list of names"],
    ["a label twice", () => labelSets([{ tags: ["a", "a"], words: {} }], roles), 'the label "a" is given twice'],
    ["an unknown label", () => labelSets(docs, { ...roles, space: ["wine", "red", "bear"] }), 'the label "beer" is not in the label space; did you mean bear'],
    ["text as a feature", () => labelSets([{ tags: [], words: { oak: "2" } }], roles), 'expected a finite number as feature "oak"'],
    ["vectors of different lengths", () => labelSets([{ tags: [], words: [1] }, { tags: [], words: [1, 2] }], roles), "row 2: expected 1 features"],
    ["a vector after names", () => labelSets([docs[0]!, { tags: [], words: [1] } as Wrong], roles), "row 2: expected numbers by name as features"],
  ]; // biome-ignore format: one a line
  it.each(wrong)("refuses %s in one line", (_, run, message) => {
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });
});
