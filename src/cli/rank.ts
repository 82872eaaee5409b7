/** `tierwise rank`: ranks the items of lists. */
import type { Command } from "commander";
import { oneWord } from "../data/names.ts";
import { score } from "../evaluate.ts";
import { gatherScores } from "../gather-scores.ts";
import { InputError, quote } from "../input-error.ts";
import { EXACT, PLACES, rankProbabilities } from "../probabilities.ts";
import { type Ranked, rank, rankScores } from "../rank.ts";
import { communicator, isFirstProcess } from "../teams/processes.ts";
import { FileOption } from "./file-option.ts";
import { listColumns } from "./list-columns.ts";
import { addCommonOptions, addReadingOptions, readingFromModel, wholeNumber } from "./options.ts";
import { notice } from "./output.ts";
import { addTransformCode, readModelWith } from "./own-code.ts";
import {
  isLikelihood,
  NO_LIKELIHOOD,
  probabilityFormat,
  probabilityLayouts,
  probabilityOptions,
  refuseChances,
} from "./probability-output.ts";
import { addProcesses, checkProcesses } from "./processes.ts";
import { progress } from "./progress.ts";
import { type RankLayouts, rankFormat, rankFormats, rankLayouts, rankWriter, withListColumns } from "./rank-output.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly top?: string;
  readonly format?: string;
  readonly out?: string;
  readonly tag: string;
  readonly probabilities?: true;
  readonly within: string;
  readonly temperature: string;
  readonly pairs?: true;
  readonly exact?: string;
  readonly draws?: string;
  readonly seed?: string;
  readonly processes?: string;
}

export function rankCommand(program: Command): void {
  const command = program
    .command("rank")
    .summary("rank the items of lists")
    .description(
      "Scores lists with a model and prints their items, best first: a TREC run, or qrels of the same items. Labels are used only for qrels and may be absent.",
    )
    .argument("<model>", "model file")
    .argument("<files...>", "data files; - is standard input")
    .option("--top <places>", "number of items per list")
    .option(
      "--format <format>",
      `${rankFormats.join(", ")}: how the result is written (default: by the ending of --out, such as .csv or .csv.gz, or trec)`,
    )
    .addOption(new FileOption("--out <file>", "write the result to this file instead of standard output", "writes"))
    .option("--tag <name>", "last column of a TREC run", "tierwise")
    .option("--probabilities", "add the probabilities of ranks, in tsv (default), csv, jsonl or parquet")
    .option("--within <places>", "comma-separated values of k for P(among the first k)", PLACES.join(","))
    .option("--temperature <number>", "divide scores by this (evaluate --calibration fits it)", "1")
    .option("--pairs", "with --json: also the matrix of P(i above j), items best first")
    .option("--exact <items>", `compute exactly for lists of up to this many items, sample for longer ones (default: ${EXACT})`)
    .option("--draws <number>", "samples for longer lists (default: 1,000 to 10,000, depending on the length)")
    .option("--seed <number>", "random seed of the samples (default: 1)");
  addReadingOptions(addCommonOptions(addProcesses(addTransformCode(command)))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  checkProcesses(options);
  const chances = options.probabilities ? probabilityOptions(options) : undefined;
  if (!chances) refuseChances(command);
  const name = options.json
    ? rankFormat("jsonl", options.out)
    : chances
      ? probabilityFormat(options)
      : rankFormat(options.format, options.out);
  if (options.tag === "" || oneWord(options.tag) !== options.tag)
    throw new InputError(`--tag: expected a word without blanks, got ${quote(options.tag)}`);
  const top = wholeNumber("top", options.top, 1);
  if (chances && communicator())
    throw new InputError("--probabilities: computed with the threads of one process only; start one process");
  const file = await readModelWith(path, options);
  const { model } = file;
  const quiet = options.quiet ?? false;
  const data = await loadForModel(path, file, files, options, { labels: "optional" });
  const gathered = data.shard && gatherScores({ data, scores: score(model, data) });
  if (!isFirstProcess()) return;
  const { names, unlabelled } = gathered?.data ?? data;
  if (name === "qrels" && unlabelled)
    throw new InputError(
      "--format qrels: qrels hold labels, and the data have none; name their column with --label, or write a run (--format trec)",
    );
  /** Writes lists as they come, and tells of names that the format changed. */
  const write = async <R extends Ranked>(layouts: RankLayouts<R>, rankings: Iterable<R>) => {
    const reading = readingFromModel(path, file.training, { ...options });
    const taken = ["list", "items", ...layouts.columns.map((column) => column.name)];
    const named = withListColumns(layouts, listColumns(reading, names.lists, taken));
    const writer = await rankWriter(named, name, { out: options.out, tag: options.tag, lists: names.lists });
    for (const ranked of rankings) await writer.add(ranked);
    await writer.end();
    const renamed = writer.renamed();
    if (renamed !== undefined && !quiet) notice(renamed);
  };
  if (!chances) {
    const rankings = gathered ? rankScores(gathered.scores, gathered.data, top) : rank(model, data, top);
    return write(rankLayouts, plain(rankings));
  }
  const { objective } = file.training;
  if (!quiet && !isLikelihood(objective)) notice(`${path} was trained under ${objective}, ${NO_LIKELIHOOD}`);
  const bar = progress("Ranking", quiet);
  const lists = data.starts.length - 1;
  let [done, error] = [0, 0];
  const rankings = function* () {
    for (const ranked of rankProbabilities(model, data, { ...chances, ...(top === undefined ? {} : { top }) })) {
      bar.at(++done / lists, `${done} of ${lists} lists`);
      error = Math.max(error, ranked.error);
      yield ranked;
    }
    bar.done();
  };
  await write(probabilityLayouts(chances.places), rankings());
  if (!quiet && error > 0)
    notice(`Probabilities of longer lists are sampled, with standard errors of up to ${error.toFixed(4)} (--draws).`);
}

/** Rankings without what else their source knows. */
function* plain(rankings: Iterable<Ranked>): Generator<Ranked> {
  for (const { list, items } of rankings) yield { list, items };
}
