/** A program of teams: trains one case after another, calmly or under stress, and gives the files of the models as text. */
import { STOPPED } from "../../src/checkpoint-loop.ts";
import { usePlain } from "../../src/numeric/kernels.ts";
import { usePoison } from "../../src/numeric/stress.ts";
import { useJitter } from "../../src/teams/jitter.ts";
import type { TrainPayload } from "../../src/train.ts";
import { run as fitted } from "../../src/train-worker.ts";
import type { Team } from "../../src/types.ts";

export interface TrainCases {
  readonly jobs: readonly { readonly one: TrainPayload; readonly stress: boolean }[];
  readonly plain: boolean;
  readonly seed: number;
}

export async function run(team: Team, { jobs, plain, seed }: TrainCases): Promise<string[]> {
  if (plain) usePlain();
  const quiet: Team = { ...team, post() {} };
  const files: string[] = [];
  for (const [i, { one, stress }] of jobs.entries()) {
    usePoison(stress);
    useJitter(stress ? seed + i : undefined, team.rank);
    const result = await fitted(quiet, one as TrainPayload & { data: never });
    if (result === STOPPED) throw new Error("a training without checkpoints was interrupted");
    files.push(team.rank === 0 ? JSON.stringify({ saved: result.saved, rounds: result.rounds }) : "");
  }
  return files;
}
