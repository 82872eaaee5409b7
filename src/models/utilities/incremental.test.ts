/** Utilities that are kept up to date are those that a fit from scratch finds. */
import { describe, expect, it } from "vitest";
import { type Ballot, ballots } from "../../data/ballots.ts";
import { fit } from "../../fit.ts";
import { random } from "../../numeric/random.ts";
import { plPartition } from "../../objectives/index.ts";
import { IncrementalUtilities, type TierNumbers } from "./incremental.ts";
import { utilities } from "./index.ts";
import { isUtilities } from "./model.ts";

const N = 6;
const names = Array.from({ length: N }, (_, i) => `item ${i}`);

/** A ballot of some items in up to four tiers, by utilities 0, 0.4, 0.8, ... and noise. */
function drawn(seed: number): number[][] {
  const draw = random(seed, 7);
  const tiers: number[][] = [[], [], [], []];
  for (let i = 0; i < N; i++) {
    if (draw() < 0.2) continue; // not ranked
    const score = 0.4 * i + 3 * draw();
    tiers[score > 3.5 ? 0 : score > 2.5 ? 1 : score > 1.5 ? 2 : 3]!.push(i);
  }
  return tiers;
}

function fromScratch(all: readonly TierNumbers[]) {
  const given: Ballot[] = all.map((tiers) => tiers.filter((tier) => tier.length > 0).map((tier) => tier.map((i) => names[i]!)));
  const { model } = fit(ballots(given, { items: names }), { model: utilities({ ghost: 0.5 }), objective: plPartition() });
  if (!isUtilities(model)) throw new Error("no utilities");
  return model.fit;
}

function finish(steps: Generator): void {
  while (!steps.next().done);
}

function expectSame(found: IncrementalUtilities, all: readonly TierNumbers[], digits: number): void {
  const wanted = fromScratch(all);
  const { utilities: mine, uncertainty } = found.estimate();
  for (let i = 0; i < N; i++) {
    expect(mine[i]).toBeCloseTo(wanted.utilities[i]!, digits);
    expect(uncertainty.errors[i]).toBeCloseTo(wanted.uncertainty!.errors[i]!, Math.min(digits, 4));
  }
  if (digits > 8) expect(uncertainty.ranks).toEqual(wanted.uncertainty!.ranks);
}

describe("incremental utilities", () => {
  it("are those of a fit from scratch after each ballot", () => {
    const found = new IncrementalUtilities(N, 0.5);
    const all: number[][][] = [];
    for (let seed = 0; seed < 12; seed++) {
      const tiers = drawn(seed);
      all.push(tiers);
      found.add(tiers);
      finish(found.refine());
      expect(found.isWithin(1e-9)).toBe(true);
      expectSame(found, all, 9);
    }
    expect(found.ballots).toBe(12);
  });

  it("stay close to it between refinements, as one ballot among many moves them little", () => {
    const found = new IncrementalUtilities(N, 0.5);
    const all: number[][][] = [];
    for (let seed = 0; seed < 800; seed++) all.push(drawn(seed));
    found.load(all.map((tiers) => [tiers, 1] as const));
    expect(found.isWithin(1e-9)).toBe(false);
    finish(found.refine());
    all.push(drawn(3001));
    found.add(all.at(-1)!);
    expectSame(found, all, 5);
  });

  it("take back ballots, also while they are refined", () => {
    const found = new IncrementalUtilities(N, 0.5);
    const all = Array.from({ length: 600 }, (_, seed) => drawn(seed));
    found.load(all.map((tiers) => [tiers, 1] as const));
    const steps = found.refine();
    steps.next(); // within the first pass
    for (const tiers of all.slice(0, 100)) found.add(tiers, -1);
    found.add(drawn(5000));
    finish(steps);
    finish(found.refine());
    expectSame(found, [...all.slice(100), drawn(5000)], 9);
    expect(() => found.add([[0], [1], [2], [3], [4], [5]], -1)).toThrow("not added");
  });

  it("without ballots are all equal, and a unanimous poll has finite ones", () => {
    const found = new IncrementalUtilities(3, 0.5);
    finish(found.refine());
    expect([...found.utilities()]).toEqual([0, 0, 0]);
    found.add([[2], [1], [0]], 1000);
    finish(found.refine());
    const values = found.utilities();
    expect(values[2]!).toBeGreaterThan(values[1]! + 2);
    expect(values.every(Number.isFinite)).toBe(true);
  });
});
