/** Builds a multi-label dataset from rows that arrive one by one: the features of the row, and its relevant labels. */
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import type { FeatureStorage } from "./blocks.ts";
import { Cells } from "./cells.ts";

export interface MultiLabelOptions {
  /** In the label space. */
  readonly items: number;
  readonly columns: number;
  readonly storage?: FeatureStorage;
  readonly itemNames?: readonly string[];
  readonly featureNames?: readonly string[];
}

/** Entries of a row above which moving them one by one takes too long. */
const MANY = 64;

export class MultiLabelBuilder {
  readonly cells = new Cells({ absent: 0, base: 0 });
  readonly options: MultiLabelOptions;
  private starts = new Uint32Array(1024);
  private labels = new Float32Array(1024);
  private items = new Uint32Array(1024);
  private used = 0;
  private lists = 0;

  constructor(options: MultiLabelOptions) {
    this.options = options;
  }

  get rows(): number {
    return this.lists;
  }

  get entries(): number {
    return this.used;
  }

  /** A judged item of the current row. Items judged 0 are in the last tier, like unjudged items. */
  addLabel(item: number, label: number): void {
    if (label === 0) return;
    if (this.used === this.labels.length) {
      this.labels = widened(this.labels, new Float32Array(2 * this.used));
      this.items = widened(this.items, new Uint32Array(2 * this.used));
    }
    this.items[this.used] = item;
    this.labels[this.used++] = label;
  }

  /** Ends a row. Gives what occurs twice, or undefined. */
  end(): { readonly feature: number } | { readonly item: number } | undefined {
    const feature = this.cells.end();
    if (feature >= 0) return { feature };
    const from = this.starts[this.lists]!;
    const item = this.sortEntries(from);
    if (item >= 0) return { item };
    if (++this.lists === this.starts.length) this.starts = widened(this.starts, new Uint32Array(2 * this.lists));
    this.starts[this.lists] = this.used;
    return undefined;
  }

  finish(): Dataset {
    const { items, columns, storage = "auto", itemNames, featureNames } = this.options;
    return {
      starts: this.starts.slice(0, this.lists + 1),
      labels: this.labels.slice(0, this.used),
      items: this.items.slice(0, this.used),
      labelSpaceSize: items,
      features: this.cells.finish(0, columns, storage),
      base: 0,
      names: { ...(itemNames && { items: itemNames }), ...(featureNames && { features: featureNames }) },
    };
  }

  /** Puts the entries of a row in the order of items. Gives an item that stands there twice, or -1. */
  private sortEntries(from: number): number {
    if (this.used - from > MANY) this.sortMany(from);
    for (let i = from + 1; i < this.used; i++) {
      const [item, label] = [this.items[i]!, this.labels[i]!];
      let j = i - 1;
      for (; j >= from && this.items[j]! > item; j--) {
        this.items[j + 1] = this.items[j]!;
        this.labels[j + 1] = this.labels[j]!;
      }
      if (j >= from && this.items[j] === item) return item;
      this.items[j + 1] = item;
      this.labels[j + 1] = label;
    }
    return -1;
  }

  private sortMany(from: number): void {
    const order = Uint32Array.from({ length: this.used - from }, (_, i) => from + i);
    order.sort((a, b) => this.items[a]! - this.items[b]!);
    const items = Uint32Array.from(order, (at) => this.items[at]!);
    const labels = Float32Array.from(order, (at) => this.labels[at]!);
    this.items.set(items, from);
    this.labels.set(labels, from);
  }
}

function widened<A extends Float32Array | Uint32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

/** Checks that the data are multi-label and returns the number of labels. */
export function requireLabelSpace({ labelSpaceSize, items }: Dataset, who: string): { count: number; items: Uint32Array } {
  if (labelSpaceSize === undefined || !items) throw new InputError(`${who} needs multi-label data`);
  return { count: labelSpaceSize, items };
}
