import { describe, expect, it } from "vitest";
import { calibrate } from "./calibrate.ts";
import { build } from "./data/build.ts";
import { evaluateScores } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { metricDifference } from "./metric-differences.ts";
import { metric, metricList, metrics } from "./metrics/index.ts";
import { random } from "./numeric/random.ts";
import { rankDistribution } from "./numeric/rank-distribution.ts";
import { objectives } from "./objectives/index.ts";
import { probabilities } from "./probabilities.ts";
import { rankScores } from "./rank.ts";
import { tierConfusion } from "./statistics/tier-confusion.ts";
import { fitTemperature } from "./temperature.ts";
import { tieExposure } from "./tie-exposure.ts";

const data = build(Array.from({ length: 48 }, (_, i) => ({ list: i >> 2, label: (i * 7) % 3, features: [1] })));
const all = Uint32Array.from({ length: 12 }, (_, q) => q);

/** Scores of sizes from 1e-300 to 1e300, some alike; with `odd`, some that are no numbers at all. */
function wild(seed: number, odd: boolean): Float64Array {
  const draw = random(seed, 0x311d);
  const [low, high] = [600 * draw() - 300, 600 * draw() - 300];
  return Float64Array.from(data.labels, () => {
    if (odd && draw() < 0.1) return [Number.NaN, Infinity, -Infinity][Math.floor(3 * draw())]!;
    return draw() < 0.2 ? 1 : (2 * draw() - 1) * 10 ** (draw() < 0.5 ? low : high);
  });
}

describe("scores of any size", () => {
  it("far apart: ranks are certain, and equal scores share them", () => {
    for (const size of [1e3, 1e18, 1e100, 1e301, 1.7e308])
      expect([...rankDistribution(Float64Array.of(-size, size, 0, 0))]).toEqual(
        [0, 0, 0, 1, 1, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0].map((chance) => expect.closeTo(chance, 12)),
      );
    const cold = probabilities(Float64Array.of(0.3, 0.1, 0.2, 0.2), { temperature: 1e-18 });
    expect([...cold.first]).toEqual([1, 0, 0, 0]);
    expect([...cold.expected]).toEqual([1, 4, 2.5, 2.5]);
    expect([...cold.low, ...cold.high]).toEqual([1, 4, 2, 2, 1, 4, 3, 3]);
    expect(probabilities(Float64Array.of(1e301, 0), { temperature: 1e-300 }).above(0, 1)).toBe(1);
  });

  it("far apart in groups: within a group chances are as without the others", () => {
    const near = probabilities(Float64Array.of(0.5, 0, 1));
    const far = probabilities(Float64Array.of(0.5, 0, 1, -1e12, -1e300));
    for (let i = 0; i < 3; i++) expect(far.expected[i]).toBeCloseTo(near.expected[i]!, 12);
    expect([far.expected[3], far.expected[4]]).toEqual([4, 5]);
  });

  it("a temperature grows with the scores, however large or small they are", () => {
    const scores = Float64Array.from(data.labels, (label, i) => 0.3 * label + Math.sin(i));
    const { value } = fitTemperature(scores, data, all);
    for (const size of [1e-290, 1e-150, 1e150, 1e300]) {
      const found = fitTemperature(
        scores.map((score) => score * size),
        data,
        all,
      );
      expect(found.value / size / value).toBeCloseTo(1, 6);
    }
  });

  it("give every public function numbers or one line, and an end", () => {
    const ends = (act: () => unknown) => {
      try {
        return act();
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).not.toMatch(/\n/);
        return undefined;
      }
    };
    const everything = metrics.filter(({ id }) => !/^ps/.test(id)).map((part) => part());
    for (let seed = 0; seed < 60; seed++) {
      const odd = seed % 3 === 0;
      const scores = wild(seed, odd);
      const finite = scores.every(Number.isFinite);
      const own = scores.subarray(0, 4);
      const found = ends(() => probabilities(own, { temperature: [1, 1e-18, 1e18][seed % 3]! })) as
        | ReturnType<typeof probabilities>
        | undefined;
      if (own.every(Number.isFinite)) {
        expect(found!.first.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
        expect(found!.expected.reduce((sum, one) => sum + one, 0)).toBeCloseTo(10, 9);
      } else expect(found).toBeUndefined();
      const calibration = ends(() => calibrate(scores, data, { bins: 4 })) as ReturnType<typeof calibrate> | undefined;
      expect(calibration !== undefined).toBe(finite);
      if (calibration) expect(calibration.after.likelihood).not.toBeNaN();
      const temperature = ends(() => fitTemperature(scores, data, all)) as { value: number } | undefined;
      expect(temperature !== undefined).toBe(finite);
      if (temperature) expect(temperature.value > 0 && temperature.value < Infinity).toBe(true);
      const evaluation = ends(() => evaluateScores(scores, data, everything)) as ReturnType<typeof evaluateScores> | undefined;
      if (finite) expect(evaluation).toBeDefined();
      if (scores.some(Number.isNaN)) expect(evaluation).toBeUndefined();
      ends(() => tieExposure(metric("ndcg@3"), scores, data));
      ends(() => metricDifference(...(metricList("ndcg@3,ndcg@3:lightgbm") as [never, never]), scores, data));
      ends(() => [...rankScores(scores, data)]);
      ends(() => tierConfusion(scores, data));
      for (const objective of objectives) {
        const one = objective();
        const long = Float64Array.from({ length: 4 * one.outputs + one.auxiliary.length }, (_, i) => scores[i]!);
        const into = { gradient: new Float64Array(long.length), hessian: new Float64Array(long.length) };
        ends(() => one.evaluate(long, Float32Array.of(0, 1, 1, 2), into, random(seed)));
      }
    }
  });
});
