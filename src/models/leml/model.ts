/** A trained LEML model (low-rank multi-label regression), stored as a network with one linear hidden layer. */
import type { Columns, LabelSpace, Model, SavedModel } from "../../types.ts";
import { labelScoring } from "../mlp/label-scoring.ts";
import type { Network } from "../mlp/predict.ts";
import { savedFloats, savedIntegers, savedLabelSpace, saveLabelSpace, writable } from "../shared/saved.ts";

export function lemlModel(columns: Columns, network: Network, labelSpace: LabelSpace): Model {
  const [first, last] = [network.hidden[0]!, network.last];
  return {
    id: "leml",
    columns,
    ...labelScoring(columns, network, labelSpace),
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
