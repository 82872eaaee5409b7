/** The likelihood of one tier before the rest, and its slopes, against 95 digits (soak/precise), for tiers of all kinds. */
import { describe, expect, it } from "vitest";
import { exp, fixed, log, ONE, over, toNumber } from "../soak/precise/fixed.ts";
import { tierProbability } from "../soak/precise/tier-probability.ts";
import { stageScratch, tierStage } from "../src/numeric/plain/tier-stage.ts";
import { random } from "../src/numeric/random.ts";
import { DOUBLE, type QuadratureRule, SINGLE } from "../src/numeric/tier-cost.ts";

const draw = random(31);
const several = (n: number, margin: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => margin(i));

/** Margins of the items of a tier over the rest. */
const kinds: Readonly<Record<string, (n: number) => Float64Array>> = {
  "far below the rest": (n) => several(n, () => -6 + draw()),
  "all alike, below": (n) => several(n, () => -3),
  "all alike, a little above": (n) => several(n, () => 1.67),
  "all alike, above": (n) => several(n, () => 3.2),
  "high above": (n) => several(n, () => 8 + draw()),
  "around the rest": (n) => several(n, () => 6 * (draw() - 0.5)),
  "far apart": (n) => several(n, () => 40 * (draw() - 0.5)),
  "some above, some below": (n) => several(n, (i) => (i % 3 === 0 ? -14 : 1.5 + 0.3 * draw())),
};
const sizes = [3, 5, 11, 31];

const logProbability = (margins: readonly bigint[]) => log(tierProbability(margins.map(exp)));
const MOVE = ONE >> 80n;

function stage(margins: Float64Array, rule: QuadratureRule) {
  const first = new Float64Array(margins.length);
  return { log: tierStage(stageScratch(), margins, 0, margins.length, rule, first, undefined).log, first };
}

describe.each(Object.entries(kinds))("a tier %s", (_, margins) => {
  it.each(sizes)("of %i items", (n) => {
    const d = margins(n);
    const exact = [...d].map(fixed);
    const expected = logProbability(exact);
    const size = Math.max(1, Math.abs(toNumber(expected)));
    const { log: found, first } = stage(d, DOUBLE);
    expect(Math.abs(found - toNumber(expected)) / size).toBeLessThan(1e-13);
    expect(Math.abs(stage(d, SINGLE).log - toNumber(expected)) / size).toBeLessThan(1e-7);
    if (n > 5) return; // slopes take as long again
    const moved = logProbability(exact.map((margin, i) => (i === 0 ? margin + MOVE : margin)));
    expect(Math.abs(first[0]! - toNumber(over(moved - expected, MOVE)))).toBeLessThan(1e-12);
  });
});

it("a tier of 90 items above one", () => {
  const d = several(90, (i) => 1.8 + 0.001 * i);
  expect(stage(d, DOUBLE).log).toBeCloseTo(toNumber(logProbability([...d].map(fixed))), 12);
});
