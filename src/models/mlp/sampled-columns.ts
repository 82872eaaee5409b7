/** The labels of one step with sampling, as columns of its scores: the sample, then judged labels of the batch that are not in it. */
import { random } from "../../numeric/random.ts";
import type { Dataset } from "../../types.ts";
import { drawSample, type Sample } from "./sample.ts";

export const WIDTH = 512; // columns of a block

export interface Block {
  /** A column. */
  readonly from: number;
  readonly to: number;
  /** Of the sample; -1: judged labels only. */
  readonly segment: number;
}

/** Every member of a team draws the same columns and keeps its own copy. */
export class SampledColumns {
  /** Of a label; -1: none. */
  readonly columnOf: Int32Array;
  /** The label of a column. */
  readonly labels: Uint32Array;
  used = 0;
  sample!: Sample;
  blocks: Block[] = [];
  private readonly linear: boolean;

  /** `linear`: the cost is a sum over what is sampled (see sample.ts). */
  constructor(labelSpaceSize: number, most: number, linear: boolean) {
    this.columnOf = new Int32Array(labelSpaceSize).fill(-1);
    this.labels = new Uint32Array(most);
    this.linear = linear;
  }

  draw({ starts, items }: Dataset, lists: Uint32Array, negatives: number, seed: number, step: number): void {
    this.sample = drawSample(random(seed, 0x5a3e, step), this.columnOf.length, negatives, this.linear);
    for (const item of this.sample.items) this.add(item);
    for (const q of lists)
      for (let i = starts[q]!; i < starts[q + 1]!; i++) if (this.columnOf[items![i]!]! < 0) this.add(items![i]!);
    this.blocks = [];
    const { ends } = this.sample;
    let from = 0;
    for (const [segment, end] of [...ends, this.used].entries())
      for (; from < end; from = this.blocks.at(-1)!.to)
        this.blocks.push({ from, to: Math.min(end, from + WIDTH), segment: segment < ends.length ? segment : -1 });
  }

  private add(item: number): void {
    this.labels[this.used] = item;
    this.columnOf[item] = this.used++;
  }

  clear(): void {
    for (let c = 0; c < this.used; c++) this.columnOf[this.labels[c]!] = -1;
    this.used = 0;
  }
}
