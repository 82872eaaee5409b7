/** Trains the learners of an ensemble one after the other (see index.ts). */
import { InputError } from "../../input-error.ts";
import { random } from "../../numeric/random.ts";
import { BLOCKS, splitEvenly } from "../../teams/blocks.ts";
import type { Dataset, Run, Team, TopItems } from "../../types.ts";
import { allocTop } from "../mlp/predict.ts";
import { type Entries, entriesOf } from "../shared/sparse.ts";
import type { TallMatrix } from "../shared/tall-matrix.ts";
import { type Clusters, clusterRows } from "./clusters.ts";
import { embed } from "./embedding.ts";
import { type NeighborScratch, neighborGraph, unitRows } from "./neighbors.ts";
import { regress } from "./regression.ts";
import { allocVoters, type Ensemble, findVoters, type LocalLearner, labelVotes, topByVotes } from "./voting.ts";

export interface FitOptions {
  readonly learners: number;
  readonly rank: number;
  readonly clusterSize: number;
  readonly neighbors: number;
  readonly voters: number;
  readonly steps: number;
  readonly l2: number;
  readonly l1: number;
}

/** What a checkpoint keeps. Votes follow from the learners. */
type State = { readonly learners: readonly LocalLearner[]; readonly best: number; readonly cost: number };

const copyLearner = ({ clusters, coefficients }: LocalLearner): LocalLearner => ({
  clusters: { ...clusters, centroids: clusters.centroids.slice(), assignment: clusters.assignment.slice() },
  coefficients: coefficients.slice(),
});

/** Every sum is one thread's, or is taken block by block. */
export function fitLearners(data: Dataset, run: Run, options: FitOptions): Ensemble {
  const { team, validation } = run;
  const { learners: count, rank, voters } = options;
  const { x, y } = labeled(data);
  const rows = x.starts.length - 1;
  const scratch = allocScratch(team, rows, data.features.columns, options);
  const base = { x, y, columns: data.features.columns, labels: data.labelSpaceSize!, rank, voters };
  const shown = validation ?? data;
  const shownRows = entriesOf(shown.features);
  const found = allocVoters(team, shown.starts.length - 1, validation ? count * voters : 0);
  const restored = run.checkpoint?.restored as State | undefined;
  const learners = restored ? restored.learners.map(copyLearner) : [];
  let best = restored?.best ?? 0;
  let top: TopItems | undefined;
  let cost = restored?.cost ?? 0;
  if (validation)
    learners.forEach((learner, i) => {
      findVoters(team, base, learner, shownRows, found, i * voters, scratch.z);
    });
  for (let round = learners.length + 1; round <= count; round++) {
    const fitted = fitLearner(team, base, options, run.seed, round, scratch, (share) =>
      run.progress?.((round - 1 + share) / count),
    );
    learners.push(fitted.learner);
    cost += (fitted.cost - cost) / round;
    if (validation) findVoters(team, base, fitted.learner, shownRows, found, (round - 1) * voters, scratch.z);
    const slots = round * voters;
    const status = run.afterRound(round, {
      cost,
      top(k) {
        top ??= allocTop(shown.starts.length - 1, k, team);
        topByVotes(team, base, found, slots, top, shown.starts.length - 1);
        return top;
      },
      scores() {
        const into = team.allocShared("f64", shown.labels.length);
        labelVotes(team, base, found, slots, shown, into);
        return into;
      },
    });
    if (status === "improved") best = round;
    if (status === "stop") break;
    if (round < count) run.checkpoint?.save((): State => ({ learners, best, cost }));
  }
  return { ...base, learners: validation && best > 0 ? learners.slice(0, best) : learners };
}

/** The documents that have a label: others have nothing to vote for. */
function labeled(data: Dataset): { readonly x: Entries; readonly y: Entries } {
  const all = entriesOf(data.features);
  const { starts } = data;
  const rows = Uint32Array.from(
    Array.from({ length: starts.length - 1 }, (_, q) => q).filter((q) => starts[q + 1]! > starts[q]!),
  );
  if (rows.length === 0) throw new InputError("sleec: no document has a label");
  const y: Entries = { starts, indices: data.items!, values: data.labels };
  return { x: selectRows(all, rows), y: selectRows(y, rows) };
}

function selectRows({ starts, indices, values }: Entries, rows: Uint32Array): Entries {
  const chosen = new Uint32Array(rows.length + 1);
  rows.forEach((r, i) => void (chosen[i + 1] = chosen[i]! + starts[r + 1]! - starts[r]!));
  const into = { starts: chosen, indices: new Uint32Array(chosen.at(-1)!), values: new Float32Array(chosen.at(-1)!) };
  rows.forEach((r, i) => {
    into.indices.set(indices.subarray(starts[r]!, starts[r + 1]!), chosen[i]!);
    into.values.set(values.subarray(starts[r]!, starts[r + 1]!), chosen[i]!);
  });
  return into;
}

interface Scratch extends NeighborScratch {
  readonly assignment: Uint32Array;
  /** For matrices of the shape of an embedding of all documents. */
  readonly z: Float32Array;
  readonly byRow: readonly Float32Array[];
  /** For matrices of the shape of the coefficients. */
  readonly byColumn: readonly Float32Array[];
  readonly residual: Float32Array;
  readonly turn: Float32Array;
  readonly products: Float32Array;
}

function allocScratch(team: Team, rows: number, columns: number, { rank, neighbors }: FitOptions): Scratch {
  const f32 = (length: number) => team.allocShared("f32", length);
  return {
    assignment: team.allocShared("u32", rows),
    near: team.allocShared("u32", rows * Math.min(rows, neighbors)),
    cosines: team.allocShared("f64", rows * Math.min(rows, neighbors)),
    z: f32(rows * rank),
    byRow: Array.from({ length: 3 }, () => f32(rows * rank)),
    byColumn: Array.from({ length: 5 }, () => f32(columns * rank)),
    residual: f32(2 * rows * Math.min(rows, neighbors)),
    turn: f32(rank * rank),
    products: f32(BLOCKS * rank * rank),
  };
}

const view = (values: Float32Array, rows: number, k: number): TallMatrix => ({
  values: values.subarray(0, rows * k),
  ...{ rows, k },
  bounds: splitEvenly(rows),
});

type Base = Omit<Ensemble, "learners">;

function fitLearner(
  team: Team,
  { x, y, columns, labels, rank }: Base,
  { clusterSize, neighbors, steps, l1, l2 }: FitOptions,
  seed: number,
  round: number,
  scratch: Scratch,
  progress: (share: number) => void,
): { readonly learner: LocalLearner; readonly cost: number } {
  const rows = x.starts.length - 1;
  const wanted = Math.max(1, Math.round(rows / clusterSize));
  const clusters: Clusters = clusterRows(team, x, columns, wanted, random(seed, round, 0x51ec), scratch.assignment);
  const coefficients = new Float32Array(clusters.count * columns * rank);
  let [squares, entries] = [0, 0];
  for (let c = 0; c < clusters.count; c++) {
    const own = Uint32Array.from(Array.from(clusters.assignment.keys()).filter((r) => clusters.assignment[r] === c));
    const graph = neighborGraph(team, unitRows(selectRows(y, own)), labels, neighbors, scratch);
    const byRow = [scratch.z, ...scratch.byRow].map((values) => view(values, own.length, rank));
    const byColumn = scratch.byColumn.map((values) => view(values, columns, rank));
    const [z, u, w, image] = byRow as [TallMatrix, TallMatrix, TallMatrix, TallMatrix];
    squares += embed(team, graph, z, steps, () => random(seed, round, c, 0x51ed), { ...scratch, u, w, image });
    entries += graph.indices.length;
    const [v, rightSide, residual, direction, gradient] = byColumn as [
      TallMatrix,
      TallMatrix,
      TallMatrix,
      TallMatrix,
      TallMatrix,
    ];
    regress(
      team,
      selectRows(x, own),
      z,
      v,
      { l1, l2 },
      {
        ...{ rightSide, residual, direction, image: gradient },
        ...{ product: u, target: w, dual: image },
      },
    );
    coefficients.set(v.values, c * columns * rank);
    team.barrier(); // all have read before the next cluster overwrites
    progress((c + 1) / clusters.count);
  }
  return { learner: { clusters, coefficients }, cost: squares / entries };
}
