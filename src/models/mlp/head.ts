/** The output layer and its cost, on top of the hidden layers. */

import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";

export interface Head {
  readonly layer: Layer;
  /** Rows that a batch can have. */
  readonly most: number;
  /** The rows of features that the given lists need, written into `rows`; their number. */
  rowsOf(lists: Uint32Array, rows: Uint32Array): number;
  /**
   * Mean cost of the lists, whose activations are the first rows of `hidden`; writes the gradient of these into `back` and moves the
   * weights of the layer.
   */
  step(lists: Uint32Array, hidden: Float32Array, back: Float32Array, adam: LazyAdam): number;
  /** Makes up for the steps before this one that weights have missed. */
  catchUp(adam: LazyAdam): void;
  restart(): void;
  /** What is remembered from step to step, besides the layer: shared arrays. */
  readonly memory: readonly (Uint32Array | Float32Array)[];
  readonly auxiliary: () => Readonly<Record<string, number>>;
  close(): void;
}
