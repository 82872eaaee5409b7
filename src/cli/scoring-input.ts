/** What the commands that score data with a model have in common: their options, the model file, and data loaded as the model needs them. */
import type { Command } from "commander";
import type { ModelFile } from "../formats/models/native.ts";
import type { Dataset } from "../types.ts";
import { checkFiles } from "./files.ts";
import { load } from "./load.ts";
import { type Common, cacheOf, type ReadingFlags, readingFromModel, unknownFeatures } from "./options.ts";
import { applyConfigStrictly } from "./settings.ts";

/** Options that all of them have. */
export interface ScoringOptions extends Common, ReadingFlags {
  readonly transform?: string;
}

/** The options of the command line and the config file. Refuses outputs that are among the inputs. */
export function scoringOptions<O extends ScoringOptions>(command: Command, model: string, files: readonly string[]): O {
  applyConfigStrictly(command);
  checkFiles(command, { others: [model], data: files.length > 0 ? [files] : [] });
  return command.opts<O>();
}

/** Data read as those of the training were, unless an option says otherwise, with the columns of the model; `path` is its file. */
export const loadForModel = (
  path: string,
  { model, training }: ModelFile,
  files: readonly string[],
  options: ScoringOptions,
  { labels = "required", quiet = options.quiet ?? false }: { labels?: "required" | "optional"; quiet?: boolean } = {},
): Promise<Dataset> =>
  load(files, {
    reading: readingFromModel(path, training, { ...options }),
    columns: model.columns,
    ...{ quiet, labels, training, ...unknownFeatures(options), cache: cacheOf(options) },
  });
