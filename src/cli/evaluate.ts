/** `tierwise evaluate`: evaluates a model or a run on judged lists. */
import type { Command } from "commander";
import { counted } from "../counted.ts";
import { COUNTERFACTUAL_CLIP } from "../counterfactual.ts";
import { decidingLists } from "../data/deciding-lists.ts";
import { listName } from "../data/names.ts";
import { type Evaluation, evaluateScores } from "../evaluate.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";
import { gatherScores } from "../gather-scores.ts";
import { InputError, quote } from "../input-error.ts";
import { type MetricDifference, metricDifference, variantPairs } from "../metric-differences.ts";
import { metrics, optionsOf } from "../metrics/index.ts";
import { buildPart, findOption, isBuiltBy, parseSpec } from "../part.ts";
import { communicator, isFirstProcess } from "../teams/processes.ts";
import { type TieExposure, tieExposure } from "../tie-exposure.ts";
import type { Dataset, Metric } from "../types.ts";
import { calibration } from "./calibration.ts";
import { addBiasOption, addClipOption, type BiasFlags, checkNoClicks } from "./click-input.ts";
import { evaluateByClicks } from "./evaluate-clicks.ts";
import { type EvaluationInputOptions, loadForEvaluation } from "./evaluation-input.ts";
import { FileOption } from "./file-option.ts";
import { listColumns, listMembers } from "./list-columns.ts";
import { definitionsText } from "./metric-definitions.ts";
import { addCommonOptions, addReadingOptions } from "./options.ts";
import { figure, notice, print, printJson, tableText } from "./output.ts";
import { addTransformCode, metricsFrom } from "./own-code.ts";
import { addProcesses, checkProcesses } from "./processes.ts";
import { scoringOptions } from "./scoring-input.ts";

interface Options extends EvaluationInputOptions, BiasFlags {
  readonly metrics: string;
  readonly perList?: true;
  readonly level?: string;
  readonly ties?: true;
  readonly explain?: true;
  readonly calibration?: true;
  readonly processes?: string;
  readonly clicks?: readonly string[];
}

/** What an option adds to the result: a key of the JSON, and a text above or below the table. */
interface Addition {
  readonly key: string;
  readonly json: unknown;
  readonly text: string;
}

/** The lists with their scores, which additions look at. */
interface Scored {
  readonly data: Dataset;
  readonly scores: Float64Array;
  readonly metrics: readonly Metric[];
}

export function evaluateCommand(program: Command): void {
  const command = program
    .command("evaluate")
    .summary("evaluate a model or a run on judged lists")
    .description(
      "Scores lists with a model, or reads the scores of a TREC run file, and prints the mean of each metric with its definition. A metric can use the definition of another tool: ndcg@10:lightgbm.",
    )
    .argument("<model>", "model file, or run file (list Q0 document rank score tag)")
    .argument("<files...>", "data files, or TREC qrels for a run; - is standard input")
    .option("-m, --metrics <metrics>", "comma-separated metrics (tierwise list metrics)", "ndcg@1,ndcg@3,ndcg@5,ndcg@10,err")
    .option("-q, --per-list", "also print the values of every list")
    .option(
      "-c, --complete",
      "count lists for which a metric is undefined, or that a run lacks, as 0 instead of leaving them out",
    )
    .option("-l, --level <label>", "lowest label that counts as relevant, for metrics of binary relevance")
    .option("--ties", "also print the worst, expected and best value over tied scores, and their gap")
    .option("--explain", "explain why variants of a metric differ: from the first variant given, or from our default")
    .option("--calibration", "also check calibration: fitted temperature and reliability diagrams")
    .addOption(
      new FileOption(
        "--clicks <files...>",
        "logs of clicks on other rankings (see tierwise clicks): estimates the DCG that this ranking would have had; labels are not needed",
        "reads",
      ),
    );
  addClipOption(addBiasOption(command), COUNTERFACTUAL_CLIP);
  addReadingOptions(addCommonOptions(addProcesses(addTransformCode(command)))).action((model: string, files: string[]) =>
    run(command, model, files),
  );
}

async function run(command: Command, path: string, files: readonly string[]): Promise<void> {
  const options = scoringOptions<Options>(command, path, files);
  if (options.clicks && communicator())
    throw new InputError("--clicks: evaluated with the threads of one process only; start one process");
  if (options.clicks)
    return evaluateByClicks(
      path,
      files,
      { ...options, clicks: options.clicks },
      command.getOptionValueSource("metrics") !== "default",
    );
  checkNoClicks(options);
  const wanted = withFlags(options, await metricsFrom(options.metrics));
  checkProcesses(options);
  const { reading, ...own } = await loadForEvaluation(path, files, options, wanted);
  const { data, scores } = gatherScores(own);
  if (!isFirstProcess()) return;
  if (!options.quiet) for (const line of undecided(data)) notice(line);
  const found = evaluateScores(scores, data, wanted);
  const scored = { data, scores, metrics: wanted };
  const before = options.perList ? [perList(found, data, reading)] : [];
  const after: Addition[] = [
    ...(options.ties ? [ties(scored)] : []),
    ...(options.explain ? [explain(scored)] : []),
    ...(options.calibration ? [calibration(scores, data, options.quiet ?? false)] : []),
  ];
  if (options.json)
    return printJson({ ...json(found), ...Object.fromEntries([...before, ...after].map((one) => [one.key, one.json])) });
  print([...before.map(({ text }) => text), table(found), ...after.map(({ text }) => text)].join("\n\n"));
}

/** What is said of lists in which every order is as good. */
function undecided(data: Dataset): string[] {
  if (data.labelSpaceSize !== undefined || data.items !== undefined) return [];
  const lists = data.starts.length - 1;
  const without = lists - decidingLists(data);
  if (without === 0) return [];
  const which =
    without === lists
      ? "none of the lists has"
      : `${without} of ${counted(lists, "list")} ${without === 1 ? "does" : "do"} not have`;
  return [
    `${which} two different labels, so any order of ${without === 1 ? "it" : "them"} is as good${without === lists ? ", and the metrics say nothing about the ranking" : ""}`,
  ];
}

const json = ({ metrics: means, lists, skipped, details }: Evaluation) => ({
  metrics: means,
  lists,
  skipped,
  details: Object.fromEntries(
    Object.entries(details).map(([text, { variant, skipped, weighted }]) => [text, { variant, skipped, weighted }]),
  ),
});

function table({ metrics: means, lists, details }: Evaluation): string {
  const rows = Object.entries(details).map(([text, { skipped }]) => [text, figure(means[text]!), skipped]);
  const definitions = definitionsText(Object.entries(details).map(([spec, { variant }]) => ({ spec, variant })));
  const weighted = Object.values(details).some((one) => one.weighted) ? ", weighted by list weights" : "";
  return `${tableText({ head: ["metric", "mean", "left out"], rows })}\n${counted(lists, "list")}${weighted}\n${definitions}`;
}

function perList({ lists, details }: Evaluation, data: Dataset, reading: Partial<ReadOptions>): Addition {
  const texts = Object.keys(details);
  const columns = listColumns(reading, data.names.lists, ["list", "metrics", ...texts]);
  const all = Array.from({ length: lists }, (_, q) => ({
    list: listName(data, q),
    values: texts.map((text) => details[text]!.values[q]!),
  }));
  return {
    key: "perList",
    json: all.map(({ list, values }) => ({
      list,
      ...(columns && listMembers(columns, list)),
      metrics: Object.fromEntries(texts.map((text, i) => [text, values[i]!])),
    })),
    text: tableText({
      head: [...(columns?.names ?? ["list"]), ...texts],
      rows: all.map(({ list, values }) => [...(columns?.of(list) ?? [list]), ...values]),
    }),
  };
}

function ties({ metrics: wanted, scores, data }: Scored): Addition {
  const found: [string, TieExposure][] = wanted.flatMap((one) => {
    const exposure = tieExposure(one, scores, data);
    return exposure ? [[one.spec, exposure]] : [];
  });
  const rows = found.map(([text, { worst, expected, best, exposure, lists }]) => [
    text,
    ...[worst, expected, best, exposure, lists],
  ]);
  return {
    key: "ties",
    json: Object.fromEntries(found),
    text: tableText({ head: ["over tied scores", "worst", "expected", "best", "tie exposure", "lists"], rows }),
  };
}

function explain({ metrics: wanted, scores, data }: Scored): Addition {
  const found = variantPairs(wanted).map(([from, to]) => metricDifference(from, to, scores, data));
  const text = found.map(differenceText).join("\n\n");
  return { key: "explain", json: found, text: text || "Nothing to explain: every metric is our default variant." };
}

function differenceText({ from, to, changes }: MetricDifference): string {
  const signed = (value: number) => `${value > 0 ? "+" : ""}${figure(value)}`;
  const rows = changes.map((one) => [`${one.option}: ${one.from} -> ${one.to}`, signed(one.effect), figure(one.mean), one.lists]);
  const head = [`from ${from.text} to ${to.text}`, "effect", "mean", "lists"];
  const total = [to.text, signed(to.mean - from.mean), figure(to.mean), ""];
  return tableText({ head, rows: [[from.text, "", figure(from.mean), ""], ...rows, total] });
}

/** -c and -l apply to every metric that has the option and does not set it; presets of tools that count such lists are kept. */
function withFlags({ metrics: given, complete, level }: Options, all: readonly Metric[]): Metric[] {
  if (level !== undefined && !Number.isFinite(Number(level || "x")))
    throw new InputError(`--level: expected a number, got ${quote(level)}`);
  // Metrics of one's own have no such options.
  const requested = all.map((one) => ({
    one,
    declared: isBuiltBy(metrics, one) ? { ...parseSpec(metrics, "metric", one.spec), all: optionsOf(one) } : undefined,
  }));
  const declared = requested.flatMap((one) => one.declared ?? []);
  const relevance = declared.filter(({ part }) => findOption(part, "rel"));
  if (level !== undefined && relevance.length === 0)
    throw new InputError(`--level: none of the metrics ${given} uses binary relevance; map, mrr, precision and recall do`);
  if (level !== undefined) for (const { options } of relevance) options.rel ??= level;
  if (complete) for (const { options, all } of declared) if (all.empty === "skip") options.empty ??= "0";
  return requested.map(({ one, declared }) => (declared ? buildPart(declared.part, "metric", declared.options) : one));
}
