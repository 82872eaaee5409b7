import { describe, expect, it } from "vitest";
import { positionBias } from "../position-bias.ts";
import { heldOutLikelihood, preferred, splitLog } from "./choose-method.ts";
import { clickLog } from "./click-log.ts";
import { exposuresOf } from "./exposures.ts";
import { judgedLists } from "./reference-lists.ts";
import { simulateClicks } from "./simulate.ts";

const { data, shown } = judgedLists(120, 16, 3);

describe("the method that is chosen", () => {
  it.each([
    ["position", "harvest", 1],
    ["cascade", "cascade", 1],
    ["position", "harvest", 2],
    ["cascade", "cascade", 2],
  ] as const)("%s clicks: %s, with a curve within a tenth of the truth (seed %s)", (model, method, seed) => {
    const how = { impressions: 20_000, temperature: 0.5, model, proceed: 1, afterClick: 0.5, seed } as const;
    const { log, examination } = simulateClicks(data, shown, how);
    const found = positionBias(log);
    expect(found.method).toBe(method);
    expect(found.tried!.map((one) => one.method)).toEqual(["harvest", "cascade"]);
    const errors = found.propensities.map((p, k) => Math.abs((p * examination[0]!) / examination[k]! - 1));
    expect(Math.max(...errors)).toBeLessThan(0.1);
  });

  it("with features, all four are tried", () => {
    const { log } = simulateClicks(data, shown, { impressions: 2000 });
    expect(positionBias(log, { features: data }).tried!.map((one) => one.method)).toEqual([
      "harvest",
      "cascade",
      "em",
      "pairwise",
    ]);
  });
});

describe("held-out likelihood", () => {
  const rows = [
    ...[
      ["x", 1, 1],
      ["y", 2, 0],
    ],
    ...[
      ["x", 1, 0],
      ["y", 2, 1],
    ],
  ].map(([document, position, clicked], i) => ({
    ...{ query: "q", document: document as string, position: position as number, clicked: clicked as number },
    impression: Math.floor(i / 2),
  }));

  it("is that of the relevance (C + r) / (E + 1) times the propensity, by hand", () => {
    const log = clickLog(rows);
    const bias = { propensities: Float64Array.of(1, 0.5) };
    // Two impressions: x was examined twice, y once in expectation, with a click each; r = 2 / 3.
    const [x, y] = [(1 + 2 / 3) / 3, (1 + 2 / 3) / 2];
    const found = heldOutLikelihood(log, exposuresOf(log), bias, log);
    expect(found[0]).toBeCloseTo(Math.log(x) + Math.log(1 - 0.5 * y), 12);
    expect(found[1]).toBeCloseTo(Math.log(1 - x) + Math.log(0.5 * y), 12);
  });

  it("under a cascade, by hand: what is below a click is examined with probability afterClick", () => {
    const log = clickLog(rows);
    const bias = { propensities: Float64Array.of(1, 1), entries: Float64Array.of(1, 0.5, 1, 1), proceed: 1, afterClick: 0.5 };
    const r = 2 / 3.5;
    const [x, y] = [(1 + r) / 3, (1 + r) / 2.5];
    const found = heldOutLikelihood(log, exposuresOf(log), bias, log);
    expect(found[0]).toBeCloseTo(Math.log(x) + Math.log(1 - 0.5 * y), 12);
    expect(found[1]).toBeCloseTo(Math.log(1 - x) + Math.log(y), 12);
  });

  it("a fifth of the impressions of each query is held out, and none is lost", () => {
    const { log } = simulateClicks(data, shown, { impressions: 3000 });
    const { fitted, heldOut } = splitLog(log);
    expect(fitted.query.length + heldOut.query.length).toBe(3000);
    const count = (all: Uint32Array, q: number) => all.filter((one) => one === q).length;
    for (let q = 0; q < 120; q++) {
      expect(Math.abs(count(heldOut.query, q) - count(log.query, q) / 5)).toBeLessThan(1);
    }
    const clicks = (all: Uint8Array) => all.reduce((sum, one) => sum + one, 0);
    expect(clicks(fitted.clicked) + clicks(heldOut.clicked)).toBe(clicks(log.clicked));
  });

  it("another method must be better by two standard errors", () => {
    const first = Float64Array.of(-1, -2, -3, -4);
    expect(preferred([first, first.map((one) => one + 0.1)])).toBe(1);
    expect(preferred([first, Float64Array.of(0, -3, -2, -4)])).toBe(0);
    expect(preferred([first, first])).toBe(0);
  });
});
