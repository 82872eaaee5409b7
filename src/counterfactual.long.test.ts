/** Intervals of counterfactual estimates cover the truth as often as they say, over seeded logs of queries drawn from made-up and from judged lists. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../test/shared.ts";
import { judgedLists } from "./clicks/reference-lists.ts";
import { simulateClicks } from "./clicks/simulate.ts";
import { counterfactualDcg } from "./counterfactual.ts";
import { subset } from "./data/subset.ts";
import { score } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { readData } from "./formats/data/read.ts";
import { linear } from "./models/index.ts";
import { below, random } from "./numeric/random.ts";
import { positionBias } from "./position-bias.ts";
import type { Dataset } from "./types.ts";

const SIMULATIONS = { madeUp: 200, judged: 120 };

/** Lists, the scores by which they were shown, and those of the ranker that is evaluated. */
interface Population {
  readonly lists: Dataset;
  readonly shown: Float64Array;
  readonly target: Float64Array;
}

function madeUp(): Population {
  const { data: lists, shown } = judgedLists(400, 15, 9);
  const { values } = lists.features;
  return { lists, shown, target: Float64Array.from(lists.labels, (_, i) => 2 * values[3 * i]! + values[3 * i + 1]!) };
}

/** Judged lists, shown by a ranker that saw every 20th of them; the one that is evaluated saw every third. */
async function judged(...paths: readonly string[]): Promise<Population> {
  const { data: lists } = await readData(paths);
  const scoresOf = (every: number) => {
    const some = Array.from({ length: lists.starts.length - 1 }, (_, q) => q).filter((q) => q % every === 0);
    const scores = score(fit(subset(lists, some), { model: linear({ l2: 1 }) }).model, lists);
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    const deviation = Math.sqrt(scores.reduce((sum, one) => sum + (one - mean) ** 2, 0) / scores.length);
    return scores.map((one) => one / deviation);
  };
  return { lists, shown: scoresOf(20), target: scoresOf(3) };
}

/** The mean DCG@10 of the target over the population. */
function truthOf({ lists: { starts }, target }: Population, attraction: Float64Array): number {
  let truth = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const items = Array.from({ length: starts[q + 1]! - starts[q]! }, (_, i) => starts[q]! + i);
    items
      .sort((a, b) => target[b]! - target[a]! || a - b)
      .slice(0, 10)
      .forEach((item, rank) => {
        truth += attraction[item]! / Math.log2(rank + 2) / (starts.length - 1);
      });
  }
  return truth;
}

/** The shares of simulations whose intervals cover the truth. */
function coverage(
  population: Population,
  model: "position" | "cascade",
  simulations: number,
): Record<"ips" | "doublyRobust", number> {
  const { lists, shown, target } = population;
  const truth = truthOf(population, simulateClicks(lists, shown, { impressions: 1 }).attraction);
  const covered = { ips: 0, doublyRobust: 0 };
  for (let seed = 0; seed < simulations; seed++) {
    const draw = random(seed, 77);
    const drawn = Array.from({ length: 80 }, () => below(draw, lists.starts.length - 1));
    const some = subset(lists, drawn);
    const data = { ...some, names: { ...some.names, lists: drawn.map((_, i) => `query ${i}`) } };
    const pick = (all: Float64Array) =>
      Float64Array.from(drawn.flatMap((q) => [...all.subarray(lists.starts[q]!, lists.starts[q + 1]!)]));
    const how = { impressions: 2400, depth: 10, model, proceed: 1, afterClick: 0.5 } as const;
    const { log } = simulateClicks(data, pick(shown), { ...how, seed });
    const bias = positionBias(log, { method: model === "position" ? "harvest" : "cascade" });
    const found = counterfactualDcg(log, data, pick(target), { bias });
    for (const kind of ["ips", "doublyRobust"] as const)
      if (found[kind].low <= truth && truth <= found[kind].high) covered[kind]++;
  }
  return { ips: covered.ips / simulations, doublyRobust: covered.doublyRobust / simulations };
}

const example = fileURLToPath(new URL("../examples/search/train.txt.gz", import.meta.url));
const aggregated = sharedFile("data/mq2007-agg/A1.txt.gz");
const populations: readonly (readonly [string, boolean, () => Population | Promise<Population>])[] = [
  ["made-up lists", true, madeUp],
  ["the search example", true, () => judged(example)],
  ["mq2007-agg", existsSync(aggregated), () => judged(aggregated)],
];

describe.each(populations)("95 %% intervals on %s", (name, isThere, load) => {
  const simulations = name === "made-up lists" ? SIMULATIONS.madeUp : SIMULATIONS.judged;
  it.skipIf(!isThere).each(["position", "cascade"] as const)(
    "cover the truth in 90 to 98 %% of simulations, %s clicks",
    async (model) => {
      for (const share of Object.values(coverage(await load(), model, simulations))) {
        expect(share).toBeGreaterThanOrEqual(0.9);
        expect(share).toBeLessThanOrEqual(0.98);
      }
    },
  );
});
