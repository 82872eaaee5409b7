/** `tierwise evaluate`: how good is a model on these lists? */
import type { Command } from "commander";
import { evaluate } from "../evaluate.ts";
import { readModel } from "../formats/models/native.ts";
import { metricList } from "../metrics/index.ts";
import { load } from "./load.ts";
import { type Common, common, givenReading, reading, unknownFeatures } from "./options.ts";
import { figure, notice, print, printJson, tableText } from "./output.ts";
import { apply, readSettings, refuse } from "./settings.ts";

interface Options extends Common {
  readonly metrics: string;
  readonly perList?: true;
  readonly complete?: true;
  readonly level?: string;
  readonly unknownFeatures?: string;
}

export function evaluateCommand(program: Command): void {
  const command = program
    .command("evaluate")
    .summary("measure a model on judged lists")
    .description("Scores lists with a model and prints the means of metrics over them, with the definition of each.")
    .argument("<model>", "model file")
    .argument("<files...>", "data files")
    .option(
      "-m, --metrics <metrics>",
      "metrics with commas between them (tierwise list metrics)",
      "ndcg@1,ndcg@3,ndcg@5,ndcg@10,err",
    )
    .option("-q, --per-list", "also every list's own values")
    .option("-c, --complete", "lists that cannot tell count as 0 instead of being left out")
    .option("-l, --level <label>", "the least label that counts as relevant, for metrics of relevance");
  reading(common(command)).action((model: string, files: string[]) => run(command, model, files));
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const first = command.opts<Options>();
  if (first.config)
    refuse(
      apply(command, readSettings(first.config), first.quiet ? () => {} : notice),
      command.options.map(({ long }) => long!.slice(2)),
    );
  const options = command.opts<Options>();
  const metrics = metricList(withFlags(options));
  const { model, training } = readModel(path);
  const quiet = options.quiet ?? false;
  const given = { ...training.reading, ...givenReading(options as unknown as Record<string, unknown>) };
  const data = await load(files, { reading: given, quiet, columns: model.columns, unknown: unknownFeatures(options) });
  const { metrics: means, lists, skipped, details } = evaluate(model, data, metrics);

  const name = (q: number) => data.names.lists?.[q] ?? String(q + 1);
  if (options.json) {
    const told = Object.fromEntries(
      Object.entries(details).map(([text, { variant, skipped, weighted }]) => [text, { variant, skipped, weighted }]),
    );
    const perList = Array.from({ length: lists }, (_, q) => ({
      list: name(q),
      metrics: Object.fromEntries(Object.entries(details).map(([text, { values }]) => [text, values[q]!])),
    }));
    return printJson({ metrics: means, lists, skipped, details: told, ...(options.perList ? { perList } : {}) });
  }
  if (options.perList) {
    const rows = Array.from({ length: lists }, (_, q) => [name(q), ...metrics.map(({ text }) => details[text]!.values[q]!)]);
    print(`${tableText({ head: ["list", ...metrics.map(({ text }) => text)], rows })}\n`);
  }
  const rows = metrics.map(({ text, variant }) => [text, figure(means[text]!), details[text]!.skipped, variant]);
  print(tableText({ head: ["metric", "mean", "left out", "definition"], rows }));
  const weighted = Object.values(details).some((one) => one.weighted) ? ", weighted by the weights of the lists" : "";
  print(`${lists} lists${weighted}`);
}

/** -c and -l change every metric that knows them. */
function withFlags({ metrics, complete, level }: Options): string {
  const more = [...(complete ? [["empty", "0"]] : []), ...(level ? [["rel", level]] : [])] as [string, string][];
  return metricList(metrics)
    .map(({ text }) => more.reduce((said, [key, value]) => tryOption(said, key, value), text))
    .join(",");
}

function tryOption(text: string, key: string, value: string): string {
  const asked = `${text};${key}=${value}`;
  try {
    metricList(asked);
    return asked;
  } catch {
    return text;
  }
}
