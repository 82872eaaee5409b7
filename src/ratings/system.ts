/** What a system of online ratings does: it sees contests one after another, and keeps a few numbers for each item. */

/** What an item's rating is. */
export interface RatingValue {
  /** The rating. */
  readonly rating: number;
  /** Its standard deviation; NaN for systems without one. */
  readonly error: number;
}

/** Probabilities of the outcomes of a battle, before it. */
export interface OutcomeProbabilities {
  /** The first item wins. */
  readonly win: number;
  /** Neither wins; 0 for systems in which a tie is half a win. */
  readonly tie: number;
  /** The second item wins. */
  readonly loss: number;
}

/** A system of online ratings with its options. */
export interface RatingSystem {
  /** Name of the system. */
  readonly id: string;
  /** The name with its non-default options, as on the command line. */
  readonly spec: string;
  /** What is kept for an item without battles, as plain numbers. */
  readonly start: readonly number[];
  /** "battle": every battle changes ratings; "period": battles are collected, and ratings change when a period ends. */
  readonly updates: "battle" | "period";
  /** Battles of a period, where nothing else ends it. */
  readonly period: number;
  /** Changes the numbers of the items of one contest: places are the tiers, 0 the best. Absent where `updates` is "period". */
  contest?(items: readonly Float64Array[], places: ArrayLike<number>): void;
  /** Changes the numbers of all items by the battles of a period. Outcomes: 0 the first item won, 1 the second, 2 neither. */
  endPeriod?(items: readonly Float64Array[], battles: readonly PeriodBattle[]): void;
  /** Most items of a contest. */
  readonly most: number;
  /** What the numbers of an item say. */
  value(item: ArrayLike<number>): RatingValue;
  /** What is expected of a battle of two. */
  expect(first: ArrayLike<number>, second: ArrayLike<number>): OutcomeProbabilities;
}

/** First item, second item, outcome. */
export type PeriodBattle = readonly [first: number, second: number, outcome: number];
