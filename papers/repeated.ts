/**
 * Claims of a paper under repeated cross-validation: the lists of a data set are split into five folds several times, every system is trained on each
 * fold, and differences are judged by the corrected resampled t-test,
 *
 *   t = mean / sqrt((1 / J + n_test / n_train) s²),   J - 1 degrees of freedom,
 *
 * with the mean and variance s² of J differences. Training sets overlap, so differences are not independent; n_test / n_train accounts for that.
 * Nadeau, Bengio, Inference for the generalization error, Machine Learning 52 (2003); Bouckaert, Frank, PAKDD 2004.
 */
import { concat, type Dataset, folds, readData } from "../src/index.ts";
import type { Claim } from "./claims.ts";
import { codeDigest, TRAINING } from "./code-digest.ts";
import type { DataSet, Found } from "./data-sets.ts";
import { type Cell, type Entry, type Exhibit, type Lab, table, text, type Values } from "./paper.ts";
import { twoSided } from "./student.ts";
import { pText, type System } from "./systems.ts";
import { type Outcome, type Recipe, runTrial } from "./trial.ts";

const FOLDS = 5;
const REPETITIONS = 5;
/** Lists that test over lists that train: of five parts one tests, one validates and three train. */
const OVERLAP = 1 / 3;

export interface Resampled {
  readonly mean: number;
  readonly p: number;
}

/** The corrected test of differences, one for each fold of each repetition. */
export function correctedTest(differences: readonly number[], overlap: number): Resampled {
  const count = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  if (variance === 0) return { mean, p: mean === 0 ? 1 : 0 };
  return { mean, p: twoSided(mean / Math.sqrt((1 / count + overlap) * variance), count - 1) };
}

/** The lists of all files of the set that was read last, which the next cell probably needs too. */
let last: { readonly digest: string; readonly data: Promise<Dataset> } | undefined;

function pooled({ digest, paths }: Found): Promise<Dataset> {
  const read = async () => concat(await Promise.all(paths.map(async (path) => (await readData([path], { threads: 1 })).data)));
  if (last?.digest !== digest) last = { digest, data: read() };
  return last.data;
}

function repeatedCell(lab: Lab, found: Found, repetition: number, fold: number, system: System): Cell<Outcome> {
  const recipe: Recipe = system.recipe(found);
  return {
    settings: { kind: "repeated", data: found.set.id, digest: found.digest, repetition, fold, ...recipe },
    get code() {
      const metrics = [recipe.metrics, ...(recipe.watch === undefined ? [] : [recipe.watch])].flatMap((some) => some.split(","));
      return codeDigest(["papers/repeated", "papers/trial", ...TRAINING], {
        ...{ model: [recipe.model], objective: [recipe.objective], metric: metrics },
      });
    },
    title: `${found.set.title}, repetition ${repetition}, fold ${fold + 1}: ${system.name}`,
    weight: system.weight ?? 1,
    run: async () => {
      const { train, valid, test } = folds(await pooled(found), FOLDS, repetition)[fold]!;
      return runTrial({ train, valid, test }, recipe, repetition, lab.threads);
    },
  };
}

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
        const runs = Array.from({ length: repetitions * FOLDS }, (_, i) => [1 + Math.floor(i / FOLDS), i % FOLDS] as const);
        const cells = new Map(used.map((one) => [one.name, runs.map(([r, fold]) => repeatedCell(lab, found, r, fold, one))]));
        return [{ set, cells }];
      });
      return {
        // Fold by fold, so that all systems see the same lists one after the other.
        cells: contests.flatMap(({ cells }) =>
          Array.from({ length: repetitions * FOLDS }, (_, i) => [...cells.values()].map((of) => of[i]!)).flat(),
        ),
        show(value: Values) {
          const checked = contests.flatMap(({ set, cells }) =>
            claims.map((claim) => {
              const means = (name: string) => cells.get(name)!.map((cell) => value(cell).metrics[claim.metric] ?? Number.NaN);
              const [better, worse] = [means(claim.better), means(claim.worse)];
              return {
                claim,
                set,
                ...correctedTest(
                  better.map((mean, i) => mean - worse[i]!),
                  OVERLAP,
                ),
              };
            }),
          );
          const verdict = ({ mean, p }: Resampled) => (p >= 0.05 ? "undecided" : mean > 0 ? "held" : "did not hold");
          const count = (wanted: string) => checked.filter((one) => verdict(one) === wanted).length;
          return {
            findings: [
              `Of ${checked.length} checks of what the paper says, ${count("held")} held, ${count("did not hold")} did not, and ${count("undecided")} are undecided at p < 0.05.`,
            ],
            blocks: [
              text(
                `Every data set is split into ${FOLDS} parts ${repetitions} times; of each split three parts train, one validates and one tests, in turn. p: corrected resampled t-test over the ${repetitions * FOLDS} differences (Nadeau and Bengio 2003), two-sided, not corrected for the number of claims.`,
              ),
              table({
                title: "Claims",
                head: ["claim", "data", "metric", "difference", "p", "verdict"],
                rows: checked.map((one): Entry[] => [
                  ...[one.claim.claim, one.set.title, one.claim.metric],
                  { value: one.mean },
                  ...[pText(one.p), verdict(one)],
                ]),
              }),
            ],
          };
        },
      };
    },
  };
}
