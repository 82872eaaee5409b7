/**
 * Explains rankings. Within a list, the expected score and everything that all items have in common cancel out, so contributions are
 * relative to the mean of the list, and "why is A above B" is the difference of their contributions.
 */
import { check, explainedItem, wholeFrom } from "./arguments.ts";
import type { AlignOptions } from "./data/align.ts";
import { subset } from "./data/subset.ts";
import { aligned } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { transformOf } from "./models/transform.ts";
import { withCounts } from "./models/trees/index.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, Model } from "./types.ts";

/** The contribution of a feature. */
export interface FeatureContribution {
  /** Column of the feature, from 0; of the features that the model computes, `model.derived.columns`, where it has those. */
  readonly feature: number;
  /** Contribution to the score, or to the difference of two scores. */
  readonly contribution: number;
}

/** An item and what makes its score differ from the mean of its list. */
export interface ExplainedItem {
  /** Index of the item in the list, from 0. */
  readonly index: number;
  /** Score of the item. */
  readonly score: number;
  /** Against the mean of the list, largest first; they sum to the score less the mean score. */
  readonly reasons: readonly FeatureContribution[];
}

/**
 * The items of one list, best first, each with what its features add, after `align` has fitted the data to the columns of the model. Trees
 * imported from a file that does not tell how many training rows went which way are explained by the rows of the data.
 */
export function explain(model: Model, data: Dataset, list: number, options: AlignOptions = {}): ExplainedItem[] {
  const fitted = aligned("explain", model, data, options);
  check("explain, the list", list, wholeFrom(0));
  if (!model.explain) throw new InputError(notExplained(model));
  const { scores, contributions } = withCounts(model, fitted).explain!(subset(fitted, [list]), 0);
  const mean = new Float64Array(contributions[0]?.length ?? 0);
  for (const one of contributions) for (let c = 0; c < mean.length; c++) mean[c] = mean[c]! + one[c]! / contributions.length;
  return Array.from(descending(scores), (index) => ({
    index,
    score: scores[index]!,
    reasons: sorted(contributions[index]!, mean),
  }));
}

function notExplained(model: Model): string {
  const transform = transformOf(model);
  if (transform && !transform.keepsColumns)
    return `the model was trained with the transform ${transform.spec}, which may change columns, so its scores cannot be explained by feature; a transform with keepsColumns: true can`;
  return `a model of kind ${model.id} cannot be explained by feature; linear and trees can`;
}

/** Why one item scores above another of the same list. The parts sum to the difference in score. */
export function whyAbove(above: ExplainedItem, below: ExplainedItem): FeatureContribution[] {
  check("whyAbove, the item above", above, explainedItem);
  check("whyAbove, the item below", below, explainedItem);
  const parts = new Map<number, number>();
  for (const { feature, contribution } of above.reasons) parts.set(feature, contribution);
  for (const { feature, contribution } of below.reasons) parts.set(feature, (parts.get(feature) ?? 0) - contribution);
  return largestFirst([...parts].map(([feature, contribution]) => ({ feature, contribution })));
}

const sorted = (parts: Float64Array, mean: Float64Array) =>
  largestFirst(Array.from(parts, (value, c) => ({ feature: c, contribution: value - mean[c]! })));

const largestFirst = (reasons: FeatureContribution[]) =>
  reasons
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.feature - b.feature);
