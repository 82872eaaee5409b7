import { describe, expect, it } from "vitest";
import { compare, systemValues } from "./compare.ts";
import { evaluateScores } from "./evaluate.ts";
import { parseValues, type SystemValues, serializeValues } from "./formats/values.ts";
import { metric, metricList } from "./metrics/index.ts";
import type { Dataset, Metric } from "./types.ts";

const blank = Number.NaN;
const system = (name: string, lists: string[], ...values: number[]): SystemValues => ({
  ...{ name, lists, values: { mrr: Float64Array.from(values) } },
});
const metrics = metricList("mrr");
const five = ["a", "b", "c", "d", "e"];
const base = system("base", five, 0.5, 0.5, 0.25, 1, blank);

describe("compare", () => {
  it("differences, wins and lists that changed most, by hand", () => {
    const found = compare([base, system("new", five, 1, 0.5, 0.125, 0.5, 1)], { metrics, changed: 2 });
    expect(found).toMatchObject({ baseline: "base", lists: 5, comparisons: 1 });
    const [one] = found.metrics[0]!.differences;
    expect(one).toMatchObject({ system: "new", wins: 1, ties: 1, losses: 2, exact: true });
    expect(one!.difference).toMatchObject({ mean: (0.5 - 0.125 - 0.5) / 4, lists: 4, leftOut: 1 });
    expect(one!.p).toBe(8 / 8); // no sum of ±0.5, ±0.125, ±0.5 lies nearer to 0 than 0.125
    expect(one!.changed).toEqual([
      { list: "a", baseline: 0.5, system: 1, difference: 0.5 },
      { list: "d", baseline: 1, system: 0.5, difference: -0.5 },
    ]);
    expect(found.metrics[0]!.systems.map(({ system: name, mean, lists }) => [name, mean, lists])).toEqual([
      ["base", 2.25 / 4, 4],
      ["new", 3.125 / 5, 5],
    ]);
  });

  it("corrects over all systems and metrics, and counts what is better for metrics where less is", () => {
    const less: Metric = { ...metric("err"), spec: "cost", better: "lower" };
    const lists = ["a", "b", "c", "d"];
    const make = (name: string, mrr: number[], cost: number[]): SystemValues => ({
      ...{ name, lists, values: { mrr: Float64Array.from(mrr), cost: Float64Array.from(cost) } },
    });
    const zero = make("zero", [0, 0, 0, 0], [0, 0, 0, 0]);
    const up = make("up", [1, 2, 3, 4], [1, 2, 3, 4]);
    const same = make("same", [1, -1, 1, -1], [0, 0, 0, 0]);
    const { metrics: found, comparisons } = compare([zero, up, same], { metrics: [...metrics, less] });
    expect(comparisons).toBe(4);
    const all = found.flatMap(({ differences }) => differences);
    expect(all.map(({ p }) => p)).toEqual([2 / 16, 1, 2 / 16, 1]);
    expect(all.map(({ corrected }) => corrected)).toEqual([0.5, 1, 0.5, 1]); // 4/8 and 3/8, which may not fall below
    expect(all.map(({ wins, losses }) => [wins, losses])).toEqual([
      ...[[4, 0], [2, 2], [0, 4], [0, 0]], // biome-ignore format: pairs
    ]);
  });

  it("finds lists by their ids where systems have them in another order", () => {
    const turned = system("turned", ["e", "d", "c", "b", "a"], blank, 1, 0.25, 0.5, 0.5);
    expect(compare([base, turned], { metrics }).metrics[0]!.differences[0]).toMatchObject({ wins: 0, ties: 4, losses: 0, p: 1 });
  });

  it("another baseline turns the signs", () => {
    const better = system("better", five, 1, 1, 1, 1, 1);
    const { baseline, metrics: found } = compare([base, better], { metrics, baseline: "better" });
    expect([baseline, found[0]!.differences[0]!.system]).toEqual(["better", "base"]);
    expect(found[0]!.differences[0]!.difference.mean).toBe(-1.75 / 4);
  });

  it("passes every option on to the test and the intervals", () => {
    const lists = Array.from({ length: 30 }, (_, q) => `q${q}`);
    const values = (shift: number) => lists.map((_, q) => Math.sin(q + shift) + shift);
    const systems = [system("one", lists, ...values(0)), system("two", lists, ...values(0.1))];
    const options = { metrics, level: 0.9, rounds: 99, resamples: 50, seed: 3 };
    const [found, other] = [compare(systems, options), compare(systems, { ...options, level: 0.5 })];
    const difference = found.metrics[0]!.differences[0]!;
    expect(difference.p * 100).toBeCloseTo(Math.round(difference.p * 100), 9); // (1 + as far) / (1 + 99)
    const width = ({ metrics: [one] }: typeof found) => one!.systems[0]!.high - one!.systems[0]!.low;
    expect(width(other)).toBeLessThan(width(found));
  });

  it.each<[string, SystemValues[], RegExp]>([
    [
      "lists that one did not run on",
      [base, system("b", ["a", "b"], 1, 1)],
      /b did not run on 3 of the 5 lists of base \(c, d, e\)/,
    ],
    ["lists that the baseline did not run on", [system("b", ["a"], 1), base], /b did not run on 4 of the 5 lists of base/],
    ["one system", [base], /at least two systems, got 1/],
    ["the same name twice", [base, base], /"base" is given twice/],
    ["a metric that was not measured", [base, { ...base, name: "b", values: {} }], /b has no values of mrr; it has none/],
    ["ids that are no ids", [base, system("b", ["a", "a"], 1, 1)], /two lists of b have the same id/],
  ])("refuses %s", (_, systems, message) => expect(() => compare(systems, { metrics })).toThrow(message));

  it("refuses a baseline that nobody is", () =>
    expect(() => compare([base, system("new", five, 1, 1, 1, 1, 1)], { metrics, baseline: "bas" })).toThrow(
      /no system is called "bas"; did you mean base\?/,
    ));
});

describe("what was measured", () => {
  const data: Dataset = {
    starts: Uint32Array.of(0, 2, 4),
    labels: Float32Array.of(1, 0, 1, 0),
    features: { kind: "dense", rows: 4, columns: 0, values: new Float32Array(0) },
    items: Uint32Array.of(0, 1, 2, 3),
    labelFrequency: { lists: 100, counts: Uint32Array.of(50, 1, 2, 1) },
    base: 1,
    names: {},
  };
  it("has the mean that is printed, also where that is a ratio of means", () => {
    const evaluation = evaluateScores(Float64Array.of(1, 0, 0, 1), data, metricList("psp@1,mrr"));
    const { values, lists } = systemValues("m", evaluation, data);
    expect(lists).toEqual(["1", "2"]);
    expect(Array.from(values.mrr!)).toEqual([1, 0.5]);
    expect((values["psp@1"]![0]! + values["psp@1"]![1]!) / 2).toBeCloseTo(evaluation.metrics["psp@1"]!, 12);
    expect(values["psp@1"]![1]).toBe(0);
  });

  it("is refused for data of another number of lists", () => {
    const evaluation = evaluateScores(Float64Array.of(1, 0, 0, 1), data, metricList("mrr"));
    const { items: _, labelFrequency: __, ...rest } = data;
    const one: Dataset = { ...rest, starts: Uint32Array.of(0, 4) };
    expect(() => systemValues("m", evaluation, one)).toThrow(/of the evaluation, which has 2 lists, got data of 1$/);
  });

  it("is the same after it was written and read", () => {
    const kept: SystemValues = { ...base, weights: [1, 2, 1, 1, 0.5] };
    const { weights, ...rest } = parseValues(serializeValues(kept), "x.json");
    expect({ ...rest, weights: Array.from(weights!) }).toEqual(kept);
  });

  it.each([
    ["no JSON", "{", /x\.json: the values file is damaged/],
    ["a model", '{"format":"tierwise model"}', /not a values file written by cv/],
    ["another version", '{"format":"tierwise values","version":2}', /version "2"; this tierwise reads version 1/],
    ["an object as its version", '{"format":"tierwise values","version":{}}', /version "{}"; this tierwise reads version 1/],
    [
      "too few numbers",
      '{"format":"tierwise values","version":1,"name":"a","lists":["a","b"],"values":{"mrr":[1]}}',
      /values of mrr should be 2 numbers, one for each list/,
    ],
  ])("refuses %s", (_, text, message) => expect(() => parseValues(text, "x.json")).toThrow(message));
});
