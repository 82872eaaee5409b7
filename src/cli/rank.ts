/** `tierwise rank`: ranks the items of lists. */
import { once } from "node:events";
import type { Command } from "commander";
import { forSpreadsheet, oneCell, oneWord } from "../data/names.ts";
import { score } from "../evaluate.ts";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import { EXACT, PLACES, rankProbabilities } from "../probabilities.ts";
import { type Ranked, rank, rankScores } from "../rank.ts";
import { communicator } from "../teams/processes.ts";
import { gatherScores } from "./gather-scores.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { notice } from "./output.ts";
import { addTransformCode, readModelWith } from "./own-code.ts";
import {
  isLikelihood,
  NO_LIKELIHOOD,
  probabilityHeader,
  probabilityOptions,
  probabilityRows,
  refuseChances,
} from "./probability-output.ts";
import { addProcesses, checkProcesses } from "./processes.ts";
import { progress } from "./progress.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly top?: string;
  readonly format: string;
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

type Layout = (ranked: Ranked, tag: string) => string;

const layouts: Readonly<Record<string, Layout>> = {
  trec: ({ list, items }, tag) =>
    items.map(({ id, rank, score }) => `${oneWord(list)} Q0 ${oneWord(id)} ${rank} ${score} ${tag}\n`).join(""),
  qrels: ({ list, items }) => items.map(({ id, label }) => `${oneWord(list)} 0 ${oneWord(id)} ${label}\n`).join(""),
  tsv: ({ list, items }) =>
    items
      .map(({ id, rank, score }) => [forSpreadsheet(oneCell(list)), rank, forSpreadsheet(oneCell(id)), score].join("\t"))
      .map((line) => `${line}\n`)
      .join(""),
  jsonl: (ranked) => `${visible(JSON.stringify(ranked))}\n`,
};

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
    .option("--format <format>", `${Object.keys(layouts).join(", ")}: how the result is written`, "trec")
    .option("--tag <name>", "last column of a TREC run", "tierwise")
    .option("--probabilities", "print the probabilities of ranks, as a table or with --json")
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
  const chances = options.probabilities ? probabilityOptions(command, options) : undefined;
  if (!chances) refuseChances(command);
  const name = options.json ? "jsonl" : chances ? "tsv" : options.format;
  const layout = Object.hasOwn(layouts, name) ? layouts[name] : undefined;
  if (!layout) throw new InputError(`--format: no format is called ${quote(name)}; ${suggest(name, Object.keys(layouts))}`);
  if (options.tag === "" || oneWord(options.tag) !== options.tag)
    throw new InputError(`--tag: expected a word without blanks, got ${quote(options.tag)}`);
  const top = wholeNumber("top", options.top, 1);
  if (chances && communicator())
    throw new InputError("--probabilities: computed with the threads of one process only; start one process");
  const file = await readModelWith(path, options);
  const { model } = file;
  const quiet = options.quiet ?? false;
  const data = await loadForModel(path, file, files, options, { labels: "optional" });
  const write = async (text: string) => {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  };
  if (!chances && data.shard) {
    const gathered = gatherScores({ data, scores: score(model, data) });
    if (gathered)
      for (const ranked of rankScores(gathered.scores, gathered.data, top)) {
        const { list, items } = ranked;
        await write(layout({ list, items }, options.tag));
      }
    return;
  }
  if (!chances) {
    for (const ranked of rank(model, data, top)) await write(layout(ranked, options.tag));
    return;
  }
  const { objective } = file.training;
  if (!quiet && !isLikelihood(objective)) notice(`${path} was trained under ${objective}, ${NO_LIKELIHOOD}`);
  if (name === "tsv") await write(probabilityHeader(chances.places));
  const bar = progress("Ranking", quiet);
  const lists = data.starts.length - 1;
  let [done, error] = [0, 0];
  for (const ranked of rankProbabilities(model, data, { ...chances, ...(top === undefined ? {} : { top }) })) {
    bar.at(++done / lists, `${done} of ${lists} lists`);
    error = Math.max(error, ranked.error);
    await write(name === "tsv" ? probabilityRows(ranked) : layout(ranked, options.tag));
  }
  bar.done();
  if (!quiet && error > 0)
    notice(`Probabilities of longer lists are sampled, with standard errors of up to ${error.toFixed(4)} (--draws).`);
}
