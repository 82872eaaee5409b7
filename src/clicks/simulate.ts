/**
 * Simulated clicks on judged lists, to test what is estimated from logs. A page shows the first `depth` documents of a ranking that is drawn from the
 * scores (Plackett-Luce with a temperature: scores with Gumbel noise). A document of label l is attractive with probability
 *
 *   r = noise + (1 - noise) (2^l - 1) / (2^m - 1), m the highest label,
 *
 * and is clicked if it is examined and attractive. Position-based model: position k is examined with probability (1 / k)^strength, independently.
 * Cascade: positions are examined from the top on; after a document that was not clicked the next is examined with probability `proceed`, after a
 * click with probability `afterClick` (the dependent click model; Guo et al. 2009, https://doi.org/10.1145/1498759.1498818).
 */
import { checkData, checkOptions, checkScores, numberFrom, oneOf, seedNumber, wholeFrom } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import { exp, exp2, log } from "../numeric/functions.ts";
import { below, random as randomOf } from "../numeric/random.ts";
import type { Dataset, Random } from "../types.ts";
import type { ClickLog } from "./click-log.ts";

/** Options of `simulateClicks`. */
export interface SimulateClicksOptions {
  /** Number of impressions. Default: 10000. */
  readonly impressions?: number;
  /** How many documents a page shows. Default: 10. */
  readonly depth?: number;
  /** How users click: by position alone, or from the top on. Default: "position". */
  readonly model?: "position" | "cascade";
  /** Position-based model: position k is examined with probability (1 / k)^strength. Default: 1. */
  readonly strength?: number;
  /** Cascade: probability of examining the next document after one that was not clicked. Default: 0.9. */
  readonly proceed?: number;
  /** Cascade: probability of examining the next document after a click. Default: 0.6. */
  readonly afterClick?: number;
  /** Probability of a click on an examined document of label 0. Default: 0.1. */
  readonly noise?: number;
  /** Standard deviation, about, of the noise by which rankings of a query differ, in units of the scores; 0: always the same. Default: 1. */
  readonly temperature?: number;
  /** Random seed. Default: 1. */
  readonly seed?: number;
}

/** Simulated clicks with the truth behind them. */
export interface SimulatedClicks {
  /** The log; queries and documents have the names of the data, or numbers from 1. */
  readonly log: ClickLog;
  /** By position: the mean probability that it was examined. */
  readonly examination: Float64Array;
  /** By item of the data: the probability of a click when it is examined. */
  readonly attraction: Float64Array;
}

const share = (low = 0) => ({
  wanted: `a number from ${low} to 1`,
  fits: (value: unknown) => typeof value === "number" && value >= low && value <= 1,
});

/** Simulates a log of clicks on rankings by `scores`, a score for each item of the data. Queries are drawn with equal probability. */
export function simulateClicks(data: Dataset, scores: Float64Array, options: SimulateClicksOptions = {}): SimulatedClicks {
  checkData("simulateClicks", data);
  checkScores("simulateClicks, the scores", scores, data);
  checkOptions("simulateClicks", options, {
    ...{ impressions: wholeFrom(1), depth: wholeFrom(1), model: oneOf("position", "cascade"), strength: numberFrom(0) },
    ...{ proceed: share(), afterClick: share(), noise: share(), temperature: numberFrom(0), seed: seedNumber },
  });
  const { impressions = 10_000, depth = 10, model = "position", strength = 1, temperature = 1, seed = 1 } = options;
  const { proceed = 0.9, afterClick = 0.6, noise = 0.1 } = options;
  const lists = data.starts.length - 1;
  if (lists === 0) throw new InputError("simulateClicks: expected data with at least one list, got none");
  const attraction = attractionOf(data.labels, noise);
  const decay = Float64Array.from({ length: depth }, (_, k) => exp(-strength * log(k + 1)));
  const draw = randomOf(seed, impressions);
  const [query, document, position, clicked]: [number[], number[], number[], number[]] = [[], [], [], []];
  const starts = new Uint32Array(impressions + 1);
  const examination = new Float64Array(depth);
  const shown = new Float64Array(depth);
  for (let i = 0; i < impressions; i++) {
    const q = below(draw, lists);
    query.push(q);
    let chance = 1; // that the user comes as far as this position
    let here = true; // whether this user does
    drawRanking(scores, data.starts[q]!, data.starts[q + 1]!, temperature, depth, draw).forEach((item, k) => {
      const r = attraction[item]!;
      const examined = model === "position" ? draw() < decay[k]! : here;
      const hit = draw() < r && examined;
      examination[k] = examination[k]! + (model === "position" ? decay[k]! : chance);
      shown[k]!++;
      chance *= r * afterClick + (1 - r) * proceed;
      here = draw() < (hit ? afterClick : proceed) && here;
      document.push(item);
      position.push(k);
      clicked.push(hit ? 1 : 0);
    });
    starts[i + 1] = document.length;
  }
  const used = shown.indexOf(0);
  const pages = used < 0 ? depth : used;
  return {
    log: {
      queries: Array.from({ length: lists }, (_, q) => data.names.lists?.[q] ?? String(q + 1)),
      documents: documentNames(data),
      positions: Array.from({ length: pages }, (_, k) => String(k + 1)),
      ...{ starts, query: Uint32Array.from(query), document: Uint32Array.from(document) },
      ...{ position: Uint32Array.from(position), clicked: Uint8Array.from(clicked) },
    },
    examination: examination.slice(0, pages).map((sum, k) => sum / shown[k]!),
    attraction,
  };
}

function attractionOf(labels: Float32Array, noise: number): Float64Array {
  const most = labels.reduce((high, label) => Math.max(high, label), 0);
  if (!labels.every((label) => label >= 0)) throw new InputError("simulateClicks: expected labels of at least 0");
  const top = most === 0 ? 1 : exp2(most) - 1;
  return Float64Array.from(labels, (label) => noise + ((1 - noise) * (exp2(label) - 1)) / top);
}

/** The first items of a ranking drawn from the scores, as numbers of items of the data. */
function drawRanking(
  scores: Float64Array,
  from: number,
  to: number,
  temperature: number,
  depth: number,
  draw: Random,
): Uint32Array {
  const noisy = new Float64Array(to - from);
  for (let i = 0; i < noisy.length; i++)
    noisy[i] = scores[from + i]! - (temperature === 0 ? 0 : temperature * log(-log(1 - draw())));
  const order = Uint32Array.from({ length: to - from }, (_, i) => i).sort((a, b) => noisy[b]! - noisy[a]! || a - b);
  return order.subarray(0, depth).map((i) => from + i);
}

/** Names by item of the data; those of one list differ. */
const documentNames = ({ names, starts }: Dataset): string[] => {
  const found: string[] = [];
  for (let q = 0; q < starts.length - 1; q++)
    for (let e = starts[q]!; e < starts[q + 1]!; e++) found.push(names.entries?.[e] || String(e - starts[q]! + 1));
  return found;
};
