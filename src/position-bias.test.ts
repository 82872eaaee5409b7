import { describe, expect, it } from "vitest";
import { clickLog } from "./clicks/click-log.ts";
import { judgedLists } from "./clicks/reference-lists.ts";
import { simulateClicks } from "./clicks/simulate.ts";
import { positionBias } from "./position-bias.ts";

const { data, shown } = judgedLists(120, 16, 3);

/** The largest relative error of a curve, both relative to the first position. */
const worst = (found: Float64Array, truth: Float64Array) =>
  Math.max(...found.map((p, k) => Math.abs((p * truth[0]!) / truth[k]! - 1)));

describe("harvest", () => {
  it("one document at two positions: the ratio of its rates", () => {
    // 400 of 1000 at the first position, 100 of 1000 at the second.
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      ...{ query: "q", document: "d", position: i < 1000 ? 1 : 2, impression: i },
      clicked: i < 1000 ? i < 400 : i < 1100,
    }));
    const { propensities, compared, method } = positionBias(clickLog(rows));
    expect(method).toBe("harvest");
    expect(propensities[1]! / 0.25).toBeCloseTo(1, 1);
    expect([...compared!]).toEqual([400, 100]);
  });

  it("finds the curve of the position-based model within a tenth, and covers it", () => {
    const { log, examination } = simulateClicks(data, shown, { impressions: 20_000, temperature: 0.5 });
    const { propensities, low, high } = positionBias(log);
    expect(worst(propensities, examination)).toBeLessThan(0.1);
    const covered = examination.filter((p, k) => k > 0 && low![k]! <= p && p <= high![k]!).length;
    expect(covered).toBeGreaterThanOrEqual(7); // of 9
  });

  it("needs documents that were shown at two positions", () => {
    const { log } = simulateClicks(data, shown, { impressions: 300, temperature: 0 });
    expect(() => positionBias(log, { method: "harvest" })).toThrow(/no clicked document was shown at two positions/);
    expect(positionBias(log, { features: data }).method).toBe("em");
    expect(() => positionBias(log)).toThrow(/use em, with features/);
  });

  it("does not depend on the relevance of documents: twice the clicks of some change little", () => {
    const curve = (noise: number) => positionBias(simulateClicks(data, shown, { impressions: 20_000, noise }).log).propensities;
    const [a, b] = [curve(0.05), curve(0.4)];
    expect(worst(a, b)).toBeLessThan(0.12);
  });
});

describe("cascade", () => {
  it.each([
    [1, 0.5],
    [1, 0],
    [0.9, 0.6],
  ])("finds users who go on with probability %s, after a click %s", (proceed, afterClick) => {
    const { log, examination } = simulateClicks(data, shown, {
      impressions: 20_000,
      temperature: 0.5,
      model: "cascade",
      proceed,
      afterClick,
    });
    const found = positionBias(log, { method: "cascade" });
    expect(worst(found.propensities, examination)).toBeLessThan(0.1);
    expect(found.proceed).toBeCloseTo(proceed, 1);
    expect(found.afterClick).toBeCloseTo(afterClick, 1);
  });

  it("one page: the posterior by hand", () => {
    // Above the click all is examined; below it, with relevance r of the last document, P = a (1 - r) / (1 - a + a (1 - r)).
    const rows = [false, true, false].map((clicked, k) => ({
      query: "q",
      document: `d${k}`,
      position: k + 1,
      clicked,
      impression: 0,
    }));
    const again = [true, false, false].map((clicked, k) => ({
      query: "q",
      document: `d${2 - k}`,
      position: k + 1,
      clicked,
      impression: 1,
    }));
    const { entries, afterClick, propensities } = positionBias(clickLog([...rows, ...again]), { method: "cascade" });
    expect([entries![0], entries![3]]).toEqual([1, 1]);
    expect(entries![2]).toBeCloseTo(afterClick!, 12);
    expect(propensities[0]).toBe(1);
  });
});

describe("em and pairwise", () => {
  const { log, examination } = simulateClicks(data, shown, { impressions: 6000 });

  it("em finds the curve where features tell relevance", () => {
    expect(worst(positionBias(log, { method: "em", features: data }).propensities, examination)).toBeLessThan(0.2);
  });

  it("pairwise falls from position to position, as the truth does", () => {
    const { propensities } = positionBias(log, { method: "pairwise", features: data });
    expect(propensities[0]).toBe(1);
    for (let k = 1; k < 4; k++) expect(propensities[k]!).toBeLessThan(propensities[k - 1]!);
  });

  it("both need features of the documents", () => {
    for (const method of ["em", "pairwise"] as const)
      expect(() => positionBias(log, { method })).toThrow(`the method ${method} needs features`);
    const others = judgedLists(2, 3, 1).data;
    const strangers = { ...others, names: { ...others.names, lists: ["x", "y"] } };
    expect(() => positionBias(log, { method: "em", features: strangers })).toThrow(/no document of the log is in the data/);
  });
});

it("a log without clicks is refused", () => {
  const rows = [1, 2].map((position) => ({ query: "q", document: position, position, clicked: 0 }));
  expect(() => positionBias(clickLog(rows))).toThrow("the log has no clicks");
});
