import { expect, it } from "vitest";
import { replayedProcesses } from "../../../test/replayed-processes.ts";
import { build } from "../../data/build.ts";
import { subset } from "../../data/subset.ts";
import { fitPrepared, prepareFit } from "../../fit.ts";
import { below, random } from "../../numeric/random.ts";
import { lambdaRank } from "../../objectives/index.ts";
import type { Dataset } from "../../types.ts";
import { learner } from "../index.ts";

const CUTS = [0, 5, 12, 20]; // lists at which the processes begin and end

/** Two features with numbers and two with categories, which decide about the label. */
function drawn(): Dataset {
  const draw = random(4);
  return build(
    Array.from({ length: 120 }, (_, i) => {
      const features = [draw(), below(draw, 7), draw(), below(draw, 5)];
      const label = ([1, 4, 6].includes(features[1]!) ? 1 : 0) + (features[3] === 2 ? 1 : 0);
      return { list: Math.floor(i / 6), label, features };
    }),
  );
}

function shardOf(data: Dataset, process: number): Dataset {
  const [from, to] = [CUTS[process]!, CUTS[process + 1]!];
  const lists = Array.from({ length: 20 }, (_, q) => data.labels.subarray(data.starts[q]!, data.starts[q + 1]!));
  return {
    ...subset(
      data,
      Array.from({ length: to - from }, (_, i) => from + i),
    ),
    shard: {
      ...{ list: from, starts: data.starts },
      labels: [0, 1, 2].map((label) => [label, data.labels.filter((one) => one === label).length] as const),
      listsWithoutPositive: lists.filter((labels) => !labels.some((label) => label > 0)).length,
    },
  };
}

it("three processes split by categories as one does", async () => {
  const data = drawn();
  const model = learner("trees:rounds=2,leaves=4,min-items=3,categorical=(2,4)");
  const trained = (some: Dataset, processes?: Parameters<typeof fitPrepared>[1]["processes"]) =>
    fitPrepared("test", { ...prepareFit(some, { model, objective: lambdaRank() }), processes }).model.save();
  const found = await replayedProcesses(3, (communicator) =>
    trained(shardOf(data, communicator.rank), { rank: communicator.rank, size: 3, communicator }),
  );
  const alone = trained(data);
  expect(alone).toMatchObject({ sets: { 0: [1, 4, 6] } }); // the root of the first tree
  for (const one of found) expect(one).toEqual(alone);
});
