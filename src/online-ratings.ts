/**
 * Ratings that are updated battle by battle: Elo, Glicko-2 and TrueSkill (src/ratings). One pass over the battles in the order of time, a few numbers per
 * item in memory, and a state that can be saved as JSON and continued, so that tomorrow's battles need not be read with yesterday's.
 */
import { check } from "./arguments.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import { type OutcomeProbabilities, type PeriodBattle, type RatingSystem, ratingSystem } from "./ratings/index.ts";

/** A contest of two or more items: tiers from the best to the worst, tied items in one tier. */
export interface TieredContest {
  /** Names of the items, tier by tier. */
  readonly tiers: readonly (readonly string[])[];
}

/** A battle of two items. */
export interface RatedBattle {
  /** Name of the first item. */
  readonly first: string;
  /** Name of the second item. */
  readonly second: string;
  /** Who won. */
  readonly winner: "first" | "second" | "tie";
}

/** An item with its rating. */
export interface RatedItem {
  /** Name of the item. */
  readonly name: string;
  /** The rating; under Glicko-2 with the battles of the unfinished period. */
  readonly rating: number;
  /** Standard deviation of the rating; NaN under Elo, which has none. */
  readonly error: number;
  /** Number of contests. */
  readonly battles: number;
  /** Contests won: alone in the best tier. */
  readonly wins: number;
  /** Contests lost: not in the best tier. */
  readonly losses: number;
  /** Contests in which it shared the best tier. */
  readonly ties: number;
}

/** Ratings as plain JSON. */
export interface RatingsState {
  /** What the file is. */
  readonly format: "tierwise-ratings";
  /** Version of the format. */
  readonly version: 1;
  /** Spec of the system. */
  readonly system: string;
  /** Name, the numbers of the system, then contests won, lost and tied, of each item. */
  readonly items: readonly (readonly [name: string, numbers: readonly number[], wins: number, losses: number, ties: number])[];
  /** Battles of an unfinished period: first item, second item, outcome. */
  readonly pending: readonly PeriodBattle[];
}

/** Ratings that learn from one contest after another. */
export interface OnlineRatings {
  /** The system. */
  readonly system: RatingSystem;
  /** Learns from a battle of two, or from a contest of more in systems that have them. */
  update(contest: RatedBattle | TieredContest): void;
  /** Ends a rating period; means nothing in systems without periods. */
  endPeriod(): void;
  /** Probabilities of the outcomes of a battle. Unknown names have the rating of an item without battles. */
  expect(first: string, second: string): OutcomeProbabilities;
  /** Items from the best to the worst. */
  items(): RatedItem[];
  /** Everything that is needed to continue. */
  state(): RatingsState;
}

interface Entry {
  readonly name: string;
  readonly numbers: Float64Array;
  wins: number;
  losses: number;
  ties: number;
}

/** Ratings under a system such as `elo()`, `glicko2({ tau: 0.3 })` or `ratingSystem("trueskill")`, from the beginning or from a saved state. */
export function onlineRatings(system: RatingSystem, state?: RatingsState): OnlineRatings {
  check("onlineRatings", system, {
    wanted: "a system of ratings, such as elo(), glicko2() or trueSkill()",
    fits: (value) => typeof (value as RatingSystem | null)?.expect === "function",
  });
  const entries: Entry[] = [];
  const places = new Map<string, number>();
  const pending: PeriodBattle[] = [];
  if (state !== undefined) restore(system, state, entries, places, pending);
  const at = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, entries.length);
    return entries.push({ name, numbers: Float64Array.from(system.start), wins: 0, losses: 0, ties: 0 }) - 1;
  };
  const endPeriod = () => {
    if (system.updates !== "period" || pending.length === 0) return;
    system.endPeriod!(
      entries.map(({ numbers }) => numbers),
      pending,
    );
    pending.length = 0;
  };
  return {
    system,
    update(contest) {
      const tiers = tiersOf(contest);
      const names = tiers.flat();
      if (names.length > system.most)
        throw new InputError(`${system.id} rates battles of two, got a contest of ${names.length}; trueskill rates more`);
      const items = names.map(at);
      const ranks = tiers.flatMap((tier, place) => tier.map(() => place));
      items.forEach((i, k) => {
        const entry = entries[i]!;
        if (ranks[k]! > 0) entry.losses++;
        else if (tiers[0]!.length > 1) entry.ties++;
        else entry.wins++;
      });
      if (system.updates === "battle") {
        system.contest!(
          items.map((i) => entries[i]!.numbers),
          ranks,
        );
        return;
      }
      pending.push([items[0]!, items[1]!, tiers.length === 1 ? 2 : 0]);
      if (pending.length >= system.period) endPeriod();
    },
    endPeriod,
    expect(first, second) {
      const numbersOf = (name: string) => {
        const known = places.get(name);
        return known === undefined ? system.start : entries[known]!.numbers;
      };
      return system.expect(numbersOf(first), numbersOf(second));
    },
    items() {
      const numbers = entries.map((entry) => entry.numbers.slice());
      if (pending.length > 0) system.endPeriod!(numbers, pending);
      const found = entries.map(({ name, wins, losses, ties }, i) => ({
        ...{ name, ...system.value(numbers[i]!), battles: wins + losses + ties, wins, losses, ties },
      }));
      return found.sort((a, b) => b.rating - a.rating || (a.name < b.name ? -1 : 1));
    },
    state: () => ({
      ...{ format: "tierwise-ratings", version: 1, system: system.spec },
      items: entries.map(({ name, numbers, wins, losses, ties }) => [name, [...numbers], wins, losses, ties]),
      pending: [...pending],
    }),
  };
}

function tiersOf(contest: RatedBattle | TieredContest): readonly (readonly string[])[] {
  const given = contest as Partial<RatedBattle & TieredContest> | null;
  if (typeof given !== "object" || given === null)
    throw new InputError(`a contest: expected { first, second, winner } or { tiers }, got ${describeValue(contest)}`);
  const { first, second, winner } = given;
  const tiers =
    given.tiers ?? (winner === "tie" ? [[first, second]] : winner === "first" ? [[first], [second]] : [[second], [first]]);
  if (given.tiers === undefined && !["first", "second", "tie"].includes(winner as string))
    throw new InputError(`a contest: expected "first", "second" or "tie" as winner, got ${describeValue(winner)}`);
  const isName = (name: unknown) => typeof name === "string" && name !== "";
  if (!Array.isArray(tiers) || !tiers.every((tier) => Array.isArray(tier) && tier.length > 0 && tier.every(isName)))
    throw new InputError(`a contest: expected names of items, tier by tier, got ${describeValue(tiers)}`);
  const names = tiers.flat();
  if (names.length < 2) throw new InputError(`a contest: expected two items or more, got ${names.length}`);
  if (new Set(names).size < names.length)
    throw new InputError(`a contest: ${quote(String(names.find((name, i) => names.indexOf(name) < i)))} competes with itself`);
  return tiers as string[][];
}

function restore(
  system: RatingSystem,
  state: RatingsState,
  entries: Entry[],
  places: Map<string, number>,
  pending: PeriodBattle[],
): void {
  const wrong = () => new InputError("saved ratings: expected what state() of online ratings returns, as JSON");
  if (typeof state !== "object" || state === null || state.format !== "tierwise-ratings") throw wrong();
  if (state.version === undefined) throw wrong();
  if (state.version !== 1) throw new InputError(`saved ratings: version ${describeValue(state.version)} is not known; this is 1`);
  if (state.system !== system.spec)
    throw new InputError(`saved ratings are those of ${quote(String(state.system))}, not of ${quote(system.spec)}`);
  if (!Array.isArray(state.items) || !Array.isArray(state.pending)) throw wrong();
  for (const item of state.items) {
    const [name, numbers, wins, losses, ties] = Array.isArray(item) ? item : [];
    const counts = [wins, losses, ties];
    if (typeof name !== "string" || places.has(name) || !Array.isArray(numbers) || numbers.length !== system.start.length)
      throw wrong();
    if (!numbers.every(Number.isFinite) || !counts.every((count) => Number.isSafeInteger(count) && count >= 0)) throw wrong();
    places.set(name, entries.length);
    entries.push({ name, numbers: Float64Array.from(numbers), wins, losses, ties });
  }
  for (const battle of state.pending) {
    const [first, second, outcome] = Array.isArray(battle) ? battle : [];
    const known = [first, second].every((i) => Number.isSafeInteger(i) && i >= 0 && i < entries.length);
    if (!known || ![0, 1, 2].includes(outcome)) throw wrong();
    pending.push([first, second, outcome]);
  }
}

/** The system and the ratings that a saved state has. */
export function continueRatings(state: RatingsState): OnlineRatings {
  if (typeof state !== "object" || state === null || typeof state.system !== "string")
    throw new InputError("continueRatings: expected what state() of online ratings returns, as JSON");
  return onlineRatings(ratingSystem(state.system), state);
}
