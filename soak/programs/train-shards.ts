/** A program of teams: every thread is a process of its own that trains on some of the lists, and gives the files of the models as text. */
import { subset } from "../../src/data/subset.ts";
import { withShard } from "../../src/formats/data/read-shard.ts";
import { learner } from "../../src/models/index.ts";
import { withHeap } from "../../src/numeric/heap.ts";
import { soloTeam } from "../../src/teams/solo.ts";
import type { TrainPayload } from "../../src/train.ts";
import { run as fitted } from "../../src/train-worker.ts";
import type { Dataset, Team } from "../../src/types.ts";
import { threadCommunicator } from "./thread-communicator.ts";

export interface ShardCase {
  readonly one: TrainPayload;
  /** By process: its first list, of the training and of the validation data. */
  readonly cuts: readonly number[];
  readonly validCuts: readonly number[];
}

export async function run(team: Team, { jobs }: { readonly jobs: readonly ShardCase[] }): Promise<string[]> {
  const communicator = threadCommunicator(team);
  const files: string[] = [];
  for (const { one, cuts, validCuts } of jobs) {
    const own = (data: Dataset, at: readonly number[]) => {
      const [from, to] = [at[team.rank]!, at[team.rank + 1] ?? data.starts.length - 1];
      return withShard(
        communicator,
        subset(
          data,
          Uint32Array.from({ length: to - from }, (_, i) => from + i),
        ),
      );
    };
    // Models without features have all ballots in every process.
    const whole = learner(one.model).featureless;
    const data = whole ? one.data : own(one.data, cuts);
    const valid = one.valid && (whole ? one.valid : own(one.valid, validCuts));
    const result = await withHeap((heap) => {
      const processes = { rank: team.rank, size: team.size, communicator };
      return fitted(soloTeam(heap, undefined, processes), { ...one, data, ...(valid && { valid }) } as never);
    });
    files.push(typeof result === "string" ? result : JSON.stringify({ saved: result.saved, rounds: result.rounds }));
  }
  return files;
}
