/** The graph of nearest neighbors by labels: the cosine of two label vectors, for each document and its nearest ones. */
import { TopK } from "../../numeric/top.ts";
import { splitEvenly } from "../../teams/blocks.ts";
import type { Team } from "../../types.ts";
import { type Entries, transpose } from "../shared/sparse.ts";

/** Rows of length 1; a row of zeros stays one. */
export function unitRows({ starts, indices, values }: Entries): Entries {
  const scaled = new Float32Array(values.length);
  for (let r = 0; r + 1 < starts.length; r++) {
    let square = 0;
    for (let e = starts[r]!; e < starts[r + 1]!; e++) square += values[e]! * values[e]!;
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let e = starts[r]!; e < starts[r + 1]!; e++) scaled[e] = values[e]! * factor;
  }
  return { starts, indices, values: scaled };
}

/** Shared arrays, each of at least rows × `count`. */
export interface NeighborScratch {
  readonly near: Uint32Array;
  readonly cosines: Float64Array;
}

/**
 * A symmetric sparse matrix of cosines: entry (i, j) is there if one of the rows is among the `count` nearest of the other. A row is the nearest
 * of itself. Equally near rows come in their order. `labels` have rows of length 1.
 */
export function neighborGraph(team: Team, labels: Entries, labelCount: number, count: number, scratch: NeighborScratch): Entries {
  const n = labels.starts.length - 1;
  const k = Math.min(count, n);
  const { near, cosines } = scratch;
  const byLabel = transpose(labels, labelCount);
  const bounds = splitEvenly(n);
  const similar = new Float64Array(n);
  const best = new TopK(k);
  team.parallelFor(bounds.length - 1, (block) => {
    for (let r = bounds[block]!; r < bounds[block + 1]!; r++) {
      similar.fill(0);
      for (let e = labels.starts[r]!; e < labels.starts[r + 1]!; e++) {
        const [label, value] = [labels.indices[e]!, labels.values[e]!];
        for (let f = byLabel.starts[label]!; f < byLabel.starts[label + 1]!; f++)
          similar[byLabel.indices[f]!] = similar[byLabel.indices[f]!]! + value * byLabel.values[f]!;
      }
      best.offer(similar, 0, n, 0);
      best.drain(near, cosines, r * k);
    }
  });
  const graph = symmetric(near, cosines, n, k);
  team.barrier();
  return graph;
}

/** The entries and their mirror images, each once, columns ascending. */
function symmetric(near: Uint32Array, cosines: Float64Array, n: number, k: number): Entries {
  const rows = Array.from({ length: n }, () => new Map<number, number>());
  for (let r = 0; r < n; r++)
    for (let e = r * k; e < (r + 1) * k; e++) {
      rows[r]!.set(near[e]!, cosines[e]!);
      rows[near[e]!]!.set(r, cosines[e]!);
    }
  const starts = new Uint32Array(n + 1);
  rows.forEach((row, r) => void (starts[r + 1] = starts[r]! + row.size));
  const indices = new Uint32Array(starts[n]!);
  const values = new Float32Array(starts[n]!);
  rows.forEach((row, r) => {
    indices.set([...row.keys()], starts[r]!);
    indices.subarray(starts[r]!, starts[r + 1]!).sort();
    for (let e = starts[r]!; e < starts[r + 1]!; e++) values[e] = row.get(indices[e]!)!;
  });
  return { starts, indices, values };
}
