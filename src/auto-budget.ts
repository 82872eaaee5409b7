/**
 * When a sequence of trials ends: after a number of trials, or before the trial that is expected to exceed a time. The time decides only how
 * many trials there are, never what they are.
 */

/** When to end; with both, whichever comes first. */
export interface TrialLimits {
  /** Number of trials. */
  readonly trials?: number | undefined;
  /** Seconds for all trials together. */
  readonly budget?: number | undefined;
}

/** A finished trial: what it was expected to take, in units of the trial with which the sequence begins, and what it took. */
export interface TrialTime {
  readonly cost: number;
  readonly seconds: number;
}

/**
 * Whether there is another trial, of this cost, after those that are done. The first trial always runs. The others are expected to take as
 * many seconds per unit of cost as those before them.
 */
export function withinLimits(
  { trials = Infinity, budget = Infinity }: TrialLimits,
  done: readonly TrialTime[],
  cost: number,
): boolean {
  if (done.length >= trials) return false;
  if (done.length === 0) return true;
  const spent = done.reduce((sum, { seconds }) => sum + seconds, 0);
  const units = done.reduce((sum, one) => sum + one.cost, 0);
  return spent + (spent / units) * cost <= budget;
}
