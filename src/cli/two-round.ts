/** The option --two-round: data are read twice, and only the bins of features are kept. */
import type { Command } from "commander";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import { readBinned } from "../formats/data/read-binned.ts";
import { readBinnedShard } from "../formats/data/read-binned-shard.ts";
import { withShardDigest } from "../formats/data/shard-digest.ts";
import { InputError } from "../input-error.ts";
import { communicator } from "../teams/processes.ts";
import type { Dataset, Learner } from "../types.ts";
import { alignedAs, type LoadOptions, megabytes } from "./load.ts";
import { heap } from "./memory.ts";
import { notice } from "./output.ts";
import { progress as bars } from "./progress.ts";

/** The option as it was given. */
export interface TwoRoundFlags {
  readonly twoRound?: boolean;
}

export const addTwoRound = (command: Command): Command =>
  command.option(
    "--two-round",
    "read the data files twice and keep only the bins of features, one byte a value; for trees on data that do not fit into memory otherwise; does not affect the result",
  );

/** Why options need values, of which --two-round keeps only the bins. */
const NEEDS_VALUES: Readonly<Record<string, string>> = {
  init: "scores of the first model are computed from values",
  transform: "a transform changes values",
  report: "a report is made from values; train without it and run tierwise report on data that fit into memory",
  holdOut: "lists are held out after reading; put them into a file of their own and give it as --valid",
  cache: "a cache keeps values",
  cacheDir: "a cache keeps values",
  tiers: "it leaves out rows after reading",
  split: "it leaves out rows after reading",
};

/** Refuses what needs the values of features. */
export function checkTwoRound(options: object, ballots: boolean, model: Learner): void {
  const given = options as Readonly<Record<string, unknown>>;
  if (!given.twoRound) return;
  if (ballots) throw new InputError("--two-round: ballots have no features whose bins could be kept; leave it out");
  if (!model.binOptions)
    throw new InputError(
      `--two-round keeps only the bins of features, and the model ${model.id} needs their values; use --model trees, or leave it out`,
    );
  model.binOptions();
  for (const [name, why] of Object.entries(NEEDS_VALUES)) {
    const value = given[name];
    if (value === undefined || value === false || value === "") continue;
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new InputError(`--two-round keeps only the bins of features, and --${flag} cannot be combined with it: ${why}`);
  }
}

/** Training data for the model, and validation data with the same bins. */
export async function loadBinned(
  files: readonly string[],
  validFiles: readonly string[] | undefined,
  loading: LoadOptions,
  model: Learner,
): Promise<{ data: Dataset; valid: Dataset | undefined }> {
  const data = await loadOne(files, loading, { model });
  return { data, valid: validFiles && (await loadOne(validFiles, loading, { like: data })) };
}

async function loadOne(
  paths: readonly string[],
  { reading, quiet, threads, unknownFeatures, digest }: LoadOptions,
  how: { readonly model: Learner } | { readonly like: Dataset },
): Promise<Dataset> {
  const bar = bars("Reading in two rounds", quiet);
  try {
    const others = communicator();
    const read = (...given: Parameters<typeof readBinned>) =>
      others ? readBinnedShard(others, given[0], given[1]) : readBinned(...given);
    const { data, notices } = await alignedAs(shownPaths(paths), () =>
      read(paths, {
        ...reading,
        ...how,
        ...{ heap, ...(unknownFeatures && { unknownFeatures }) },
        ...(threads ? { threads } : {}),
        progress: (read, all) => bar.at(read / all, megabytes(read)),
      }),
    );
    bar.done();
    if (!quiet) for (const line of notices) notice(line);
    return others && digest ? withShardDigest(others, data) : data;
  } finally {
    bar.done();
  }
}
