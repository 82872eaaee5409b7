/** How a trained ensemble scores labels: the nearest training documents of each learner vote for their labels by their cosine. */
import { Heap } from "../../numeric/heap.ts";
import { matmul, matrixView, transposed } from "../../numeric/matmul.ts";
import { gatherRows } from "../../numeric/network.ts";
import { TopK } from "../../numeric/top.ts";
import type { ParallelOps } from "../../teams/solo.ts";
import type { Dataset, TopItems } from "../../types.ts";
import type { Entries } from "../shared/sparse.ts";
import { assignRows, type Clusters } from "./clusters.ts";

/** The clusters of one learner and a regression for each. */
export type LocalLearner = {
  readonly clusters: Clusters;
  /** Cluster after cluster, a row of `rank` numbers for each feature. */
  readonly coefficients: Float32Array;
};

/** The training documents, and what several learners found. */
export interface Ensemble {
  readonly x: Entries;
  readonly y: Entries;
  readonly columns: number;
  readonly labels: number;
  readonly rank: number;
  readonly voters: number;
  readonly learners: readonly LocalLearner[];
}

/** Training documents in the order of clusters, with their embeddings. */
interface Neighborhood {
  readonly order: Uint32Array;
  /** Cluster c has the places from starts[c] to starts[c + 1]. */
  readonly starts: Uint32Array;
  /** A row of length 1 for each place. */
  readonly embeddings: Float32Array;
}

/** The voters of some documents: `slots` for each, a training document and its cosine, 0 for none. */
export interface Voters {
  readonly slots: number;
  readonly documents: Uint32Array;
  readonly cosines: Float32Array;
}

export const allocVoters = ({ allocShared }: Pick<ParallelOps, "allocShared">, rows: number, slots: number): Voters => ({
  slots,
  documents: allocShared("u32", rows * slots, "zeros"),
  cosines: allocShared("f32", rows * slots, "zeros"),
});

const CHUNK = 128; // documents
const BLOCK = 512; // neighbors

/** Writes the voters of one learner, slots `first` on, for each row. `embeddings` is scratch, rank numbers for each training document. */
export function findVoters(
  ops: ParallelOps,
  ensemble: Pick<Ensemble, "x" | "columns" | "rank" | "voters">,
  learner: LocalLearner,
  rows: Entries,
  into: Voters,
  first: number,
  embeddings: Float32Array,
): void {
  const { rank, voters } = ensemble;
  const place = placeTraining(ops, ensemble, learner, embeddings);
  const count = rows.starts.length - 1;
  const nearest = ops.allocShared("u32", count);
  assignRows(ops, rows, learner.clusters, nearest);
  const heap = new Heap();
  const mapped = heap.f32(CHUNK * rank);
  const cosines = heap.f32(CHUNK * BLOCK);
  const part = heap.f32(BLOCK * rank);
  const best = Array.from({ length: CHUNK }, () => new TopK(voters));
  const [found, values] = [new Uint32Array(voters), new Float64Array(voters)];
  ops.parallelFor(Math.ceil(count / CHUNK), (chunk) => {
    const all = Array.from({ length: Math.min(CHUNK, count - chunk * CHUNK) }, (_, i) => chunk * CHUNK + i);
    for (const cluster of new Set(all.map((r) => nearest[r]!))) {
      const own = all.filter((r) => nearest[r] === cluster);
      for (const [i, r] of own.entries()) mapRow(ensemble, learner, cluster, rows, r, mapped.subarray(i * rank, (i + 1) * rank));
      const [low, high] = [place.starts[cluster]!, place.starts[cluster + 1]!];
      for (let from = low; from < high; from += BLOCK) {
        const to = Math.min(high, from + BLOCK);
        part.set(place.embeddings.subarray(from * rank, to * rank));
        matmul(
          matrixView(mapped, own.length, rank),
          transposed(matrixView(part, to - from, rank)),
          matrixView(cosines, own.length, to - from),
        );
        for (let i = 0; i < own.length; i++) best[i]!.offer(cosines, i * (to - from), (i + 1) * (to - from), from);
      }
      own.forEach((r, i) => {
        const size = Math.min(voters, high - low);
        best[i]!.drain(found, values, 0);
        for (let v = 0; v < size; v++) {
          into.documents[r * into.slots + first + v] = place.order[found[v]!]!;
          into.cosines[r * into.slots + first + v] = Math.max(0, values[v]!);
        }
      });
    }
  });
  heap.close();
}

function placeTraining(
  ops: ParallelOps,
  ensemble: Pick<Ensemble, "x" | "columns" | "rank">,
  learner: LocalLearner,
  embeddings: Float32Array,
): Neighborhood {
  const { count, assignment } = learner.clusters;
  const { rank } = ensemble;
  const starts = new Uint32Array(count + 1);
  for (const cluster of assignment) starts[cluster + 1] = starts[cluster + 1]! + 1;
  for (let c = 0; c < count; c++) starts[c + 1] = starts[c + 1]! + starts[c]!;
  const next = starts.slice();
  const order = new Uint32Array(assignment.length);
  assignment.forEach((cluster, r) => {
    order[next[cluster]!] = r;
    next[cluster] = next[cluster]! + 1;
  });
  ops.parallelFor(Math.ceil(order.length / CHUNK), (chunk) => {
    for (let at = chunk * CHUNK; at < Math.min(order.length, (chunk + 1) * CHUNK); at++)
      mapRow(ensemble, learner, assignment[order[at]!]!, ensemble.x, order[at]!, embeddings.subarray(at * rank, (at + 1) * rank));
  });
  return { order, starts, embeddings };
}

/** The embedding of a row by the regression of a cluster, of length 1. */
function mapRow(
  { columns, rank }: Pick<Ensemble, "columns" | "rank">,
  { coefficients }: LocalLearner,
  cluster: number,
  { starts, indices, values }: Entries,
  r: number,
  into: Float32Array,
): void {
  into.fill(0);
  const own = coefficients.subarray(cluster * columns * rank);
  gatherRows(indices, values, starts[r]!, starts[r + 1]!, own, into);
  let square = 0;
  for (const value of into) square += value * value;
  const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < rank; i++) into[i] = into[i]! * factor;
}

/** Adds up votes document by document. */
export class Ballot {
  /** Votes for each label of the last document, per voter. */
  readonly votes: Float64Array;
  private readonly y: Entries;
  private readonly touched: number[] = [];

  constructor(y: Entries, labels: number) {
    this.y = y;
    this.votes = new Float64Array(labels);
  }

  /** Counts the votes of the first `slots` voters of row r. */
  count({ slots: all, documents, cosines }: Voters, r: number, slots: number): void {
    for (const label of this.touched) this.votes[label] = 0;
    this.touched.length = 0;
    const { starts, indices, values } = this.y;
    for (let at = r * all; at < r * all + slots; at++) {
      if (cosines[at] === 0) continue;
      const [weight, document] = [cosines[at]! / slots, documents[at]!];
      for (let e = starts[document]!; e < starts[document + 1]!; e++) {
        const label = indices[e]!;
        if (this.votes[label] === 0) this.touched.push(label);
        this.votes[label] = this.votes[label]! + weight * values[e]!;
      }
    }
  }

  /** The labels of the last document with the most votes, best first, from `at` on. */
  top(best: TopK, into: TopItems, at: number): void {
    if (this.touched.length < into.k) best.offer(this.votes, 0, this.votes.length, 0);
    else for (const label of this.touched) best.offer(this.votes, label, label + 1, label);
    best.drain(into.items, into.scores, at);
  }
}

/** The k best labels of each row. */
export function topByVotes(
  ops: Pick<ParallelOps, "parallelFor">,
  { y, labels }: Pick<Ensemble, "y" | "labels">,
  voters: Voters,
  slots: number,
  into: TopItems,
  rows: number,
): void {
  const ballot = new Ballot(y, labels);
  const best = new TopK(into.k);
  ops.parallelFor(Math.ceil(rows / CHUNK), (chunk) => {
    for (let r = chunk * CHUNK; r < Math.min(rows, (chunk + 1) * CHUNK); r++) {
      ballot.count(voters, r, slots);
      ballot.top(best, into, r * into.k);
    }
  });
}

/** The votes for each relevant label of the lists. */
export function labelVotes(
  ops: Pick<ParallelOps, "parallelFor">,
  { y, labels }: Pick<Ensemble, "y" | "labels">,
  voters: Voters,
  slots: number,
  { starts, items }: Pick<Dataset, "starts" | "items">,
  into: Float64Array,
): void {
  const ballot = new Ballot(y, labels);
  ops.parallelFor(Math.ceil((starts.length - 1) / CHUNK), (chunk) => {
    for (let q = chunk * CHUNK; q < Math.min(starts.length - 1, (chunk + 1) * CHUNK); q++) {
      ballot.count(voters, q, slots);
      for (let i = starts[q]!; i < starts[q + 1]!; i++) into[i] = ballot.votes[items![i]!]!;
    }
  });
}
