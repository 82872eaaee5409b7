/** Collectives of several processes against what one process computes; processes are replayed in this thread. */
import { describe, expect, it } from "vitest";
import { replayedProcesses } from "../../test/replayed-processes.ts";
import { InputError } from "../input-error.ts";
import { below, random } from "../numeric/random.ts";
import type { Random, Shard, Team } from "../types.ts";
import { listBlocks, rowBlocks, splitLists, summedBlocks } from "./blocks.ts";
import { checkTogether } from "./check-together.ts";
import { gatherAll, lengthsIn } from "./collectives.ts";
import { soloTeam } from "./solo.ts";

/** The results of a program in a team of `size` processes of one thread. */
async function inProcesses<R>(size: number, program: (team: Team) => R): Promise<R[]> {
  const results = await replayedProcesses(size, (communicator) =>
    program(soloTeam(undefined, () => {}, { rank: communicator.rank, size, communicator })),
  );
  for (const found of results) if (found instanceof Error) throw found;
  return results as R[];
}

/** Lists of random sizes, and at which of them the processes begin: some have none. */
function drawn(draw: Random, size: number, most: number): { starts: Uint32Array; cuts: number[] } {
  const lists = below(draw, most);
  const starts = new Uint32Array(lists + 1);
  for (let q = 0; q < lists; q++) starts[q + 1] = starts[q]! + below(draw, draw() < 0.1 ? most : 9);
  const inner = Array.from({ length: size - 1 }, () => below(draw, lists + 1)).sort((a, b) => a - b);
  return { starts, cuts: [0, ...inner, lists] };
}

const shardOf = (starts: Uint32Array, cuts: readonly number[], rank: number): { starts: Uint32Array; shard: Shard } => ({
  starts: starts.slice(cuts[rank]!, cuts[rank + 1]! + 1).map((start) => start - starts[cuts[rank]!]!),
  shard: { list: cuts[rank]!, starts, labels: [], listsWithoutPositive: 0 },
});

describe("collectives of processes", () => {
  it("sums over lists and rows have the bits of one process, however the lists are shared out", async () => {
    for (let number = 0; number < 32; number++) {
      const draw = random(number, 0xc011);
      const size = 1 + below(draw, 5);
      const wide = number % 16 === 0; // many numbers are passed along the processes
      const { starts, cuts } = drawn(draw, size, wide ? 6 : 150);
      const width = wide ? 9000 : 1 + below(draw, 5);
      const value = (thing: number, column: number) => Math.fround(1 / (1 + thing)) * 10 ** ((thing * 7 + column) % 9);
      const add = (first: number, bounds: Uint32Array) => (block: number, into: Float64Array) => {
        for (let i = bounds[block]!; i < bounds[block + 1]!; i++) for (let c = 0; c < width; c++) into[c]! += value(first + i, c);
      };
      const alone = soloTeam();
      const whole = listBlocks({ starts });
      const lists = [...alone.sum(whole, width, add(0, whole.bounds))];
      const wholeRows = rowBlocks(starts.at(-1)!, undefined);
      const rows = [...alone.sum(wholeRows, width, add(0, wholeRows.bounds))];
      const found = await inProcesses(size, (team) => {
        const own = shardOf(starts, cuts, team.processes.rank);
        const blocks = listBlocks(own);
        const ofRows = rowBlocks(own.starts.at(-1)!, own.shard);
        const dealt = summedBlocks({ starts }, team.processes); // of lists that every process has
        return {
          lists: [...team.sum(blocks, width, add(own.shard.list, blocks.bounds))],
          rows: [...team.sum(ofRows, width, add(starts[own.shard.list]!, ofRows.bounds))],
          dealt: [...team.sum(dealt, width, add(0, dealt.bounds))],
        };
      });
      for (const one of found) expect(one, `case ${number}`).toEqual({ lists, rows, dealt: lists });
    }
  });

  it("gathers, adds up, broadcasts and scatters", async () => {
    const found = await inProcesses(3, (team) => {
      const { rank } = team.processes;
      const [added, most, word] = [Float64Array.of(rank, 1), Float64Array.of(rank - 1), Int32Array.of(rank)];
      team.addUp(added);
      team.maximum(most);
      team.broadcast(word, 1);
      const into = new Float32Array(3);
      team.gather(Float32Array.of(...Array.from({ length: rank }, () => rank)), [0, 1, 2], into);
      const part = new BigInt64Array(2 - (rank === 1 ? 1 : 0));
      team.reduceScatter(BigInt64Array.of(1n, 2n, 3n, 4n, 5n), [2, 1, 2], part);
      return {
        ...{ added: [...added], most: [...most], word: [...word], into: [...into], part: [...part] },
        ...{ lengths: lengthsIn(team, rank), all: [...gatherAll(team, Float64Array.of(rank, -rank))] },
      };
    });
    const parts = [[3n, 6n], [9n], [12n, 15n]];
    const same = { added: [3, 3], most: [1], word: [1], into: [1, 2, 2], lengths: [0, 1, 2], all: [0, -0, 1, -1, 2, -2] };
    expect(found).toEqual(parts.map((part) => ({ ...same, part })));
  });

  it("a check that fails in some processes ends all with what the first of them says", async () => {
    const outcome = (failing: readonly number[]) =>
      inProcesses(4, (team) => {
        try {
          checkTogether(team, () => {
            if (failing.includes(team.processes.rank)) throw new InputError(`process ${team.processes.rank}: ü`);
          });
          return "well";
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          return error.message;
        }
      });
    expect(await outcome([])).toEqual(["well", "well", "well", "well"]);
    expect(await outcome([2])).toEqual(Array.from({ length: 4 }, () => "process 2: ü"));
    expect(await outcome([1, 3])).toEqual(Array.from({ length: 4 }, () => "process 1: ü"));
  });

  it("lists are shared out to processes as evenly as blocks", () => {
    const starts = Uint32Array.of(0, 1, 2, 50, 51, 52);
    expect([...splitLists(starts, 2)]).toEqual([0, 2, 5]);
  });
});
