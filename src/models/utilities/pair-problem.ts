/**
 * The cost of merged comparisons of two items under an objective of pairs, with exact second derivatives. With margin
 *
 *   d = θ_first - θ_second + Σ x β
 *
 * and the objective's auxiliary parameter t, row r costs wins · win(d) + losses · win(-d) + ties · tie(d), a function of d and t alone. So its
 * part of the Hessian is h z zᵀ with z the derivative of d by the parameters, and m (z eᵀ + e zᵀ) and k e eᵀ for the derivatives that concern t.
 *
 * Parameters are those of the items, then β, then t. The mean is over `total`, the weight of all ballots; l2 concerns the items.
 */
import { dealtRows } from "../../teams/blocks.ts";
import type { Objective, PairOutcomes, Problem, Team } from "../../types.ts";
import { blocksFor } from "../shared/optimize.ts";
import type { Contests } from "./contests.ts";
import type { DenseHessian } from "./tier-problem.ts";

export interface PairProblem extends Problem {
  hessian(params: Float64Array): DenseHessian;
}

/** The derivatives of one row: cost, by the margin, by the auxiliary parameter, twice by each, and by both. */
export interface RowTerms {
  cost: number;
  slope: number;
  slopeX: number;
  curvature: number;
  curvatureX: number;
  mixed: number;
}

export const rowTerms = (): RowTerms => ({ cost: 0.5, slope: 0.5, slopeX: 0.5, curvature: 0.5, curvatureX: 0.5, mixed: 0.5 });

/** The margin of row r. */
export function marginOf(contests: Contests, params: Float64Array, r: number): number {
  const { first, second, items, covariates, covariateCount: k = 0 } = contests;
  let margin = params[first[r]!]! - params[second[r]!]!;
  for (let c = 0; c < k; c++) margin += covariates![r * k + c]! * params[items + c]!;
  return margin;
}

/** Fills the terms of a row with these weights; `outcomes` is the cost of pairs at the auxiliary parameter. */
export function fillTerms(
  outcomes: PairOutcomes,
  margin: number,
  wins: number,
  losses: number,
  ties: number,
  into: RowTerms,
): void {
  if (outcomes.sum) {
    const { cost, slope, slopeX, curvature, curvatureX, mixed } = outcomes.sum(margin, wins, losses, ties);
    [into.cost, into.slope, into.slopeX] = [cost, slope, slopeX];
    [into.curvature, into.curvatureX, into.mixed] = [curvature, curvatureX, mixed];
    return;
  }
  into.cost = into.slope = into.slopeX = into.curvature = into.curvatureX = into.mixed = 0;
  for (let kind = 0; kind < 3; kind++) {
    const weight = kind === 0 ? wins : kind === 1 ? losses : ties;
    if (weight === 0) continue;
    const term = kind === 0 ? outcomes.win(margin) : kind === 1 ? outcomes.win(-margin) : outcomes.tie?.(margin);
    if (!term) continue;
    const signed = kind === 1 ? -weight : weight; // odd derivatives by the margin change their sign with it
    into.cost += weight * term.cost;
    into.slope += signed * term.slope;
    into.slopeX += weight * term.slopeX;
    into.curvature += weight * term.curvature;
    into.curvatureX += weight * term.curvatureX;
    into.mixed += signed * term.mixed;
  }
}

/** The problem of fitting contests under an objective that declares its cost of pairs. */
export function pairProblem(
  contests: Contests,
  { pairs, auxiliary: { length: auxiliary } }: Objective,
  total: number,
  team: Team,
  l2: number,
): PairProblem {
  const { items, first, second, wins, losses, ties, covariates, covariateCount: k = 0 } = contests;
  const rows = first.length;
  const size = items + k + auxiliary;
  const last = size - 1; // the place of the auxiliary parameter, if there is one
  const blocks = dealtRows(rows, team.processes, blocksFor(rows, size + 1));
  const { bounds } = blocks;
  const terms = rowTerms();

  /** Adds `value` times the derivative of row r's margin by the parameters. */
  const addMargin = (r: number, value: number, into: Float64Array) => {
    into[first[r]!] = into[first[r]!]! + value;
    into[second[r]!] = into[second[r]!]! - value;
    for (let c = 0; c < k; c++) into[items + c] = into[items + c]! + value * covariates![r * k + c]!;
  };

  return {
    size,
    lists: rows,
    gradient: "exact",
    evaluate(params, gradient) {
      const outcomes = pairs!.at(params.subarray(items + k, size));
      const sum = team.sum(blocks, size + 1, (block, into) => {
        for (let r = bounds[block]!; r < bounds[block + 1]!; r++) {
          fillTerms(outcomes, marginOf(contests, params, r), wins[r]!, losses[r]!, ties[r]!, terms);
          addMargin(r, terms.slope, into);
          if (auxiliary > 0) into[last] = into[last]! + terms.slopeX;
          into[size] = into[size]! + terms.cost;
        }
      });
      let penalty = 0;
      for (let i = 0; i < size; i++) gradient[i] = sum[i]! / total;
      for (let i = 0; i < items; i++) {
        gradient[i] = gradient[i]! + l2 * params[i]!;
        penalty += params[i]! * params[i]!;
      }
      return sum[size]! / total + (l2 / 2) * penalty;
    },
    hessian(params) {
      const outcomes = pairs!.at(params.subarray(items + k, size));
      const curvature = new Float64Array(rows);
      const mixed = new Float64Array(auxiliary > 0 ? rows : 0);
      let curvatureX = 0;
      for (let r = 0; r < rows; r++) {
        fillTerms(outcomes, marginOf(contests, params, r), wins[r]!, losses[r]!, ties[r]!, terms);
        curvature[r] = terms.curvature / total;
        if (auxiliary === 0) continue;
        mixed[r] = terms.mixed / total;
        curvatureX += terms.curvatureX / total;
      }
      const diagonal = new Float64Array(size).fill(l2, 0, items);
      for (let r = 0; r < rows; r++) {
        diagonal[first[r]!] = diagonal[first[r]!]! + curvature[r]!;
        diagonal[second[r]!] = diagonal[second[r]!]! + curvature[r]!;
        for (let c = 0; c < k; c++) {
          const x = covariates![r * k + c]!;
          diagonal[items + c] = diagonal[items + c]! + curvature[r]! * x * x;
        }
      }
      if (auxiliary > 0) diagonal[last] = curvatureX;
      return {
        diagonal,
        times(x, into) {
          const sum = team.sum(blocks, size, (block, parts) => {
            for (let r = bounds[block]!; r < bounds[block + 1]!; r++) {
              const along = marginOf(contests, x, r);
              let value = curvature[r]! * along;
              if (auxiliary > 0) {
                value += mixed[r]! * x[last]!;
                parts[last] = parts[last]! + mixed[r]! * along;
              }
              addMargin(r, value, parts);
            }
          });
          for (let i = 0; i < size; i++) into[i] = sum[i]! + (i < items ? l2 * x[i]! : 0);
          if (auxiliary > 0) into[last] = into[last]! + curvatureX * x[last]!;
        },
        matrix() {
          const matrix = new Float64Array(size * size);
          for (let r = 0; r < rows; r++) {
            const [i, j, h] = [first[r]!, second[r]!, curvature[r]!];
            const m = auxiliary > 0 ? mixed[r]! : 0;
            const add = (row: number, factor: number) => {
              const at = row * size;
              matrix[at + i] = matrix[at + i]! + factor * h;
              matrix[at + j] = matrix[at + j]! - factor * h;
              for (let c = 0; c < k; c++) matrix[at + items + c] = matrix[at + items + c]! + factor * h * covariates![r * k + c]!;
              if (auxiliary === 0) return;
              matrix[at + last] = matrix[at + last]! + factor * m;
              matrix[last * size + row] = matrix[last * size + row]! + factor * m;
            };
            add(i, 1);
            add(j, -1);
            for (let c = 0; c < k; c++) add(items + c, covariates![r * k + c]!);
          }
          for (let i = 0; i < items; i++) matrix[i * size + i] = matrix[i * size + i]! + l2;
          if (auxiliary > 0) matrix[last * size + last] = curvatureX;
          return matrix;
        },
      };
    },
  };
}
