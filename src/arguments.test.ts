import { describe, expect, it } from "vitest";
import * as kinds from "./arguments.ts";
import { build } from "./data/build.ts";
import { fit } from "./fit.ts";
import { ndcg } from "./metrics/index.ts";
import { linear } from "./models/index.ts";
import { plPartition } from "./objectives/index.ts";

const data = build([
  { list: 1, label: 1, features: [1] },
  { list: 1, label: 0, features: [0] },
]);
const transform = { id: "a", spec: "a", fit: () => null, apply: (_: unknown, given: object) => given };
const { model } = fit(data, { model: linear(), objective: plPartition() });

/** Each kind of object with the members that it needs. */
const objects: [kinds.Kind, object, readonly string[]][] = [
  [kinds.someData, data, ["starts", "labels", "features", "names"]],
  [kinds.someModel, model, ["score", "columns"]],
  [kinds.someLearner, linear(), ["id", "spec", "learn"]],
  [kinds.someObjective, plPartition(), ["id", "spec", "evaluate", "auxiliary", "outputs"]],
  [kinds.someMetric, ndcg({ k: 3 }), ["id", "spec", "measure", "better"]],
  [kinds.someTransform, transform, ["id", "spec", "fit", "apply"]],
  [kinds.someSignal, new AbortController().signal, ["aborted", "throwIfAborted"]],
  [kinds.explainedItem, { reasons: [] }, ["reasons"]],
];

describe("objects that code passes", () => {
  it.each(objects)("%s", ({ fits }, value, members) => {
    const all = Object.fromEntries(members.map((name) => [name, (value as Record<string, unknown>)[name]]));
    expect(fits(all)).toBe(true);
    for (const name of members) {
      const { [name]: _, ...rest } = all;
      expect(fits(rest), `without ${name}`).toBe(false);
      if (name !== "aborted") expect(fits({ ...all, [name]: null }), `${name} is null`).toBe(false); // of a signal, only that it is there
    }
    for (const other of [null, undefined, 1, "a", [], [all], new Float64Array(2), () => all]) expect(fits(other)).toBe(false);
  });

  it("objectives have an output", () => {
    expect(kinds.someObjective.fits({ ...plPartition(), outputs: 0 })).toBe(false);
  });

  it("modules stand for objects where they may, and are no objects with an id", () => {
    const module = { module: new URL("file:///a.js") };
    expect(kinds.objectiveOrModule.fits(module)).toBe(true);
    expect(kinds.transformOrModule.fits(transform)).toBe(true);
    expect(kinds.objectiveOrModule.fits({ ...module, id: "a" })).toBe(false);
    expect(kinds.metricsOrModules.fits([module, ndcg({ k: 3 })])).toBe(true);
    expect(kinds.metricsOrModules.fits([module, 1])).toBe(false);
    expect(kinds.someMetrics.fits([ndcg({ k: 3 }), module])).toBe(false);
  });
});

describe("numbers and texts that code passes", () => {
  it.each([
    ["wholeFrom(2)", kinds.wholeFrom(2), [2, 3], [1, 2.5, Infinity, Number.NaN, "2"]],
    ["wholeFrom(1, true)", kinds.wholeFrom(1, true), [1, Infinity], [0, -Infinity, 1.5]],
    ["numberAbove(0)", kinds.numberAbove(0), [1e-300, 5], [0, -1, Infinity, "1"]],
    ["numberFrom(0)", kinds.numberFrom(0), [0, 0.5], [-1e-300, Infinity, Number.NaN]],
    ["fraction", kinds.fraction, [0.001, 0.999], [0, 1, "0.5"]],
    ["seedNumber", kinds.seedNumber, [0, -5, 2 ** 50], [0.5, 2 ** 60, "1"]],
    ["someName", kinds.someName, ["a"], ["", 1]],
    ["someText", kinds.someText, ["", "a"], [1, null]],
    ["someTexts", kinds.someTexts, [[], ["a"]], ["a", ["a", 1]]],
    ["someNumbers", kinds.someNumbers, [[1], new Float32Array(1)], [1, new BigInt64Array(1), new DataView(new ArrayBuffer(8))]],
    ["someFloats", kinds.someFloats, [new Float64Array(1)], [new Float32Array(1), [1]]],
    ["yesOrNo", kinds.yesOrNo, [true, false], [0, "true"]],
    ["oneOf", kinds.oneOf("a", 1), ["a", 1], ["b", "1"]],
  ] as [string, kinds.Kind, unknown[], unknown[]][])("%s", (_, { fits }, right, wrong) => {
    expect(right.filter((value) => !fits(value))).toEqual([]);
    expect(wrong.filter(fits)).toEqual([]);
  });
});
