/** The rows of a dataset with tiers from a source, without those that have no label, or weighed by their positions, each with its notices. */
import { rowPropensities } from "../../clicks/row-positions.ts";
import { counted } from "../../counted.ts";
import { type LabelTiers, withTiers } from "../../data/tier-sources.ts";
import { tiersFromRatings } from "../../data/tiers-from-ratings.ts";
import { InputError } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import type { ReadOptions } from "./read-options.ts";

const CLIP = 20; // the largest inverse propensity

/** The data with inverse propensities of positions as weights of clicks, with a notice. */
export function debiased(
  data: Dataset,
  positions: Float32Array | undefined,
  names: readonly string[],
  files: readonly string[],
): { data: Dataset; notices: readonly string[] } {
  if (!positions) return { data, notices: [] };
  const { propensities, weights } = rowPropensities(data, positions, names.length, CLIP);
  const from = files.join(", ");
  if (!propensities)
    return { data, notices: [`${from}: no row at position ${names[0]} has a label above 0, so the positions are not used`] };
  const curve = names.slice(0, 10).map((name, k) => `${name}: ${propensities[k]!.toFixed(2)}`);
  const more = names.length > 10 ? ", ..." : "";
  return {
    data: { ...data, itemWeights: weights },
    notices: [
      `${from}: labels above 0 are clicks, weighed by the inverse propensity of their position (${curve.join(", ")}${more})`,
    ],
  };
}

/** The data with tiers from the source, with notices. */
export function tiersOf(
  name: string,
  given: Dataset,
  source: LabelTiers | undefined,
): { data: Dataset; notices: readonly string[] } {
  if (!source) return { data: given, notices: [] };
  const { data, rows, lists } = withTiers(given, source);
  if (data.labels.length === 0) throw new InputError(`${name}: tiers from ${source.id}: all rows are ${source.leftOut}`);
  const left = rows === 0 ? "no row is left out" : `${counted(rows, "row")} left out (${source.leftOut})${wholeLists(lists)}`;
  return { data, notices: [`tiers from ${source.spec}: ${left}`] };
}

const wholeLists = (lists: number) => (lists === 0 ? "" : `, among them all rows of ${counted(lists, "list")}`);

/** The data without rows whose labels are words for none, with a notice. */
export function withoutUnlabelled(
  name: string,
  given: Dataset,
  words: readonly string[],
): { data: Dataset; notices: readonly string[] } {
  const { data, rows, lists } = withTiers(given, { id: "ratings", tiers: (labels) => tiersFromRatings(labels) });
  if (data.labels.length === 0) throw new InputError(`${name}: all rows are left out by --label-missing ${words.join(",")}`);
  return { data, notices: rows === 0 ? [] : [`${counted(rows, "row")} left out by --label-missing ${words.join(",")}${wholeLists(lists)}`] }; // biome-ignore format: one choice
}

/** Refuses words among labels beside tiers that are made of numbers of labels. */
export function checkWords({ labelLast, labelMissing }: ReadOptions, source: LabelTiers | undefined): void {
  const option = labelLast.length > 0 ? "--label-last" : labelMissing.length > 0 ? "--label-missing" : undefined;
  if (option && source?.id === "clicks")
    throw new InputError(
      `--tiers clicks takes labels above 0 as clicks, and ${option} is for other labels; leave one of them out`,
    );
  if (labelLast.length > 0 && source?.spec.includes("cuts"))
    throw new InputError(`--label-last puts rows below all others, and --tiers ${source.spec} makes one tier of all below a cut; leave one of them out`); // biome-ignore format: one line
}
