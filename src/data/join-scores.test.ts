import { describe, expect, it } from "vitest";
import { average, metric } from "../metrics/index.ts";
import { build } from "./build.ts";
import { joinScores } from "./join-scores.ts";

const rows = [
  { list: "q1", label: 2, id: "a", features: [] },
  { list: "q1", label: 0, id: "b", features: [] },
  { list: "q1", label: 1, id: "c", features: [] },
  { list: "q2", label: 1, id: "a", features: [] },
  { list: "q3", label: 1, id: "x y", features: [] },
];
const data = build(rows);
const scores = new Map([
  ["q1", new Map([["b", 3], ["a", 2], ["z", 1]])], // biome-ignore format: a list each
  ["q3", new Map([["x_y", 5]])],
  ["q9", new Map([["a", 1]])],
]);

describe("joining scores with judgements", () => {
  it("leaves lists without scores out, documents without scores unranked, and takes unjudged documents as label 0", () => {
    const joined = joinScores(data, scores);
    expect([...joined.data.starts]).toEqual([0, 4, 5]);
    expect(joined.data.names).toEqual({ lists: ["q1", "q3"], entries: ["a", "b", "c", "z", "x_y"] });
    expect([...joined.data.labels]).toEqual([2, 0, 1, 0, 1]);
    expect([...joined.scores]).toEqual([2, 3, -Infinity, 1, 5]);
    expect(joined).toMatchObject({ unscored: 1, unknown: 1, unjudged: 1, missing: 1 });
  });
  it("keeps all lists if requested: what was not found counts", () => {
    const joined = joinScores(data, scores, { complete: true });
    expect(joined.data.names.lists).toEqual(["q1", "q2", "q3"]);
    expect([...average(metric("mrr"), joined.scores, joined.data).values]).toEqual([0.5, 0, 1]);
  });
  it("counts what a run leaves out among what could have been found", () => {
    const joined = joinScores(data, scores);
    expect(average(metric("recall"), joined.scores, joined.data).values[0]).toBe(0.5);
  });
  it("goes by numbers from 1 where the data have no names", () => {
    const plain = { ...data, names: {} };
    const joined = joinScores(plain, new Map([["2", new Map([["1", 7]])]]));
    expect([joined.data.names.lists, joined.data.names.entries, [...joined.scores]]).toEqual([["2"], ["1"], [7]]);
  });
  it("refuses runs of other lists", () => {
    expect(() => joinScores(data, new Map([["q7", new Map([["a", 1]])]]))).toThrow("the run and the data have no list in common");
  });
});
