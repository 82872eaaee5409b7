/** A trained network as a `Model`. */
import { InputError } from "../../input-error.ts";
import { withHeap } from "../../numeric/heap.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, Description, LabelSpace, Model, OutputReduction, SavedModel } from "../../types.ts";
import { checkScoring } from "../shared/columns.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { savedFloats, savedIntegers, savedLabelSpace, savedReduction, saveLabelSpace, writable } from "../shared/saved.ts";
import { labelScoring } from "./label-scoring.ts";
import { type Network, rowOutputs, type Weights } from "./predict.ts";

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
    ...(labelSpace ? labelScoring(columns, network, labelSpace) : rowScoring(columns, learned)),
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
    describe: () => describeNetwork(columns, learned),
  };
}

/** Scores of items by their own features. */
const rowScoring = (columns: Columns, { network, reduction }: Learned): Pick<Model, "score"> => ({
  score(data, into) {
    checkScoring(columns, data, into);
    const outputs = reduction ? new Float64Array(into.length * network.last.outputs) : into;
    withHeap((heap) => rowOutputs(network, data.features, soloTeam(heap), outputs));
    if (reduction) reduceOutputs(outputs, reduction, into);
  },
});

function describeNetwork(columns: Columns, { network: { hidden, last }, auxiliary, labelSpace }: Learned): Description {
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
}

function size(w: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < w.length; i++) sum += w[i]! * w[i]!;
  return Math.sqrt(sum / Math.max(1, w.length));
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
