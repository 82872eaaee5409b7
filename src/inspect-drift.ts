/**
 * How test data differ from training data, feature by feature. Rows of a list depend on each other, so a list is one observation: the mean of its
 * values, and the share of its values that are missing. Both are compared by the rank-sum test of Wilcoxon, Mann and Whitney (normal approximation with
 * the correction for ties), and the p values of all features are adjusted by Holm's method, so that among many features without drift one is
 * reported in at most 5 of 100 data sets.
 */
import { column } from "./data/column.ts";
import type { InspectWarning } from "./inspect.ts";
import { normalBelow } from "./numeric/normal.ts";
import { holm } from "./statistics/holm.ts";
import type { Dataset } from "./types.ts";

/** A feature in training and test data. */
export interface DriftedFeature {
  /** Name or number of the feature. */
  readonly feature: string;
  /** Mean over lists in the training data; NaN where no list has a value. */
  readonly train: number;
  /** The same in the test data. */
  readonly test: number;
  /** Share of missing values in the training data, mean over lists. */
  readonly missingTrain: number;
  /** The same in the test data. */
  readonly missingTest: number;
  /** Chance that a list of the test data has a higher mean than one of the training data, ties counting half. */
  readonly higher: number;
  /** p value of the more significant of the two tests, for both tests of all features together. */
  readonly p: number;
}

const LEVEL = 0.05;

/** Compares the lists of two data with the same columns. */
export function driftOf(
  train: Dataset,
  test: Dataset,
  nameOf: (column: number) => string,
): { readonly features: readonly DriftedFeature[]; readonly warnings: readonly InspectWarning[] } {
  const tests = Array.from({ length: train.features.columns }, (_, c) => {
    const [before, after] = [byList(train, c), byList(test, c)];
    const [values, missing] = [rankSum(before.means, after.means), rankSum(before.missing, after.missing)];
    return { feature: nameOf(c), before, after, values, missing };
  });
  const adjusted = holm(tests.flatMap(({ values, missing }) => [values.p, missing.p]));
  const features = tests.map(
    ({ feature, before, after, values }, c): DriftedFeature => ({
      feature,
      ...{
        train: mean(before.means),
        test: mean(after.means),
        missingTrain: mean(before.missing),
        missingTest: mean(after.missing),
      },
      ...{ higher: values.higher, p: Math.min(adjusted[2 * c]!, adjusted[2 * c + 1]!) },
    }),
  );
  const drifted = features.filter(({ p }) => p < LEVEL).sort((a, b) => a.p - b.p);
  const warnings = drifted.map(
    ({ feature, train: from, test: to, missingTrain, missingTest, p }): InspectWarning => ({
      ...{ kind: "drift", names: [feature] },
      text: `feature ${feature} differs in the test data: mean ${short(from)} and ${short(to)} over lists, ${percent(missingTrain)} and ${percent(missingTest)} missing (p = ${p.toPrecision(2)} for all features together)`,
    }),
  );
  return { features, warnings };
}

const short = (value: number) => (Number.isNaN(value) ? "none" : String(Number(value.toPrecision(4))));
const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** By list: the mean of the values that are there, for lists that have one, and the share of missing ones. */
function byList({ starts, features }: Dataset, c: number): { means: number[]; missing: number[] } {
  const values = column(features, c);
  const [means, missing]: [number[], number[]] = [[], []];
  for (let list = 0; list + 1 < starts.length; list++) {
    const own = values.subarray(starts[list]!, starts[list + 1]!);
    if (own.length === 0) continue;
    const known = own.filter((value) => !Number.isNaN(value));
    if (known.length > 0) means.push(mean([...known]));
    missing.push(1 - known.length / own.length);
  }
  return { means, missing };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The rank-sum test of two samples: the chance that one of the second is higher, and the two-sided p value. */
export function rankSum(first: readonly number[], second: readonly number[]): { readonly higher: number; readonly p: number } {
  const [m, n] = [first.length, second.length];
  if (m === 0 || n === 0) return { higher: 0.5, p: 1 };
  const all = [...first.map((value) => ({ value, own: 0 })), ...second.map((value) => ({ value, own: 1 }))];
  all.sort((a, b) => a.value - b.value);
  let [ranks, ties] = [0, 0];
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]!.value === all[from]!.value) to++;
    const size = to - from;
    const inSecond = all.slice(from, to).filter(({ own }) => own === 1).length;
    ranks += inSecond * (from + 1 + to) / 2; // biome-ignore format: the mean of the ranks from + 1 to to
    ties += size ** 3 - size;
    from = to;
  }
  const u = ranks - (n * (n + 1)) / 2;
  const total = m + n;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return { higher: u / (m * n), p: 1 };
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance); // with the correction for continuity
  return { higher: u / (m * n), p: Math.min(1, 2 * normalBelow(-z)) };
}
