/** `tierwise rank`: lists in, lists in order out. */
import { once } from "node:events";
import type { Command } from "commander";
import { oneWord } from "../data/names.ts";
import { readModel } from "../formats/models/files.ts";
import { Mistake, quote } from "../mistake.ts";
import { guess } from "../part.ts";
import { type Ranked, rank } from "../rank.ts";
import { load } from "./load.ts";
import { type Common, cacheOf, common, reading, readingOf, unknownFeatures, wholeNumber } from "./options.ts";
import { settleAll } from "./settings.ts";

interface Options extends Common {
  readonly top?: string;
  readonly format: string;
  readonly tag: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

type Layout = (ranked: Ranked, tag: string) => string;

/** The columns of a table stand between tabs, so a name must hold none. */
const oneCell = (name: string) => name.replace(/[\t\r\n]+/g, " ");

const layouts: Readonly<Record<string, Layout>> = {
  trec: ({ list, items }, tag) =>
    items.map(({ id, rank, score }) => `${oneWord(list)} Q0 ${oneWord(id)} ${rank} ${score} ${tag}\n`).join(""),
  qrels: ({ list, items }) => items.map(({ id, label }) => `${oneWord(list)} 0 ${oneWord(id)} ${label}\n`).join(""),
  tsv: ({ list, items }) => items.map(({ id, rank, score }) => `${oneCell(list)}\t${rank}\t${oneCell(id)}\t${score}\n`).join(""),
  jsonl: (ranked) => `${JSON.stringify(ranked)}\n`,
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
    .option("--tag <name>", "last column of a TREC run", "tierwise");
  reading(common(command)).action((model: string, files: string[]) => run(command, model, files));
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  settleAll(command);
  const options = command.opts<Options>();
  const name = options.json ? "jsonl" : options.format;
  const layout = Object.hasOwn(layouts, name) ? layouts[name] : undefined;
  if (!layout) throw new Mistake(`--format: no format is called ${quote(name)}; ${guess(name, Object.keys(layouts))}`);
  if (!/^\S+$/.test(options.tag)) throw new Mistake(`--tag: expected a word without blanks, got ${quote(options.tag)}`);
  const top = wholeNumber("top", options.top, 1);
  const { model, training } = readModel(path);
  const given = readingOf(path, training, { ...options });
  const quiet = options.quiet ?? false;
  const data = await load(files, {
    reading: given,
    quiet,
    labels: "optional",
    columns: model.columns,
    unknown: unknownFeatures(options),
    cache: cacheOf(options),
  });
  for (const ranked of rank(model, data, top)) {
    if (!process.stdout.write(layout(ranked, options.tag))) await once(process.stdout, "drain");
  }
}
