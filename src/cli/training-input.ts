/** What the commands that train have in common: their options, settings of config files and the command line, and how data are loaded. */
import type { Command } from "commander";
import type { ReadOptions } from "../formats/data/read-options.ts";
import { MOST } from "../teams/threads.ts";
import type { Metric, Transform } from "../types.ts";
import { chooseForBallots, filesAndSettings } from "./choose.ts";
import type { LoadOptions } from "./load.ts";
import { type Common, cacheOf, type ReadingFlags, readingOptions, unknownFeatures, wholeNumber } from "./options.ts";
import { notice } from "./output.ts";
import { metricsFrom, stopOnFrom, transformFrom } from "./own-code.ts";
import { applyConfig, applySettings, type Settings } from "./settings.ts";

/** Options that all of them have. */
export interface TrainingOptions extends Common, ReadingFlags {
  readonly model: string;
  readonly objective: string;
  readonly transform?: string;
  readonly metrics: string;
  readonly stopOn?: string;
  readonly patience?: string;
  readonly seed?: string;
  readonly threads?: string;
}

/** The command line of such a command, with the settings that are no options of the command: those of the model and the objective. */
export interface TrainingInput<O> {
  readonly files: readonly string[];
  readonly options: O;
  readonly settings: Settings;
  /** Settings given among the files. */
  readonly inline: ReadonlySet<string>;
  readonly reading: Partial<ReadOptions>;
  /** Whether the files are ballots. */
  readonly ballots: boolean;
  readonly quiet: boolean;
  /** Prints a notice, unless --quiet is given. */
  readonly notify: (line: string) => void;
}

/** `words` are files and settings; of these, `searched` are not applied to options of the command even where it has one of that name. */
export async function trainingInput<O extends TrainingOptions>(
  command: Command,
  words: readonly string[],
  searched: readonly string[] = [],
): Promise<TrainingInput<O>> {
  const { files, inline } = filesAndSettings(command.name(), words);
  const names = new Set(inline.keys());
  const fromFile = applyConfig(command);
  const notify = (line: string) => {
    if (!command.opts<O>().quiet) notice(line);
  };
  const kept = searched.flatMap((key): [string, string][] => (inline.has(key) ? [[key, inline.get(key)!]] : []));
  for (const [key] of kept) inline.delete(key);
  const settings = new Map([...kept, ...fromFile, ...applySettings(command, inline, notify)]);
  const { ballots, reading } = await chooseForBallots(command, files, readingOptions(command.opts()));
  const options = command.opts<O>(); // with what settings and the data have changed
  return { files, options, settings, inline: names, reading, ballots, quiet: options.quiet ?? false, notify };
}

/** What the options say about training, as `train`, `cv` and `tune` take it. */
export interface TrainingSettings {
  readonly metrics: readonly Metric[];
  readonly seed: number;
  readonly stopOn?: string;
  readonly transform?: Transform;
  readonly patience?: number;
}

export async function trainingSettings(options: TrainingOptions): Promise<TrainingSettings> {
  const metrics = await metricsFrom(options.metrics);
  const stopOn = stopOnFrom(options.stopOn, options.metrics, metrics);
  const transform = await transformFrom(options.transform);
  const seed = wholeNumber("seed", options.seed, 0) ?? 1;
  const patience = wholeNumber("patience", options.patience, 0);
  return {
    metrics,
    seed,
    ...(stopOn !== undefined && { stopOn }),
    ...(transform && { transform }),
    ...(patience !== undefined && { patience }),
  };
}

/** The number of threads that --threads asks for, if given. */
export const requestedThreads = ({ threads }: TrainingOptions): number | undefined => wholeNumber("threads", threads, 1, MOST);

/** How data files are loaded, without the columns of a model. */
export const loadingOptions = ({ options, reading, quiet }: TrainingInput<TrainingOptions>): LoadOptions => ({
  ...{ reading, quiet, cache: cacheOf(options), ...unknownFeatures(options) },
  threads: requestedThreads(options),
});
