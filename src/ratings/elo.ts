/**
 * Elo: the expected score is E = 1 / (1 + 10^(-(r_first - r_second) / scale)), and after a battle with score S (1, 0, or 1/2 for a tie) the ratings move by
 * k (S - E) and its opposite. Elo 1978, The Rating of Chessplayers.
 */
import { logistic } from "../numeric/functions.ts";
import { type Fields, part, real } from "../part.ts";
import type { RatingSystem } from "./system.ts";

/** Options of `elo`. */
export interface EloOptions {
  /** Most points that a battle moves a rating. A number above 0. Default: 32. */
  readonly k: number;
  /** Difference of ratings at odds of 10 to 1. A number above 0. Default: 400. */
  readonly scale: number;
  /** Rating of an item without battles. A number. Default: 1500. */
  readonly start: number;
}

const fields: Fields<EloOptions> = {
  k: real(32, "most points that a battle moves a rating", { above: 0 }),
  scale: real(400, "difference of ratings at odds of 10 to 1", { above: 0 }),
  start: real(1500, "rating of an item without battles"),
};

const SCORES = [1, 0, 0.5];

/** Elo ratings; `elo` on the command line. */
export const elo = part("elo", "Elo ratings", fields, ({ k, scale, start }, spec): RatingSystem => {
  const expected = (first: ArrayLike<number>, second: ArrayLike<number>) =>
    logistic(((first[0]! - second[0]!) * Math.LN10) / scale);
  return {
    ...{ id: "elo", spec, start: [start], updates: "battle", period: 1, most: 2 },
    contest([first, second], places) {
      const outcome = places[0]! < places[1]! ? 0 : places[0]! > places[1]! ? 1 : 2;
      const change = k * (SCORES[outcome]! - expected(first!, second!));
      first![0] = first![0]! + change;
      second![0] = second![0]! - change;
    },
    value: (item) => ({ rating: item[0]!, error: Number.NaN }),
    expect(first, second) {
      const win = expected(first, second);
      return { win, tie: 0, loss: 1 - win };
    },
  };
});
