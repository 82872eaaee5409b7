/** A trained LEML model (low-rank multi-label regression), stored as a network with one linear hidden layer. */
import { withHeap } from "../../numeric/heap.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, LabelSpace, Model, SavedModel } from "../../types.ts";
import { sameItems } from "../mlp/model.ts";
import { allocTop, labelScores, type Network, topOf } from "../mlp/predict.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { savedFloats, savedIntegers, savedLabelSpace, saveLabelSpace, writable } from "../shared/saved.ts";

export function lemlModel(columns: Columns, network: Network, labelSpace: LabelSpace): Model {
  const [first, last] = [network.hidden[0]!, network.last];
  return {
    id: "leml",
    columns,
    labelSpace,
    score(data, into) {
      checkScoring(columns, data, into);
      withHeap((heap) => labelScores(network, sameItems(data, labelSpace), soloTeam(heap), into));
    },
    top: (data, k) =>
      withHeap((heap) => {
        checkColumns(columns, data);
        const into = allocTop(data.starts.length - 1, k, soloTeam(heap));
        const { items, scores } = topOf(network, sameItems(data, labelSpace), soloTeam(heap), into);
        return { k, items: items.slice(), scores: scores.slice() };
      }),
    save: () => ({
      id: "leml",
      rank: [first.outputs],
      features: writable(first.w),
      constant: writable(first.b),
      labels: writable(last.w),
      catalogue: saveLabelSpace(labelSpace),
    }),
    describe: () => ({
      title: "leml: labels of low rank by least squares",
      facts: {
        features: `${columns.count}`,
        rank: first.outputs,
        "labels ranked": labelSpace.count,
        numbers: first.w.length + last.w.length,
      },
      tables: [],
    }),
  };
}

export function readLeml(saved: SavedModel, columns: Columns): Model {
  const k = savedIntegers(saved, "rank", 1)[0]!;
  const labelSpace = savedLabelSpace({ ...saved, catalogue: saved.catalogue ?? null }, "catalogue")!;
  const { count } = labelSpace;
  const network: Network = {
    activation: "none",
    hidden: [
      {
        inputs: columns.count,
        outputs: k,
        w: savedFloats(saved, "features", columns.count * k),
        b: savedFloats(saved, "constant", k),
      },
    ],
    last: { inputs: k, outputs: count, w: savedFloats(saved, "labels", count * k), b: new Float32Array(count) },
  };
  return lemlModel(columns, network, labelSpace);
}
