/**
 * Defaults of boosted trees that follow from the size of the training data. Few items allow only small trees, short steps, a penalty on leaf
 * values and sampling; many items need none of that. docs/models.md has the table and the experiments that the rule was chosen by.
 */
import type { Dataset } from "../../types.ts";
import type { TreesOptions, TreesSettings } from "./options.ts";

/** What of the data the defaults depend on. */
export interface DataSize {
  readonly lists: number;
  readonly items: number;
}

export const sizeOf = ({ starts, labels }: Dataset): DataSize => ({ lists: starts.length - 1, items: labels.length });

/** Items from which on each leaf, whatever its number, has enough of them. */
const MANY = 200_000;

/** Rounds at most where validation data end training. */
const VALIDATED_ROUNDS = 1000;

/** The defaults for data of this size; `validated` if validation data end training. */
export function defaultsFor({ lists, items }: DataSize, validated: boolean): AutomaticSettings {
  const few = items < MANY;
  return {
    rounds: validated ? VALIDATED_ROUNDS : 100,
    leaves: few ? 8 : 31,
    learningRate: few ? 0.05 : 0.1,
    l2: few ? 10 : 0,
    listFraction: few && lists >= 20 ? 0.5 : 1,
    featureFraction: few ? 0.5 : 1,
  };
}

/** The options whose default is "auto". */
export type AutomaticSettings = Pick<
  TreesSettings,
  "rounds" | "leaves" | "learningRate" | "l2" | "listFraction" | "featureFraction"
>;

/** The options with every "auto" replaced by its value for data of this size. */
export function settingsFor(options: TreesOptions, size: DataSize, validated: boolean): TreesSettings {
  const defaults: Partial<Record<string, unknown>> = { ...defaultsFor(size, validated) };
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, value === "auto" ? defaults[key] : value]),
  ) as unknown as TreesSettings;
}

export const isAutomatic = (options: TreesOptions) => Object.values(options).includes("auto");
