/** A trained SLEEC ensemble. Its file holds the training documents, whose labels vote. */
import { subset } from "../../data/subset.ts";
import { InputError } from "../../input-error.ts";
import { withHeap } from "../../numeric/heap.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, Dataset, LabelSpace, Model, SavedModel, Team } from "../../types.ts";
import { sameLabels } from "../mlp/label-scoring.ts";
import { allocTop } from "../mlp/predict.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { savedFloats, savedIntegers, savedLabelSpace, saveLabelSpace, writable } from "../shared/saved.ts";
import { type Entries, entriesOf } from "../shared/sparse.ts";
import { allocVoters, type Ensemble, findVoters, type LocalLearner, labelVotes, topByVotes, type Voters } from "./voting.ts";

export function sleecModel(columns: Columns, ensemble: Ensemble, labelSpace: LabelSpace): Model {
  const { x, y, rank, voters, learners } = ensemble;
  const slots = learners.length * voters;
  return {
    id: "sleec",
    columns,
    labelSpace,
    score(data, into) {
      checkScoring(columns, data, into);
      sameLabels(data, labelSpace);
      inChunks(data, ensemble, (team, found, part, from) => {
        const at = data.starts[from]!;
        labelVotes(team, ensemble, found, slots, part, into.subarray(at, at + part.starts.at(-1)!));
      });
    },
    top(data, k) {
      checkColumns(columns, data);
      sameLabels(data, labelSpace);
      const lists = data.starts.length - 1;
      const result = { k, items: new Uint32Array(lists * k), scores: new Float64Array(lists * k) };
      inChunks(data, ensemble, (team, found, part, from) => {
        const rows = part.starts.length - 1;
        const into = allocTop(rows, k, team);
        topByVotes(team, ensemble, found, slots, into, rows);
        result.items.set(into.items, from * k);
        result.scores.set(into.scores, from * k);
      });
      return result;
    },
    save: () => ({
      id: "sleec",
      rank: [rank],
      voters: [voters],
      clusters: learners.map(({ clusters }) => clusters.count),
      centroids: writable(concatFloats(learners.map(({ clusters }) => clusters.centroids))),
      assignment: writable(Uint32Array.from(learners.flatMap(({ clusters }) => [...clusters.assignment]))),
      coefficients: writable(concatFloats(learners.map(({ coefficients }) => coefficients))),
      ...saveEntries("features", x),
      ...saveEntries("labels", y),
      catalogue: saveLabelSpace(labelSpace),
    }),
    describe: () => ({
      title: "sleec: nearest neighbors in an embedding of label sets",
      facts: {
        features: `${columns.count}`,
        ...{ learners: learners.length, rank, voters, documents: x.starts.length - 1, "labels ranked": labelSpace.count },
        clusters: learners.map(({ clusters }) => clusters.count).join(", "),
      },
      tables: [],
    }),
  };
}

const CHUNK = 16384; // documents whose voters are in memory at once

/** Visits the voters of all documents, a chunk at a time. */
function inChunks(
  data: Dataset,
  ensemble: Ensemble,
  visit: (team: Team, found: Voters, part: Dataset, from: number) => void,
): void {
  const { x, rank, voters, learners } = ensemble;
  const lists = data.starts.length - 1;
  for (let from = 0; from < lists; from += CHUNK)
    withHeap((heap) => {
      const team = soloTeam(heap);
      const part = subset(
        data,
        Array.from({ length: Math.min(CHUNK, lists - from) }, (_, i) => from + i),
      );
      const rows = entriesOf(part.features);
      const found = allocVoters(team, part.starts.length - 1, learners.length * voters);
      const scratch = heap.f32((x.starts.length - 1) * rank);
      for (const [l, learner] of learners.entries()) findVoters(team, ensemble, learner, rows, found, l * voters, scratch);
      visit(team, found, part, from);
    });
}

function concatFloats(arrays: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of arrays) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

const saveEntries = (name: string, { starts, indices, values }: Entries) => ({
  [`${name}-starts`]: writable(Uint32Array.from(starts)),
  [`${name}-indices`]: writable(indices),
  [`${name}-values`]: writable(values),
});

function savedEntries(saved: SavedModel, name: string, columns: number): Entries {
  const starts = savedIntegers(saved, `${name}-starts`);
  const damaged = (what: string) => new InputError(`the model file is damaged: ${name}-${what}`);
  const size = starts.at(-1) ?? 0;
  if (starts[0] !== 0 || starts.some((start, r) => r > 0 && start < starts[r - 1]!)) throw damaged("starts should ascend from 0");
  const indices = savedIntegers(saved, `${name}-indices`, size);
  if (indices.some((index) => index >= columns)) throw damaged(`indices should be below ${columns}`);
  return { starts, indices, values: savedFloats(saved, `${name}-values`, size) };
}

export function readSleec(saved: SavedModel, columns: Columns): Model {
  const labelSpace = savedLabelSpace({ ...saved, catalogue: saved.catalogue ?? null }, "catalogue")!;
  const [rank, voters] = [savedIntegers(saved, "rank", 1)[0]!, savedIntegers(saved, "voters", 1)[0]!];
  const x = savedEntries(saved, "features", columns.count);
  const y = savedEntries(saved, "labels", labelSpace.count);
  const rows = x.starts.length - 1;
  if (y.starts.length !== x.starts.length)
    throw new InputError(
      `the model file is damaged: it has the features of ${rows} documents and the labels of ${y.starts.length - 1}`,
    );
  const counts = savedIntegers(saved, "clusters");
  const all = counts.reduce((sum, count) => sum + count, 0);
  const centroids = savedFloats(saved, "centroids", all * columns.count);
  const coefficients = savedFloats(saved, "coefficients", all * columns.count * rank);
  const assignment = savedIntegers(saved, "assignment", counts.length * rows);
  let at = 0;
  const learners = Array.from(counts, (count, l): LocalLearner => {
    const own = assignment.slice(l * rows, (l + 1) * rows);
    if (own.some((cluster) => cluster >= count)) throw new InputError("the model file is damaged: assignment names no cluster");
    const [from, to] = [at * columns.count, (at + count) * columns.count];
    at += count;
    return {
      clusters: { count, centroids: centroids.slice(from, to), assignment: own },
      coefficients: coefficients.slice(from * rank, to * rank),
    };
  });
  return sleecModel(columns, { x, y, columns: columns.count, labels: labelSpace.count, rank, voters, learners }, labelSpace);
}
