/**
 * Utilities of ballots that come one by one, under the tier likelihood with the prior of a ghost item (ghost.ts): the fit of `utilities`, kept
 * up to date. Around a point θ₀ the total cost is expanded to second order; a ballot adds its own gradient g_b(θ₀) and Hessian H_b(θ₀), and the
 * estimate is θ₀ - H⁻¹ g. A ballot among many moves it by little, so the error, third order in that step, is far below a displayed digit. When the
 * step has grown, `refine` moves θ₀ and sums over all ballots again, in small pieces, so that a thread can take new ballots in between.
 */
import { Ballots } from "../../data/ballots.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Dataset } from "../../types.ts";
import { withGhost } from "./ghost.ts";
import { largestEntry, newtonStep } from "./newton-step.ts";
import { stagesOf } from "./stages.ts";
import { tierProblem } from "./tier-problem.ts";
import { covarianceOf, type Uncertainty, uncertaintyOf } from "./uncertainty.ts";

/** Tiers of item numbers, the best first; empty tiers do not count. */
export type TierNumbers = readonly (readonly number[])[];

/** Second-order expansion of the total cost around a point. */
interface Expansion {
  readonly point: Float64Array;
  cost: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

interface Counted {
  readonly tiers: TierNumbers;
  count: number;
}

const SETTLED = 1e-10; // a step of `refine` that is the last
const MANY = 10_000; // ballots: beyond, that is 1e-6, whose square is the error of the estimate
const PASSES = 60;
const PIECE = 256; // ballots between two pauses: some 10 ms
const LONGEST = 3; // entry of a step: utilities further apart than that are rare, and a longer step may overshoot

/** The state of a fit: utilities that sum to zero, and how sure they are. */
export interface IncrementalEstimate {
  readonly utilities: Float64Array;
  readonly uncertainty: Uncertainty;
}

export class IncrementalUtilities {
  readonly items: number;
  /** Ballots, each as often as it was cast. */
  ballots = 0;
  private readonly ghost: number;
  private readonly size: number;
  private readonly counted = new Map<string, Counted>();
  private now: Expansion;
  /** Changes since `refine` began its current pass. */
  private changes: [tiers: TierNumbers, weight: number][] | undefined;
  /** Ballots were loaded that the expansion lacks. */
  private stale = false;

  /** `start` are utilities to begin with, such as those of an earlier fit. */
  constructor(items: number, ghost: number, start?: Float64Array) {
    this.items = items;
    this.ghost = ghost;
    this.size = items + 1;
    const point = new Float64Array(this.size);
    if (start) point.set(start);
    this.now = this.expandGhost(point);
  }

  /** Adds a ballot, or with a weight below 0 takes one back that was added. */
  add(tiers: TierNumbers, weight = 1): void {
    const compact = this.count(tiers, weight);
    if (!compares(compact)) return;
    this.changes?.push([compact, weight]);
    this.expand(this.now, [[compact, Math.abs(weight)]], Math.sign(weight));
  }

  /** Adds many ballots at once, which count from the next `refine` on; not while another is under way. */
  load(ballots: Iterable<readonly [tiers: TierNumbers, weight: number]>): void {
    if (this.changes) throw new Error("ballots are loaded while others are refined");
    for (const [tiers, weight] of ballots) this.count(tiers, weight);
    this.stale = true;
  }

  private count(tiers: TierNumbers, weight: number): TierNumbers {
    const compact = tiers.filter((tier) => tier.length > 0).map((tier) => [...tier].sort((a, b) => a - b));
    const key = compact.map((tier) => tier.join()).join("|");
    const known = this.counted.get(key) ?? { tiers: compact, count: 0 };
    if (known.count + weight < 0) throw new Error("a ballot is taken back that was not added");
    known.count += weight;
    if (known.count === 0) this.counted.delete(key);
    else this.counted.set(key, known);
    this.ballots += weight;
    return compact;
  }

  /** Different ballots with their counts. */
  distinct(): Iterable<Counted> {
    return this.counted.values();
  }

  /** Whether no utility is further than that from the point of the expansion. The error of the estimate is about the square of this distance. */
  isWithin(distance: number): boolean {
    return !this.stale && largestEntry(this.step(this.now)) <= distance;
  }

  /** Utilities by the current expansion. */
  utilities(): Float64Array {
    const step = this.step(this.now);
    const own = this.now.point.slice(0, this.items).map((value, i) => value + step[i]!);
    const mean = own.reduce((sum, value) => sum + value, 0) / this.items;
    return own.map((value) => value - mean);
  }

  /** Utilities with standard errors and rank intervals. */
  estimate(seed = 1): IncrementalEstimate {
    const utilities = this.utilities();
    const found = covarianceOf(this.now.hessian.slice(), this.size, this.items, 0);
    if (!found) throw new Error("the information of ballots with a prior is singular");
    return { utilities, uncertainty: uncertaintyOf(utilities, found.covariance, [], seed) };
  }

  /** Newton's method from the current estimate to the last digits. Pauses at each yield, where ballots may be added. */
  *refine(): Generator<void, void, void> {
    if (this.stale) this.now = yield* this.expansionAt(this.now.point);
    this.stale = false;
    for (let pass = 0; pass < PASSES; pass++) {
      const full = this.step(this.now);
      if (pass > 0 && largestEntry(full) <= (this.ballots > MANY ? 1e-6 : SETTLED)) return;
      const length = Math.min(1, LONGEST / largestEntry(full));
      for (let scale = length; ; scale /= 2) {
        const ballots = this.ballots;
        const next = yield* this.expansionAt(this.now.point.map((value, i) => value + scale * full[i]!));
        // A cost that rose asks for a shorter step, unless other ballots are the reason or it is only rounding.
        const rose = next.cost > this.now.cost + 1e-9 * Math.abs(this.now.cost);
        if (rose && ballots === this.ballots && scale > 1e-6) continue;
        this.now = next;
        break;
      }
    }
  }

  /** The expansion of the cost of all ballots, with those that come while it is computed. */
  private *expansionAt(point: Float64Array): Generator<void, Expansion, void> {
    const into = this.expandGhost(point);
    const all = Array.from(this.counted.values(), ({ tiers, count }) => [tiers, count] as const);
    this.changes = [];
    for (let from = 0; from < all.length; from += PIECE) {
      const piece = all.slice(from, from + PIECE).filter(([tiers]) => compares(tiers));
      if (piece.length > 0) this.expand(into, piece, 1);
      yield;
    }
    for (const [tiers, weight] of this.changes) this.expand(into, [[tiers, Math.abs(weight)]], Math.sign(weight));
    this.changes = undefined;
    return into;
  }

  /** Adds cost, gradient and Hessian of ballots at the point of the expansion, times a sign. */
  private expand(into: Expansion, ballots: readonly (readonly [TierNumbers, number])[], sign: number): void {
    const builder = new Ballots();
    for (let i = 0; i < this.size; i++) builder.item(String(i));
    for (const [tiers, count] of ballots) builder.add(tiers, count);
    this.expandData(into, builder.finish(), sign);
  }

  private expandGhost(point: Float64Array): Expansion {
    const { size } = this;
    const into = { point, cost: 0, gradient: new Float64Array(size), hessian: new Float64Array(size * size) };
    this.expandData(into, withGhost(new Ballots().finish(), this.items, this.ghost), 1);
    return into;
  }

  private expandData(into: Expansion, data: Dataset, sign: number): void {
    const stages = stagesOf(data, this.size);
    const problem = tierProblem(stages, soloTeam(), 0);
    const gradient = new Float64Array(this.size);
    const factor = sign * stages.total;
    into.cost += factor * problem.evaluate(into.point, gradient, 0);
    const matrix = problem.hessian(into.point).matrix();
    for (let i = 0; i < gradient.length; i++) into.gradient[i] = into.gradient[i]! + factor * gradient[i]!;
    for (let i = 0; i < matrix.length; i++) into.hessian[i] = into.hessian[i]! + factor * matrix[i]!;
  }

  private step({ gradient, hessian }: Expansion): Float64Array {
    const step = newtonStep(gradient, hessian);
    if (!step) throw new Error("the information of ballots with a prior is singular");
    return step;
  }
}

/** Whether some item stands above another. */
const compares = (tiers: TierNumbers) => tiers.length > 1;
