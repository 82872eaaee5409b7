/** Diagnostics of Markov chains against arviz 0.23.4 (`rhat(method="split")`, `ess(method="mean")`) and against what is known of AR(1). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { chainConvergence } from "./chains.ts";

interface Fixture {
  readonly name: string;
  readonly chains: readonly number[][];
  readonly rHat: number;
  readonly effectiveSize: number;
}
const fixtures = JSON.parse(readFileSync(new URL("../../test/fixtures/chains.json", import.meta.url), "utf8")) as Fixture[];

describe("chainConvergence", () => {
  it.each(fixtures)("agrees with arviz: $name", ({ name, chains, rHat, effectiveSize }) => {
    const found = chainConvergence(chains);
    expect(found.rHat).toBeCloseTo(rHat, 10);
    // Chains apart have correlations up to the end, of which arviz leaves out the last lags.
    expect(found.effectiveSize / effectiveSize).toBeCloseTo(1, name === "apart" ? 0 : 10);
  });

  it.each([0, 0.5, 0.9])("finds the autocorrelation time of an AR(1) process: %d", (rho) => {
    const chains = [1, 2, 3, 4].map((seed) => {
      const draw = random(seed);
      let value = 0;
      return Float64Array.from({ length: 20_000 }, () => (value = rho * value + draw() - 0.5));
    });
    const { rHat, effectiveSize } = chainConvergence(chains);
    expect(rHat).toBeLessThan(1.02);
    expect((effectiveSize / 80_000) * ((1 + rho) / (1 - rho))).toBeGreaterThan(0.8);
    expect((effectiveSize / 80_000) * ((1 + rho) / (1 - rho))).toBeLessThan(1.25);
  });

  it("has no answer where nothing changes, and refuses what are no chains", () => {
    expect(chainConvergence([[1, 1, 1, 1]])).toEqual({ rHat: Number.NaN, effectiveSize: Number.NaN });
    for (const wrong of [
      [],
      [[1, 2, 3]],
      [
        [1, 2, 3, 4],
        [1, 2, 3],
      ],
      undefined,
    ])
      expect(() => chainConvergence(wrong as never)).toThrow("expected one or more chains of equal length");
  });
});
