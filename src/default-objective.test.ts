/** Which objective is taken where none is named, what is said about ties, and that fits to ballots converge. */
import { describe, expect, it } from "vitest";
import { ballots } from "./data/ballots.ts";
import { split } from "./data/split.ts";
import { objectiveFor } from "./default-objective.ts";
import { fit } from "./fit.ts";
import { heldOutLikelihood } from "./held-out.ts";
import { kendall } from "./metrics/index.ts";
import { isUtilities, leml, utilities } from "./models/index.ts";
import { davidson, listMle, plPartition, raoKupper } from "./objectives/index.ts";
import type { Dataset } from "./types.ts";

const battles = ballots([["a", "b"], ["b", "a"], [["a", "b"]], ["b", "c"], ["c", "b"], [["a", "c"]]], {
  weights: [40, 20, 10, 30, 15, 5],
});
const triples = ballots([["a", "b", "c"], [["a", "b", "c"]], ["c", ["a", "b"]]], { weights: [5, 2, 3] }); // biome-ignore format: short

describe("the default objective", () => {
  it("is davidson for pairs with ties, and says so", () => {
    const { notices, model } = fit(battles, { model: utilities() });
    expect(notices).toEqual([
      "the ballots are pairs and 15 of 120 are ties, so the objective is davidson, which models ties (the objective pl-partition leaves them out)",
    ]);
    expect(isUtilities(model) && Object.keys(model.fit.auxiliary)).toEqual(["log nu"]);
  });

  it("is pl-partition for pairs without ties and for longer ballots", () => {
    expect(objectiveFor(ballots([["a", "b"], ["b", "a"]]), utilities(), undefined).objective.id).toBe("pl-partition"); // biome-ignore format: short
    expect(objectiveFor(triples, utilities(), undefined).objective.id).toBe("pl-partition");
  });

  it("one that is given is taken, with a word about ballots from which it learns nothing", () => {
    const result = (data: Dataset, cost = plPartition()) => objectiveFor(data, utilities(), cost).notices;
    const silent = (fraction: string) =>
      `${fraction} ballots tie all their items, and pl-partition learns nothing from them; the objective davidson or the objective rao-kupper does`;
    expect(result(battles)).toEqual([silent("15 of 120")]);
    expect(result(triples)).toEqual([silent("2 of 10")]);
    expect(result(battles, davidson())).toEqual([]);
    expect(result(battles, raoKupper())).toEqual([]);
    expect(result(battles, listMle())).toEqual([]); // breaks ties as given
    expect(objectiveFor(battles, leml(), plPartition()).notices).toEqual([]); // takes no objective
  });
});

describe("ballots held out", () => {
  it("judge the converged fit and stop nothing", () => {
    const [data, valid] = split(battles, [0.75, 0.25], 2) as [Dataset, Dataset];
    const options = { model: utilities(), objective: davidson() };
    const alone = fit(data, options);
    const validation = fit(data, { ...options, valid, metrics: [kendall()], patience: 1 });
    expect(validation.best.round).toBe(validation.rounds);
    expect(validation.rounds).toBe(alone.rounds);
    expect(validation.model.save()).toEqual(alone.model.save());
  });

  it("have the mean log-likelihood of Davidson's three outcomes", () => {
    const [data, valid] = split(battles, [0.75, 0.25], 2) as [Dataset, Dataset];
    const { model, likelihood } = fit(data, { model: utilities(), objective: davidson(), valid, metrics: [kendall()] });
    if (!isUtilities(model)) throw new Error("utilities");
    const [worth, nu] = [model.fit.utilities.map(Math.exp), Math.exp(model.fit.auxiliary["log nu"]!)];
    let [sum, ballotsHeld] = [0, 0];
    for (let q = 0; q + 1 < valid.starts.length; q++) {
      const [i, j] = valid.items!.slice(valid.starts[q], valid.starts[q + 1]) as unknown as [number, number];
      const [a, b] = [Math.sqrt(worth[i]! / worth[j]!), Math.sqrt(worth[j]! / worth[i]!)];
      const tie = valid.labels[valid.starts[q]!] === valid.labels[valid.starts[q]! + 1];
      const up = valid.labels[valid.starts[q]!]! > valid.labels[valid.starts[q]! + 1]!;
      sum += valid.listWeights![q]! * Math.log((tie ? nu : up ? a : b) / (a + b + nu));
      ballotsHeld += valid.listWeights![q]!;
    }
    expect(ballotsHeld).toBe(30);
    expect(likelihood).toBeCloseTo(sum / 30, 12);
    expect(heldOutLikelihood(model, davidson(), valid)).toBe(likelihood);
  });

  it("have none under an objective that is no likelihood", () => {
    const [data, valid] = split(triples, [0.7, 0.3], 2) as [Dataset, Dataset];
    const { model } = fit(data, { model: utilities({ ghost: 0.5 }) });
    expect(heldOutLikelihood(model, plPartition(), valid)).toBeLessThan(0);
    expect(heldOutLikelihood(model, { ...plPartition(), cost: "sampled" }, valid)).toBeUndefined();
  });
});
