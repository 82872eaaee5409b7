/**
 * Claims of a paper under repeated cross-validation: the lists of a data set are split into five folds several times, every system is trained on each
 * fold, and differences are judged by the corrected resampled t-test,
 *
 *   t = mean / sqrt((1 / J + n_test / n_train) s²),   J - 1 degrees of freedom,
 *
 * with the mean and variance s² of J differences. Training sets overlap, so differences are not independent; n_test / n_train accounts for that.
 * Nadeau, Bengio, Inference for the generalization error, Machine Learning 52 (2003); Bouckaert, Frank, PAKDD 2004.
 */
import { type Checked, type Claim, claimsGrid, claimsSentence, verdict } from "./claims.ts";
import type { DataSet } from "./data-sets.ts";
import { type Cell, type Exhibit, table, text, type Values } from "./paper.ts";
import { growthToDecide } from "./power.ts";
import { FOLDS, repeatedCell } from "./repeated-trial.ts";
import { twoSided } from "./student.ts";
import type { System } from "./systems.ts";
import type { Outcome } from "./trial.ts";

/** More add little: the overlap, 1/3, is already far above 1/J. */
const REPETITIONS = 2;
/** Lists that test over lists that train: of five parts one tests, one validates and three train. */
const OVERLAP = 1 / 3;

export interface Resampled {
  readonly mean: number;
  readonly t: number;
  readonly p: number;
}

/** The corrected test of differences, one for each fold of each repetition. */
export function correctedTest(differences: readonly number[], overlap: number): Resampled {
  const count = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  if (mean === 0) return { mean, t: 0, p: 1 };
  const t = mean / Math.sqrt((1 / count + overlap) * variance);
  return { mean, t, p: variance === 0 ? 0 : twoSided(t, count - 1) };
}

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** An exhibit that checks claims about systems on the data sets that are there. */
export function repeatedExhibit(sets: readonly DataSet[], systems: readonly System[], claims: readonly Claim[]): Exhibit {
  const used = systems.filter(({ name }) => claims.some(({ better, worse }) => name === better || name === worse));
  return {
    id: "repeated",
    title: "What the paper says, by repeated cross-validation",
    sets,
    plan(lab) {
      const repetitions = lab.quick ? 1 : REPETITIONS;
      const contests = sets.flatMap((set) => {
        const found = lab.find(set);
        if (!found) return [];
        const runs = range(repetitions * FOLDS).map((i) => [1 + Math.floor(i / FOLDS), i % FOLDS] as const);
        const cells = new Map(used.map((one) => [one.name, runs.map(([r, fold]) => repeatedCell(lab, found, r, fold, one))]));
        return [{ set, cells }];
      });
      return {
        // One repetition after the other; in it fold by fold, so that all systems see the same lists one after the other.
        cells: range(repetitions).flatMap((r) =>
          contests.flatMap(({ cells }) => range(FOLDS).flatMap((fold) => [...cells.values()].map((of) => of[r * FOLDS + fold]!))),
        ),
        show(value: Values) {
          const checked = contests.flatMap(({ set, cells }) => claims.map((claim) => check(claim, set, cells, value)));
          return {
            findings: [claimsSentence(checked)],
            blocks: [
              text(
                `Every data set is split into ${FOLDS} parts ${repetitions} times; of each split three parts train, one validates and one tests, in turn. p: corrected resampled t-test over the ${repetitions * FOLDS} differences (Nadeau and Bengio 2003), two-sided, not corrected for the number of claims. Lists for 80 % power: as many as would decide a difference of this size, if its standard error falls with the square root of their number.`,
              ),
              table(claimsGrid(checked, "Claims")),
            ],
          };
        },
      };
    },
  };
}

/** A claim on one data set, from the folds of all repetitions in order. */
function check(claim: Claim, set: DataSet, cells: ReadonlyMap<string, readonly Cell<Outcome>[]>, value: Values): Checked {
  const [better, worse] = [claim.better, claim.worse].map((name) => cells.get(name)!.map((cell) => value(cell)));
  const mean = (one: Outcome) => one.metrics[claim.metric] ?? Number.NaN;
  const {
    mean: difference,
    t,
    p,
  } = correctedTest(
    better!.map((one, i) => mean(one) - mean(worse![i]!)),
    OVERLAP,
  );
  // Each list is tested once in a repetition.
  const lists = better!.slice(0, FOLDS).flatMap((one) => one.lists[claim.metric]!.filter((each) => each !== null)).length;
  const needed = Math.ceil(lists * growthToDecide(t));
  return { ...claim, set: set.title, difference, p, held: verdict(difference, p), lists, needed };
}
