/** `tierwise show`: show what a model is and what it learned. */
import type { Command } from "commander";
import { dateColumns, timeNames } from "../data/table/encoding-text.ts";
import { writeDurably } from "../formats/durable.ts";
import type { ModelFile, Training } from "../formats/models/native.ts";
import { InputError, quote } from "../input-error.ts";
import { caterpillar } from "../report/caterpillar.ts";
import { roundsText } from "../stop-on.ts";
import type { Description, Model, Table } from "../types.ts";
import { checkFiles, FileOption } from "./files.ts";
import { wholeNumber } from "./options.ts";
import { csvText, descriptionText, figure, markdownText, notice, print, printJson, printRaw } from "./output.ts";
import { addTransformCode, readModelWith } from "./own-code.ts";

interface Options {
  readonly all?: true;
  readonly json?: true;
  readonly quiet?: true;
  readonly csv?: true;
  readonly markdown?: true;
  readonly plot?: string;
  readonly tree?: string;
  readonly transform?: string;
}

export function showCommand(program: Command): void {
  const command = program
    .command("show")
    .summary("show what a model is and what it learned")
    .description(
      "Prints the contents of a model file: the kind of model, how it was trained, its validation metrics, and what it learned.",
    )
    .argument("<model>", "model file")
    .option("--all", "complete tables instead of the first twenty rows")
    .option("--json", "print the result as one line of JSON")
    .option("--quiet", "suppress notices")
    .option("--csv", "print the table of what it learned, such as a leaderboard, as CSV")
    .option("--markdown", "print that table for a README, as Markdown")
    .addOption(new FileOption("--plot <file>", "plot utilities with their intervals to an SVG file", "writes"))
    .option("--tree <number>", "draw one tree, from 0");
  addTransformCode(command).action((path: string) => run(command, path));
}

async function run(command: Command, path: string): Promise<void> {
  const { all, json, csv, markdown, plot, tree, quiet } = command.opts<Options>();
  checkFiles(command, { others: [path] });
  const { model, training, metrics } = await readModelWith(path, command.opts<Options>());
  const description = model.describe();
  if (plot !== undefined) draw(plot, description, training.objective, quiet);
  if (tree !== undefined) print(treeOf(model, tree));
  else if (json) printJson({ ...description, training, metrics, columns: model.columns });
  else if (csv) printRaw(csvText(tableOf("--csv", description)));
  else if (markdown) printRaw(markdownText(tableOf("--markdown", description)));
  else print(textOf(description, training, metrics, model.columns.encoding, all ? Infinity : 20));
}

function treeOf(model: Model, text: string): string {
  if (!model.drawTree) throw new InputError(`--tree draws a tree, but a model of kind ${model.id} has none`);
  return model.drawTree(wholeNumber("tree", text, 0)!);
}

function textOf(
  description: Description,
  training: Training,
  metrics: ModelFile["metrics"],
  encoding: Model["columns"]["encoding"],
  most: number,
): string {
  const dates = dateColumns(encoding).map(({ name, day }) => `${name}: days since ${day}`);
  const times = timeNames(encoding);
  const errors = training.search?.errors;
  const reached = Object.fromEntries(
    Object.entries(metrics).map(([name, value]) =>
      errors ? [`nested ${name}`, `${figure(value)} ± ${figure(errors[name] ?? Number.NaN)}`] : [`valid ${name}`, value],
    ),
  );
  const { objective, seed, rounds, best, stopOn, data, search } = training;
  const facts: Description["facts"] = {
    ...description.facts,
    objective,
    ...(rounds === undefined ? {} : { rounds: roundsText(best, rounds, stopOn) }),
    ...(typeof data?.lists === "number" && typeof data.items === "number"
      ? { "trained on": `${figure(data.lists)} lists, ${figure(data.items)} items` }
      : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(search ? { trials: search.trials.length } : {}),
    ...(dates.length > 0 && { dates: dates.join(", ") }),
    ...(times.length > 0 && { times: `${times.join(", ")}: seconds` }),
    ...reached,
  };
  const tables = training.search ? [trialsTable(training.search), ...description.tables] : description.tables;
  return descriptionText({ ...description, facts, tables }, most);
}

/** What was tried before the models of a blend were chosen. */
function trialsTable({ folds, trials }: NonNullable<Training["search"]>): Table {
  const specs = Object.keys(trials.find(({ failed }) => failed === undefined)?.metrics ?? {});
  const cell = ({ metrics, errors }: (typeof trials)[number], spec: string) =>
    metrics[spec] === undefined ? "-" : `${figure(metrics[spec])} ± ${figure(errors[spec]!)}`;
  return {
    title: `Trials, by ${folds}-fold cross-validation`,
    head: ["trial", "model", "objective", ...specs, "weight"],
    rows: trials.map((one, t) => [
      ...[String(t + 1), one.model, one.objective, ...specs.map((spec) => cell(one, spec))],
      one.failed === undefined ? figure(one.weight) : `failed: ${one.failed}`,
    ]),
  };
}

function draw(path: string, { estimates, title }: Description, objective: string, quiet = false): void {
  if (!estimates) throw new InputError(`--plot draws utilities with their intervals, but this model has none: ${title}`);
  writeDurably(path, caterpillar(estimates, { title: "Utilities", axis: `utility (log-worth) under ${objective}` }));
  if (!quiet) notice(`The plot is in ${path}.`);
}

function tableOf(option: string, { tables, title }: Description): Table {
  const [table] = tables;
  if (!table) throw new InputError(`${option} prints a table, but this model has none: ${quote(title)}`);
  return table;
}
