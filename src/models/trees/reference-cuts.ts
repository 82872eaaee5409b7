/** The cuts of one feature that the reference tree tries. */

/** How one feature may be cut. */
export interface ReferenceFeature {
  readonly values: ArrayLike<number>; // by row, NaN where missing
  readonly thresholds: ArrayLike<number>; // ascending; of a categorical feature, the categories
  readonly categorical: boolean;
  readonly rise: number; // 1: the value of the tree may not fall with the feature, -1: not rise, 0: free
}

const GREATEST = 3.4028234663852886e38; // of float32

/** How rows are sent left and right. */
export interface Sides {
  readonly goesLeft: (value: number) => boolean;
  readonly threshold: number;
  readonly missingLeft: boolean;
  readonly set: number[] | undefined; // of categories that go left
}

/** Every cut by a threshold: missing values right, then left. */
export function* thresholds({ thresholds }: ReferenceFeature): Generator<Sides> {
  for (const missingLeft of [false, true])
    for (const threshold of [...Array.from(thresholds), GREATEST]) {
      const goesLeft = (value: number) => (Number.isNaN(value) ? missingLeft : value <= threshold);
      yield { goesLeft, threshold, missingLeft, set: undefined };
    }
}

/** Whether a feature has two bins or more, where those of no value count: a column of missing values alone has two. */
export function hasCuts({ values, thresholds, categorical }: ReferenceFeature): boolean {
  const missing = Array.from(values).some(Number.isNaN);
  const bins = categorical ? thresholds.length + 1 : thresholds.length + 1 + (missing ? 1 : 0);
  return bins > 1;
}
