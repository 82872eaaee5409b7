/**
 * A model as other tools can hold it: trees, a weighted sum, or a network, the latter two with what standardisation does to each feature. What
 * cannot be taken apart in this way (products of features, standardisation within a list, several outputs) is refused in one line.
 */
import { InputError } from "../../../input-error.ts";
import { savedChoice, savedFloats, savedIntegers, savedNumbers, savedObject, savedText } from "../../../models/shared/saved.ts";
import { isTrees } from "../../../models/trees/index.ts";
import type { TreeSum } from "../../../models/trees/sum.ts";
import type { Tree } from "../../../models/trees/tree.ts";
import type { Columns, Model, SavedModel } from "../../../types.ts";

/** Trees and how their values become a score. */
export interface PortableTrees {
  /** Distinguishes trees from other models. */
  readonly kind: "trees";
  /** The features. */
  readonly columns: Columns;
  /** The trees, in the order in which they are added up. */
  readonly trees: readonly Tree[];
  /** How the values of leaves become a score. */
  readonly sum: TreeSum;
}

/** A feature enters as (value - mean) * factor, rounded to float32, and as 0 where it is missing. */
export interface PortableStandardization {
  /** By feature: what is subtracted. */
  readonly mean: Float64Array;
  /** By feature: what the difference is multiplied by. */
  readonly factor: Float64Array;
}

/** score = bias + Σ weight (x - mean) factor. */
export interface PortableLinear {
  /** Distinguishes linear models from others. */
  readonly kind: "linear";
  /** The features. */
  readonly columns: Columns;
  /** Weight of each feature. */
  readonly weights: Float64Array;
  /** What is added to the weighted sum. */
  readonly bias: number;
  /** Standardization of the features, if any. */
  readonly standard?: PortableStandardization | undefined;
}

/** A fully connected layer. */
export interface PortableLayer {
  /** Number of inputs. */
  readonly inputs: number;
  /** Number of outputs. */
  readonly outputs: number;
  /** Of input i and output o at i * outputs + o. */
  readonly weights: Float32Array;
  /** Bias of each output. */
  readonly biases: Float32Array;
}

/** Fully connected layers with ReLU between them, in float32. */
export interface PortableNetwork {
  /** Distinguishes networks from other models. */
  readonly kind: "network";
  /** The features. */
  readonly columns: Columns;
  /** The layers, the first first. */
  readonly layers: readonly PortableLayer[];
  /** Standardization of the features, if any. */
  readonly standard?: PortableStandardization | undefined;
}

/** A model in the terms that other tools share. */
export type Portable = PortableTrees | PortableLinear | PortableNetwork;

const refused = (why: string) => new InputError(`this model cannot leave tierwise: ${why}`);

export function portable(model: Model): Portable {
  if (isTrees(model)) {
    if (model.reduction) throw refused("its trees give several outputs that make one score together, and a ranking needs one");
    return { kind: "trees", columns: model.columns, trees: model.trees, sum: model.sum };
  }
  if (model.labelSpace) throw refused("it ranks the labels of a label space and gives a row one score for each of them");
  return inner(model.save(), model.columns);
}

function inner(saved: SavedModel, columns: Columns, standard?: PortableStandardization): PortableLinear | PortableNetwork {
  if (saved.fold !== undefined) throw refused("it gives several outputs that make one score together");
  switch (saved.id) {
    case "standardise": {
      const by = savedChoice(saved, "by", ["all", "list", "row", "none"]);
      if (by === "list") throw refused("its features are standardised within each list, and other tools see one row at a time");
      if (by === "row") throw refused("its rows are scaled to length 1, which the formats have no place for");
      const scale = by === "all" ? { mean: savedNumbers(saved, "mean"), factor: savedNumbers(saved, "factor") } : undefined;
      return inner(savedObject(saved, "inner") as SavedModel, columns, scale);
    }
    case "within-list":
      throw refused(
        `its features are compared within each list (within-list=${savedText(saved, "statistic")}), and other tools score one document at a time; train without within-list`,
      );
    case "products":
      throw refused("it multiplies features with each other, which the formats have no place for; train with products=0");
    case "linear": {
      const weights = savedNumbers(saved, "weights", columns.count + 1);
      return { kind: "linear", columns, weights: weights.slice(0, -1), bias: weights.at(-1)!, standard };
    }
    case "mlp": {
      const sizes = [...savedIntegers(saved, "sizes")];
      if (sizes.at(-1) !== 1) throw refused("its network gives several outputs");
      const layers = sizes.map((outputs, l): PortableLayer => {
        const inputs = l === 0 ? columns.count : sizes[l - 1]!;
        const weights = savedFloats(saved, `weights${l + 1}`, inputs * outputs);
        return { inputs, outputs, weights, biases: savedFloats(saved, `biases${l + 1}`, outputs) };
      });
      return { kind: "network", columns, layers, standard };
    }
    default:
      throw refused(`models of the kind ${saved.id} have no counterpart in other tools`);
  }
}

/** The weighted sum without standardisation: score = bias + Σ weights x. What is missing counts as `missing`, the mean. */
export function folded({ weights, bias, standard }: PortableLinear): {
  weights: Float64Array;
  bias: number;
  missing: Float64Array;
} {
  if (!standard) return { weights, bias, missing: new Float64Array(weights.length) };
  const { mean, factor } = standard;
  const plain = weights.map((weight, c) => weight * factor[c]!);
  return { weights: plain, bias: plain.reduce((sum, weight, c) => sum - weight * mean[c]!, bias), missing: mean };
}

/** The score of one row as the model gives it, with trees summed in a precision; rows are float32. */
export function portableScore(model: Portable, row: Float32Array, precision: "float64" | "float32", walk: Walk): number {
  if (model.kind === "trees") return walk(model, row, precision);
  const { standard } = model;
  const inputs = Float32Array.from(row, (value, c) =>
    Number.isNaN(value) ? 0 : standard ? (value - standard.mean[c]!) * standard.factor[c]! : value,
  );
  if (model.kind === "linear") return inputs.reduce((sum, value, c) => sum + value * model.weights[c]!, model.bias);
  let values: Float64Array = Float64Array.from(inputs);
  model.layers.forEach(({ outputs, weights, biases }, l) => {
    const next = Float64Array.from(biases);
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < values.length; i++) next[o]! += values[i]! * weights[i * outputs + o]!;
      if (l < model.layers.length - 1) next[o] = Math.max(0, next[o]!);
    }
    values = next;
  });
  return values[0]!;
}

export type Walk = (model: PortableTrees, row: Float32Array, precision: "float64" | "float32") => number;
