/**
 * Defaults of boosted trees that follow from the size of the training data. Few items allow only small trees and short steps; a
 * penalty on leaf values and sampling help at every size. docs/models.md has the table and the experiments that the rule was chosen by.
 */
import { totalEntries, totalLists } from "../../teams/blocks.ts";
import type { Dataset } from "../../types.ts";
import type { TreesOptions, TreesSettings } from "./options.ts";

/** What of the data the defaults depend on. */
export interface DataSize {
  readonly lists: number;
  readonly items: number;
  readonly features: number;
}

export const sizeOf = (data: Dataset): DataSize => ({
  ...{ lists: totalLists(data), items: totalEntries(data), features: data.features.columns },
});

/** Below so many items trees are small and steps short. */
const FEW_ITEMS = 200_000;

/** Below so many items a hundred short steps are enough. */
const VERY_FEW_ITEMS = 50_000;

/** Sampling half of fewer lists or features leaves too little to see. */
const ENOUGH_TO_SAMPLE = { lists: 20, features: 10 };

/**
 * The defaults for data of this size; `validated` if validation data end training. Averaged ensembles (`bag` above 1) are sampled however
 * small the data are: they would not differ otherwise.
 */
export function defaultsFor({ lists, items, features }: DataSize, validated: boolean, bag = 1): AutomaticSettings {
  const few = items < FEW_ITEMS;
  return {
    rounds: validated ? 1000 : few && items >= VERY_FEW_ITEMS ? 200 : 100,
    leaves: few ? 8 : 31,
    learningRate: few ? 0.05 : 0.1,
    l2: 10,
    listFraction: bag === 1 && lists < ENOUGH_TO_SAMPLE.lists ? 1 : 0.5,
    featureFraction: bag === 1 && features < ENOUGH_TO_SAMPLE.features ? 1 : 0.5,
  };
}

/** The options whose default is "auto". */
export type AutomaticSettings = Pick<
  TreesSettings,
  "rounds" | "leaves" | "learningRate" | "l2" | "listFraction" | "featureFraction"
>;

/** The options with every "auto" replaced by its value for data of this size. */
export function settingsFor(options: TreesOptions, size: DataSize, validated: boolean): TreesSettings {
  const defaults: Partial<Record<string, unknown>> = { ...defaultsFor(size, validated, options.bag) };
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, value === "auto" ? defaults[key] : value]),
  ) as unknown as TreesSettings;
}

export const isAutomatic = (options: TreesOptions) => Object.values(options).includes("auto");
