/**
 * One process of the bench of processes: trains trees on its share of the lists, and prints, in the first process, seconds a tree after the first and, with
 * one thread, what of it the objective and each exchange with other processes take.
 *
 *   [mpirun -n 2] node dist/bench/processes-run.js FOLDER THREADS TREES
 *
 * The folder is one of mslr-files.ts.
 */
import { withShard } from "../src/formats/data/read-shard.ts";
import { lambdaRank, trees } from "../src/index.ts";
import { splitLists } from "../src/teams/blocks.ts";
import { joinProcesses } from "../src/teams/processes.ts";
import { train } from "../src/train.ts";
import type { Dataset, Objective } from "../src/types.ts";
import { FEATURES } from "./mslr.ts";
import { mslrRows, mslrStarts } from "./mslr-files.ts";

const folder = process.argv[2]!;
const [threads, rounds] = process.argv.slice(3).map(Number) as [number, number];
const world = await joinProcesses();
const seconds: Record<string, number> = {};

/** A function that adds its time to what its name has taken. */
function timed<A extends unknown[], R>(name: string, act: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const begun = performance.now();
    try {
      return act(...args);
    } finally {
      seconds[name] = (seconds[name] ?? 0) + (performance.now() - begun) / 1000;
    }
  };
}

function shareOf(): Dataset {
  const all = mslrStarts(folder);
  const cuts = splitLists(all, world?.size ?? 1);
  const [from, to] = [cuts[world?.rank ?? 0]!, cuts[(world?.rank ?? 0) + 1]!];
  const { values, labels } = mslrRows(folder, all[from]!, all[to]!);
  const starts = all.slice(from, to + 1).map((start) => start - all[from]!);
  const features = { kind: "dense" as const, rows: labels.length, columns: FEATURES, values };
  const own: Dataset = { starts, labels, features, base: 1, names: {} };
  return world ? withShard(world, own) : own;
}

const data = shareOf();
const plain = lambdaRank();
const one = threads === 1;
const objective: Objective = one ? { ...plain, evaluate: timed("gradients", plain.evaluate) } : plain;
if (world && one)
  for (const name of ["reduceScatter", "gather", "addUp", "maximum", "broadcast", "send", "receive"] as const)
    Object.assign(world, { [name]: timed(name, world[name] as (...args: unknown[]) => unknown) });
const model = trees({ rounds, leaves: 31, learningRate: 0.1, listFraction: 1, featureFraction: 1, l2: 0, maxBins: 255 });
const times: number[] = [];
await train(data, {
  ...{ model, objective, threads, blocking: true },
  onRound({ round }) {
    if (round === 1) for (const name of Object.keys(seconds)) seconds[name] = 0;
    times.push(performance.now());
  },
});
const trained = times.length - 1;
const perTree = (times.at(-1)! - times[0]!) / 1000 / trained;
const shares = Object.fromEntries(Object.entries(seconds).map(([name, all]) => [name, Number((all / trained).toFixed(5))]));
if (!world || world.rank === 0) console.log(JSON.stringify({ perTree: Number(perTree.toFixed(5)), ...(one && { shares }) }));
world?.finalize();
