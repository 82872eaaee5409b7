import { describe, expect, it } from "vitest";
import { ballots } from "./data/ballots.ts";
import { dataset } from "./data/dataset.ts";
import { labelSets } from "./data/label-sets.ts";
import { score } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { InputError } from "./input-error.ts";
import { leml, linear, trees, utilities } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { rank } from "./rank.ts";

const draw = random(4);
const rows = Array.from({ length: 200 }, (_, i) => {
  const [price, crust] = [Math.fround(draw()), i % 7 === 0 ? null : Math.fround(draw())];
  return { q: i % 20, y: Math.floor(3 * draw() + 2 * (crust ?? 0) - price), price, crust, name: `roll ${i}` };
});
const features = ["price", "crust"] as const;
const data = dataset(rows, { list: "q", label: "y", features });
const byName = fit(data, { model: trees({ rounds: 5, minItems: 2 }) }).model;
const vectors = dataset(rows.map(({ q, y, price, crust }) => ({ q, y, x: [price, crust ?? Number.NaN] })), { list: "q", label: "y", features: "x" }); // biome-ignore format: one chain
const byNumber = fit(vectors, { model: trees({ rounds: 5, minItems: 2 }) }).model;

describe("rank, of the items of one list", () => {
  const items = rows.filter(({ q }) => q === 3);
  const expected = score(byName, data).subarray(data.starts[3]!, data.starts[4]!);

  it("gives the same objects back, best first, with the scores that a dataset gives them", () => {
    expect(score(byName, items)).toEqual(expected);
    const ranked = rank(byName, items);
    expect(ranked.map(({ item }) => items.indexOf(item)).sort((a, b) => a - b)).toEqual([...items.keys()]);
    for (const { item, score: own } of ranked) expect(own).toBe(expected[items.indexOf(item)]);
    for (let i = 1; i < ranked.length; i++) expect(ranked[i]!.score).toBeLessThanOrEqual(ranked[i - 1]!.score);
    expect(ranked.map(({ rank: place }) => place)).toEqual(ranked.map((_, i) => i + 1));
    expect(rank(byName, new Set(items))).toEqual(ranked);
    expect(rank(byName, items, { top: 2 })).toEqual(ranked.slice(0, 2));
    expect(rank(byName, [])).toEqual([]);
  });

  it("takes vectors, and features that lie elsewhere", () => {
    const x = items.map(({ price, crust }) => [price, crust ?? Number.NaN]);
    expect(score(byNumber, x)).toEqual(expected);
    expect(
      score(
        byNumber,
        x.map((row) => Float32Array.from(row)),
      ),
    ).toEqual(expected);
    const wrapped = items.map((inner) => ({ inner }));
    expect(score(byName, wrapped, { features: ({ inner }) => inner })).toEqual(expected);
    expect(score(byNumber, items, { features: ({ price, crust }) => [price, crust ?? Number.NaN] })).toEqual(expected);
    expect(rank(byNumber, x)[0]!.item).toBe(x[expected.indexOf(Math.max(...expected))]);
  });

  it("takes the names of items for a model of utilities", () => {
    const { model } = fit(ballots([["curry", "soup"], ["curry", ["soup", "salad"]], ["soup", "curry", "salad"], ["salad", "soup"]]), { model: utilities({ l2: 0.1 }) }); // biome-ignore format: one chain
    expect(rank(model, ["salad", "curry"]).map(({ item }) => item)).toEqual(["curry", "salad"]);
    expect(() => rank(model, ["curry", "cake"])).toThrow('does not know the item "cake"');
    expect(() => rank(model, [{ name: "curry" }])).toThrow("an item must be a text");
  });

  it("keeps the order of equal scores", () => {
    const flat = fit(data, { model: linear({ l2: 1e9 }) }).model;
    const same = [{ price: 1, crust: 1 }, { price: 1, crust: 1 }, { price: 1, crust: 1 }]; // biome-ignore format: one chain
    expect(rank(flat, same).map(({ item }) => same.indexOf(item))).toEqual([0, 1, 2]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  type Wrong = any;
  const wrong: [what: string, run: () => unknown, message: string][] = [
    ["no items", () => rank(byName, undefined as Wrong), "expected a dataset, or an array"],
    ["a text", () => rank(byName, "abc" as Wrong), "expected a dataset, or an array"],
    ["a feature that is not there", () => rank(byName, [{ price: 1, crst: 2 }]), 'item 1 lacks the feature "crust" (null stands for a missing value); did you mean crst'],
    ["a feature that is text", () => rank(byName, [{ price: "1", crust: 2 }]), 'item 1, feature "price": expected a finite number, got "1"'],
    ["an infinite feature", () => rank(byNumber, [[1e40, 2]]), 'item 1, feature "1": expected a finite number'],
    ["a vector too short", () => rank(byNumber, [[1, 2], [1]]), "item 2: expected 2 features, got 1"],
    ["objects for numbered features", () => rank(byNumber, [{ price: 1, crust: 2 }]), "the model numbers its features"],
    ["a number as an item", () => rank(byName, [7]), "item 1: expected an object or a vector of 2 features"],
    ["no top", () => rank(byName, [], { top: 0 }), "option top: expected a whole number of at least 1 or Infinity, got 0"],
    ["features that are no function", () => rank(byName, [{}], { features: "x" } as Wrong), "option features"],
  ]; // biome-ignore format: one a line
  it.each(wrong)("refuses %s in one line", (_, run, message) => {
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });

  it("refuses a model over labels of its own", () => {
    const labelled = labelSets(
      [
        { tags: ["x"], words: { a: 1 } },
        { tags: ["y"], words: { b: 1 } },
      ],
      { labels: "tags", features: "words" },
    );
    const { model } = fit(labelled, { model: leml({ rank: 1, rounds: 1 }) });
    expect(() => rank(model, [{ a: 1, b: 0 }])).toThrow("ranks the labels that it was trained on");
  });
});
