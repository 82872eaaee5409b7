/**
 * The classifiers of one node: one linear classifier for each class against the other documents of the node. The solver starts from what is
 * known: with more than two classes from the solution in which no document belongs to the class, which is computed once; with two, the second
 * classifier from the first with its sign changed. The optimum is the same; it is only reached in fewer passes.
 */
import type { Heap } from "../../numeric/heap.ts";
import { addRow, type HingeSettings, type HingeState, type SparseRows, solveHinge } from "../../numeric/hinge.ts";
import type { NodeRows } from "./node-rows.ts";

/** Weights of the classifiers of a node by feature: feature f owns entries starts[f] to starts[f + 1]. */
export interface NodeWeights {
  /** Ascending; the number of columns stands for the bias. */
  readonly features: Uint32Array;
  readonly starts: Uint32Array;
  /** Class of each entry, from 0. */
  readonly classes: Uint32Array;
  readonly values: Float32Array;
  /** Sum of the dual costs of the classifiers. */
  readonly cost: number;
}

export interface ClassifySettings extends HingeSettings {
  /** Weights below it, whatever their sign, are dropped, except the bias. */
  readonly threshold: number;
}

/** Scratch of one thread. */
export class Classifier {
  private readonly node: NodeRows;
  private readonly settings: ClassifySettings;
  private readonly state: HingeState;
  private readonly baseAlpha: Float64Array;
  private readonly baseW: Float64Array;
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
  }

  /** Trains the classifiers of a node with these labels, of which class c has those from bounds[c] to bounds[c + 1]. */
  train(labels: Uint32Array, bounds: Uint32Array, seed: number): NodeWeights {
    const count = bounds.length - 1;
    if (count === 1) return { features: new Uint32Array(), starts: Uint32Array.of(0), ...NOTHING }; // nothing to choose between
    const { node } = this;
    node.gather(labels);
    const rows = node.sparse;
    const state = { ...this.state, bias: node.width };
    const { signs, alpha, squares, w } = state;
    for (let i = 0; i < rows.count; i++) squares[i] = squareOf(rows, i);
    signs.fill(-1, 0, rows.count);
    alpha.fill(0, 0, rows.count);
    w.fill(0, 0, node.width + 1);
    if (count > 2) this.solve(rows, state, seed);
    this.baseAlpha.set(alpha.subarray(0, rows.count));
    this.baseW.set(w.subarray(0, node.width + 1));
    this.size = 0;
    const ends: number[] = [];
    let cost = 0;
    for (let c = 0; c < count; c++) {
      const own = labels.subarray(bounds[c]!, bounds[c + 1]!);
      if (count === 2 && c === 1) this.startFromOpposite(rows, state, own);
      else this.startFromBase(rows, state, own);
      this.solve(rows, state, seed + c + 1);
      cost += dualCost(rows.count, node.width, state, this.settings.cost);
      this.keep(w);
      ends.push(this.size);
    }
    return { ...this.byFeature(ends), cost };
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

  /** Keeps the weights of one class that are large enough. */
  private keep(w: Float64Array): void {
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
  }

  private byFeature(ends: readonly number[]): Omit<NodeWeights, "cost"> {
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
    const classes = new Uint32Array(this.size);
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

const NOTHING = { classes: new Uint32Array(), values: new Float32Array(), cost: 0 };

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
