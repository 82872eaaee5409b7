/**
 * The classifiers of one node: one linear classifier for each class against the other documents of the node. The solver starts from what is
 * known: with more than two classes from the solution in which no document belongs to the class, which is computed once; with two, the second
 * classifier from the first with its sign changed. The optimum is the same; it is only reached in fewer passes. With more than two classes and
 * few documents, as in leaves, the classifiers are solved over the products of all pairs of documents.
 */
import { addGramRow, type GramState, gramRows, type Postings, solveGram } from "../../numeric/gram-hinge.ts";
import type { Heap } from "../../numeric/heap.ts";
import { addRow, type HingeSettings, type HingeState, type SparseRows, solveHinge } from "../../numeric/hinge.ts";
import type { NodeRows } from "./node-rows.ts";

/** Weights of the classifiers of a node by feature: feature f owns entries starts[f] to starts[f + 1]. Whoever joins nodes replaces the arrays. */
export interface NodeWeights {
  /** Ascending; the number of columns stands for the bias. */
  features: Uint32Array;
  starts: Uint32Array;
  /** Class of each entry, from 0. */
  classes: Classes;
  values: Float32Array;
  /** Sum of the dual costs of the classifiers. */
  readonly cost: number;
}

export interface ClassifySettings extends HingeSettings {
  /** Weights below it, whatever their sign, are dropped, except the bias. */
  readonly threshold: number;
}

export type Classes = Uint8Array | Uint32Array;

/** Products of pairs are computed of nodes with so many documents at most, 4 MiB, and so many entries. */
const [MOST_PAIRED, MOST_ENTRIES] = [1024, 2 ** 19];
/** And only down to this tolerance, far above what the float32 sums of many moves are off by. */
const LEAST_TOLERANCE = 0.01;

/** Scratch of one thread. */
export class Classifier {
  private readonly node: NodeRows;
  private readonly settings: ClassifySettings;
  private readonly state: HingeState;
  private readonly baseAlpha: Float64Array;
  private readonly baseW: Float64Array;
  /** Products of pairs of documents, the value of the classifier for each, and the same for the solution that classes start from. */
  private readonly gram: Float32Array;
  private readonly margins: Float32Array;
  private readonly baseMargins: Float32Array;
  private readonly postings: Postings;
  private features = new Uint32Array(1024);
  private values = new Float32Array(1024);
  private size = 0;

  constructor(node: NodeRows, settings: ClassifySettings, heap: Heap) {
    const { x, columns } = node.rows;
    const rows = x.starts.length - 1;
    this.node = node;
    this.settings = settings;
    this.state = {
      ...{ signs: heap.i8(rows), alpha: heap.f64(rows), squares: heap.f64(rows), order: heap.u32(rows) },
      ...{ w: heap.f64(columns + 1), bias: 0 },
    };
    this.baseAlpha = new Float64Array(rows);
    this.baseW = new Float64Array(columns + 1);
    const paired = Math.min(rows, MOST_PAIRED);
    this.gram = heap.f32(paired * paired);
    this.margins = heap.f32(paired);
    this.baseMargins = new Float32Array(paired);
    const entries = Math.min(x.indices.length, MOST_ENTRIES);
    this.postings = {
      ...{ first: heap.u32(columns + 1), next: heap.u32(columns + 1), others: heap.u32(entries), factors: heap.f32(entries) },
    };
  }

  /** Trains the classifiers of a node with these labels, of which class c has those from bounds[c] to bounds[c + 1]. */
  train(labels: Uint32Array, bounds: Uint32Array, seed: number): NodeWeights {
    const count = bounds.length - 1;
    if (count === 1) return { features: new Uint32Array(), starts: Uint32Array.of(0), ...NOTHING }; // nothing to choose between
    const { node } = this;
    node.gather(labels);
    const state = { ...this.state, bias: node.width };
    state.signs.fill(-1, 0, node.count);
    state.alpha.fill(0, 0, node.count);
    state.w.fill(0, 0, node.width + 1);
    this.size = 0;
    const classes = Array.from({ length: count }, (_, c) => labels.subarray(bounds[c]!, bounds[c + 1]!));
    const paired = count > 2 && this.canPair();
    const { ends, cost } = paired ? this.trainPaired(state, classes, seed) : this.trainEach(state, classes, seed);
    return { ...this.byFeature(ends, count <= 256 ? Uint8Array : Uint32Array), cost };
  }

  private canPair(): boolean {
    const { node, settings } = this;
    const few = node.count <= MOST_PAIRED && node.entries <= MOST_ENTRIES;
    return few && node.features !== undefined && settings.tolerance >= LEAST_TOLERANCE;
  }

  private trainEach(state: HingeState, classes: readonly Uint32Array[], seed: number): Solved {
    const { node } = this;
    const { alpha, squares, w } = state;
    const rows = node.sparse;
    for (let i = 0; i < rows.count; i++) squares[i] = squareOf(rows, i);
    if (classes.length > 2) this.solve(rows, state, seed);
    this.baseAlpha.set(alpha.subarray(0, rows.count));
    this.baseW.set(w.subarray(0, node.width + 1));
    let cost = 0;
    const ends = classes.map((own, c) => {
      if (classes.length === 2 && c === 1) this.startFromOpposite(rows, state, own);
      else this.startFromBase(rows, state, own);
      this.solve(rows, state, seed + c + 1);
      cost += dualCost(rows.count, node.width, state, this.settings.cost);
      return this.keep(w);
    });
    return { ends, cost };
  }

  /** The same over the products of pairs of documents. */
  private trainPaired(from: HingeState, classes: readonly Uint32Array[], seed: number): Solved {
    const { node, gram, margins, baseAlpha, baseW, baseMargins, settings } = this;
    const { signs, alpha, w, bias } = from;
    const rows = node.sparse;
    const { count } = rows;
    const state: GramState = { signs, alpha, order: from.order, margins };
    this.multiplyPairs(rows);
    margins.fill(0, 0, count);
    solveGram(count, gram, state, settings, seed);
    baseAlpha.set(alpha.subarray(0, count));
    baseMargins.set(margins.subarray(0, count));
    for (let i = 0; i < count; i++) if (alpha[i] !== 0) addRow(rows, i, -alpha[i]!, w, bias);
    baseW.set(w.subarray(0, bias + 1));
    let cost = 0;
    const ends = classes.map((own, c) => {
      signs.fill(-1, 0, count);
      alpha.set(baseAlpha.subarray(0, count));
      margins.set(baseMargins.subarray(0, count));
      this.visit(own, (i) => {
        if (signs[i] === 1) return;
        signs[i] = 1;
        if (alpha[i] !== 0) addGramRow(gram, i, count, Math.fround(alpha[i]!), margins);
        alpha[i] = 0;
      });
      solveGram(count, gram, state, settings, seed + c + 1);
      w.set(baseW.subarray(0, bias + 1));
      for (let i = 0; i < count; i++) {
        const change = signs[i]! * alpha[i]! + baseAlpha[i]!;
        if (change !== 0) addRow(rows, i, change, w, bias);
        cost += alpha[i]! - (alpha[i]! * alpha[i]!) / (4 * settings.cost) - (alpha[i]! * signs[i]! * margins[i]!) / 2;
      }
      return this.keep(w);
    });
    return { ends, cost };
  }

  private multiplyPairs(rows: SparseRows): void {
    const { gram, node, postings } = this;
    const { first, next } = postings;
    first.fill(0, 0, node.width + 1);
    for (let i = 0; i < rows.count; i++)
      for (let e = rows.begin[i]!; e < rows.end[i]!; e++) first[rows.indices[e]! + 1] = first[rows.indices[e]! + 1]! + 1;
    for (let f = 0; f < node.width; f++) first[f + 1] = first[f + 1]! + first[f]!;
    next.set(first.subarray(0, node.width + 1));
    gramRows(rows, postings, gram);
  }

  private solve(rows: SparseRows, state: HingeState, seed: number): void {
    solveHinge(rows, state, this.settings, seed);
  }

  /** Documents of the class leave the side of the others. */
  private startFromBase(rows: SparseRows, { signs, alpha, w, bias }: HingeState, own: Uint32Array): void {
    signs.fill(-1, 0, rows.count);
    alpha.set(this.baseAlpha.subarray(0, rows.count));
    w.set(this.baseW.subarray(0, bias + 1));
    this.visit(own, (i) => {
      if (signs[i] === 1) return;
      signs[i] = 1;
      if (alpha[i] !== 0) addRow(rows, i, alpha[i]!, w, bias);
      alpha[i] = 0;
    });
  }

  /** All sides change; documents of both classes belong to this one as well. */
  private startFromOpposite(rows: SparseRows, { signs, alpha, w, bias }: HingeState, own: Uint32Array): void {
    for (let f = 0; f <= bias; f++) w[f] = -w[f]!;
    for (let i = 0; i < rows.count; i++) signs[i] = -signs[i]!;
    this.visit(own, (i) => {
      if (signs[i] === 1) return;
      signs[i] = 1;
      if (alpha[i] !== 0) addRow(rows, i, 2 * alpha[i]!, w, bias);
    });
  }

  private visit(labels: Uint32Array, act: (i: number) => void): void {
    const { place, rows } = this.node;
    for (const label of labels)
      for (let e = rows.starts[label]!; e < rows.starts[label + 1]!; e++) act(place[rows.documents[e]!]!);
  }

  /** Keeps the weights of one class that are large enough. Returns the number of weights kept so far. */
  private keep(w: Float64Array): number {
    const { width } = this.node;
    const { threshold } = this.settings;
    for (let f = 0; f <= width; f++) {
      const value = Math.fround(w[f]!);
      if (value === 0 || (f < width && Math.abs(value) < threshold)) continue;
      if (this.size === this.features.length) {
        this.features = longer(this.features);
        this.values = longer(this.values);
      }
      this.features[this.size] = f;
      this.values[this.size++] = value;
    }
    return this.size;
  }

  private byFeature(ends: readonly number[], Kind: new (length: number) => Classes): Omit<NodeWeights, "cost"> {
    const { width, features: names, rows } = this.node;
    const counts = new Uint32Array(width + 1);
    for (let e = 0; e < this.size; e++) counts[this.features[e]!] = counts[this.features[e]!]! + 1;
    let used = 0;
    for (let f = 0; f <= width; f++) if (counts[f]! > 0) used++;
    const features = new Uint32Array(used);
    for (let f = 0, at = 0; f <= width; f++) if (counts[f]! > 0) features[at++] = f === width ? rows.columns : (names?.[f] ?? f);
    features.sort();
    const starts = new Uint32Array(used + 1);
    for (let at = 0; at < used; at++) {
      const f = features[at] === rows.columns ? width : this.node.numberOf(features[at]!);
      starts[at + 1] = starts[at]! + counts[f]!;
      counts[f] = starts[at]!; // where its next entry goes
    }
    const classes = new Kind(this.size);
    const values = new Float32Array(this.size);
    for (let e = 0, c = 0; e < this.size; e++) {
      while (e === ends[c]) c++;
      const at = counts[this.features[e]!]!;
      counts[this.features[e]!] = at + 1;
      classes[at] = c;
      values[at] = this.values[e]!;
    }
    return { features, starts, classes, values };
  }
}

/** Where the weights of each class end among those kept, and the sum of dual costs. */
interface Solved {
  readonly ends: readonly number[];
  readonly cost: number;
}

const NOTHING = { classes: new Uint8Array(), values: new Float32Array(), cost: 0 };

function squareOf({ begin, end, values }: SparseRows, i: number): number {
  let square = 1; // of the bias
  for (let e = begin[i]!; e < end[i]!; e++) square += values[e]! * values[e]!;
  return square;
}

/** The cost of the dual problem, with its sign changed: what the primal cost falls to. */
function dualCost(rows: number, width: number, { alpha, w }: HingeState, cost: number): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < rows; i++) sum += alpha[i]! - (alpha[i]! * alpha[i]!) / (4 * cost);
  for (let f = 0; f <= width; f++) squares += w[f]! * w[f]!;
  return sum - squares / 2;
}

function longer<A extends Uint32Array | Float32Array>(array: A): A {
  const more = new (array.constructor as new (length: number) => A)(2 * array.length);
  more.set(array as never);
  return more;
}
