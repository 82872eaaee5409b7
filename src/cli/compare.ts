/** `tierwise compare`: compares systems on the same lists. */
import type { Command } from "commander";
import { type Comparison, compare, type SystemDifference } from "../compare.ts";
import { counted } from "../counted.ts";
import { InputError, quote } from "../input-error.ts";
import { LEVEL, RESAMPLES, ROUNDS } from "../statistics/index.ts";
import { checkFiles, FileOption } from "./files.ts";
import { definitionsText } from "./metric-definitions.ts";
import { addCommonOptions, addReadingOptions, wholeNumber } from "./options.ts";
import { figure, print, printJson, tableText } from "./output.ts";
import { addTransformCode, metricsFrom } from "./own-code.ts";
import type { ScoringOptions } from "./scoring-input.ts";
import { applyConfigStrictly } from "./settings.ts";
import { systemsOf } from "./systems.ts";

interface Options extends ScoringOptions {
  readonly data?: readonly string[];
  readonly complete?: true;
  readonly metrics: string;
  readonly baseline?: string;
  readonly changed: string;
  readonly level: string;
  readonly rounds?: string;
  readonly resamples?: string;
  readonly seed?: string;
}

export function compareCommand(program: Command): void {
  const command = program
    .command("compare")
    .summary("compare systems, with intervals and significance tests")
    .description(
      "Compares systems list by list: models and TREC run files on judged lists, which are the last argument, or value files written by cv, which need no lists. The first system is the baseline.",
    )
    .argument("<files...>", "model files, run files or value files, followed by a data file, or qrels for runs")
    .addOption(
      new FileOption("--data <files...>", "data files, if there are several; all other arguments are then systems", "reads data"),
    )
    .option("-m, --metrics <metrics>", "comma-separated metrics (tierwise list metrics)", "ndcg@10")
    .option("-c, --complete", "count lists missing from a run as empty results instead of rejecting the run")
    .option("--baseline <file>", "system to compare the others with (default: the first)")
    .option("--changed <number>", "number of most-changed lists to show for each comparison", "5")
    .option("--level <fraction>", "of the intervals", String(LEVEL))
    .option("--rounds <number>", `random permutations of the test, if it is not exact (default: ${ROUNDS})`)
    .option("--resamples <number>", `bootstrap resamples (default: ${RESAMPLES})`)
    .option("--seed <number>", "random seed of the test and the bootstrap (default: 1)");
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((files: string[]) => run(command, files));
}

async function run(command: Command, words: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, { others: words });
  const options = command.opts<Options>();
  const metrics = await metricsFrom(options.metrics);
  const level = Number(options.level);
  if (!(level > 0 && level < 1))
    throw new InputError(`--level: expected a fraction between 0 and 1, got ${quote(options.level)}`);
  const rounds = wholeNumber("rounds", options.rounds, 1);
  const resamples = wholeNumber("resamples", options.resamples, 10);
  const changed = wholeNumber("changed", options.changed, 0)!;
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const systems = await systemsOf(words, metrics, options);
  const found = compare(systems, {
    ...{ metrics, level, changed, seed },
    ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(resamples === undefined ? {} : { resamples }),
  });
  if (options.json) return printJson({ ...found, level, seed });
  print(textOf(found, level, rounds ?? ROUNDS));
}

const signed = (value: number) => (value > 0 ? `+${figure(value)}` : figure(value));
const span = ({ low, high }: { low: number; high: number }) => (Number.isNaN(low) ? "-" : `${figure(low)} to ${figure(high)}`);

function textOf({ baseline, lists, comparisons, metrics }: Comparison, level: number, rounds: number): string {
  const lines: string[] = [];
  const interval = `${figure(100 * level)} % interval`;
  for (const { metric, systems, differences } of metrics) {
    const by = new Map(differences.map((one) => [one.system, one]));
    const rows = systems.map(({ system, mean, ...own }) => {
      const other = by.get(system);
      const cells = other
        ? [signed(other.difference.mean), span(other.difference), pText(other.p), pText(other.corrected), balance(other)]
        : ["baseline", "", "", "", ""];
      return [system, figure(mean), span(own), ...cells];
    });
    const head = [metric, "mean", interval, "difference", interval, "p", "p (Holm)", "wins/ties/losses"];
    lines.push(tableText({ head, rows }), "");
    for (const { system, changed } of differences) {
      if (changed.length === 0) continue;
      const moved = changed.map(({ list, ...one }) => [list, one.baseline, one.system, signed(one.difference)]);
      lines.push(tableText({ head: [`most changed by ${system}`, "baseline", "system", "difference"], rows: moved }), "");
    }
  }
  lines.push(definitionsText(metrics.map(({ metric: spec, variant }) => ({ spec, variant }))));
  const exact = metrics.every(({ differences }) => differences.every((one) => one.exact));
  const signings = exact ? "all signings" : `${figure(rounds)} random signings`;
  lines.push(
    `${counted(lists, "list")}. Differences are to ${baseline}. p: two-sided randomization test over ${signings}; Holm corrects it over ${counted(comparisons, "comparison")}. Intervals: bootstrap over lists (BCa).`,
  );
  const leftOut = Math.max(...metrics.flatMap(({ systems }) => systems.map((one) => one.leftOut)));
  if (leftOut > 0)
    lines.push(
      `Up to ${counted(leftOut, "list")} ${leftOut === 1 ? "is" : "are"} left out because a metric is undefined for them.`,
    );
  return lines.join("\n");
}

const balance = ({ wins, ties, losses }: SystemDifference) => `${wins}/${ties}/${losses}`;
const pText = (p: number) => (Number.isNaN(p) ? "-" : p < 0.0001 ? p.toExponential(1) : p.toFixed(4));
