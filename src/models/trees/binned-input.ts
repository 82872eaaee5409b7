/** What a training on bins that were made while reading needs to be the same as one on the values. */
import { InputError } from "../../input-error.ts";
import type { BinnedFeatures, BinOptions, Dataset, Matrix } from "../../types.ts";
import type { TreesOptions } from "./options.ts";

export const binnedOf = (matrix: Matrix): BinnedFeatures | undefined => (matrix.kind === "dense" ? matrix.binned : undefined);

/** How trees with these options cut features into bins. */
export const binOptionsOf = (
  { maxBins, minItems }: Pick<TreesOptions, "maxBins" | "minItems">,
  categorical: ReadonlySet<number>,
): BinOptions => ({
  most: maxBins,
  fewest: Math.min(3, minItems), // a bin of one or two rows only invites chance
  categorical,
});

/** Refuses options that need values. */
export function checkBinning({ withinList }: TreesOptions): void {
  if (withinList !== "none")
    throw new InputError(
      `trees, option within-list: ${withinList} is computed from values, and reading in two rounds keeps only their bins; leave it out, or read the values`,
    );
}

/** Refuses bins that were made for other options than those of the training, and validation data whose bins are others. */
export function checkBinned(data: Dataset, valid: Dataset | undefined, wanted: BinOptions): void {
  const [own, other] = [binnedOf(data.features), valid && binnedOf(valid.features)];
  if (other && !own)
    throw new InputError(
      "the validation data have bins instead of values, and the training data have values; read both with readBinned, or both with readData",
    );
  if (!own) return;
  const { options } = own;
  const differs = (name: string, was: unknown, is: unknown) => {
    if (String(was) === String(is)) return;
    throw new InputError(
      `the bins were made for ${name}=${was}, and these trees have ${name}=${is}; give readBinned the model that is trained`,
    );
  };
  const texts = ({ categorical }: BinOptions) => `(${[...categorical].sort((a, b) => a - b).join(",")})`;
  differs("max-bins", options.most, wanted.most);
  differs("min-items", atLeast(options.fewest), atLeast(wanted.fewest));
  differs("categorical columns ", texts(options), texts(wanted));
  if (other && !sameEdges(own, other))
    throw new InputError(
      "the bins of the validation data are not those of the training data; read them with readBinned(paths, { like: data })",
    );
}

/** Bins depend on whether a leaf may have 1, 2, or more items. */
const atLeast = (fewest: number) => (fewest < 3 ? String(fewest) : "3 or more");

const sameEdges = ({ features: a }: BinnedFeatures, { features: b }: BinnedFeatures) =>
  a.length === b.length &&
  a.every(({ edges, bins, categorical }, f) => {
    const other = b[f]!;
    if (bins !== other.bins || categorical !== other.categorical || edges.length !== other.edges.length) return false;
    return edges.every((edge, e) => edge === other.edges[e]);
  });
