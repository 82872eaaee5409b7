/**
 * Lazy Adam (Kingma and Ba 2015, https://arxiv.org/abs/1412.6980) for parameters that have no gradient in most steps, such as the weights
 * of features that do not occur in a batch. Skipped steps are caught up at once when a parameter is next needed: over steps t + 1 to t + k
 * without a gradient,
 *
 *   w -= m / √v · rate Σ_{s = 1..k} ρ^s a(t + s),   ρ = β1 / √β2,   a(t) = √(1 - β2^t) / (1 - β1^t),   then m *= β1^k, v *= β2^k
 *
 * where the sum is the same for all numbers last moved at t. This is what steps with a gradient of 0 would have done, except that epsilon
 * is held at its value in the first of them: it matters only where √v is as small as epsilon.
 */
import { exp, log } from "../../numeric/functions.ts";
import type { AdamSettings } from "../../numeric/network.ts";

export interface AdamOptions {
  readonly rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly l2: number;
}

export type AdamState = {
  readonly step: number;
  readonly beta1Power: number;
  readonly beta2Power: number;
  readonly pending: Float64Array;
};

const { fround } = Math;
const ENOUGH = 1e-12; // a move of ρ^s times the first is not worth adding

export class LazyAdam {
  step = 0;
  /** Of this step, for weights. */
  weightSettings!: AdamSettings;
  /** The same without l2. */
  biasSettings!: AdamSettings;
  private readonly options: AdamOptions;
  /** Steps after which moves no longer count. */
  private readonly horizon: number;
  /** To what was last moved at step t, if its next step is this one. */
  private pending = new Float64Array(1024);
  /** β1 to the power of the step. */
  private beta1Power = 1;
  private beta2Power = 1;

  constructor(options: AdamOptions) {
    this.options = options;
    const ratio = options.beta1 / Math.sqrt(options.beta2);
    this.horizon = options.beta1 === 0 ? 0 : Math.ceil(log(ENOUGH) / log(Math.min(ratio, 0.9999)));
  }

  /** The next step begins. */
  nextStep(): void {
    const { rate, beta1, beta2 } = this.options;
    if (this.step > 0) this.addPending(rate * (Math.sqrt(1 - this.beta2Power) / (1 - this.beta1Power)));
    this.step++;
    if (this.step >= this.pending.length) {
      const more = new Float64Array(2 * this.pending.length);
      more.set(this.pending);
      this.pending = more;
    }
    this.beta1Power *= beta1;
    this.beta2Power *= beta2;
    this.updateSettings();
  }

  private updateSettings(): void {
    const { rate, beta1, beta2, epsilon, l2 } = this.options;
    this.biasSettings = {
      ...{
        beta1: fround(beta1),
        oneMinusBeta1: fround(1 - beta1),
        beta2: fround(beta2),
        oneMinusBeta2: fround(1 - beta2),
        l2: 0,
      },
      step: fround((rate * Math.sqrt(1 - this.beta2Power)) / (1 - this.beta1Power)),
      epsilon: fround(epsilon * Math.sqrt(1 - this.beta2Power)),
    };
    this.weightSettings = { ...this.biasSettings, l2: fround(l2) };
  }

  /** What a checkpoint keeps. */
  state(): AdamState {
    const { step, beta1Power, beta2Power } = this;
    return { step, beta1Power, beta2Power, pending: this.pending.slice(0, step + 1) };
  }

  /** Goes on from a state: the step that it was in begins. */
  restore({ step, beta1Power, beta2Power, pending }: AdamState): void {
    this.step = step;
    [this.beta1Power, this.beta2Power] = [beta1Power, beta2Power];
    this.pending = new Float64Array(Math.max(this.pending.length, 2 * pending.length));
    this.pending.set(pending);
    this.updateSettings();
  }

  /** What the step before this one owes to all that it did not move. */
  private addPending(move: number): void {
    const ratio = this.options.beta1 / Math.sqrt(this.options.beta2);
    let power = ratio;
    for (let last = this.step - 1; last >= 0 && this.step - last <= this.horizon; last--) {
      this.pending[last] = this.pending[last]! + power * move;
      power *= ratio;
    }
  }

  /** What is to be made up before this step for numbers last moved at `last`, at least one step before the last. */
  catchUp(last: number): { move: number; epsilon: number; keep1: number; keep2: number } {
    const { beta1, beta2, epsilon } = this.options;
    const gap = this.step - 1 - last;
    return {
      move: fround(this.pending[last]!),
      epsilon: fround(epsilon * Math.sqrt(1 - power(beta2, last + 1))),
      keep1: fround(power(beta1, gap)),
      keep2: fround(power(beta2, gap)),
    };
  }
}

const power = (base: number, times: number) => (base === 0 ? 0 : exp(times * log(base)));
