/**
 * Clusters of voters with utilities of their own: a mixture of Plackett-Luce models of tiers,
 *
 *     P(ballot) = Σ_k π_k P(ballot | w_k),
 *
 * fitted by expectation maximization in which the maximization is one Newton step for each cluster (a generalized EM algorithm; Gormley and
 * Murphy 2008, A mixture of experts model for rank data, for Plackett-Luce). Every cluster has the prior of a ghost item, so that a small one
 * has finite utilities. One more cluster is taken only if it makes held-out ballots more probable, by more than two standard errors of the
 * mean difference, so that most polls have one cluster: no split.
 */
import { checkData, checkOptions, type Kinds, numberFrom, seedNumber, wholeFrom } from "./arguments.ts";
import { splitIntoParts, splitUnits, trainTestSplits } from "./data/parts.ts";
import { InputError } from "./input-error.ts";
import { withGhost } from "./models/utilities/ghost.ts";
import { worthsOf } from "./models/utilities/model.ts";
import { largestEntry, newtonStep } from "./models/utilities/newton-step.ts";
import { type Stages, stagesOf, withWeights } from "./models/utilities/stages.ts";
import { tierProblem } from "./models/utilities/tier-problem.ts";
import { exp, log } from "./numeric/functions.ts";
import { below, random } from "./numeric/random.ts";
import { plPartition } from "./objectives/index.ts";
import { soloTeam } from "./teams/solo.ts";
import type { Dataset } from "./types.ts";

/** How clusters of voters are found. */
export interface VoterClustersOptions {
  /** Most clusters that are tried. Default: 4. */
  readonly most?: number;
  /** Parts of the cross-validation that chooses their number. Default: 5. */
  readonly parts?: number;
  /** Random starts of each fit, of which the most probable is kept. Default: 3. */
  readonly starts?: number;
  /** Rounds of a fit, at most. Default: 60. */
  readonly rounds?: number;
  /** Prior of each cluster: wins and losses of each item against a ghost item. Default: 0.5. */
  readonly ghost?: number;
  /** Seed of starts and parts. Default: 1. */
  readonly seed?: number;
}

/** Voters of like opinion. */
export interface VoterCluster {
  /** Share of the voters. */
  readonly share: number;
  /** Utility of each item among these voters, summing to zero. */
  readonly utilities: Float64Array;
  /** Probability of each item to be placed first among all items by one of these voters. */
  readonly worths: Float64Array;
}

/** How well a number of clusters predicts ballots. */
export interface ClusterCount {
  /** Number of clusters. */
  readonly clusters: number;
  /** Mean log-likelihood of a held-out ballot. */
  readonly likelihood: number;
  /** Its gain over the best smaller number of clusters; 0 for one cluster. */
  readonly gain: number;
  /** Standard error of the gain. */
  readonly error: number;
}

/** Clusters of voters, the largest first; a single one where opinion does not split. */
export interface VoterClusters {
  /** The clusters. */
  readonly clusters: readonly VoterCluster[];
  /** Names of the items. */
  readonly items: readonly string[];
  /** The numbers of clusters that were tried, in ascending order. */
  readonly tried: readonly ClusterCount[];
}

const kinds: Kinds<VoterClustersOptions> = {
  ...{ most: wholeFrom(1), parts: wholeFrom(2), starts: wholeFrom(1), rounds: wholeFrom(1) },
  ...{ ghost: numberFrom(0), seed: seedNumber },
};

const CERTAIN = 2; // standard errors of a gain that count as one
const SETTLED = 1e-7; // change of the mean log-likelihood that ends a fit
const LONGEST = 1; // entry of a step

/** Finds clusters of voters in ballots, if held-out ballots show that there are any. */
export function voterClusters(data: Dataset, options: VoterClustersOptions = {}): VoterClusters {
  checkData("voterClusters", data);
  checkOptions("voterClusters", options, kinds);
  if (!data.items || !data.names.items || data.labelSpaceSize !== undefined)
    throw new InputError("voterClusters: expected ballots over named items (see ballots), got data of another kind");
  const { most = 4, parts = 5, seed = 1, starts = 3, rounds = 60, ghost = 0.5 } = options;
  if (!(ghost > 0)) throw new InputError("voterClusters, option ghost: expected a number above 0, since clusters can be small");
  const { count, noun } = splitUnits(data);
  if (parts > count) throw new InputError(`voterClusters: expected from 2 to ${count} parts of the ${noun}, got ${parts}`);
  const folds = trainTestSplits(data, splitIntoParts(data, parts, seed));
  const fit = (train: Dataset, clusters: number) => bestMixture(train, clusters, { starts, rounds, ghost, seed });
  const held = (clusters: number) => folds.map(({ train, test }) => ballotCosts(test, fit(train, clusters)));
  const weights = folds.map(({ test }) => weightsOf(test));
  const tried: ClusterCount[] = [];
  let [chosen, best] = [1, held(1)];
  tried.push({ clusters: 1, ...meanGain(best, best, weights) });
  for (let clusters = 2; clusters <= most; clusters++) {
    const costs = held(clusters);
    const found = meanGain(costs, best, weights);
    tried.push({ clusters, ...found });
    if (!(found.gain > CERTAIN * found.error)) break;
    [chosen, best] = [clusters, costs];
  }
  const { shares, utilities } = fit(data, chosen);
  const clusters = shares
    .map((share, k): VoterCluster => ({ share, utilities: utilities[k]!, worths: worthsOf(utilities[k]!) }))
    .sort((a, b) => b.share - a.share);
  return { clusters, items: data.names.items, tried };
}

/** A mixture: shares, and utilities that sum to zero. */
interface Mixture {
  readonly shares: readonly number[];
  readonly utilities: readonly Float64Array[];
}

interface MixtureOptions {
  readonly starts: number;
  readonly rounds: number;
  readonly ghost: number;
  readonly seed: number;
}

function bestMixture(data: Dataset, clusters: number, options: MixtureOptions): Mixture {
  const tries = Array.from({ length: clusters === 1 ? 1 : options.starts }, (_, start) =>
    fitMixture(data, clusters, options, start),
  );
  return tries.reduce((best, one) => (one.cost < best.cost ? one : best)).mixture;
}

function fitMixture(
  data: Dataset,
  clusters: number,
  { rounds, ghost, seed }: MixtureOptions,
  start: number,
): { mixture: Mixture; cost: number } {
  const items = data.names.items!.length;
  const lists = data.starts.length - 1;
  const stages = stagesOf(withGhost(data, items, ghost), items + 1);
  const weights = weightsOf(data);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let shares = Array.from({ length: clusters }, () => 1 / clusters);
  const points = startingPoints(data, clusters, seed, start);
  let [cost, before] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    const utilities = points.map((point) => centered(point, items));
    const { memberships, costs } = expectation(data, { shares, utilities });
    cost = costs.reduce((sum, one, q) => sum + weights[q]! * one, 0) / total;
    if (Math.abs(before - cost) < SETTLED) break;
    before = cost;
    shares = memberships.map((mine) => mine.reduce((sum, share, q) => sum + weights[q]! * share, 0) / total);
    memberships.forEach((mine, k) => {
      const own = stages.weights.map((weight, q) => (q < lists ? weights[q]! * mine[q]! : weight));
      moveOnce(withWeights(stages, own), points[k]!);
    });
  }
  return { mixture: { shares, utilities: points.map((point) => centered(point, items)) }, cost };
}

/** One Newton step of the ballots with these weights, cut to `LONGEST`. */
function moveOnce(stages: Stages, point: Float64Array): void {
  const problem = tierProblem(stages, soloTeam(), 0);
  const gradient = new Float64Array(point.length);
  problem.evaluate(point, gradient, 0);
  const step = newtonStep(gradient, problem.hessian(point).matrix());
  if (!step) return;
  const scale = Math.min(1, LONGEST / Math.max(1e-300, largestEntry(step)));
  for (let i = 0; i < point.length; i++) point[i] = point[i]! + scale * step[i]!;
}

/** Utilities like one ballot for each cluster; each ballot is drawn by how badly those before it explain it, as in k-means++. */
function startingPoints(data: Dataset, clusters: number, seed: number, start: number): Float64Array[] {
  const items = data.names.items!.length;
  if (clusters === 1) return [new Float64Array(items + 1)];
  const draw = random(seed, start, clusters, 0xc105);
  const weights = weightsOf(data);
  const points = [likeBallot(data, below(draw, weights.length), items)];
  let nearest = ballotCosts(data, single(points[0]!, items));
  while (points.length < clusters) {
    const sum = nearest.reduce((all, cost, q) => all + weights[q]! * cost, 0);
    let at = draw() * sum;
    let q = 0;
    for (; q + 1 < weights.length && at >= weights[q]! * nearest[q]!; q++) at -= weights[q]! * nearest[q]!;
    points.push(likeBallot(data, q, items));
    const costs = ballotCosts(data, single(points.at(-1)!, items));
    nearest = nearest.map((cost, i) => Math.min(cost, costs[i]!));
  }
  return points;
}

const single = (point: Float64Array, items: number): Mixture => ({ shares: [1], utilities: [centered(point, items)] });

/** Utilities from -1 to 1 in the order of a ballot, 0 for items that it omits and for the ghost. */
function likeBallot({ starts, labels, items }: Dataset, q: number, size: number): Float64Array {
  const point = new Float64Array(size + 1);
  const mine = labels.subarray(starts[q], starts[q + 1]);
  const top = mine.reduce((most, label) => Math.max(most, label), 0);
  mine.forEach((label, p) => {
    point[items![starts[q]! + p]!] = top === 0 ? 0 : (2 * label) / top - 1;
  });
  return point;
}

/** Minus the log-likelihood of each different ballot. */
const ballotCosts = (data: Dataset, mixture: Mixture): Float64Array => expectation(data, mixture).costs;

/** For each cluster the probabilities that ballots are of its voters, and minus the log-likelihood of each ballot. */
function expectation(
  { starts, labels, items }: Dataset,
  { shares, utilities }: Mixture,
): { memberships: Float64Array[]; costs: Float64Array } {
  const lists = starts.length - 1;
  const objective = plPartition();
  const memberships = shares.map(() => new Float64Array(lists));
  const costs = new Float64Array(lists);
  for (let q = 0; q < lists; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const gradient = new Float64Array(to - from);
    const mine = labels.subarray(from, to);
    const logs = shares.map((share, k) => {
      const scores = Float64Array.from({ length: to - from }, (_, p) => utilities[k]![items![from + p]!]!);
      return share === 0 ? -Infinity : log(share) - objective.evaluate(scores, mine, { gradient }, random(1, q));
    });
    const top = Math.max(...logs);
    const sum = logs.reduce((all, one) => all + exp(one - top), 0);
    logs.forEach((one, k) => {
      memberships[k]![q] = exp(one - top) / sum;
    });
    costs[q] = -(top + log(sum));
  }
  return { memberships, costs };
}

/** The mean log-likelihood of held-out ballots, and by how much it exceeds another, with the standard error of the mean difference. */
function meanGain(
  costs: readonly Float64Array[],
  others: readonly Float64Array[],
  weights: readonly Float64Array[],
): Omit<ClusterCount, "clusters"> {
  let [total, likelihood, gain, squares] = [0, 0, 0, 0];
  costs.forEach((part, f) => {
    part.forEach((cost, q) => {
      const [weight, more] = [weights[f]![q]!, others[f]![q]! - cost];
      total += weight;
      likelihood -= weight * cost;
      gain += weight * more;
      squares += weight * more * more;
    });
  });
  const mean = gain / total;
  const variance = Math.max(0, squares / total - mean * mean);
  return { likelihood: likelihood / total, gain: mean, error: Math.sqrt(variance / total) };
}

const weightsOf = ({ starts, listWeights }: Dataset): Float64Array =>
  Float64Array.from({ length: starts.length - 1 }, (_, q) => (listWeights ? listWeights[q]! : 1));

function centered(point: Float64Array, items: number): Float64Array {
  const own = point.slice(0, items);
  const mean = own.reduce((sum, value) => sum + value, 0) / items;
  return own.map((value) => value - mean);
}
