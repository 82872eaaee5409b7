/** `tierwise evaluate`: how good is a model on these lists? */
import type { Command } from "commander";
import { evaluate } from "../evaluate.ts";
import { readModel } from "../formats/models/files.ts";
import { metricList, metrics } from "../metrics/index.ts";
import { Mistake, quote } from "../mistake.ts";
import { build, lookUp, optionNamed } from "../part.ts";
import type { Metric } from "../types.ts";
import { load } from "./load.ts";
import { type Common, cacheOf, common, reading, readingOf, unknownFeatures } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { settleAll } from "./settings.ts";

interface Options extends Common {
  readonly metrics: string;
  readonly perList?: true;
  readonly complete?: true;
  readonly level?: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function evaluateCommand(program: Command): void {
  const command = program
    .command("evaluate")
    .summary("measure a model on judged lists")
    .description("Scores lists with a model and prints the means of metrics over them, with the definition of each.")
    .argument("<model>", "model file")
    .argument("<files...>", "data files; - is standard input")
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
  settleAll(command);
  const options = command.opts<Options>();
  const wanted = withFlags(options);
  const { model, training } = readModel(path);
  const quiet = options.quiet ?? false;
  const given = readingOf(path, training, { ...options });
  const how = { reading: given, quiet, cache: cacheOf(options) };
  const data = await load(files, { ...how, columns: model.columns, unknown: unknownFeatures(options) });
  const { metrics: means, lists, skipped, details } = evaluate(model, data, wanted);

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
    const rows = Array.from({ length: lists }, (_, q) => [name(q), ...wanted.map(({ text }) => details[text]!.values[q]!)]);
    print(`${tableText({ head: ["list", ...wanted.map(({ text }) => text)], rows })}\n`);
  }
  const rows = wanted.map(({ text, variant }) => [text, figure(means[text]!), details[text]!.skipped, variant]);
  print(tableText({ head: ["metric", "mean", "left out", "definition"], rows }));
  const weighted = Object.values(details).some((one) => one.weighted) ? ", weighted by the weights of the lists" : "";
  print(`${lists} lists${weighted}`);
}

/** -c and -l change every metric that has the option and does not say it itself. */
function withFlags({ metrics: said, complete, level }: Options): Metric[] {
  if (level !== undefined && !Number.isFinite(Number(level || "x")))
    throw new Mistake(`--level: expected a number, got ${quote(level)}`);
  const asked = metricList(said).map(({ text }) => lookUp(metrics, "metric", text));
  const relevance = asked.filter(({ part }) => optionNamed(part, "rel"));
  if (level !== undefined && relevance.length === 0)
    throw new Mistake(`--level: none of the metrics ${said} asks which items are relevant; map, mrr, precision and recall do`);
  if (level !== undefined) for (const { options } of relevance) options.rel ??= level;
  if (complete) for (const { options } of asked) options.empty ??= "0";
  return asked.map(({ part, options }) => build(part, "metric", options));
}
