/** A program of teams: grows the trees of one case after another. */
import { fitAs } from "../../src/fit.ts";
import { learner } from "../../src/models/index.ts";
import { objective } from "../../src/objectives/index.ts";
import type { Dataset, SavedModel, Team } from "../../src/types.ts";

export interface TreeCase {
  readonly data: Dataset;
  readonly model: string;
  readonly objective: string;
  readonly seed: number;
}

export const run = (team: Team, cases: readonly TreeCase[]): SavedModel[] =>
  cases.map((one) =>
    fitAs(team, one.data, { model: learner(one.model), objective: objective(one.objective), seed: one.seed }).model.save(),
  );
