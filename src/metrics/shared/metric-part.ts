/**
 * Declares a metric. Its own fields and its formula over groups of tied items come from the metric; here are what all share: the options
 * `ties`, `empty` and `as`, the check of what comes in, the words of the variant, and the text `ndcg@10:lightgbm;gain=lin`.
 */
import { Mistake } from "../../mistake.ts";
import { choice, type Fields, type Part, part, type Said } from "../../part.ts";
import type { Metric, Popularity } from "../../types.ts";
import { passportField } from "../passports.ts";
import { type Arrangement, arrange, type Ties, ties } from "./ties.ts";

const empty = choice(["skip", "0", "1"], "a list that cannot tell: left out of the mean and counted, or valued 0 or 1");

/** The options of every metric. */
export interface Shared {
  readonly ties: Ties;
  readonly empty: (typeof empty)["start"];
  readonly as?: string; // the tool whose defaults hold
}

export interface Formula {
  /** The definition in words, without ties and empty lists. */
  readonly words: string;
  /** What a list must have to tell, as in "lists without a relevant item". */
  readonly without: string;
  /** Tied scores, where they are not averaged over their orders. */
  readonly tied?: string;
  /** The value of one list, NaN where it cannot tell. */
  value(list: Arrangement, labels: Float32Array, popular?: Popularity): number;
  /** What the best order would reach, where the mean over lists is a ratio of means. */
  ideal?(labels: Float32Array, popular?: Popularity): number;
}

const TIED: Record<Ties, string> = {
  expected: "expected over tied scores",
  order: "tied scores in the order of the data",
  worst: "tied scores in the worst order",
  best: "tied scores in the best order",
  docno: "tied scores by descending document id",
};

export function metricPart<O extends object>(
  id: string,
  about: string,
  own: Fields<O>,
  define: (options: O, text: string) => Formula,
  aliases: readonly string[] = [],
): Part<O & Shared, Metric> {
  const fields = { ...own, ties, empty, ...passportField(id) } as unknown as Fields<O & Shared>;
  const make = (options: O & Shared, text: string): Metric => {
    const formula = define(options, text);
    const tied = (options.ties === "expected" && formula.tied) || TIED[options.ties];
    const blank = options.empty === "skip" ? Number.NaN : Number(options.empty);
    const depth = (options as { readonly k?: number }).k;
    const counted = options.empty === "skip" ? "left out" : `count as ${options.empty}`;
    return {
      id,
      text,
      variant: `${formula.words}, ${tied}, lists without ${formula.without} ${counted}`,
      better: "higher",
      ...(depth !== undefined && depth !== Infinity && { depth }),
      ...(formula.ideal && { ideal: formula.ideal }),
      measure(scores, labels, ids, popular) {
        check(text, scores, labels, ids);
        const value = formula.value(arrange(scores, labels, options.ties, ids), labels, popular);
        return Number.isNaN(value) ? blank : value;
      },
    };
  };
  return part(id, about, fields, make, aliases, spell);
}

/** `ndcg@10;gain=lin;ties=worst` or `ndcg@10:lightgbm;ties=worst` */
function spell(id: string, said: readonly Said[]): string {
  const at = said.find(({ key }) => key === "k");
  const tool = said.find(({ bare }) => bare);
  const rest = said.filter((one) => one !== at && one !== tool).map(({ key, value }) => `;${key}=${value}`);
  return `${id}${at ? `@${at.value}` : ""}${tool ? `:${tool.value}` : ""}${rest.join("")}`;
}

function check(text: string, scores: Float64Array, labels: Float32Array, ids?: readonly string[]): void {
  if (scores.length !== labels.length)
    throw new Mistake(`${text}: expected a score for each of ${labels.length} labels, got ${scores.length} scores`);
  if (ids && ids.length !== labels.length)
    throw new Mistake(`${text}: expected a document id for each of ${labels.length} labels, got ${ids.length} ids`);
  for (let i = 0; i < labels.length; i++) {
    if (Number.isNaN(scores[i]!)) throw new Mistake(`${text}: the score of item ${i + 1} of a list is not a number`);
    if (!Number.isFinite(labels[i]!))
      throw new Mistake(`${text}: expected finite labels, got ${labels[i]} for item ${i + 1} of a list`);
  }
}
