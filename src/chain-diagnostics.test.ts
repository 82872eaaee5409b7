/** The chains that are diagnosed sample what they should, and the diagnostics tell good chains from bad ones. */
import { describe, expect, it } from "vitest";
import { folder, succeed, svmlight } from "../test/cli.ts";
import { build, chainDiagnostics, fit, linear, plPartition, pmopExact, pmopGibbs, pmopMh } from "./index.ts";
import { random } from "./numeric/random.ts";

const labels = Float32Array.of(1, 0, 1, 2, 0);
const scores = Float64Array.of(1.4, -0.7, 0.2, 0.9, -1.3);

/** The mean of the log-potential over all subsets of the items left, by their chances. */
function expected(left: readonly number[], sign: number): number {
  let [sum, total] = [0, 0];
  for (let bits = 1; bits < 2 ** left.length; bits++) {
    const inside = left.filter((_, place) => bits & (1 << place)).map((item) => sign * scores[item]!);
    const mean = inside.reduce((all, value) => all + value, 0) / inside.length;
    sum += mean * Math.exp(mean);
    total += Math.exp(mean);
  }
  return sum / total;
}

describe.each([
  ["pmop-gibbs", pmopGibbs],
  ["pmop-mh", pmopMh],
] as const)("chains of %s", (_, objective) => {
  it.each(["forward", "backward"] as const)("visit subsets by their chances: %s", (direction) => {
    const { stages, trace } = objective({ direction }).chains!;
    expect(stages(labels)).toBe(2);
    const left = direction === "forward" ? [[0, 1, 2, 3, 4], [0, 1, 2, 4]] : [[0, 1, 2, 3, 4], [0, 2, 3]]; // biome-ignore format: a table
    for (const stage of [0, 1]) {
      const states = new Float64Array(40_000);
      trace(scores, labels, stage, random(3, stage), states);
      const mean = states.subarray(100).reduce((sum, value) => sum + value, 0) / (states.length - 100);
      expect(mean).toBeCloseTo(expected(left[stage]!, direction === "forward" ? 1 : -1), 1.7);
    }
  });
});

const rows = Array.from({ length: 30 }, (_, i) => ({
  list: `q${i % 3}`,
  label: Math.floor(i / 3) % 3,
  features: [Math.sin(i), (i * 5) % 11],
}));
const data = build(rows);
const { model } = fit(data, { model: linear(), objective: plPartition() });

describe("chainDiagnostics", () => {
  it("tells chains that mix, and that Metropolis-Hastings draws are worth less", () => {
    const gibbs = chainDiagnostics(model, data, { objective: pmopGibbs(), steps: 400 });
    const walk = chainDiagnostics(model, data, { objective: pmopMh({ steps: 5 }), steps: 400 });
    expect(gibbs).toMatchObject({ stages: 3, chains: 4, steps: 400, trainingSteps: 3 });
    expect(walk.trainingSteps).toBe(5);
    expect(gibbs.rHat.max).toBeLessThan(1.05);
    expect(walk.effectivePerStep.median).toBeLessThan(gibbs.effectivePerStep.median);
    expect(chainDiagnostics(model, data, { objective: pmopGibbs(), steps: 400 })).toEqual(gibbs);
  });

  it("tells chains that do not mix", () => {
    const steep = { ...model, score: (_: unknown, into: Float64Array) => into.set(into.map((_, i) => 3000 * Math.sin(i))) };
    const { rHat } = chainDiagnostics(steep as never, data, { objective: pmopMh(), steps: 8 });
    expect(rHat.max).toBeGreaterThan(1.1);
  });

  it("refuses objectives without chains and data without lists of items", () => {
    expect(() => chainDiagnostics(model, data, { objective: pmopExact() })).toThrow("pmop-gibbs or pmop-mh, got pmop-exact");
    expect(() => chainDiagnostics(model, data, { objective: pmopGibbs(), steps: 2 })).toThrow("at least 4");
  });

  it("is part of what train prints", async () => {
    const cwd = folder({ "s.txt": svmlight(12) });
    const words = ["train", "s.txt", "--objective", "pmop-gibbs", "--quiet"];
    expect(await succeed(words, { cwd })).toMatch(/Markov chains +R-hat 1\.\d+ \(at most 1\.\d+\); 3 steps are worth \d/);
    const { chains } = JSON.parse(await succeed([...words, "--json"], { cwd })) as { chains: { steps: number } };
    expect(chains.steps).toBe(1000);
    expect(JSON.parse(await succeed(["train", "s.txt", "--quiet", "--json"], { cwd }))).not.toHaveProperty("chains");
  });
});
