/** Every paper, in the order in which they are listed. */
import { leaderboard } from "./leaderboard/index.ts";
import { letor } from "./letor/index.ts";
import type { Paper } from "./paper.ts";
import { plPartition } from "./pl-partition/index.ts";
import { plrank } from "./plrank/index.ts";
import { pmop } from "./pmop/index.ts";
import { simulatedWorlds } from "./worlds/index.ts";

export type { DataSet } from "./data-sets.ts";
export type { Exhibit, Paper } from "./paper.ts";
export { type Progress, type RunOptions, runPaper, type Written } from "./run.ts";

export const papers: readonly Paper[] = [pmop, plrank, plPartition, letor, leaderboard, simulatedWorlds];
