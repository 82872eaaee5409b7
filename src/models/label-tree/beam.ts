/**
 * Scores of labels by beam search. A document enters a node with a probability: that of its path. The classifier of a class with value z
 * multiplies it by exp(-max(0, 1 - z)²). At each level only the `beam` most probable nodes are followed. The score of a label is the mean over trees, in
 * which labels that were not reached have 0.
 */
import { exp } from "../../numeric/functions.ts";
import { TopK } from "../../numeric/top.ts";
import type { ParallelOps } from "../../teams/solo.ts";
import type { Dataset, TopItems } from "../../types.ts";
import { type Entries, entriesOf } from "../shared/sparse.ts";
import type { Classes } from "./classify.ts";
import { mostClasses, nodeNumbers, type TreeShape } from "./shape.ts";

/** One tree. Nodes that choose are numbered level by level; node j has features nodes[j] to nodes[j + 1]. */
export type LabelTree = {
  /** The label at each place. */
  readonly order: Uint32Array;
  readonly nodes: Uint32Array;
  /** Ascending within a node; the number of columns stands for the bias. Feature f owns entries starts[f] to starts[f + 1]. */
  readonly features: Uint32Array;
  readonly starts: Uint32Array;
  /** Class of each weight, counted within its node; bytes where no node has more than 256. */
  readonly classes: Classes;
  readonly values: Float32Array;
};

export type Ensemble = {
  readonly shape: TreeShape;
  readonly trees: readonly LabelTree[];
  readonly columns: number;
  /** Number of labels, those that no training document has among them. */
  readonly labels: number;
  readonly beam: number;
};

const CHUNK = 64; // documents

/** Scores of the labels of one document at a time. */
export class BeamSearch {
  /** Score of each label for the last document. */
  readonly scores: Float64Array;
  private readonly ensemble: Ensemble;
  private readonly firsts: Uint32Array;
  private readonly reached: number[] = [];
  private readonly z: Float64Array;
  private readonly best: TopK;
  private readonly nodes: Uint32Array;
  private readonly logs: Float64Array;
  private readonly one = new Float64Array(1);

  constructor(ensemble: Ensemble) {
    const { shape, labels } = ensemble;
    const widest = shape.bounds[shape.levels - 1]!.length - 1;
    const beam = Math.min(ensemble.beam, widest);
    this.ensemble = ensemble;
    this.firsts = nodeNumbers(shape);
    this.scores = new Float64Array(labels);
    this.z = new Float64Array(mostClasses(shape));
    this.best = new TopK(beam);
    this.nodes = new Uint32Array(beam);
    this.logs = new Float64Array(beam);
  }

  /** Scores the labels for row r. */
  run(rows: Entries, r: number): void {
    for (const label of this.reached) this.scores[label] = 0;
    this.reached.length = 0;
    for (const tree of this.ensemble.trees) this.descend(tree, rows, r);
  }

  /** The labels of the last document with the highest scores, best first, from `at` on. */
  top(best: TopK, into: TopItems, at: number): void {
    if (this.reached.length < into.k) best.offer(this.scores, 0, this.scores.length, 0);
    else for (const label of this.reached) best.offer(this.scores, label, label + 1, label);
    best.drain(into.items, into.scores, at);
  }

  private descend(tree: LabelTree, rows: Entries, r: number): void {
    const { shape, trees } = this.ensemble;
    let size = 1;
    this.nodes[0] = 0;
    this.logs[0] = 0;
    for (let d = 0; d < shape.levels; d++) {
      const starts = shape.classes[d]!;
      const last = d + 1 === shape.levels;
      let offered = 0;
      for (let b = 0; b < size; b++) {
        const node = this.nodes[b]!;
        const [from, to] = [starts[node]!, starts[node + 1]!];
        this.multiply(tree, this.firsts[d]! + node, to - from, rows, r);
        for (let c = from; c < to; c++) {
          const miss = to - from > 1 ? Math.max(0, 1 - this.z[c - from]!) : 0;
          const log = this.logs[b]! - miss * miss;
          if (last) this.add(tree.order[c]!, exp(log) / trees.length);
          else {
            this.one[0] = log;
            this.best.offer(this.one, 0, 1, c);
            offered++;
          }
        }
      }
      if (last) break;
      size = Math.min(offered, this.nodes.length);
      this.best.drain(this.nodes, this.logs, 0);
    }
  }

  private add(label: number, score: number): void {
    if (score === 0) return;
    if (this.scores[label] === 0) this.reached.push(label);
    this.scores[label] = this.scores[label]! + score;
  }

  /** Writes the values of the classifiers of a node. */
  private multiply(
    { nodes, features, starts, classes, values }: LabelTree,
    node: number,
    count: number,
    rows: Entries,
    r: number,
  ): void {
    const { z } = this;
    const [first, end] = [nodes[node]!, nodes[node + 1]!];
    z.fill(0, 0, count);
    let low = first;
    for (let e = rows.starts[r]!; e < rows.starts[r + 1]! && low < end; e++) {
      const feature = rows.indices[e]!;
      let high = end;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (features[middle]! < feature) low = middle + 1;
        else high = middle;
      }
      if (low < end && features[low] === feature) {
        const x = rows.values[e]!;
        for (let i = starts[low]!; i < starts[low + 1]!; i++) z[classes[i]!] = z[classes[i]!]! + x * values[i]!;
      }
    }
    if (end > first && features[end - 1] === this.ensemble.columns)
      for (let i = starts[end - 1]!; i < starts[end]!; i++) z[classes[i]!] = z[classes[i]!]! + values[i]!;
  }
}

/** The k best labels of each row. */
export function topLabels(ops: Pick<ParallelOps, "parallelFor">, ensemble: Ensemble, rows: Entries, into: TopItems): void {
  const count = rows.starts.length - 1;
  const search = new BeamSearch(ensemble);
  const best = new TopK(into.k);
  ops.parallelFor(Math.ceil(count / CHUNK), (chunk) => {
    for (let r = chunk * CHUNK; r < Math.min(count, (chunk + 1) * CHUNK); r++) {
      search.run(rows, r);
      search.top(best, into, r * into.k);
    }
  });
}

/** The score of each relevant label of the lists. */
export function labelScores(
  ops: Pick<ParallelOps, "parallelFor">,
  ensemble: Ensemble,
  { starts, items, features }: Pick<Dataset, "starts" | "items" | "features">,
  into: Float64Array,
): void {
  const rows = entriesOf(features);
  const search = new BeamSearch(ensemble);
  ops.parallelFor(Math.ceil((starts.length - 1) / CHUNK), (chunk) => {
    for (let q = chunk * CHUNK; q < Math.min(starts.length - 1, (chunk + 1) * CHUNK); q++) {
      search.run(rows, q);
      for (let i = starts[q]!; i < starts[q + 1]!; i++) into[i] = search.scores[items![i]!]!;
    }
  });
}
