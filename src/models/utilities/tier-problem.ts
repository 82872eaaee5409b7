/**
 * The exact Plackett-Luce likelihood of tiers over one set of items, with all second derivatives: the problem that Newton's method
 * solves for utilities. The same cost as the objective pl-partition, in a form that costs each entry a few additions:
 *
 * with v = e^w, a tier of one item i adds log A - w_i, A the mass of i and all below; a tier S of several adds -log P(S > R) (see
 * tier-stage.ts), R the mass below. The gradient of a stage by an item j below is c v_j, c = 1 / A or G / R, so a running sum of c serves all.
 * Second derivatives have the same form: -v_j v_k times a running sum, a diagonal, the matrix of each tier in its own margins, and terms
 * between a tier and the items below it.
 */
import { exp, log } from "../../numeric/functions.ts";
import { stageScratch, tierStage } from "../../numeric/plain/tier-stage.ts";
import { DOUBLE } from "../../numeric/tier-cost.ts";
import { tierHessian, tierHessianScratch } from "../../numeric/tier-hessian.ts";
import { splitLists } from "../../teams/blocks.ts";
import type { Hessian, Problem, Team } from "../../types.ts";
import { blocksFor } from "../shared/optimize.ts";
import type { Stages } from "./stages.ts";

/** Second derivatives that can also be had as a whole: N × N, row after row, of the mean cost. */
export interface DenseHessian extends Hessian {
  matrix(): Float64Array;
}

export interface TierProblem extends Problem {
  hessian(params: Float64Array): DenseHessian;
}

/** Sums of e^w over a list run out of numbers beyond this spread of utilities: a step that far is refused. */
const WIDEST = 600;

export function tierProblem(stages: Stages, team: Team, l2: number): TierProblem {
  const { items: n, starts, order, ends, tiers, weights, total, wins, tied, longest, squareSum, squareAt } = stages;
  const lists = starts.length - 1;
  const mass = new Float64Array(longest); // of the tier that begins at an entry and all below it
  const moved = new Float64Array(longest); // the same, each v times its x
  const margins = new Float64Array(longest);
  const first = new Float64Array(longest);
  const scratch = stageScratch();
  const v = new Float64Array(n);
  // What a tier of several items leaves behind for the second derivatives: row sums per entry, slope and curvature per tier.
  const rows = tied ? team.allocShared("f64", order.length) : new Float64Array(0);
  const slopes = tied ? team.allocShared("f64", ends.length) : new Float64Array(0);
  const curvatures = tied ? team.allocShared("f64", ends.length) : new Float64Array(0);
  const squares = tied ? team.allocShared("f64", squareSum) : new Float64Array(0); // the matrix of each such tier
  const splitFor = (width: number) => splitLists(starts, blocksFor(lists, width));

  const powers = (params: Float64Array): number => {
    let [top, low] = [-Infinity, Infinity];
    for (let i = 0; i < n; i++) {
      top = Math.max(top, params[i]!);
      low = Math.min(low, params[i]!);
    }
    if (top - low > WIDEST) return Number.NaN;
    for (let i = 0; i < n; i++) v[i] = exp(params[i]! - top);
    return top;
  };
  /** Masses from the end of list q. */
  const fillMasses = (q: number) => {
    const from = starts[q]!;
    for (let p = starts[q + 1]! - 1, sum = 0; p >= from; p--) mass[p - from] = sum += v[order[p]!]!;
  };
  const fillMargins = (params: Float64Array, from: number, to: number, rest: number, top: number) => {
    const level = log(rest) + top;
    for (let p = from; p < to; p++) margins[p - from] = params[order[p]!]! - level;
  };

  const width = tied ? 2 * n + 1 : n + 1;
  const bounds = splitFor(width);

  /** Adds to `into`: the running sums at each item, then the slopes of tied items, then the cost without what wins give. */
  const visit = (q: number, params: Float64Array, top: number, into: Float64Array) => {
    const [from, to, weight] = [starts[q]!, starts[q + 1]!, weights[q]!];
    fillMasses(q);
    let [cost, product, running] = [0, 1, 0];
    for (let t = tiers[q]!, p = from; t < tiers[q + 1]!; t++) {
      const end = ends[t]!;
      if (end === p + 1) {
        const a = mass[p - from]!;
        if (end < to) {
          running += weight / a;
          product *= a;
          if (product > 1e200 || product < 1e-200) {
            cost += log(product);
            product = 1;
          }
        }
        const i = order[p]!;
        into[i] = into[i]! + running;
      } else {
        for (let e = p; e < end; e++) into[order[e]!] = into[order[e]!]! + running;
        if (end < to) {
          const rest = mass[end - from]!;
          fillMargins(params, p, end, rest, top);
          const stage = tierStage(scratch, margins, 0, end - p, DOUBLE, first, undefined);
          cost -= stage.log;
          running += (weight * stage.slope) / rest;
          for (let e = p; e < end; e++) into[n + order[e]!] = into[n + order[e]!]! - weight * first[e - p]!;
        }
      }
      p = end;
    }
    into[width - 1] = into[width - 1]! + weight * (cost + log(product));
  };

  const hessian = (params: Float64Array): DenseHessian => {
    const top = powers(params);
    const wide = tied ? 2 * n : n;
    const blocks = splitFor(wide);
    const sums = new Float64Array(longest);
    const hessianScratch = tierHessianScratch(longest);
    // Running sums of the slopes, then the diagonals of the matrices of tiers of several items.
    const sum = team.sum(blocks.length - 1, wide, (block, into) => {
      for (let q = blocks[block]!; q < blocks[block + 1]!; q++) {
        const [from, to, weight] = [starts[q]!, starts[q + 1]!, weights[q]!];
        fillMasses(q);
        let running = 0;
        for (let t = tiers[q]!, p = from; t < tiers[q + 1]!; t++) {
          const end = ends[t]!;
          const size = end - p;
          if (size === 1 && end < to) running += weight / mass[p - from]!;
          for (let e = p; e < end; e++) into[order[e]!] = into[order[e]!]! + running;
          if (size > 1 && end < to) {
            const rest = mass[end - from]!;
            fillMargins(params, p, end, rest, top);
            const matrix = squares.subarray(squareAt[t]!, squareAt[t]! + size * size);
            const slope = tierHessian(hessianScratch, margins, size, matrix, sums);
            slopes[t] = slope;
            let all = 0;
            for (let a = 0; a < size; a++) {
              rows[p + a] = sums[a]!;
              all += sums[a]!;
              const i = order[p + a]!;
              into[n + i] = into[n + i]! - weight * matrix[a * size + a]!;
            }
            curvatures[t] = all;
            running += (weight * slope) / rest;
          }
          p = end;
        }
      }
    });
    const drawn = sum.slice(0, n);
    const diagonal = v.map((value, i) => (value * drawn[i]! + (tied ? sum[n + i]! : 0)) / total + l2);

    const product = (q: number, x: Float64Array, into: Float64Array) => {
      const [from, to, weight] = [starts[q]!, starts[q + 1]!, weights[q]!];
      for (let p = to - 1, sum = 0, movedSum = 0; p >= from; p--) {
        const i = order[p]!;
        mass[p - from] = sum += v[i]!;
        moved[p - from] = movedSum += v[i]! * x[i]!;
      }
      let running = 0;
      for (let t = tiers[q]!, p = from; t < tiers[q + 1]!; t++) {
        const end = ends[t]!;
        if (end === p + 1) {
          if (end < to) {
            const once = 1 / mass[p - from]!;
            running += weight * moved[p - from]! * once * once;
          }
          const i = order[p]!;
          into[i] = into[i]! + running;
        } else {
          for (let e = p; e < end; e++) into[order[e]!] = into[order[e]!]! + running;
          if (end < to) {
            const rest = mass[end - from]!;
            const mean = moved[end - from]! / rest;
            let along = 0;
            for (let e = p; e < end; e++) {
              const i = order[e]!;
              along += rows[e]! * x[i]!;
              let own = 0;
              for (let f = p, at = squareAt[t]! + (e - p) * (end - p); f < end; f++, at++) own += squares[at]! * x[order[f]!]!;
              into[n + i] = into[n + i]! + weight * (rows[e]! * mean - own);
            }
            running += (weight * ((slopes[t]! + curvatures[t]!) * mean - along)) / rest;
          }
        }
        p = end;
      }
    };

    return {
      diagonal,
      times(x, into) {
        const sums = team.sum(bounds.length - 1, width, (block, parts) => {
          for (let q = bounds[block]!; q < bounds[block + 1]!; q++) product(q, x, parts);
        });
        for (let i = 0; i < n; i++) {
          let value = v[i]! * (x[i]! * drawn[i]! - sums[i]!);
          if (tied) value += sums[n + i]!;
          into[i] = value / total + l2 * x[i]!;
        }
      },
      matrix: () => whole(drawn),
    };
  };

  /** The whole matrix: pairs of one list at once, each pair at the running sum of its better item. */
  const whole = (drawn: Float64Array): Float64Array => {
    const blocks = splitFor(n * n);
    const sum = team.sum(blocks.length - 1, n * n, (block, into) => {
      for (let q = blocks[block]!; q < blocks[block + 1]!; q++) {
        const [from, to, weight] = [starts[q]!, starts[q + 1]!, weights[q]!];
        fillMasses(q);
        let running = 0;
        for (let t = tiers[q]!, p = from; t < tiers[q + 1]!; t++) {
          const end = ends[t]!;
          if (end === p + 1 && end < to) running += weight / (mass[p - from]! * mass[p - from]!);
          const rest = end < to ? mass[end - from]! : 1;
          const several = end > p + 1 && end < to;
          for (let e = p; e < end; e++) {
            const row = order[e]! * n;
            for (let other = e; other < end; other++) {
              const own = several ? squares[squareAt[t]! + (e - p) * (end - p) + other - p]! : 0;
              const more = several ? (weight * own) / (v[order[e]!]! * v[order[other]!]!) : 0;
              into[row + order[other]!] = into[row + order[other]!]! + running + more;
            }
            const later = several ? running - (weight * rows[e]!) / (rest * v[order[e]!]!) : running;
            for (let other = end; other < to; other++) into[row + order[other]!] = into[row + order[other]!]! + later;
          }
          if (several) running += (weight * (slopes[t]! + curvatures[t]!)) / (rest * rest);
          p = end;
        }
      }
    });
    const found = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const pair = i === j ? sum[i * n + i]! : sum[i * n + j]! + sum[j * n + i]!;
        found[i * n + j] = (-v[i]! * v[j]! * pair) / total;
      }
      found[i * n + i] = found[i * n + i]! + (v[i]! * drawn[i]!) / total + l2;
    }
    return found;
  };

  return {
    size: n,
    lists,
    gradient: "exact",
    evaluate(params, gradient) {
      const top = powers(params);
      if (Number.isNaN(top)) return Infinity;
      const sum = team.sum(bounds.length - 1, width, (block, into) => {
        for (let q = bounds[block]!; q < bounds[block + 1]!; q++) visit(q, params, top, into);
      });
      let cost = sum[width - 1]!;
      let penalty = 0;
      for (let i = 0; i < n; i++) {
        cost -= wins[i]! * (params[i]! - top);
        gradient[i] = (v[i]! * sum[i]! - wins[i]! + (tied ? sum[n + i]! : 0)) / total + l2 * params[i]!;
        penalty += params[i]! * params[i]!;
      }
      return cost / total + (l2 / 2) * penalty;
    },
    hessian,
  };
}
