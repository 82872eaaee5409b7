/** `tierwise what-if`: the order of a list if features of its items were others. */
import type { Command } from "commander";
import { InputError, quote } from "../input-error.ts";
import { columnName } from "../models/shared/columns.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import type { Columns } from "../types.ts";
import { cellsOf, type FeatureChange, namesIn, whatIf } from "../what-if.ts";
import { idsOf, listNamed } from "./list-choice.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { print, printJson, tableText } from "./output.ts";
import { addTransformCode, readModelWith } from "./own-code.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly set?: readonly string[];
  readonly query?: string;
  readonly item?: readonly string[];
  readonly top?: string;
}

const MISSING = /^(missing|nan|)$/i;

const collect = (more: string, before: readonly string[] = []) => [...before, more];

export function whatIfCommand(program: Command): void {
  const command = program
    .command("what-if")
    .summary("rank a list with changed features")
    .description("Changes features of one list, or of some of its items, and prints the new order beside the old.")
    .argument("<model>", "model file")
    .argument("<files...>", "data files; - is standard input")
    .option(
      "--set <change>",
      "price=9, color=red, sold=yes, price=missing, price+1, price-1, price*1.1 or price/2; may be given several times",
      collect,
    )
    .option("--query <id>", "the list, by its id (default: the first)")
    .option("--item <id>", "change only this item; may be given several times (default: all items of the list)", collect)
    .option("--top <number>", "number of items to show (default: all)");
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  const top = wholeNumber("top", options.top, 1);
  if (!options.set) throw new InputError("what-if: expected at least one change, such as --set price=9");
  const file = await readModelWith(path, options);
  const { model } = file;
  const changes = options.set.flatMap((text) => changesOf(text, model.columns));
  const data = await loadForModel(path, file, files, options, { labels: "optional" });
  const list = listNamed(data, options.query);
  const id = idsOf(data, list);
  const count = data.starts[list + 1]! - data.starts[list]!;
  const ids = Array.from({ length: count }, (_, index) => id(index));
  const chosen = options.item?.map((wanted) => {
    const index = ids.indexOf(wanted);
    if (index < 0) throw new InputError(`--item: the list has no item ${quote(wanted)}; ${suggest(wanted, ids)}`);
    return index;
  });
  const moves = whatIf(
    model,
    data,
    list,
    changes.map((change) => ({ ...change, ...(chosen ? { items: chosen } : {}) })),
  );
  const name = data.names.lists?.[list] ?? String(list + 1);
  const items = moves
    .filter((move, at) => at < (top ?? Infinity) || chosen?.includes(move.index))
    .map(({ index, before, after }) => ({ id: ids[index]!, before, after }));
  if (options.json) return printJson({ list: name, changes: options.set, changed: chosen ? options.item : ids, items });
  print(
    `List ${visible(name)}: ${options.set.map((text) => visible(text)).join(", ")} for ${chosen ? options.item!.map((one) => visible(one)).join(", ") : "all items"}\n`,
  );
  print(
    tableText({
      head: ["rank", "before", "item", "score", "score before"],
      rows: items.map(({ id: item, before, after }) => [after.rank, before.rank, item, after.score, before.score]),
    }),
  );
}

/** The changes that a text describes: "price=9", "price*1.1", "color=red". The name is the longest that an operator follows. */
export function changesOf(text: string, columns: Columns): FeatureChange[] {
  const features = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const names = namesIn(columns);
  const [name] = names
    .filter((one) => text.startsWith(one) && /^\s*[=+*/-]/.test(text.slice(one.length)))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) {
    const [, wanted] = /^([^=+*/]+?)\s*[=+*/-]/.exec(text) ?? [];
    if (wanted === undefined)
      throw new InputError(`--set: expected a change such as price=9, price+1 or price*1.1, got ${quote(text)}`);
    throw new InputError(`--set: the model has no feature ${quote(wanted)}; ${suggest(wanted, names)}`);
  }
  const [, operator, operand] = /^\s*([=+*/-])\s*([\s\S]*?)\s*$/.exec(text.slice(name.length))! as unknown as [string, string, string]; // biome-ignore format: one line
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(operand) ? Number(operand) : undefined;
  if (operator === "=") {
    const value = MISSING.test(operand) ? Number.NaN : features.includes(name) ? (number ?? operand) : operand;
    if (Math.abs(Number(value)) === Infinity)
      throw new InputError(`--set: expected a number after ${name}=, got ${quote(operand)}`);
    return settings(name, value, columns);
  }
  if (!features.includes(name))
    throw new InputError(
      `--set: the column ${quote(name)} has no numbers that ${operator} could change; set a value with ${name}=`,
    );
  if (number === undefined || !Number.isFinite(number) || (operator === "/" && number === 0))
    throw new InputError(`--set: expected a number after ${name}${operator}, got ${quote(operand)}`);
  const change = { "+": { add: number }, "-": { add: -number }, "*": { factor: number }, "/": { factor: 1 / number } };
  return [{ feature: name, ...change[operator as keyof typeof change] }];
}

/** A change of each feature that the value of a column sets. */
function settings(name: string, value: number | string, columns: Columns): FeatureChange[] {
  try {
    return cellsOf(columns, name, value).map(([c, set]) => ({ feature: columnName(columns, c), set }));
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--set: ${error.message}`) : error;
  }
}
