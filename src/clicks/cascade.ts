/**
 * The dependent click model, for users who read from the top: Guo, Liu and Wang 2009, https://doi.org/10.1145/1498759.1498818
 *
 * The first document is examined. An examined document is clicked with its own probability r; after a click the next is examined with probability
 * `afterClick`, otherwise with probability `proceed`, and nothing below is examined once one is not.
 *
 * EM: with a_j and B_j the probabilities of having come to j, and of no click from j on, after the last click (forward and backward),
 * P(j examined | clicks) = a_j B_j / (probability of no click after the last). Examinations, and how often they went on, give r and the two probabilities;
 * r has a tenth of an examination at the mean rate added: a whole one
 * would leave documents below a skipped document of relevance 1 looking examined, and counterfactual estimates 3 % low on lists of 40. Documents must have been shown at several positions: else a low rate far down could be either.
 */
import type { ClickLog } from "./click-log.ts";
import type { Exposures } from "./exposures.ts";

/** Users who read from the top. */
export interface Cascade {
  /** Probability that the next document is examined after one that was not clicked. */
  readonly proceed: number;
  /** The same after a click. */
  readonly afterClick: number;
  /** By position: the mean probability that it was examined. */
  readonly examined: Float64Array;
  /** By entry of the log: the probability that it was examined, given the clicks above it. */
  readonly propensities: Float64Array;
}

const ROUNDS = 200;
const TOLERANCE = 1e-5;
const PRIOR = 0.1; // examinations at the mean rate

export function cascade(log: ClickLog, { entryOf, query }: Exposures): Cascade {
  const { starts, clicked, position, positions } = log;
  const documents = query.length;
  const clicks = new Float64Array(documents);
  for (let e = 0; e < entryOf.length; e++) clicks[entryOf[e]!]! += clicked[e]!;
  const all = clicks.reduce((sum, one) => sum + one, 0);
  let [proceed, afterClick] = [0.9, 0.5];
  const relevance = new Float64Array(documents).fill(all / entryOf.length);
  const examined = new Float64Array(documents);
  const posterior = new Float64Array(entryOf.length);
  for (let round = 0; round < ROUNDS; round++) {
    const steps: Steps = { skipped: { from: 0, on: 0 }, clicked: { from: 0, on: 0 } };
    for (let i = 0; i < starts.length - 1; i++) examine(log, i, { entryOf, relevance, proceed, afterClick }, posterior, steps);
    examined.fill(0);
    let total = 0;
    for (let e = 0; e < entryOf.length; e++) {
      examined[entryOf[e]!]! += posterior[e]!;
      total += posterior[e]!;
    }
    for (let d = 0; d < documents; d++)
      relevance[d] = Math.min((clicks[d]! + (PRIOR * all) / total) / (examined[d]! + PRIOR), 1 - 1e-9);
    const before = [proceed, afterClick] as const;
    proceed = rate(steps.skipped);
    afterClick = rate(steps.clicked);
    if (Math.abs(proceed - before[0]) + Math.abs(afterClick - before[1]) < TOLERANCE) break;
  }
  const curve = new Float64Array(positions.length);
  const shown = new Float64Array(positions.length);
  for (let e = 0; e < position.length; e++) {
    curve[position[e]!]! += posterior[e]!;
    shown[position[e]!]!++;
  }
  return {
    proceed,
    afterClick,
    examined: curve.map((sum, k) => sum / shown[k]!),
    propensities: examinedGivenClicksAbove(
      log,
      Float64Array.from(entryOf, (d) => relevance[d]!),
      proceed,
      afterClick,
    ),
  };
}

/** Expected number of steps from an examined document, and of those that went on to the next. */
interface Steps {
  readonly skipped: { from: number; on: number };
  readonly clicked: { from: number; on: number };
}

const rate = ({ from, on }: Steps["clicked"]) => (from > 0 ? on / from : 1);

interface Parameters {
  readonly entryOf: Uint32Array;
  readonly relevance: Float64Array;
  readonly proceed: number;
  readonly afterClick: number;
}

/** Writes the probability that each entry of an impression was examined, given all its clicks, and adds its steps. */
function examine({ starts, clicked }: ClickLog, i: number, given: Parameters, posterior: Float64Array, steps: Steps): void {
  const { entryOf, relevance, proceed, afterClick } = given;
  const [from, to] = [starts[i]!, starts[i + 1]!];
  let last = to - 1;
  while (last >= from && clicked[last] === 0) last--;
  for (let e = from; e <= last; e++) {
    posterior[e] = 1;
    const sums = clicked[e] === 1 ? steps.clicked : steps.skipped;
    if (e < last) {
      sums.on++;
      sums.from++;
    }
  }
  const first = last + 1;
  if (first >= to) return;
  // Backward: the probability of no click from e on, given that e is examined.
  let none = 1;
  for (let e = to - 1; e >= first; e--)
    posterior[e] = none = (1 - relevance[entryOf[e]!]!) * (e === to - 1 ? 1 : 1 - proceed + proceed * none);
  const start = last < from ? 1 : afterClick;
  const evidence = 1 - start + start * none;
  let come = start;
  for (let e = first; e < to; e++) {
    posterior[e] = (come * posterior[e]!) / evidence;
    come *= (1 - relevance[entryOf[e]!]!) * proceed;
  }
  if (last >= from) {
    steps.clicked.from++;
    steps.clicked.on += posterior[first]!;
  }
  for (let e = first; e < to - 1; e++) {
    steps.skipped.from += posterior[e]!;
    steps.skipped.on += posterior[e + 1]!;
  }
}

/** The probability that each entry is examined, given the clicks above it; `relevance` is by entry. */
export function examinedGivenClicksAbove(
  { starts, clicked }: ClickLog,
  relevance: Float64Array,
  proceed: number,
  afterClick: number,
): Float64Array {
  const found = new Float64Array(clicked.length);
  for (let i = 0; i < starts.length - 1; i++)
    for (let e = starts[i]!, chance = 1; e < starts[i + 1]!; e++) {
      found[e] = chance;
      const r = relevance[e]!;
      chance = clicked[e] === 1 ? afterClick : (proceed * chance * (1 - r)) / (1 - chance * r);
    }
  return found;
}
