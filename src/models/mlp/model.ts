/** A trained network as a model. */
import { Mistake } from "../../mistake.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Catalogue, Columns, Dataset, Fold, Model, SavedModel } from "../../types.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { foldOutputs } from "../shared/fold.ts";
import { aCatalogue, aFold, floats, saveCatalogue, wholeNumbers, writable } from "../shared/saved.ts";
import { alone, judgedScores, type Network, rowOutputs, topOf, topRoom, type Weights } from "./predict.ts";

export interface Learned {
  readonly network: Network;
  readonly extras: Readonly<Record<string, number>>;
  readonly fold?: Fold | undefined;
  readonly catalogue?: Catalogue | undefined;
}

export function networkModel(columns: Columns, learned: Learned): Model {
  const { network, extras, fold, catalogue } = learned;
  const { hidden, last } = network;
  return {
    id: "mlp",
    columns,
    ...(catalogue ? { catalogue } : {}),
    score(data: Dataset, into) {
      checkScoring(columns, data, into);
      withHeap((heap) => {
        if (catalogue) return judgedScores(network, sameItems(data, catalogue), alone(heap), into);
        const outputs = fold ? new Float64Array(into.length * last.outputs) : into;
        rowOutputs(network, data.features, alone(heap), outputs);
        if (fold) foldOutputs(outputs, fold, into);
      });
    },
    ...(catalogue
      ? {
          top: (data: Dataset, k: number) =>
            withHeap((heap) => {
              checkColumns(columns, data);
              const room = topRoom(data.starts.length - 1, k, alone(heap));
              const { items, scores } = topOf(network, sameItems(data, catalogue), alone(heap), room);
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
      extras,
      ...(fold ? { fold } : {}),
      ...(catalogue ? { catalogue: saveCatalogue(catalogue) } : {}),
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
          ...(catalogue ? { "labels ranked": catalogue.count } : {}),
          ...extras,
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

function withHeap<R>(act: (heap: Heap) => R): R {
  const heap = new Heap();
  try {
    return act(heap);
  } finally {
    heap.close();
  }
}

/** The model's items are the data's. */
export function sameItems(data: Dataset, catalogue: Catalogue): Dataset {
  if (data.catalogue !== catalogue.count)
    throw new Mistake(
      data.catalogue === undefined
        ? `the model ranks a catalogue of ${catalogue.count} items, and these lists have items of their own`
        : `the model ranks a catalogue of ${catalogue.count} items, and that of the data has ${data.catalogue}`,
    );
  return data;
}

export function readNetwork(saved: SavedModel, columns: Columns): Model {
  const sizes = [...wholeNumbers(saved, "sizes")];
  const layers = sizes.map((outputs, l): Weights => {
    const inputs = l === 0 ? columns.count : sizes[l - 1]!;
    return {
      inputs,
      outputs,
      w: floats(saved, `weights${l + 1}`, inputs * outputs),
      b: floats(saved, `biases${l + 1}`, outputs),
    };
  });
  if (layers.length < 2) throw new Mistake("the model file is damaged: a network has at least two layers");
  const catalogue = aCatalogue(saved, "catalogue");
  if (catalogue && catalogue.count !== sizes.at(-1))
    throw new Mistake("the model file is damaged: the last layer is not of the catalogue");
  return networkModel(columns, {
    network: { hidden: layers.slice(0, -1), last: layers.at(-1)! },
    extras: (saved.extras ?? {}) as Record<string, number>,
    fold: aFold(saved, "fold"),
    catalogue,
  });
}
