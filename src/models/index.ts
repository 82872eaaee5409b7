/** All models: their learners, and how they are restored from files. */
import { InputError, quote } from "../input-error.ts";
import { type AnyPart, find } from "../part.ts";
import type { Columns, Learner, Model, SavedModel } from "../types.ts";
import { type BlendMember, type BlendModel, isBlend, readBlend } from "./blend.ts";
import { coordinateAscent } from "./coordinate-ascent/index.ts";
import { readInteractions } from "./interactions.ts";
import { labelTree } from "./label-tree/index.ts";
import { readLabelTree } from "./label-tree/model.ts";
import { leml } from "./leml/index.ts";
import { readLeml } from "./leml/model.ts";
import { linear } from "./linear/index.ts";
import { readLinear } from "./linear/model.ts";
import { mlp } from "./mlp/index.ts";
import { readNetwork } from "./mlp/model.ts";
import { sleec } from "./sleec/index.ts";
import { readSleec } from "./sleec/model.ts";
import { readStandardize } from "./standardize.ts";
import { readTransformed, type Transforms } from "./transform.ts";
import { readTrees, trees } from "./trees/index.ts";
import { utilities } from "./utilities/index.ts";
import { readUtilities } from "./utilities/model.ts";
import { readWithinList } from "./within-list.ts";

export type { CoordinateAscentOptions } from "./coordinate-ascent/index.ts";
export type { LabelTreeOptions } from "./label-tree/index.ts";
export type { LemlOptions } from "./leml/index.ts";
export type { LinearOptions } from "./linear/index.ts";
export type { MlpOptions } from "./mlp/index.ts";
export type { SleecOptions } from "./sleec/index.ts";
export type { Transforms } from "./transform.ts";
export { isTrees, type TreesModel } from "./trees/index.ts";
export type { TreesOptions } from "./trees/options.ts";
export type { Tree } from "./trees/tree.ts";
export type { UtilitiesOptions } from "./utilities/index.ts";
export { isUtilities, type UtilitiesFit, type UtilitiesModel } from "./utilities/model.ts";
export { type ChancesOptions, type UtilityProbabilities, utilityProbabilities } from "./utilities/probabilities.ts";
export type { RankIntervals } from "./utilities/rank-intervals.ts";
export type { Uncertainty } from "./utilities/uncertainty.ts";
export type { WithinListOptions } from "./within-list.ts";
export { type BlendMember, type BlendModel, coordinateAscent, isBlend, labelTree, leml, linear, mlp, sleec, trees, utilities };

/** Every kind of model, as `tierwise list models` has them. */
export const models: readonly AnyPart<Learner>[] = [linear, trees, mlp, coordinateAscent, leml, sleec, labelTree, utilities];

/** The learner that a text names: `trees:leaves=8`. */
export const learner = (text: string): Learner => find(models, "model", text);

const readers: Readonly<Record<string, (saved: SavedModel, columns: Columns, transforms: Transforms) => Model>> = {
  blend: (saved, columns, transforms) => readBlend(saved, columns, (inner, own) => revive(inner, own, transforms)),
  linear: readLinear,
  mlp: readNetwork,
  "label-tree": readLabelTree,
  leml: readLeml,
  sleec: readSleec,
  trees: readTrees,
  products: (saved, columns) => readInteractions(saved, columns, revive),
  standardise: (saved, columns) => readStandardize(saved, columns, revive),
  transform: (saved, columns, transforms) => readTransformed(saved, columns, revive, transforms),
  utilities: readUtilities,
  "within-list": (saved, columns) => readWithinList(saved, columns, revive),
};

/** Builds a model from what `save` gave. `transforms` is the code of feature transforms that it may name. */
export function revive(saved: SavedModel, columns: Columns, transforms: Transforms = []): Model {
  const read = Object.hasOwn(readers, saved.id) ? readers[saved.id] : undefined;
  if (!read)
    throw new InputError(`the model file holds a model of kind ${quote(String(saved.id))}, which this version does not know`);
  return read(saved, columns, transforms);
}
