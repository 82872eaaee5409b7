/** Clusters of rows by the angle between them: spherical k-means on sparse rows (Dhillon and Modha 2001). */
import { below } from "../../numeric/random.ts";
import { splitEvenly } from "../../teams/blocks.ts";
import type { ParallelOps } from "../../teams/solo.ts";
import type { Random, Team } from "../../types.ts";
import type { Entries } from "../shared/sparse.ts";

/** Clusters of rows. */
export type Clusters = {
  readonly count: number;
  /** A row of length 1 for each cluster, a number for each column. */
  readonly centroids: Float32Array;
  /** The cluster of each row. */
  readonly assignment: Uint32Array;
};

const MOST_ROUNDS = 20;

/** Clusters without empty ones, at most `count`. All members must draw the same numbers. `assignment` is shared scratch. */
export function clusterRows(
  team: Team,
  rows: Entries,
  columns: number,
  count: number,
  draw: Random,
  assignment: Uint32Array,
): Clusters {
  const n = rows.starts.length - 1;
  const centroids = new Float32Array(count * columns);
  for (let c = 0; c < count; c++) addRow(rows, below(draw, n), centroids, c * columns);
  toLengthOne(centroids, count, columns);
  let before = new Uint32Array();
  for (let round = 0; round < MOST_ROUNDS && count > 1; round++) {
    assignRows(team, rows, { count, centroids }, assignment);
    if (before.length === n && before.every((cluster, r) => cluster === assignment[r])) break;
    before = Uint32Array.from(assignment);
    team.barrier(); // all have compared before the next round overwrites
    centroids.fill(0);
    const sizes = new Uint32Array(count);
    for (let r = 0; r < n; r++) {
      addRow(rows, r, centroids, before[r]! * columns);
      sizes[before[r]!] = sizes[before[r]!]! + 1;
    }
    for (let c = 0; c < count; c++) if (sizes[c] === 0) addRow(rows, below(draw, n), centroids, c * columns);
    toLengthOne(centroids, count, columns);
  }
  assignRows(team, rows, { count, centroids }, assignment);
  const result = withoutEmpty({ count, centroids, assignment }, columns);
  team.barrier();
  return result;
}

/** Writes the nearest cluster of each row; of equally near ones the first. */
export function assignRows(
  ops: Pick<ParallelOps, "parallelFor">,
  rows: Entries,
  { count, centroids }: Pick<Clusters, "count" | "centroids">,
  into: Uint32Array,
): void {
  const n = rows.starts.length - 1;
  const columns = centroids.length / count;
  const bounds = splitEvenly(n);
  ops.parallelFor(bounds.length - 1, (block) => {
    for (let r = bounds[block]!; r < bounds[block + 1]!; r++) {
      let [best, most] = [0, -Infinity];
      for (let c = 0; c < count; c++) {
        let product = 0;
        for (let e = rows.starts[r]!; e < rows.starts[r + 1]!; e++)
          product += rows.values[e]! * centroids[c * columns + rows.indices[e]!]!;
        if (product > most) [best, most] = [c, product];
      }
      into[r] = best;
    }
  });
}

function addRow({ starts, indices, values }: Entries, r: number, into: Float32Array, at: number): void {
  for (let e = starts[r]!; e < starts[r + 1]!; e++) into[at + indices[e]!] = into[at + indices[e]!]! + values[e]!;
}

function toLengthOne(centroids: Float32Array, count: number, columns: number): void {
  for (let c = 0; c < count; c++) {
    const own = centroids.subarray(c * columns, (c + 1) * columns);
    let square = 0;
    for (const value of own) square += value * value;
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < columns; i++) own[i] = own[i]! * factor;
  }
}

function withoutEmpty({ count, centroids, assignment }: Clusters, columns: number): Clusters {
  const place = new Int32Array(count).fill(-1);
  for (const cluster of assignment) place[cluster] = 0;
  let kept = 0;
  for (let c = 0; c < count; c++) if (place[c] === 0) place[c] = kept++;
  const moved = new Float32Array(kept * columns);
  for (let c = 0; c < count; c++)
    if (place[c]! >= 0) moved.set(centroids.subarray(c * columns, (c + 1) * columns), place[c]! * columns);
  return { count: kept, centroids: moved, assignment: Uint32Array.from(assignment, (cluster) => place[cluster]!) };
}
