/** Brings the scores of all processes together, so that they can be evaluated or printed. Features stay where they are. */
import { exchange, lengthsOf } from "./teams/communicator.ts";
import { communicator } from "./teams/processes.ts";
import type { Dataset, Exchanged } from "./types.ts";

export interface ScoredLists {
  readonly data: Dataset;
  readonly scores: Float64Array;
}

/** The lists of all processes without features, in each of them. With one process, what was given. */
export function gatherScores(given: ScoredLists): ScoredLists {
  const others = communicator();
  const { data, scores } = given;
  if (!others || !data.shard) return given;
  const gather = <A extends Exchanged>(part: A, make: (length: number) => A): A => {
    const lengths = lengthsOf(others, part.length);
    const all = make(lengths.reduce((a, b) => a + b, 0));
    others.gather(part, lengths, all);
    return all;
  };
  const floats = (part: Float32Array) => gather(part, (length) => new Float32Array(length));
  const { listWeights, itemWeights, names, shard } = data;
  const all = {
    scores: gather(scores, (length) => new Float64Array(length)),
    labels: floats(data.labels),
    ...(listWeights && { listWeights: floats(listWeights) }),
    ...(itemWeights && { itemWeights: floats(itemWeights) }),
  };
  const texts = exchange(others, {
    lists: names.lists,
    entries: names.entries,
    rows: scores.length,
    unlabelled: data.unlabelled,
  });
  const entries = texts.some((one) => one.entries);
  const rows = all.labels.length;
  const { shard: _, unlabelled: __, ...rest } = data;
  return {
    scores: all.scores,
    data: {
      ...rest,
      ...(texts.every((one) => one.unlabelled) && { unlabelled: true }),
      starts: shard.starts,
      labels: all.labels,
      features: { kind: "dense", rows, columns: 0, values: new Float32Array(0) },
      ...(listWeights && { listWeights: all.listWeights! }),
      ...(itemWeights && { itemWeights: all.itemWeights! }),
      names: {
        ...(texts.some((one) => one.lists) && { lists: texts.flatMap((one) => one.lists ?? []) }),
        ...(entries && { entries: texts.flatMap((one) => one.entries ?? new Array<string>(one.rows).fill("")) }),
      },
    },
  };
}
