/** `tierwise explain`: explains why one item is ranked above another. */
import type { Command } from "commander";
import { counted } from "../counted.ts";
import { type ExplainedItem, explain, type FeatureContribution, whyAbove } from "../explain.ts";
import { InputError, quote } from "../input-error.ts";
import { columnName, explainedColumns } from "../models/shared/columns.ts";
import { suggest } from "../part.ts";
import { visible } from "../printable.ts";
import type { Columns } from "../types.ts";
import { idsOf, listNamed } from "./list-choice.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { addTransformCode, readModelWith } from "./own-code.ts";
import { loadForModel, type ScoringOptions, scoringOptions } from "./scoring-input.ts";

interface Options extends ScoringOptions {
  readonly query?: string;
  readonly above?: string;
  readonly below?: string;
  readonly top: string;
}

export function explainCommand(program: Command): void {
  const command = program
    .command("explain")
    .summary("explain the ranking of a list")
    .description("Breaks down the scores of one list by feature, and explains why one item is ranked above another.")
    .argument("<model>", "model file (linear or trees)")
    .argument("<files...>", "data files; - is standard input")
    .option("--query <id>", "the list, by its id (default: the first)")
    .option("--above <id>", "higher-ranked item (default: the first)")
    .option("--below <id>", "lower-ranked item (default: the second)")
    .option("--top <number>", "number of items, and features per item, to show", "5");
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  const top = wholeNumber("top", options.top, 1)!;
  const file = await readModelWith(path, options);
  const { model } = file;
  const data = await loadForModel(path, file, files, options, { labels: "optional" });
  const list = listNamed(data, options.query);
  const id = idsOf(data, list);
  const items = explain(model, data, list);
  const features = explainedColumns(model);
  const find = (wanted: string | undefined, place: number, what: string): ExplainedItem | undefined => {
    if (wanted === undefined) return items[place];
    const found = items.find(({ index }) => id(index) === wanted);
    if (!found)
      throw new InputError(
        `--${what}: the list has no item ${quote(wanted)}; ${suggest(
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
    const named = (all: readonly FeatureContribution[]) =>
      all.map(({ feature, contribution }) => ({ feature: columnName(features, feature), part: contribution }));
    const itemsJson = items.map(({ index, score, reasons: own }, place) => ({
      id: id(index),
      rank: place + 1,
      score,
      reasons: named(own),
    }));
    return printJson({
      list: name,
      items: itemsJson,
      why: above && below ? { above: id(above.index), below: id(below.index), reasons: named(reasons) } : null,
    });
  }
  print(`List ${visible(name)}: ${counted(items.length, "item")}. Contributions are relative to the mean of the list.\n`);
  const rows = items
    .slice(0, top)
    .map(({ index, score, reasons: own }, place) => [place + 1, id(index), score, brief(own, features, top)]);
  print(tableText({ head: ["rank", "item", "score", "largest contributions"], rows }));
  if (!above || !below) return;
  print(
    `\nWhy item ${visible(id(above.index))} stands ${above.score >= below.score ? "above" : "below"} item ${visible(id(below.index))}:`,
  );
  const difference = above.score - below.score;
  const shown = reasons.slice(0, top);
  const rest = difference - shown.reduce((sum, { contribution }) => sum + contribution, 0);
  const lines = shown.map(({ feature, contribution }) => [`feature ${columnName(features, feature)}`, contribution]);
  const others = reasons.length > shown.length ? [[`${reasons.length - shown.length} other features`, rest]] : [];
  print(tableText({ head: ["", "part"], rows: [...lines, ...others, ["difference in score", difference]] }));
}

const brief = (reasons: readonly FeatureContribution[], columns: Columns, top: number) =>
  reasons
    .slice(0, top)
    .map(({ feature, contribution }) => `${columnName(columns, feature)} ${contribution > 0 ? "+" : ""}${figure(contribution)}`)
    .join(", ");
