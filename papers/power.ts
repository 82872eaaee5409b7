/**
 * How many lists would decide a comparison: so many that a paired test at level 0.05 finds a difference like the observed one in 80 % of samples,
 *
 *   n = ((z_0.975 + z_0.8) s / d)²
 *
 * with the mean d and the standard deviation s of the differences over lists. The estimate is only as good as d: if the true difference is smaller, more lists
 * are needed.
 */

const QUANTILES = 1.959964 + 0.841621; // of the normal distribution, at 0.975 and at 0.8

/** The factor by which a data set must grow for a statistic of so many standard errors to be found with that power: errors fall as 1 / sqrt(n). */
export const growthToDecide = (statistic: number): number => (QUANTILES / statistic) ** 2;

/** Infinity where the means are equal. Lists for which one of the values is undefined do not count. */
export function listsToDecide(a: readonly number[], b: readonly number[]): number {
  const differences = a.map((value, i) => value - b[i]!).filter((value) => !Number.isNaN(value));
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (differences.length - 1);
  return mean === 0 ? Infinity : Math.ceil((QUANTILES ** 2 * variance) / mean ** 2);
}
