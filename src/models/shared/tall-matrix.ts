/**
 * Matrices of many rows and k columns, in float32, whose rows a team takes in blocks. The blocks depend on the number of rows alone, and
 * sums are reduced in their order, so results do not depend on the number of threads.
 */
import { gatherRows } from "../../numeric/network.ts";
import { splitEvenly } from "../../teams/blocks.ts";
import type { Team } from "../../types.ts";
import type { Entries } from "./sparse.ts";

export interface TallMatrix {
  readonly values: Float32Array;
  readonly rows: number;
  readonly k: number;
  /** Block b has the rows from bounds[b] to bounds[b + 1]. */
  readonly bounds: Uint32Array;
}

export const tallMatrix = (team: Team, rows: number, k: number): TallMatrix => ({
  values: team.allocShared("f32", rows * k),
  rows,
  k,
  bounds: splitEvenly(rows),
});

/** Calls `visit` with the first row of each block and the row after its last. */
export function forBlocks(team: Team, { bounds }: TallMatrix, visit: (from: number, to: number) => void): void {
  team.parallelFor(bounds.length - 1, (block) => visit(bounds[block]!, bounds[block + 1]!));
}

/** Calls `visit` with the place of every number. */
export function forValues(team: Team, matrix: TallMatrix, visit: (i: number) => void): void {
  const { k } = matrix;
  forBlocks(team, matrix, (from, to) => {
    for (let i = from * k; i < to * k; i++) visit(i);
  });
}

/** into = entries from, where row r of `entries` gives row r of `into`. */
export function multiplySparse(team: Team, entries: Entries, from: TallMatrix, into: TallMatrix): void {
  const { k, values } = into;
  forBlocks(team, into, (first, end) => {
    for (let r = first; r < end; r++) {
      const out = values.subarray(r * k, (r + 1) * k).fill(0);
      gatherRows(entries.indices, entries.values, entries.starts[r]!, entries.starts[r + 1]!, from.values, out);
    }
  });
}

/** a' a, k by k, in float64. */
export function gramMatrix(team: Team, { values, k, bounds }: TallMatrix): Float64Array {
  const sums = team.sum(bounds.length - 1, k * k, (block, into) => {
    for (let r = bounds[block]!; r < bounds[block + 1]!; r++)
      for (let i = 0; i < k; i++) {
        const a = values[r * k + i]!;
        if (a !== 0) for (let j = 0; j <= i; j++) into[i * k + j] = into[i * k + j]! + a * values[r * k + j]!;
      }
  });
  const gram = new Float64Array(k * k);
  for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) gram[i * k + j] = gram[j * k + i] = sums[i * k + j]!;
  return gram;
}

/** The sum of products of all numbers of a and b. */
export function innerProduct(team: Team, { values: a, k, bounds }: TallMatrix, { values: b }: TallMatrix): number {
  return team.sum(bounds.length - 1, 1, (block, into) => {
    let sum = 0;
    for (let i = bounds[block]! * k; i < bounds[block + 1]! * k; i++) sum += a[i]! * b[i]!;
    into[0] = sum;
  })[0]!;
}
