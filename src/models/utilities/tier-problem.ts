/**
 * The exact Plackett-Luce likelihood of tiers over one set of items, with all second derivatives: the problem that Newton's method
 * solves for utilities. The same cost as the objective pl-partition, in a form that costs each entry a few additions:
 *
 * with v = e^w, a tier of one item i adds log A - w_i, A the mass of i and all below; a tier S of several adds -log P(S > R) (see
 * tier-stage.ts), R the mass below. The gradient of a stage by an item j below is c v_j, c = 1 / A or G / R, so a running sum of c serves all.
 * Second derivatives have the same form: -v_j v_k times a running sum, a diagonal, the matrix of each tier in its own margins, and terms
 * between a tier and the items below it. A little over 300 lines, since cost, product and matrix walk the same tables in the same way.
 */
import { exp, log } from "../../numeric/functions.ts";
import { DOUBLE, tierCost, tierLists } from "../../numeric/tier-cost.ts";
import {
  FACTORS,
  factoredTierHessian,
  ROUGH,
  tierHessian,
  tierHessianScratch,
  tierHessianSize,
} from "../../numeric/tier-hessian.ts";
import { summedBlocks } from "../../teams/blocks.ts";
import type { Blocks, Hessian, Problem, Team } from "../../types.ts";
import { blocksFor } from "../shared/optimize.ts";
import type { Stages } from "./stages.ts";

/** Second derivatives that can also be had as a whole: N × N, row after row, of the mean cost. */
export interface DenseHessian extends Hessian {
  matrix(): Float64Array;
}

export interface TierProblem extends Problem {
  hessian(params: Float64Array): DenseHessian;
  /** The same to about four digits, which the steps of Newton's method do not need more of. */
  roughHessian(params: Float64Array): DenseHessian;
}

/** Sums of e^w over a list run out of numbers beyond this spread of utilities: a step that far is refused. */
const WIDEST = 600;

/** The stages, memory for one list at a time, and what one evaluation leaves for the next step. */
interface Tables extends Stages {
  readonly team: Team;
  readonly l2: number;
  readonly lists: number;
  /** e^(w - the greatest w). */
  readonly v: Float64Array;
  /** Mass of the tier that begins at an entry and all below it. */
  readonly mass: Float64Array;
  readonly margins: Float64Array;
  /** What a tier of several items leaves for the second derivatives: row sums by entry, slope and curvature by tier, and its matrix. */
  readonly rows: Float64Array;
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
  readonly squares: Float64Array;
  /** Columns of the factors of a large tier. */
  readonly columns: Float64Array;
  /** Numbers that a list adds to, and blocks of lists for as many. */
  readonly width: number;
  readonly blocks: Blocks;
  splitFor(width: number): Blocks;
  /** Masses from the end of list q. */
  fillMasses(q: number): void;
  /** Margins of the entries from `from` to `to`, above a rest of the mass `rest`. */
  fillMargins(params: Float64Array, from: number, to: number, rest: number, top: number): void;
}

function makeTables(stages: Stages, team: Team, l2: number): Tables {
  const { items: n, starts, order, ends, tied, longest, squareSum } = stages;
  const lists = starts.length - 1;
  const v = new Float64Array(n);
  const [mass, margins] = [new Float64Array(longest), new Float64Array(longest)];
  const shared = (size: number) => (tied ? team.allocShared("f64", size) : new Float64Array(0));
  const splitFor = (width: number) => summedBlocks({ starts }, team.processes, blocksFor(lists, width));
  const width = tied ? 2 * n + 1 : n + 1;
  return {
    ...stages,
    ...{ team, l2, lists, v, mass, margins, width, blocks: splitFor(width), splitFor },
    ...{ rows: shared(order.length), slopes: shared(ends.length), curvatures: shared(ends.length), squares: shared(squareSum) },
    columns: shared(ends.length),
    fillMasses(q) {
      const from = starts[q]!;
      for (let p = starts[q + 1]! - 1, sum = 0; p >= from; p--) mass[p - from] = sum += v[order[p]!]!;
    },
    fillMargins(params, from, to, rest, top) {
      const level = log(rest) + top;
      for (let p = from; p < to; p++) margins[p - from] = params[order[p]!]! - level;
    },
  };
}

/** Fills v and returns the greatest utility; NaN where they are too far apart. */
function fillPowers({ items: n, v }: Tables, params: Float64Array): number {
  let [top, low] = [-Infinity, Infinity];
  for (let i = 0; i < n; i++) {
    top = Math.max(top, params[i]!);
    low = Math.min(low, params[i]!);
  }
  if (top - low > WIDEST) return Number.NaN;
  for (let i = 0; i < n; i++) v[i] = exp(params[i]! - top);
  return top;
}

export function tierProblem(stages: Stages, team: Team, l2: number): TierProblem {
  const tables = makeTables(stages, team, l2);
  const { items: n, total, wins, tied, v, width, blocks } = tables;
  const { bounds } = blocks;
  const addCost = costOfList(tables);
  return {
    size: n,
    lists: tables.lists,
    gradient: "exact",
    evaluate(params, gradient) {
      const top = fillPowers(tables, params);
      if (Number.isNaN(top)) return Infinity;
      const sum = team.sum(blocks, width, (block, into) => {
        for (let q = bounds[block]!; q < bounds[block + 1]!; q++) addCost(q, params, top, into);
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
    hessian: hessianOf(tables),
    roughHessian: hessianOf(tables, ROUGH),
  };
}

type AddCost = (q: number, params: Float64Array, top: number, into: Float64Array) => void;

const listFor = tierLists();

/** Adds list q to `into`: the running sums at each item, then the slopes of tied lists, then the cost without what wins of other lists give. */
function costOfList(tables: Tables): AddCost {
  const { items: n, starts, order, ends, tiers, weights, mass, width, tiedLists, fillMasses } = tables;
  const addTied: AddCost = (q, params, _, into) => {
    const [from, to, first, count, weight] = [starts[q]!, starts[q + 1]!, tiers[q]!, tiers[q + 1]! - tiers[q]!, weights[q]!];
    const list = listFor(to - from);
    list.count = count;
    list.weights.fill(1, 0, count);
    for (let t = 0; t < count; t++) list.starts[t + 1] = ends[first + t]! - from;
    list.starts[0] = 0;
    for (let p = from; p < to; p++) list.scores[p - from] = params[order[p]!]!;
    into[width - 1] = into[width - 1]! + weight * tierCost(list, DOUBLE, false);
    for (let p = from; p < to; p++) into[n + order[p]!] = into[n + order[p]!]! + weight * list.gradient[p - from]!;
  };
  return (q, params, top, into) => {
    if (tiedLists[q] === 1) return addTied(q, params, top, into);
    const [from, to, weight] = [starts[q]!, starts[q + 1]!, weights[q]!];
    fillMasses(q);
    let [cost, product, running] = [0, 1, 0];
    // Tiers of one item, and a last one of any number.
    for (let p = from; p < to; p++) {
      if (p - from < tiers[q + 1]! - tiers[q]! - 1) {
        const a = mass[p - from]!;
        running += weight / a;
        if (a > 1e100 || a < 1e-100) cost += log(a);
        else product *= a;
        if (product > 1e200 || product < 1e-200) {
          cost += log(product);
          product = 1;
        }
      }
      const i = order[p]!;
      into[i] = into[i]! + running;
    }
    into[width - 1] = into[width - 1]! + weight * (cost + log(product));
  };
}

function hessianOf(tables: Tables, nats?: number): (params: Float64Array) => DenseHessian {
  const { items: n, team, tied, total, l2, v, width, blocks } = tables;
  const { bounds } = blocks;
  const sumStages = stageSums(tables, nats);
  const addProduct = productOfList(tables);
  return (params) => {
    const sum = sumStages(params);
    const drawn = sum.slice(0, n);
    return {
      diagonal: v.map((value, i) => (value * drawn[i]! + (tied ? sum[n + i]! : 0)) / total + l2),
      times(x, into) {
        const sums = team.sum(blocks, width, (block, parts) => {
          for (let q = bounds[block]!; q < bounds[block + 1]!; q++) addProduct(q, x, parts);
        });
        for (let i = 0; i < n; i++) {
          let value = v[i]! * (x[i]! * drawn[i]! - sums[i]!);
          if (tied) value += sums[n + i]!;
          into[i] = value / total + l2 * x[i]!;
        }
      },
      matrix: () => wholeMatrix(tables, drawn),
    };
  };
}

/** Running sums of the slopes by item, then the diagonals of the matrices of tiers of several items; fills what such tiers leave. */
function stageSums(tables: Tables, nats?: number): (params: Float64Array) => Float64Array {
  const { items: n, starts, order, ends, tiers, weights, tied, longest, squareAt, team } = tables;
  const { mass, margins, rows, slopes, curvatures, squares, columns, splitFor, fillMasses, fillMargins } = tables;
  const wide = tied ? 2 * n : n;
  const blocks = splitFor(wide);
  const { bounds } = blocks;
  const sums = new Float64Array(longest);
  const scratch = tierHessianScratch(longest);
  return (params) => {
    const top = fillPowers(tables, params);
    return team.sum(blocks, wide, (block, into) => {
      for (let q = bounds[block]!; q < bounds[block + 1]!; q++) {
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
            const matrix = squares.subarray(squareAt[t]!, squareAt[t]! + tierHessianSize(size));
            const slope = (size > FACTORS ? factoredTierHessian : tierHessian)(scratch, margins, size, matrix, sums, nats);
            slopes[t] = slope;
            columns[t] = scratch.columns;
            let all = 0;
            for (let a = 0; a < size; a++) {
              rows[p + a] = sums[a]!;
              all += sums[a]!;
              const i = order[p + a]!;
              into[n + i] = into[n + i]! - weight * entryOf(matrix, 0, size, scratch.columns, a, a);
            }
            curvatures[t] = all;
            running += (weight * slope) / rest;
          }
          p = end;
        }
      }
    });
  };
}

/** An entry of the matrix of a tier of so many items, whole or in so many columns of factors, that begins at `from`. */
function entryOf(squares: Float64Array, from: number, size: number, columns: number, i: number, j: number): number {
  if (size <= FACTORS) return squares[from + i * size + j]!;
  let sum = i === j ? squares[from + i]! : 0;
  for (let column = 1, at = from + size; column <= columns; column++, at += size) sum += squares[at + i]! * squares[at + j]!;
  return sum;
}

/** Writes the matrix of a tier times x. */
function multiplyTier(
  squares: Float64Array,
  from: number,
  size: number,
  columns: number,
  x: Float64Array,
  into: Float64Array,
): void {
  if (size <= FACTORS) {
    for (let i = 0, at = from; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++, at++) sum += squares[at]! * x[j]!;
      into[i] = sum;
    }
    return;
  }
  for (let i = 0; i < size; i++) into[i] = squares[from + i]! * x[i]!;
  for (let column = 1, at = from + size; column <= columns; column++, at += size) {
    let along = 0;
    for (let i = 0; i < size; i++) along += squares[at + i]! * x[i]!;
    for (let i = 0; i < size; i++) into[i] = into[i]! + along * squares[at + i]!;
  }
}

/** Adds to `into` list q's part of the Hessian times x. */
function productOfList(tables: Tables): (q: number, x: Float64Array, into: Float64Array) => void {
  const { items: n, starts, order, ends, tiers, weights, longest, squareAt } = tables;
  const { v, mass, rows, slopes, curvatures, squares, columns } = tables;
  const moved = new Float64Array(longest); // like mass, each v times its x
  const [inTier, own] = [new Float64Array(longest), new Float64Array(longest)];
  return (q, x, into) => {
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
          for (let e = p; e < end; e++) inTier[e - p] = x[order[e]!]!;
          multiplyTier(squares, squareAt[t]!, end - p, columns[t]!, inTier, own);
          for (let e = p; e < end; e++) {
            const i = order[e]!;
            along += rows[e]! * inTier[e - p]!;
            into[n + i] = into[n + i]! + weight * (rows[e]! * mean - own[e - p]!);
          }
          running += (weight * ((slopes[t]! + curvatures[t]!) * mean - along)) / rest;
        }
      }
      p = end;
    }
  };
}

/** The whole matrix: pairs of one list at once, each pair at the running sum of its better item. */
function wholeMatrix(tables: Tables, drawn: Float64Array): Float64Array {
  const { items: n, starts, order, ends, tiers, weights, total, squareAt, team, l2 } = tables;
  const { v, mass, rows, slopes, curvatures, squares, columns, splitFor, fillMasses } = tables;
  const blocks = splitFor(n * n);
  const { bounds } = blocks;
  const sum = team.sum(blocks, n * n, (block, into) => {
    for (let q = bounds[block]!; q < bounds[block + 1]!; q++) {
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
            const own = several ? entryOf(squares, squareAt[t]!, end - p, columns[t]!, e - p, other - p) : 0;
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
}
