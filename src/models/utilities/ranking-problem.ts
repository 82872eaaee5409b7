/**
 * Rankings whose scores are a utility for each item and a weighted sum of covariates, with exact second derivatives:
 *
 *   score of item i in ranking b = θ_i + x_ib · β
 *
 * Under the tier likelihood (tier-problem.ts) each entry of the rankings counts as an item of its own, and its derivatives are summed by item and
 * covariate. Under an objective of pairs each pair of a ranking is a contest whose covariates are the differences (pair-problem.ts). Parameters
 * are those of the items, then β, then the auxiliary parameter. The mean is over the weight of all rankings; l2 concerns the items.
 */
import { InputError } from "../../input-error.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Dataset, Hessian, Objective, Problem } from "../../types.ts";
import { type Contests, pairsIn } from "./contests.ts";
import { hessianMatrix } from "./hessian-matrix.ts";
import { type PairProblem, pairProblem } from "./pair-problem.ts";
import { stagesOf } from "./stages.ts";
import { tierProblem } from "./tier-problem.ts";

/** Covariates by entry, row after row. */
export interface RankingDesign {
  readonly columns: number;
  readonly values: Float64Array;
}

const DENSE = 3e7; // numbers in the matrices of all tiers
const MERGED = 3e7; // pairs of all rankings

/** Whether the second derivatives of an objective are at hand. */
export const hasExactHessian = ({ likelihood, pairs }: Objective) => likelihood === "tiers" || pairs !== undefined;

/** The problem of fitting rankings of `count` items, which the data number. */
export function rankingProblem(
  data: Dataset,
  count: number,
  design: RankingDesign,
  objective: Objective,
  l2: number,
): PairProblem {
  if (objective.likelihood === "tiers") return tieredProblem(data, count, design, l2);
  if (pairsIn(data) > MERGED)
    throw new InputError(
      `the rankings have ${pairsIn(data)} pairs, which are too many under ${objective.id}; choose pl-partition`,
    );
  return pairProblem(pairContests(data, count, design, objective), objective, totalOf(data), soloTeam(), l2);
}

/** The weight of all rankings. */
export const totalOf = ({ starts, listWeights }: Dataset) =>
  listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) : starts.length - 1;

/** Adds up entry by entry: writes the scores of the entries. */
export function fillScores(
  { items }: Dataset,
  count: number,
  design: RankingDesign,
  params: Float64Array,
  into: Float64Array,
): void {
  const { columns: k, values } = design;
  for (let e = 0; e < into.length; e++) {
    let sum = params[items![e]!]!;
    for (let c = 0; c < k; c++) sum += values[e * k + c]! * params[count + c]!;
    into[e] = sum;
  }
}

/** The transpose: adds the derivatives by the scores of entries `from` to `to` to those by the parameters. */
export function addBackward(
  { items }: Dataset,
  count: number,
  { columns: k, values }: RankingDesign,
  byScore: (e: number) => number,
  into: Float64Array,
  from: number,
  to: number,
): void {
  for (let e = from; e < to; e++) {
    const value = byScore(e);
    into[items![e]!] = into[items![e]!]! + value;
    for (let c = 0; c < k; c++) into[count + c] = into[count + c]! + value * values[e * k + c]!;
  }
}

function tieredProblem(data: Dataset, count: number, design: RankingDesign, l2: number): PairProblem {
  const entries = data.labels.length;
  const stages = stagesOf({ ...data, items: Uint32Array.from({ length: entries }, (_, e) => e) }, entries);
  if (stages.squareSum > DENSE)
    throw new InputError("the tiers of the rankings hold too many tied items; split them, or choose an objective of pairs");
  const inner = tierProblem(stages, soloTeam(), 0);
  const size = count + design.columns;
  const [scores, byScore, product] = [new Float64Array(entries), new Float64Array(entries), new Float64Array(entries)];
  const backward = (from: Float64Array, into: Float64Array) => {
    into.fill(0);
    addBackward(data, count, design, (e) => from[e]!, into, 0, entries);
  };
  const problem: Problem = {
    ...{ size, lists: inner.lists, gradient: "exact" },
    evaluate(params, gradient) {
      fillScores(data, count, design, params, scores);
      const cost = inner.evaluate(scores, byScore, 0);
      backward(byScore, gradient);
      let penalty = 0;
      for (let i = 0; i < count; i++) {
        gradient[i] = gradient[i]! + l2 * params[i]!;
        penalty += params[i]! * params[i]!;
      }
      return cost + (l2 / 2) * penalty;
    },
  };
  return {
    ...problem,
    hessian(params) {
      fillScores(data, count, design, params, scores);
      const { diagonal: own, times } = inner.hessian(scores);
      const hessian: Hessian = {
        diagonal: diagonalOf(data, count, design, own, l2),
        times(x, into) {
          fillScores(data, count, design, x, scores);
          times(scores, product);
          backward(product, into);
          for (let i = 0; i < count; i++) into[i] = into[i]! + l2 * x[i]!;
        },
      };
      return { ...hessian, matrix: () => hessianMatrix(hessian, size) };
    },
  };
}

/** What conjugate gradients are preconditioned by: the squares of the design times the diagonal of the entries. */
function diagonalOf({ items }: Dataset, count: number, { columns: k, values }: RankingDesign, own: Float64Array, l2: number) {
  const diagonal = new Float64Array(count + k).fill(l2, 0, count);
  own.forEach((value, e) => {
    diagonal[items![e]!] = diagonal[items![e]!]! + value;
    for (let c = 0; c < k; c++) diagonal[count + c] = diagonal[count + c]! + value * values[e * k + c]! ** 2;
  });
  return diagonal;
}

/** Each pair of each ranking as a contest of its own; without covariates, pairs are still not merged. */
function pairContests(data: Dataset, count: number, { columns: k, values }: RankingDesign, { ties }: Objective): Contests {
  const { starts, labels, items, listWeights } = data;
  const [first, second, kinds, weights, x]: number[][] = [[], [], [], [], []];
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let p = starts[q]!; p < starts[q + 1]!; p++) {
      for (let r = p + 1; r < starts[q + 1]!; r++) {
        const lead = labels[p]! - labels[r]!;
        if (lead === 0 && ties !== "event") continue;
        first!.push(items![p]!);
        second!.push(items![r]!);
        kinds!.push(lead === 0 ? 2 : lead > 0 ? 0 : 1);
        weights!.push(listWeights ? listWeights[q]! : 1);
        for (let c = 0; c < k; c++) x!.push(values[p * k + c]! - values[r * k + c]!);
      }
    }
  }
  const of = (kind: number) => Float64Array.from(weights!, (weight, row) => (kinds![row] === kind ? weight : 0));
  return {
    items: count,
    ...{ first: Uint32Array.from(first!), second: Uint32Array.from(second!), wins: of(0), losses: of(1), ties: of(2) },
    ...(k > 0 && { covariates: Float64Array.from(x!), covariateCount: k }),
  };
}
