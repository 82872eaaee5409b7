/** Intervals of counterfactual estimates cover the truth as often as they say, over seeded logs of queries drawn from a population. */
import { expect, it } from "vitest";
import { judgedLists } from "./clicks/reference-lists.ts";
import { simulateClicks } from "./clicks/simulate.ts";
import { counterfactualDcg } from "./counterfactual.ts";
import { subset } from "./data/subset.ts";
import { below, random } from "./numeric/random.ts";
import { positionBias } from "./position-bias.ts";

const LISTS = 400;
const SIZE = 15;
const SIMULATIONS = 200;

it.each(["position", "cascade"] as const)("95 %% intervals cover the truth in 90 to 98 %% of simulations, %s clicks", (model) => {
  const { data: population, shown } = judgedLists(LISTS, SIZE, 9);
  const { values } = population.features;
  const target = Float64Array.from(population.labels, (_, i) => 2 * values[3 * i]! + values[3 * i + 1]!);
  const { attraction } = simulateClicks(population, shown, { impressions: 1 });
  let truth = 0; // the mean DCG@10 of the target over the population
  for (let q = 0; q < LISTS; q++) {
    const order = Array.from({ length: SIZE }, (_, i) => SIZE * q + i).sort((a, b) => target[b]! - target[a]!);
    order.slice(0, 10).forEach((item, rank) => {
      truth += attraction[item]! / Math.log2(rank + 2) / LISTS;
    });
  }
  const covered = { ips: 0, doublyRobust: 0 };
  for (let seed = 0; seed < SIMULATIONS; seed++) {
    const draw = random(seed, 77);
    const drawn = Array.from({ length: 80 }, () => below(draw, LISTS));
    const lists = subset(population, drawn);
    const data = { ...lists, names: { ...lists.names, lists: drawn.map((_, i) => `query ${i}`) } };
    const pick = (all: Float64Array) => Float64Array.from(drawn.flatMap((q) => [...all.subarray(SIZE * q, SIZE * (q + 1))]));
    const how = { impressions: 2400, depth: 10, model, proceed: 1, afterClick: 0.5 } as const;
    const { log } = simulateClicks(data, pick(shown), { ...how, seed });
    const bias = positionBias(log, { method: model === "position" ? "harvest" : "cascade" });
    const found = counterfactualDcg(log, data, pick(target), { bias });
    for (const kind of ["ips", "doublyRobust"] as const)
      if (found[kind].low <= truth && truth <= found[kind].high) covered[kind]++;
  }
  for (const count of Object.values(covered)) {
    expect(count / SIMULATIONS).toBeGreaterThanOrEqual(0.9);
    expect(count / SIMULATIONS).toBeLessThanOrEqual(0.98);
  }
});
