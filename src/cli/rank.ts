/** `tierwise rank`: lists in, lists in order out. */
import { once } from "node:events";
import type { Command } from "commander";
import { oneCell, oneWord, visible } from "../data/names.ts";
import { readModel } from "../formats/models/files.ts";
import { Mistake, quote } from "../mistake.ts";
import { guess } from "../part.ts";
import { EXACT, PLACES, rankProbabilities } from "../probabilities.ts";
import { type Ranked, rank } from "../rank.ts";
import { checkFiles } from "./files.ts";
import { chancesFrom, isLikelihood, likelyHead, likelyRows, NO_LIKELIHOOD, refuseChances } from "./likely.ts";
import { load } from "./load.ts";
import { type Common, cacheOf, common, reading, readingOf, unknownFeatures, wholeNumber } from "./options.ts";
import { notice } from "./output.ts";
import { progress } from "./progress.ts";
import { settleAll } from "./settings.ts";

interface Options extends Common {
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
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

type Layout = (ranked: Ranked, tag: string) => string;

const layouts: Readonly<Record<string, Layout>> = {
  trec: ({ list, items }, tag) =>
    items.map(({ id, rank, score }) => `${oneWord(list)} Q0 ${oneWord(id)} ${rank} ${score} ${tag}\n`).join(""),
  qrels: ({ list, items }) => items.map(({ id, label }) => `${oneWord(list)} 0 ${oneWord(id)} ${label}\n`).join(""),
  tsv: ({ list, items }) => items.map(({ id, rank, score }) => `${oneCell(list)}\t${rank}\t${oneCell(id)}\t${score}\n`).join(""),
  jsonl: (ranked) => `${visible(JSON.stringify(ranked))}\n`,
};

export function rankCommand(program: Command): void {
  const command = program
    .command("rank")
    .summary("put the items of lists in order")
    .description(
      "Scores lists with a model and prints their items, best first: a TREC run, or qrels of the same items. Labels in the data are looked at for qrels alone and may be absent.",
    )
    .argument("<model>", "model file")
    .argument("<files...>", "data files; - is standard input")
    .option("--top <places>", "only the first places of each list")
    .option("--format <format>", `${Object.keys(layouts).join(", ")}: how the result is written`, "trec")
    .option("--tag <name>", "last column of a TREC run", "tierwise")
    .option("--probabilities", "of first places, of the first k places, of ranks: as a table, or with --json")
    .option("--within <places>", "the k of these first places, with commas between them", PLACES.join(","))
    .option("--temperature <number>", "scores are divided by it (evaluate --calibration fits it)", "1")
    .option("--pairs", "with --json: also the matrix of P(i above j), items best first")
    .option("--exact <items>", `lists of up to so many items are exact, longer ones drawn (default: ${EXACT})`)
    .option("--draws <number>", "orders drawn for longer lists (default: by their length, 1,000 to 10,000)")
    .option("--seed <number>", "of the draws (default: 1)");
  reading(common(command)).action((model: string, files: string[]) => run(command, model, files));
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  settleAll(command);
  checkFiles(command, { others: [path], data: [files] });
  const options = command.opts<Options>();
  const chances = options.probabilities ? chancesFrom(command, options) : undefined;
  if (!chances) refuseChances(command);
  const name = options.json ? "jsonl" : chances ? "tsv" : options.format;
  const layout = Object.hasOwn(layouts, name) ? layouts[name] : undefined;
  if (!layout) throw new Mistake(`--format: no format is called ${quote(name)}; ${guess(name, Object.keys(layouts))}`);
  if (options.tag === "" || oneWord(options.tag) !== options.tag)
    throw new Mistake(`--tag: expected a word without blanks, got ${quote(options.tag)}`);
  const top = wholeNumber("top", options.top, 1);
  const { model, training } = readModel(path);
  const given = readingOf(path, training, { ...options });
  const quiet = options.quiet ?? false;
  const data = await load(files, {
    reading: given,
    quiet,
    labels: "optional",
    columns: model.columns,
    training,
    unknown: unknownFeatures(options),
    cache: cacheOf(options),
  });
  const write = async (text: string) => {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  };
  if (!chances) {
    for (const ranked of rank(model, data, top)) await write(layout(ranked, options.tag));
    return;
  }
  const { objective } = training;
  if (!quiet && !isLikelihood(objective)) notice(`${path} was trained under ${objective}, ${NO_LIKELIHOOD}`);
  if (name === "tsv") await write(likelyHead(chances.places));
  const bar = progress("Ranking", quiet);
  const lists = data.starts.length - 1;
  let [done, error] = [0, 0];
  for (const ranked of rankProbabilities(model, data, { ...chances, ...(top === undefined ? {} : { top }) })) {
    bar.at(++done / lists, `${done} of ${lists} lists`);
    error = Math.max(error, ranked.error);
    await write(name === "tsv" ? likelyRows(ranked) : layout(ranked, options.tag));
  }
  bar.done();
  if (!quiet && error > 0) notice(`Places of longer lists are drawn: standard errors of up to ${error.toFixed(4)} (--draws).`);
}
