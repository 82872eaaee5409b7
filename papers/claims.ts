/** What a paper says about which system is better, checked on the data at hand: the difference, its p, whether it held, and how many lists would decide it. */
import { compareValues } from "../src/index.ts";
import type { Grid, Values } from "./paper.ts";
import { listsToDecide } from "./power.ts";
import { type Contest, listsOf, pText } from "./systems.ts";

export interface Claim {
  readonly better: string; // names of systems
  readonly worse: string;
  readonly metric: string;
  readonly claim: string; // in the paper's words, shortened
}

export type Verdict = "held" | "did not hold" | "undecided";

export const verdict = (difference: number, p: number): Verdict =>
  p >= 0.05 ? "undecided" : difference > 0 ? "held" : "did not hold";

export interface Checked extends Claim {
  readonly set: string;
  readonly difference: number;
  readonly p: number;
  readonly held: Verdict;
  readonly lists: number; // of the test data
  readonly needed: number; // lists that would decide a difference like this one, in 80 % of samples
}

export function check(contest: Contest, claims: readonly Claim[], value: Values): Checked[] {
  const entrant = (name: string) => contest.entrants.find(({ system }) => system.name === name)!;
  return claims.map((claim) => {
    const [a, b] = [claim.better, claim.worse].map((name) => listsOf(entrant(name), claim.metric, value)) as [number[], number[]];
    const { difference, p } = compareValues(a, b, { resamples: 100 });
    const held = verdict(difference.mean, p);
    const counted = a.filter((value, i) => !Number.isNaN(value - b[i]!)).length;
    return {
      ...{ ...claim, set: contest.found.set.title, difference: difference.mean, p, held },
      ...{ lists: counted, needed: listsToDecide(a, b) },
    };
  });
}

export const claimsGrid = (checked: readonly Checked[], title: string): Grid => ({
  title,
  head: ["claim", "data", "metric", "difference", "p", "verdict", "lists", "lists for 80 % power"],
  rows: checked.map(({ claim: message, set, metric, difference, p, held, lists, needed }) => [
    message,
    set,
    metric,
    { value: difference },
    pText(p),
    held,
    { value: lists, digits: 0 },
    Number.isFinite(needed) ? { value: needed, digits: 0 } : "no difference",
  ]),
});

/** The title of claims that `check` checked. */
export const BY_LISTS = "What the paper says, and what these lists say (paired randomization test over lists, not corrected)";

export function claimsSentence(checked: readonly Checked[]): string {
  const count = (held: Checked["held"]) => checked.filter((one) => one.held === held).length;
  const open = checked.filter(({ held, needed }) => held === "undecided" && Number.isFinite(needed));
  const factors = open.map(({ lists, needed }) => needed / lists).sort((a, b) => a - b);
  const middle = factors[Math.floor(factors.length / 2)];
  const more = middle === undefined ? "" : ` Half of those would be decided by ${middle.toFixed(0)} times as many lists.`;
  return `Of ${checked.length} checks of what the paper says, ${count("held")} held, ${count("did not hold")} did not, and ${count("undecided")} are undecided at p < 0.05.${more}`;
}
