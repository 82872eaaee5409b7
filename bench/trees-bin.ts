/** What bench/trees-run.ts has a team do: bin the features. */
import { binDataset } from "../src/models/trees/binned-dataset.ts";
import type { Matrix, Team } from "../src/types.ts";

export function run(team: Team, matrix: Matrix): number {
  return binDataset(team, matrix, { most: 255, fewest: 3, categorical: new Set() }).layout.groups;
}
