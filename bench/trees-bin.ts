/** What bench/trees-run.ts has a team do: bin the features. */
import { tabulate } from "../src/models/trees/binned-dataset.ts";
import type { Matrix, Team } from "../src/types.ts";

export function run(team: Team, matrix: Matrix): number {
  return tabulate(team, matrix, { most: 255, fewest: 3, categorical: new Set() }).layout.groups;
}
