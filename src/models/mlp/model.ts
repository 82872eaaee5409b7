/** A trained network as a `Model`. */
import { InputError } from "../../input-error.ts";
import { withHeap } from "../../numeric/heap.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, Dataset, LabelSpace, Model, OutputReduction, SavedModel } from "../../types.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { savedFloats, savedIntegers, savedLabelSpace, savedReduction, saveLabelSpace, writable } from "../shared/saved.ts";
import { allocTop, labelScores, type Network, rowOutputs, topOf, type Weights } from "./predict.ts";

export interface Learned {
  readonly network: Network;
  readonly auxiliary: Readonly<Record<string, number>>;
  readonly reduction?: OutputReduction | undefined;
  readonly labelSpace?: LabelSpace | undefined;
}

export function networkModel(columns: Columns, learned: Learned): Model {
  const { network, auxiliary, reduction, labelSpace } = learned;
  const { hidden, last } = network;
  return {
    id: "mlp",
    columns,
    ...(labelSpace ? { labelSpace } : {}),
    score(data: Dataset, into) {
      checkScoring(columns, data, into);
      withHeap((heap) => {
        if (labelSpace) return labelScores(network, sameItems(data, labelSpace), soloTeam(heap), into);
        const outputs = reduction ? new Float64Array(into.length * last.outputs) : into;
        rowOutputs(network, data.features, soloTeam(heap), outputs);
        if (reduction) reduceOutputs(outputs, reduction, into);
      });
    },
    ...(labelSpace
      ? {
          top: (data: Dataset, k: number) =>
            withHeap((heap) => {
              checkColumns(columns, data);
              const into = allocTop(data.starts.length - 1, k, soloTeam(heap));
              const { items, scores } = topOf(network, sameItems(data, labelSpace), soloTeam(heap), into);
              return { k, items: items.slice(), scores: scores.slice() };
            }),
        }
      : {}),
    save: () => ({
      id: "mlp",
      sizes: [...hidden.map(({ outputs }) => outputs), last.outputs],
      ...Object.fromEntries(
        [...hidden, last].flatMap(({ w, b }, l) => [
          [`weights${l + 1}`, writable(w)],
          [`biases${l + 1}`, writable(b)],
        ]),
      ),
      extras: auxiliary,
      ...(reduction ? { fold: reduction } : {}),
      ...(labelSpace ? { catalogue: saveLabelSpace(labelSpace) } : {}),
    }),
    describe() {
      const sizes = [columns.count, ...hidden.map(({ outputs }) => outputs), last.outputs];
      const numbers = [...hidden, last].reduce((sum, { w, b }) => sum + w.length + b.length, 0);
      return {
        title: "mlp: a network of fully connected layers",
        facts: {
          features: `${columns.count}`,
          layers: sizes.join(" x "),
          numbers,
          ...(labelSpace ? { "labels ranked": labelSpace.count } : {}),
          ...auxiliary,
        },
        tables: [
          {
            title: "Layers",
            head: ["layer", "inputs", "outputs", "root mean square of weights"],
            rows: [...hidden, last].map(({ inputs, outputs, w }, l) => [l + 1, inputs, outputs, size(w)]),
          },
        ],
      };
    },
  };
}

function size(w: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < w.length; i++) sum += w[i]! * w[i]!;
  return Math.sqrt(sum / Math.max(1, w.length));
}

/** The model's items are the data's. */
export function sameItems(data: Dataset, labelSpace: LabelSpace): Dataset {
  if (data.labelSpaceSize !== labelSpace.count)
    throw new InputError(
      data.labelSpaceSize === undefined
        ? `the model ranks ${labelSpace.count} labels, and these are not multi-label data`
        : `the model ranks ${labelSpace.count} labels, and the data have ${data.labelSpaceSize}`,
    );
  return data;
}

export function readNetwork(saved: SavedModel, columns: Columns): Model {
  const sizes = [...savedIntegers(saved, "sizes")];
  const layers = sizes.map((outputs, l): Weights => {
    const inputs = l === 0 ? columns.count : sizes[l - 1]!;
    return {
      inputs,
      outputs,
      w: savedFloats(saved, `weights${l + 1}`, inputs * outputs),
      b: savedFloats(saved, `biases${l + 1}`, outputs),
    };
  });
  if (layers.length < 2) throw new InputError("the model file is damaged: a network has at least two layers");
  const labelSpace = savedLabelSpace(saved, "catalogue");
  if (labelSpace && labelSpace.count !== sizes.at(-1))
    throw new InputError("the model file is damaged: the last layer does not match the labels");
  return networkModel(columns, {
    network: { hidden: layers.slice(0, -1), last: layers.at(-1)! },
    auxiliary: (saved.extras ?? {}) as Record<string, number>,
    reduction: savedReduction(saved, "fold"),
    labelSpace,
  });
}
