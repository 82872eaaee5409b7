import { describe, expect, it } from "vitest";
import { type AutoSetting, type Sequence, sequenceFor, type TriedSetting } from "./auto-sequence.ts";
import { learner } from "./models/index.ts";
import { plPartition, rankNet } from "./objectives/index.ts";

const size = { lists: 300, items: 5000, features: 40 };
const keyOf = ({ model, objective }: AutoSetting) => `${model.spec} under ${objective.spec}`;

/** The first settings, where a trial is as good as `worth` says. */
function settings(next: Sequence, count: number, worth: (key: string, t: number) => number | undefined): string[] {
  const tried: TriedSetting[] = [];
  while (tried.length < count) {
    const setting = next(tried);
    if (!setting) break;
    tried.push({ setting, worth: worth(keyOf(setting), tried.length) });
  }
  return tried.map(({ setting }) => keyOf(setting));
}
const wave = (_: string, t: number) => Math.sin(7 * t);

describe("the sequence of trials", () => {
  it("begins with trees at their defaults, then a linear model", () =>
    expect(settings(sequenceFor(size, 1), 2, wave)).toEqual([
      "trees under pl-partition",
      expect.stringMatching(/^linear:.* under pl-partition$/),
    ]));

  it("is the same for the same seed and results, never repeats itself, and every model in it can be built", () => {
    const all = settings(sequenceFor(size, 3), 80, wave);
    expect(settings(sequenceFor(size, 3), 80, wave)).toEqual(all);
    expect(settings(sequenceFor(size, 3), 30, wave)).toEqual(all.slice(0, 30));
    expect(new Set(all).size).toBe(80);
    for (const key of all) expect(learner(key.split(" under ")[0]!).spec).toBe(key.split(" under ")[0]);
  });

  it("goes on with variations of the best trees, which another seed draws otherwise", () => {
    const best = "trees under lambdarank";
    const rank = (key: string) => (key === best ? 1 : key.endsWith("lambdarank") ? 0.5 : 0);
    const [one, two] = [1, 2].map((seed) => settings(sequenceFor(size, seed), 40, rank));
    const same = one!.findIndex((key, t) => key !== two![t]);
    expect(same).toBeGreaterThan(5);
    expect(one!.slice(same).filter((key) => key.endsWith("lambdarank")).length).toBeGreaterThan((40 - same) / 2);
    expect(one!.slice(same).every((key) => key.startsWith("trees"))).toBe(true);
  });

  it("has the objective that is given in all trials, and no setting twice for it", () => {
    const all = settings(sequenceFor(size, 1, rankNet()), 30, wave);
    expect(all.every((key) => key.endsWith(" under ranknet"))).toBe(true);
    expect(new Set(all).size).toBe(30);
    expect(settings(sequenceFor(size, 1, plPartition()), 5, wave)[0]).toBe("trees under pl-partition");
  });

  it("ends where no trees can be trained", () => {
    const all = settings(sequenceFor(size, 1), 50, (key) => (key.startsWith("trees") ? undefined : 0));
    expect(all.length).toBeLessThan(20);
  });

  it("expects a trial of trees to take longer with more of them, shorter steps or larger trees", () => {
    const tried: TriedSetting[] = [];
    const next = sequenceFor(size, 5);
    while (tried.length < 60) tried.push({ setting: next(tried)!, worth: wave("", tried.length) });
    const costs = new Map(tried.map(({ setting }) => [keyOf(setting), setting.cost]));
    expect(costs.get("trees under pl-partition")).toBe(1);
    expect([...costs.values()].every((cost) => cost > 0 && Number.isFinite(cost))).toBe(true);
    for (const { setting } of tried)
      if (/learning-rate=0\.02/.test(setting.model.spec) && !/leaves/.test(setting.model.spec))
        expect(setting.cost).toBeGreaterThan(1);
  });
});
