/**
 * How few battles decide the first place? Removing a battle with gradient g moves the parameters by H⁻¹ g to first order, where H is the Hessian of the
 * total cost, so the lead of the first item over a contender moves by cᵀ H⁻¹ g with c = e_first - e_contender. Taking the battles that lower it most,
 * until it is gone, approximates the smallest set (Broderick, Giordano and Meager 2020, https://arxiv.org/abs/2011.14999; Huang et al. 2025 find that
 * two of 57,477 battles suffice on a public arena, https://arxiv.org/abs/2508.11847). Here the fit is repeated after each step, so that
 * every set found does change the first place; a smaller one may exist. The same with clusters: which voters decide it?
 */
import { checkOptions, type Kinds, numberAbove, someFunction, wholeFrom, yesOrNo } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import {
  checkBattles,
  checkSize,
  dropRare,
  type Leaderboard,
  type LeaderboardOptions,
  leaderboardKinds,
  settleObjective,
} from "./leaderboard.ts";
import { fitBattles } from "./leaderboard-errors.ts";
import { informationOf, type PairFit } from "./models/utilities/pair-fit.ts";
import { fillTerms, rowTerms } from "./models/utilities/pair-problem.ts";
import { inverse } from "./numeric/cholesky.ts";
import { descending } from "./numeric/order.ts";
import type { Objective } from "./types.ts";

/** How the battles that decide the first place are looked for. */
export interface LeaderboardInfluenceOptions extends Pick<LeaderboardOptions, "objective" | "ghost" | "minBattles"> {
  /** Number of items that are tried as the next first one, those closest in standard errors first. Default: 3. */
  readonly contenders?: number;
  /** Sets of more than this share of the battles are not looked for. Default: 0.5. */
  readonly largest?: number;
  /** Fit again and again to find fewer battles; otherwise the set of the first-order approximation is verified by one fit or a few. Default: true. */
  readonly refine?: boolean;
  /** Called with the share of the contenders that are done. */
  readonly onProgress?: (share: number) => void;
}

/** Battles that are removed. */
export interface RemovedBattles {
  /** Name of the first item. */
  readonly first: string;
  /** Name of the second item. */
  readonly second: string;
  /** Who won. */
  readonly winner: "first" | "second" | "tie";
  /** How many of these battles are removed. */
  readonly count: number;
  /** How many there are. */
  readonly of: number;
  /** Name of the cluster, if battles have clusters. */
  readonly cluster?: string;
}

/** A set of battles without which another item is first; verified by a fit. */
export interface FirstPlaceRemoval {
  /** How many battles are removed. */
  readonly battles: number;
  /** The item that is first without them. */
  readonly newFirst: string;
  /** The battles, most influential first. */
  readonly removed: readonly RemovedBattles[];
}

/** A set of clusters, such as voters, without whose battles another item is first; verified by a fit. */
export interface FirstPlaceClusters {
  /** Names of the clusters. */
  readonly clusters: readonly string[];
  /** How many battles they have. */
  readonly battles: number;
  /** The item that is first without them. */
  readonly newFirst: string;
}

/** What decides the first place of a leaderboard. */
export interface LeaderboardInfluence {
  /** The item in the first place. */
  readonly first: string;
  /** Number of all battles. */
  readonly battles: number;
  /** The fewest battles found whose removal changes the first place; absent if none were found. */
  readonly fewest?: FirstPlaceRemoval;
  /** Items that were tried. */
  readonly contenders: readonly {
    /** Name of the item. */
    readonly name: string;
    /** Lead of the first item, in utilities. */
    readonly lead: number;
    /** Battles to be removed for it to be first, to first order; Infinity where no removal is enough. */
    readonly estimate: number;
  }[];
  /** For battles with clusters: each cluster that changes the first place alone, and the fewest clusters found that do together. */
  readonly clusters?: {
    /** Each cluster whose removal changes the first place. */
    readonly single: readonly FirstPlaceClusters[];
    /** The fewest clusters found. */
    readonly fewest?: FirstPlaceClusters;
  };
}

const { objective, ghost, minBattles } = leaderboardKinds;
const kinds: Kinds<LeaderboardInfluenceOptions> = {
  ...{
    objective,
    ghost,
    minBattles,
    contenders: wholeFrom(1),
    largest: numberAbove(0),
    refine: yesOrNo,
    onProgress: someFunction,
  },
};

/** The fewest battles, and clusters where there are some, whose removal changes the first place. */
export const leaderboardInfluence = (data: Battles, options: LeaderboardInfluenceOptions = {}): LeaderboardInfluence =>
  influenceFrom(data, options);

/** The same, beginning at the fit of a leaderboard of these battles. */
export function influenceFrom(data: Battles, options: LeaderboardInfluenceOptions, board?: Leaderboard): LeaderboardInfluence {
  checkBattles("leaderboardInfluence", data);
  checkOptions("leaderboardInfluence", options, kinds);
  const { data: kept } = dropRare(data, options.minBattles ?? 0);
  const { ghost = 0, contenders = 3, largest = 0.5 } = options;
  const objective = settleObjective(kept, options.objective);
  if (kept.counts.some((count) => !Number.isInteger(count)))
    throw new InputError("leaderboardInfluence: battles are removed one by one, so counts must be whole numbers");
  checkSize(kept.items.length);
  const fit = fitBattles(kept, objective, ghost, undefined, board && paramsOf(board, kept.items, objective));
  const covariance = inverse(informationOf(fit), fit.params.length);
  if (!covariance)
    throw new InputError("leaderboardInfluence: the information matrix is singular; add a prior, such as ghost 0.5");
  const problem: Removal = { data: kept, objective, ghost, fit, covariance, refine: options.refine ?? true };
  const total = kept.counts.reduce((sum, count) => sum + count, 0);
  const { first, nearest } = closest(problem, contenders);
  const most = Math.floor(largest * total);
  let fewest: FirstPlaceRemoval | undefined;
  const tried = nearest.map((item, at) => {
    const lead = problem.fit.params[first]! - problem.fit.params[item]!;
    const found = search(problem, first, item, battleUnits(kept), fewest ? fewest.battles - 1 : most);
    options.onProgress?.((at + 1) / (nearest.length + (kept.clusters ? 1 : 0)));
    if (found.units) fewest = removalOf(kept, found.units, found.newFirst);
    return { name: kept.items[item]!, lead, estimate: found.estimate };
  });
  const clusters = kept.clusters && kept.clusterNames ? clusterInfluence(problem, first, nearest, most) : undefined;
  options.onProgress?.(1);
  return {
    ...{ first: kept.items[first]!, battles: total, ...(fewest && { fewest }), contenders: tried },
    ...(clusters && { clusters }),
  };
}

/** The parameters of a leaderboard's fit, unless it had others, such as those of a ghost or of items that are left out. */
function paramsOf(
  { items, utilities, covariates, auxiliary, ghost }: Leaderboard,
  names: readonly string[],
  objective: Objective,
): Float64Array | undefined {
  if (ghost !== 0 || items.length !== names.length || auxiliary.length !== objective.auxiliary.length) return undefined;
  const places = new Map(items.map(({ name }, place) => [name, place]));
  return Float64Array.of(
    ...names.map((name) => utilities[places.get(name) ?? -1] ?? 0),
    ...[...covariates, ...auxiliary].map(({ value }) => value),
  );
}

interface Removal {
  readonly data: Battles;
  readonly objective: Objective;
  readonly ghost: number;
  /** Of all battles. */
  readonly fit: PairFit;
  /** Of its parameters. */
  readonly covariance: Float64Array;
  readonly refine: boolean;
}

/** What is removed at a time: a battle of a row, or a cluster. */
interface Units {
  /** How often each can be removed. */
  readonly available: Float64Array;
  /** Battles that one removal takes away. */
  readonly size: (unit: number) => number;
  /** The effect of one removal of each unit, from that of one battle of each row. */
  effects(rows: Float64Array): Float64Array;
  /** The counts of the rows without them. */
  without(removed: Float64Array): Float64Array;
}

function battleUnits({ counts }: Battles): Units {
  return {
    ...{ available: counts, size: () => 1, effects: (rows) => rows },
    without: (removed) => counts.map((count, r) => count - removed[r]!),
  };
}

function clusterUnits({ counts, clusters, clusterNames }: Battles): Units {
  const sizes = new Float64Array(clusterNames!.length);
  clusters!.forEach((cluster, r) => void (sizes[cluster] = sizes[cluster]! + counts[r]!));
  return {
    available: sizes.map((size) => (size > 0 ? 1 : 0)),
    size: (cluster) => sizes[cluster]!,
    effects(rows) {
      const sums = new Float64Array(sizes.length);
      rows.forEach((effect, r) => void (sums[clusters![r]!] = sums[clusters![r]!]! + counts[r]! * effect));
      return sums;
    },
    without: (removed) => counts.map((count, r) => (removed[clusters![r]!]! > 0 ? 0 : count)),
  };
}

const SURE = 1e-9; // utilities closer than this are equal
const ONE_BY_ONE = 6; // the last removals are made one at a time
const SINGLES = 10; // clusters that are tried alone

/** The first item, and those whose distance to it is smallest in standard errors. */
function closest({ data, fit, covariance }: Removal, count: number) {
  const n = data.items.length;
  const order = descending(fit.params.slice(0, n));
  const first = order[0]!;
  const size = fit.params.length;
  const at = (i: number, j: number) => covariance[i * size + j]!;
  const distance = (i: number) =>
    (fit.params[first]! - fit.params[i]!) / Math.sqrt(at(first, first) + at(i, i) - 2 * at(first, i));
  const others = Array.from(order.subarray(1)).sort((a, b) => distance(a) - distance(b));
  return { first, nearest: others.slice(0, count) };
}

/** What one battle of each row adds to the lead of `first` over `other` by being removed, with its leverage: a Newton step from the fit without it. */
function effectsOf(
  data: Battles,
  fit: PairFit,
  first: number,
  other: number,
  covariance = inverse(informationOf(fit), fit.params.length),
): Float64Array {
  const size = fit.params.length;
  const n = fit.contests.items;
  const k = data.covariateNames.length;
  if (!covariance) return new Float64Array(data.first.length);
  const outcomes = fit.objective.pairs!.at(fit.params.subarray(n + k));
  const terms = rowTerms();
  const along = Float64Array.from({ length: size }, (_, i) => covariance[first * size + i]! - covariance[other * size + i]!);
  return Float64Array.from(data.first, (a, r) => {
    const [b, kind] = [data.second[r]!, data.outcome[r]!];
    const x = (c: number) => data.covariates[r * k + c]!;
    let [margin, through] = [fit.params[a]! - fit.params[b]!, along[a]! - along[b]!];
    for (let c = 0; c < k; c++) {
      margin += x(c) * fit.params[n + c]!;
      through += x(c) * along[n + c]!;
    }
    fillTerms(outcomes, margin, kind === 0 ? 1 : 0, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0, terms);
    const at = (i: number, j: number) => covariance[i * size + j]!;
    const weight = data.weights ? data.weights[r]! : 1;
    const leverage = weight * terms.curvature * (at(a, a) + at(b, b) - 2 * at(a, b)); // of the items; covariates add little
    const aux = n + k < size ? terms.slopeX * along[size - 1]! : 0;
    return (weight * (terms.slope * through + aux)) / Math.max(0.05, 1 - leverage);
  });
}

type Step = readonly (readonly [unit: number, times: number])[];

/** The units that lower the lead most, until it is gone to first order; undefined where that takes more than there are. */
function planOf(lead: number, effects: Float64Array, left: Float64Array, blocked: ReadonlySet<number>): Step | undefined {
  const order = Array.from(effects.keys())
    .filter((u) => effects[u]! < 0 && left[u]! > 0 && !blocked.has(u))
    .sort((a, b) => effects[a]! - effects[b]! || a - b);
  const plan: [unit: number, times: number][] = [];
  let gone = 0;
  for (const u of order) {
    const times = Math.min(left[u]!, Math.max(1, Math.floor((lead - gone) / -effects[u]!) + 1)); // an equal lead needs one more
    plan.push([u, times]);
    gone -= times * effects[u]!;
    if (gone > lead) return plan;
  }
  return undefined;
}

const timesOf = (step: Step) => step.reduce((sum, [, times]) => sum + times, 0);

/** The first removals of a plan. */
function firstOf(plan: Step, count: number): Step {
  let left = count;
  return plan.flatMap(([u, times]) => {
    const taken = Math.min(times, left);
    left -= taken;
    return taken > 0 ? [[u, taken] as const] : [];
  });
}

/** Removes units until `first` is first no more, those that lower its lead over `other` most. */
function search(problem: Removal, first: number, other: number, units: Units, most: number) {
  const { data, objective, ghost, refine } = problem;
  const n = data.items.length;
  let removed = new Float64Array(units.available.length);
  const blocked = new Set<number>(); // without these there is no estimate
  const fitWithout = (gone: Float64Array, start: PairFit) => tryFit(data, objective, ghost, units.without(gone), start.params);
  const changes = (fit: PairFit | undefined) => fit !== undefined && leaderOf(fit, first, n) !== first;
  const after = (step: Step) => {
    const next = removed.slice();
    for (const [u, times] of step) next[u] = next[u]! + times;
    return next;
  };
  const battlesOf = (gone: Float64Array) => gone.reduce((sum, times, u) => sum + times * units.size(u), 0);
  let { fit } = problem;
  let estimate = Number.NaN;
  let initial: Float64Array | undefined;
  for (;;) {
    const effects = units.effects(effectsOf(data, fit, first, other, fit === problem.fit ? problem.covariance : undefined));
    initial ??= effects;
    const left = units.available.map((count, u) => count - removed[u]!);
    const plan = planOf(fit.params[first]! - fit.params[other]!, effects, left, blocked);
    if (Number.isNaN(estimate)) estimate = plan ? timesOf(plan) : Infinity;
    // First order is rough, but not by a factor of two.
    if (!plan || battlesOf(after(plan)) > 2 * most) return { estimate };
    const times = timesOf(plan);
    let step = refine ? firstOf(plan, times <= ONE_BY_ONE ? 1 : Math.ceil(0.9 * times)) : plan;
    const planned = timesOf(step);
    const next = fitWithout(after(step), fit);
    if (!next) {
      blocked.add(step[step.length - 1]![0]);
      continue;
    }
    if (refine && changes(next)) {
      // The shortest beginning of the step that is enough, by bisection.
      let [few, enough] = [0, timesOf(step)];
      while (enough - few > 1) {
        const middle = (few + enough) >> 1;
        if (changes(fitWithout(after(firstOf(step, middle)), fit))) enough = middle;
        else few = middle;
      }
      step = firstOf(step, enough);
    }
    const isPart = timesOf(step) < planned;
    removed = after(step);
    fit = (isPart ? fitWithout(removed, fit) : undefined) ?? next;
    if (changes(fit)) break;
  }
  if (refine) putBack(units, removed, (gone) => changes(fitWithout(gone, fit)));
  if (battlesOf(removed) > most) return { estimate };
  const newFirst = data.items[leaderOf((refine ? fitWithout(removed, fit) : undefined) ?? fit, first, n)]!;
  const taken = Array.from(removed.keys()).filter((u) => removed[u]! > 0);
  return { estimate, newFirst, units: taken.sort((a, b) => initial![a]! - initial![b]!).map((u) => [u, removed[u]!] as const) };
}

const PUT_BACK = 30;

/** Puts back what was removed in vain, where that takes few fits. */
function putBack(units: Units, removed: Float64Array, isEnough: (removed: Float64Array) => boolean): void {
  const taken = Array.from(removed.keys()).filter((u) => removed[u]! > 0);
  if (removed.reduce((sum, times) => sum + times, 0) > PUT_BACK) return;
  for (const u of taken.sort((a, b) => units.size(b) - units.size(a))) {
    while (removed[u]! > 0) {
      removed[u] = removed[u]! - 1;
      if (isEnough(removed)) continue;
      removed[u] = removed[u]! + 1;
      break;
    }
  }
}

function tryFit(
  data: Battles,
  objective: Objective,
  ghost: number,
  counts: Float64Array,
  start: Float64Array,
): PairFit | undefined {
  try {
    return fitBattles(data, objective, ghost, counts, start);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** The item with the highest utility; `first` if it is only equalled. */
function leaderOf({ params }: PairFit, first: number, n: number): number {
  let leader = first;
  for (let i = 0; i < n; i++) if (params[i]! > params[leader]! + SURE) leader = i;
  return leader;
}

const WINNERS = ["first", "second", "tie"] as const;

function removalOf(data: Battles, units: readonly (readonly [number, number])[], newFirst: string): FirstPlaceRemoval {
  const { items, first, second, outcome, counts, clusters, clusterNames } = data;
  const removed = units.map(([r, count]) => ({
    ...{ first: items[first[r]!]!, second: items[second[r]!]!, winner: WINNERS[outcome[r]!]!, count, of: counts[r]! },
    ...(clusters && clusterNames && { cluster: clusterNames[clusters[r]!]! }),
  }));
  return { battles: removed.reduce((sum, { count }) => sum + count, 0), newFirst, removed };
}

/** Clusters that change the first place alone, and the fewest that do together. */
function clusterInfluence(problem: Removal, first: number, nearest: readonly number[], most: number) {
  const { data, objective, ghost, fit, covariance } = problem;
  const units = clusterUnits(data);
  const named = (clusters: readonly number[], newFirst: string): FirstPlaceClusters => ({
    clusters: clusters.map((c) => data.clusterNames![c]!),
    battles: clusters.reduce((sum, c) => sum + units.size(c), 0),
    newFirst,
  });
  const single: FirstPlaceClusters[] = [];
  const seen = new Set<number>();
  let fewest: FirstPlaceClusters | undefined;
  for (const other of nearest) {
    const effects = units.effects(effectsOf(data, fit, first, other, covariance));
    const likely = Array.from(effects.keys()).sort((a, b) => effects[a]! - effects[b]!);
    for (const cluster of likely.slice(0, SINGLES)) {
      if (seen.has(cluster)) continue;
      seen.add(cluster);
      const counts = units.without(Float64Array.from(effects, (_, c) => (c === cluster ? 1 : 0)));
      const next = tryFit(data, objective, ghost, counts, fit.params);
      const leader = next ? leaderOf(next, first, data.items.length) : first;
      if (leader !== first) single.push(named([cluster], data.items[leader]!));
    }
    const found = search(problem, first, other, units, most);
    const set =
      found.units &&
      named(
        found.units.map(([c]) => c),
        found.newFirst,
      );
    if (set && (!fewest || set.clusters.length < fewest.clusters.length)) fewest = set;
  }
  return { single, ...(fewest && { fewest }) };
}
