/** All systems of online ratings. */
import { type AnyPart, find } from "../part.ts";
import { elo } from "./elo.ts";
import { glicko2 } from "./glicko2.ts";
import type { RatingSystem } from "./system.ts";
import { trueSkill } from "./trueskill.ts";

export type { EloOptions } from "./elo.ts";
export type { Glicko2Options } from "./glicko2.ts";
export type { OutcomeProbabilities, PeriodBattle, RatingSystem, RatingValue } from "./system.ts";
export type { TrueSkillOptions } from "./trueskill.ts";

export { elo, glicko2, trueSkill };

/** Every system of online ratings. */
export const ratingSystems: readonly AnyPart<RatingSystem>[] = [elo, glicko2, trueSkill];

/** The system of ratings that a text names: `elo:k=16`. */
export const ratingSystem = (spec: string): RatingSystem => find(ratingSystems, "system of ratings", spec);
