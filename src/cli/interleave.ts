/** `tierwise interleave`: evaluates clicks on interleaved rankings. */
import type { Command } from "commander";
import { checkInput, textOf } from "../formats/data/file-bytes.ts";
import { InputError, quote } from "../input-error.ts";
import { compareInterleaved } from "../interleave.ts";
import { type InterleavingText, parseInterleavingLog } from "../interleaving-log.ts";
import { checkFiles } from "./files.ts";
import { addCommonOptions, type Common, wholeNumber } from "./options.ts";
import { notice, print, printJson, tableText } from "./output.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common {
  readonly level?: string;
  readonly seed?: string;
}

export function interleaveCommand(program: Command): void {
  const command = program
    .command("interleave")
    .summary("compare two models by clicks on their interleaved rankings")
    .description(
      "Reads logs of tierwise serve --interleave --impressions: which of the two models won more impressions by the clicks on its items, with an interval and a test.",
    )
    .argument("<files...>", "logs of impressions and clicks, JSON lines, plain or gzip; - is standard input")
    .option("--level <fraction>", "level of the interval (default: 0.95)")
    .option("--seed <number>", "random seed of the bootstrap and of the test (default: 1)");
  addCommonOptions(command).action((files: string[]) => run(command, files));
}

async function run(command: Command, files: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkInput(files);
  checkFiles(command, { others: files });
  const options = command.opts<Options>();
  const level = options.level === undefined ? 0.95 : /^\d*\.?\d+$/.test(options.level) ? Number(options.level) : Number.NaN;
  if (!(level > 0 && level < 1))
    throw new InputError(`--level: expected a fraction between 0 and 1, got ${quote(options.level!)}`);
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const texts: InterleavingText[] = [];
  for (const path of files) texts.push({ path, text: await textOf(path) });
  const { pairs, strayClicks } = parseInterleavingLog(texts);
  if (pairs.length === 0) throw new InputError(`${files.join(", ")}: there is no impression in the log`);
  const results = pairs.map(({ a, b, impressions }) => ({ a, b, ...compareInterleaved(impressions, { level, seed }) }));
  if (options.json) {
    printJson({ level, comparisons: results, strayClicks });
    return;
  }
  const head = ["A", "B", "impressions", "with clicks", "A wins", "ties", "B wins", "preference", "low", "high", "p"];
  const rows = results.map(({ a, b, impressions, clicked, wins, preference: { mean, low, high }, test: { p } }) => [
    ...[a, b, impressions, clicked, wins.a, wins.ties, wins.b, mean, low, high, p],
  ]);
  print(tableText({ head, rows }));
  if (options.quiet) return;
  notice(`Preference is from -1 (B always wins) to 1 (A always wins), with its ${level * 100} % interval; p tests that it is 0.`);
  if (strayClicks > 0) notice(`${strayClicks} clicks on impressions that are not in the log were left out.`);
}
