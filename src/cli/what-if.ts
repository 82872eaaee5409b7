/** `tierwise what-if`: the order of a list if features of its items were others. */
import type { Command } from "commander";
import { DAY, dateOf, truthOf } from "../data/table/cell-text.ts";
import { InputError, quote } from "../input-error.ts";
import { columnName } from "../models/shared/columns.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import type { Columns } from "../types.ts";
import { type FeatureChange, whatIf } from "../what-if.ts";
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
      "price=9, color=red, price=missing, price+1, price-1, price*1.1 or price/2; may be given several times",
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

/** The changes that a text describes: of one feature, or "color=red" and "listed=2024-03-01" as cells of a table would have them. */
export function changesOf(text: string, columns: Columns): FeatureChange[] {
  const [column] = (columns.encoding ?? [])
    .filter(({ name }) => text.startsWith(name) && /^\s*=/.test(text.slice(name.length)))
    .sort((a, b) => b.name.length - a.name.length);
  const value = column && text.slice(column.name.length).replace(/^\s*=/, "").trim();
  if (column?.kind === "category" && !columns.names?.some((name) => text.startsWith(`${name}=`))) {
    const categories = column.categories!;
    if (!categories.includes(value!) && !MISSING.test(value!))
      throw new InputError(
        `--set: the column ${quote(column.name)} has no category ${quote(value!)}; ${suggest(value!, categories)}`,
      );
    return categories.map((one) => ({ feature: `${column.name}=${one}`, set: one === value ? 1 : 0 }));
  }
  const meant = column?.kind === "date" ? dateOf(value!) : column?.kind === "boolean" ? truthOf(value!) : undefined;
  if (meant === undefined) return [changeOf(text, columns)];
  const set = typeof meant === "boolean" ? Number(meant) : (meant - (column!.origin ?? 0)) / DAY;
  return [{ feature: column!.name, set }];
}

/** "price=9", "price*1.1": the longest name of a feature that an operator follows, and what the operator does. */
export function changeOf(text: string, columns: Columns): FeatureChange {
  const names = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const [feature] = names
    .filter((name) => text.startsWith(name) && /^\s*[=+*/-]/.test(text.slice(name.length)))
    .sort((a, b) => b.length - a.length);
  if (feature === undefined) {
    const [, wanted] = /^([^=+*/]+?)\s*[=+*/-]/.exec(text) ?? [];
    if (wanted === undefined)
      throw new InputError(`--set: expected a change such as price=9, price+1 or price*1.1, got ${quote(text)}`);
    throw new InputError(`--set: the model has no feature ${quote(wanted)}; ${suggest(wanted, names)}`);
  }
  const [, operator, operand] = /^\s*([=+*/-])\s*([\s\S]*?)\s*$/.exec(text.slice(feature.length))!;
  if (operator === "=" && MISSING.test(operand!)) return { feature, set: Number.NaN };
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(operand!) ? Number(operand) : Number.NaN;
  if (!Number.isFinite(number) || (operator === "/" && number === 0))
    throw new InputError(`--set: expected a number after ${feature}${operator}, got ${quote(operand!)}`);
  switch (operator) {
    case "=":
      return { feature, set: number };
    case "+":
      return { feature, add: number };
    case "-":
      return { feature, add: -number };
    case "*":
      return { feature, factor: number };
    default:
      return { feature, factor: 1 / number };
  }
}
