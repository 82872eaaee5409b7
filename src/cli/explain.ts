/** `tierwise explain`: why does A stand above B? */
import type { Command } from "commander";
import { visible } from "../data/names.ts";
import { type ExplainedItem, explain, type Reason, whyAbove } from "../explain.ts";
import { readModel } from "../formats/models/files.ts";
import { Mistake, quote } from "../mistake.ts";
import { columnName } from "../models/shared/columns.ts";
import { guess } from "../part.ts";
import type { Columns, Dataset } from "../types.ts";
import { checkFiles } from "./files.ts";
import { load } from "./load.ts";
import { type Common, cacheOf, common, reading, readingOf, unknownFeatures, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { settleAll } from "./settings.ts";

interface Options extends Common {
  readonly query?: string;
  readonly above?: string;
  readonly below?: string;
  readonly top: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function explainCommand(program: Command): void {
  const command = program
    .command("explain")
    .summary("why items of a list stand where they do")
    .description("Takes the scores of one list apart by features, and says why one item stands above another.")
    .argument("<model>", "model file (linear or trees)")
    .argument("<files...>", "data files; - is standard input")
    .option("--query <id>", "the list, by its id (default: the first)")
    .option("--above <id>", "the item that stands higher (default: the first in rank)")
    .option("--below <id>", "the item that stands lower (default: the second in rank)")
    .option("--top <number>", "items, and features of each, that are shown", "5");
  reading(common(command)).action((model: string, files: string[]) => run(command, model, files));
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  settleAll(command);
  checkFiles(command, { others: [path], data: [files] });
  const options = command.opts<Options>();
  const top = wholeNumber("top", options.top, 1)!;
  const { model, training } = readModel(path);
  const data = await load(files, {
    reading: readingOf(path, training, { ...options }),
    quiet: options.quiet ?? false,
    labels: "optional",
    columns: model.columns,
    training,
    unknown: unknownFeatures(options),
    cache: cacheOf(options),
  });
  const list = listNamed(data, options.query);
  const id = idsOf(data, list);
  const items = explain(model, data, list);
  const find = (wanted: string | undefined, place: number, what: string): ExplainedItem | undefined => {
    if (wanted === undefined) return items[place];
    const found = items.find(({ index }) => id(index) === wanted);
    if (!found)
      throw new Mistake(
        `--${what}: the list has no item ${quote(wanted)}; ${guess(
          wanted,
          items.map(({ index }) => id(index)),
        )}`,
      );
    return found;
  };
  const [above, below] = [find(options.above, 0, "above"), find(options.below, 1, "below")];
  const reasons = above && below ? whyAbove(above, below) : [];
  const name = data.names.lists?.[list] ?? String(list + 1);

  if (options.json) {
    const named = (all: readonly Reason[]) =>
      all.map(({ feature, part }) => ({ feature: columnName(model.columns, feature), part }));
    const told = items.map(({ index, score, reasons: own }, place) => ({
      id: id(index),
      rank: place + 1,
      score,
      reasons: named(own),
    }));
    return printJson({
      list: name,
      items: told,
      why: above && below ? { above: id(above.index), below: id(below.index), reasons: named(reasons) } : null,
    });
  }
  print(`List ${visible(name)}: ${items.length} items. What features add is told against the mean of the list.\n`);
  const rows = items
    .slice(0, top)
    .map(({ index, score, reasons: own }, place) => [place + 1, id(index), score, brief(own, model.columns, top)]);
  print(tableText({ head: ["rank", "item", "score", "because of"], rows }));
  if (!above || !below) return;
  print(
    `\nWhy item ${visible(id(above.index))} stands ${above.score >= below.score ? "above" : "below"} item ${visible(id(below.index))}:`,
  );
  const difference = above.score - below.score;
  const shown = reasons.slice(0, top);
  const rest = difference - shown.reduce((sum, { part }) => sum + part, 0);
  const lines = shown.map(({ feature, part }) => [`feature ${columnName(model.columns, feature)}`, part]);
  const others = reasons.length > shown.length ? [[`${reasons.length - shown.length} other features`, rest]] : [];
  print(tableText({ head: ["", "part"], rows: [...lines, ...others, ["difference of the scores", difference]] }));
}

const brief = (reasons: readonly Reason[], columns: Columns, top: number) =>
  reasons
    .slice(0, top)
    .map(({ feature, part }) => `${columnName(columns, feature)} ${part > 0 ? "+" : ""}${figure(part)}`)
    .join(", ");

function listNamed({ names, starts }: Dataset, wanted: string | undefined): number {
  if (wanted === undefined) return 0;
  const known = names.lists ?? Array.from({ length: starts.length - 1 }, (_, q) => String(q + 1));
  const found = known.indexOf(wanted);
  if (found < 0) throw new Mistake(`--query: the data have no list ${quote(wanted)}; ${guess(wanted, known)}`);
  return found;
}

/** Document ids of a list, or places in it from 1 where the data name none. */
function idsOf({ names, starts }: Dataset, list: number): (index: number) => string {
  return (index) => names.entries?.[starts[list]! + index] || String(index + 1);
}
