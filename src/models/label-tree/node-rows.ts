/**
 * The documents of a node of a label tree: those that have one of its labels. Their features are numbered among those that occur in the node, so
 * that what is computed of them stays in the cache; the rows of very large nodes are used where they are, by all features.
 */
import type { Heap } from "../../numeric/heap.ts";
import type { SparseRows } from "../../numeric/hinge.ts";
import type { Entries } from "../shared/sparse.ts";

/** Documents with their features, and which documents have a label: label l has documents[starts[l]] to documents[starts[l + 1]]. */
export interface LabeledRows {
  readonly x: Entries;
  readonly columns: number;
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

const LARGEST = 2 ** 22; // entries that are copied

/** Holds the documents of one node at a time. */
export class NodeRows {
  readonly rows: LabeledRows;
  /** Number of documents of the node. */
  count = 0;
  /** Number of entries of these. */
  entries = 0;
  /** By document: its place among those of the node. Of others it is unspecified. */
  readonly place: Uint32Array;
  /** The features of the node by their number in it; undefined: all. */
  features: Uint32Array | undefined;
  /** How many features rows are numbered by. */
  width = 0;
  private readonly stamps: Uint32Array;
  private stamp = 0;
  private readonly number: Uint32Array;
  private readonly names: Uint32Array;
  private readonly found: Uint32Array;
  private readonly begin: Uint32Array;
  private readonly end: Uint32Array;
  private readonly indices: Uint32Array;
  private readonly values: Float32Array;
  private copied = false;

  /** Rows of nodes with more than `largest` entries are not copied. */
  constructor(rows: LabeledRows, heap: Heap, largest = LARGEST) {
    const { x, columns } = rows;
    const count = x.starts.length - 1;
    const most = Math.min(x.indices.length, largest);
    this.rows = rows;
    this.place = new Uint32Array(count);
    this.stamps = new Uint32Array(count);
    this.number = new Uint32Array(columns);
    this.names = new Uint32Array(columns);
    this.found = new Uint32Array(count);
    this.begin = heap.u32(count);
    this.end = heap.u32(count);
    this.indices = heap.u32(most);
    this.values = heap.f32(most);
  }

  /** Takes the documents of these labels. */
  gather(labels: Uint32Array): void {
    const { starts, documents } = this.rows;
    const { stamps, found, place } = this;
    const stamp = ++this.stamp;
    let count = 0;
    for (const label of labels)
      for (let e = starts[label]!; e < starts[label + 1]!; e++) {
        const document = documents[e]!;
        if (stamps[document] === stamp) continue;
        stamps[document] = stamp;
        place[document] = count;
        found[count++] = document;
      }
    this.count = count;
    this.entries = this.placeRows();
    this.copied = this.entries <= this.indices.length;
    if (this.copied) this.copy();
    else {
      this.features = undefined;
      this.width = this.rows.columns;
    }
  }

  /** Lets begin and end point to the rows of the documents where they are. Returns the number of their entries. */
  private placeRows(): number {
    const { starts } = this.rows.x;
    let entries = 0;
    for (let i = 0; i < this.count; i++) {
      const document = this.found[i]!;
      this.begin[i] = starts[document]!;
      this.end[i] = starts[document + 1]!;
      entries += starts[document + 1]! - starts[document]!;
    }
    return entries;
  }

  /** Copies the rows, with features numbered in the order in which they occur. */
  private copy(): void {
    const { x } = this.rows;
    const { number, names, begin, end, indices, values } = this;
    let [at, width] = [0, 0];
    for (let i = 0; i < this.count; i++) {
      const [from, to] = [begin[i]!, end[i]!];
      begin[i] = at;
      for (let e = from; e < to; e++) {
        const feature = x.indices[e]!;
        let own = number[feature]!;
        if (own >= width || names[own] !== feature) {
          own = width; // its number was that of another node
          number[feature] = own;
          names[width++] = feature;
        }
        indices[at] = own;
        values[at++] = x.values[e]!;
      }
      end[i] = at;
    }
    this.features = names.subarray(0, width);
    this.width = width;
  }

  /** The number that a feature of the node has in it. */
  numberOf(feature: number): number {
    return this.copied ? this.number[feature]! : feature;
  }

  /** The rows of the node, as many as it has documents. */
  get sparse(): SparseRows {
    const { begin, end } = this;
    const [indices, values] = this.copied ? [this.indices, this.values] : [this.rows.x.indices, this.rows.x.values];
    return { count: this.count, begin, end, indices, values };
  }
}
