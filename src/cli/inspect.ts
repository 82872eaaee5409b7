/** `tierwise inspect`: what the columns of data are, and what to look at before training. */
import type { Command } from "commander";
import { counted } from "../counted.ts";
import { column } from "../data/column.ts";
import type { ColumnSummary } from "../formats/data/table-list.ts";
import { type Inspection, inspect } from "../inspect.ts";
import { columnName, columnsOf } from "../models/shared/columns.ts";
import { shortText } from "../numeric/float32.ts";
import type { Dataset } from "../types.ts";
import { FileOption } from "./file-option.ts";
import { checkFiles } from "./files.ts";
import { checkReadable, load, loadDescribed } from "./load.ts";
import {
  addCommonOptions,
  addReadingOptions,
  type Common,
  cacheOf,
  type ReadingFlags,
  readingOptions,
  unknownFeatures,
} from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common, ReadingFlags {
  readonly test?: string[];
}

export function inspectCommand(program: Command): void {
  const command = program
    .command("inspect")
    .summary("show what the columns of data are, and warn before training")
    .description(
      "Prints the role, kind, number of different values, missing values and an example of each column, and warns of features that give the label away, ids, contradicting rows, lists and features that say nothing, and differences between training and test data. Tells the best NDCG that equal rows allow.",
    )
    .argument("<files...>", "data files; - is standard input")
    .addOption(new FileOption("--test <files...>", "test data to compare with", "reads data"));
  addReadingOptions(addCommonOptions(command)).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, { data: [files] });
  const options = command.opts<Options>();
  const quiet = options.quiet ?? false;
  const how = { reading: readingOptions({ ...options }), quiet, cache: cacheOf(options), ...unknownFeatures(options) };
  await checkReadable([...files, ...(options.test ?? [])]);
  const { data, describe } = await loadDescribed(files, { ...how, described: true });
  const test = options.test && (await load(options.test, { ...how, columns: columnsOf(data) }));
  const columns = describe?.() ?? featureColumns(data);
  const order = how.reading.tiers || data.items ? undefined : columns.find(({ role }) => role === "label")?.order;
  const found = withLabelWords(withLeftOut(inspect(data, test ? { test } : {}), columns), order);
  if (options.json) return printJson({ columns, ...found });
  print(textOf(columns, found, order));
}

/** With a warning where all columns of features are left out, so that the table is one of items without features. */
function withLeftOut(found: Inspection, columns: readonly ColumnSummary[]): Inspection {
  const names = columns.filter(({ role }) => role === "left out").map(({ column: name }) => name);
  if (found.features > 0 || names.length === 0) return found;
  const some = `${names.slice(0, 6).join(", ")}${names.length > 6 ? ` and ${names.length - 6} more` : ""}`;
  const text = `the data have no features, because all columns that could be some are left out: ${some}`;
  return { ...found, warnings: [{ kind: "no features", names, text }, ...found.warnings.filter(({ kind }) => kind !== "no features")] }; // biome-ignore format: one value
}

/** With the words of labels, the best first, in the place of the numbers that stand for them. */
function withLabelWords(found: Inspection, order: readonly string[] | undefined): Inspection {
  if (!order) return found;
  const counts = order.map((word, at) => [word, found.labels[order.length - 1 - at] ?? 0] as const);
  return { ...found, labels: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

const MOST_COLUMNS = 200; // of a format without names, in the table

/** The columns of data that came as no table: the label and the features. */
function featureColumns(data: Dataset): ColumnSummary[] {
  const columns = columnsOf(data);
  const summary = (name: string, role: "label" | "feature", values: ArrayLike<number>): ColumnSummary => {
    const known = Array.from(values).filter((value) => !Number.isNaN(value));
    const counts = { distinct: new Set(known).size, missing: values.length - known.length };
    return { column: name, role, kind: "number", ...counts, example: known.length > 0 ? shortText(known[0]!) : "" };
  };
  const features = Array.from({ length: Math.min(MOST_COLUMNS, columns.count) }, (_, c) =>
    summary(columnName(columns, c), "feature", column(data.features, c)),
  );
  return [summary("label", "label", data.labels), ...features];
}

function textOf(columns: readonly ColumnSummary[], found: Inspection, order: readonly string[] | undefined): string {
  const shown = (text: string) => (text.length > 30 ? `${text.slice(0, 29)}…` : text);
  const table = tableText({
    head: ["column", "role", "kind", "distinct", "missing", "example"],
    rows: columns.map((one) => [one.column, one.role, one.kind, one.distinct, one.missing, shown(one.example)]),
  });
  const labels =
    order?.filter((word) => Object.hasOwn(found.labels, word)) ?? Object.keys(found.labels).sort((a, b) => Number(a) - Number(b)); // an object has whole numbers first
  const some = labels.slice(0, 8).map((label) => `${label} (${found.labels[label]})`);
  const ceilings = Object.entries(found.ceiling).map(([spec, value]) => `${spec} ${figure(value)}`);
  return [
    table,
    "",
    `${counted(found.lists, "list")}, ${counted(found.items, "item")}, ${counted(found.features, "feature")}`,
    `labels and their items${order ? ", the best first" : ""}: ${some.join(", ")}${labels.length > 8 ? ` and ${labels.length - 8} more` : ""}`,
    ...(ceilings.length > 0 ? [`the best that equal rows of a list allow: ${ceilings.join(", ")}`] : []),
    "",
    ...(found.warnings.length > 0 ? found.warnings.map(({ kind, text }) => `${kind}: ${text}`) : ["nothing to warn of"]),
  ].join("\n");
}
