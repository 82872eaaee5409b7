/** Resolves the model and objective from options, settings and arguments of the command line. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { objectiveFor } from "../default-objective.ts";
import { isDataFolder } from "../formats/data/paths.ts";
import { ballotKind } from "../formats/data/read.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";
import { InputError } from "../input-error.ts";
import { models } from "../models/index.ts";
import { objectives } from "../objectives/index.ts";
import { type AnyPart, buildPart, findOption, kebabCase, parseSpec } from "../part.ts";
import type { Dataset, Learner, Objective } from "../types.ts";
import { checkReadable } from "./load.ts";
import { isModulePath, ownArgument } from "./own-code.ts";
import { rejectUnknown, type Settings, settingsFrom } from "./settings.ts";

export const OBJECTIVE = "pl-partition";

export interface ModelChoice {
  readonly model: string;
  readonly objective: string;
  readonly optimizer?: string;
}

/** Words such as l2=0.1 are settings, unless a file has that name; the others are files. */
export function filesAndSettings(command: string, words: readonly string[]): { files: string[]; inline: Settings } {
  const files = words.filter((word) => !/^[\w-]+=/.test(word) || existsSync(word));
  const inline = settingsFrom(words.filter((word) => !files.includes(word)));
  if (files.length === 0) throw new InputError(`${command}: expected at least one data file`);
  return { files, inline };
}

/** The model and the objective, with the settings that belong to each. What a name says in its text counts more than a file. */
export async function resolveModel(
  options: ModelChoice,
  settings: Settings,
  inline: ReadonlySet<string>,
  notify: (line: string) => void,
): Promise<{ readonly model: Learner; readonly objective: Objective }> {
  const learner = parseSpec(models, "model", options.model);
  const own = isModulePath(options.objective) ? await ownArgument("--objective", "objective", options.objective) : undefined;
  const cost = own ?? parseSpec(objectives, "objective", options.objective);
  const left: Settings = new Map(options.optimizer !== undefined ? [...settings, ["optimizer", options.optimizer]] : settings);
  const give = (
    { part, options: held }: { readonly part?: AnyPart<unknown>; options: Record<string, unknown> },
    noun: string,
  ) => {
    if (!part) return; // a function of a module declares no options
    for (const [key, value] of left) {
      const name = findOption(part, key);
      if (!name) continue;
      if (kebabCase(name) !== key) notify(`${key} is interpreted as ${kebabCase(name)} of the ${noun} ${part.id}`);
      if (name in held && inline.has(key))
        throw new InputError(`${noun} ${part.id}: ${kebabCase(name)} is given twice, as ${held[name]} and as ${value}`);
      held[name] ??= value;
      left.delete(key);
    }
  };
  give(learner, "model");
  give(cost, "objective");
  const names = [learner.part, cost.part].flatMap((part) => Object.keys(part?.fields ?? {}).map(kebabCase));
  rejectUnknown(left, [...names, "valid", "metrics", "stop-on", "patience", "out", "report", "history", "seed", "threads"]);
  const model = buildPart(learner.part, "model", learner.options);
  if (model.cost && options.objective !== OBJECTIVE)
    throw new InputError(`the model ${model.id} has a built-in cost (${model.cost}) and takes no --objective`);
  return { model, objective: own ? own.build() : buildPart(cost.part!, "objective", cost.options) };
}

/**
 * Ballots have no features: by default the model is utilities, and the validation metric compares orders. A table is read as ballots for the model
 * utilities, and where it has no features.
 */
export async function chooseForBallots(
  command: Command,
  files: readonly string[],
  reading: Partial<ReadOptions>,
): Promise<{ readonly ballots: boolean; readonly reading: Partial<ReadOptions> }> {
  if (isDataFolder(files[0]!)) return { ballots: false, reading }; // a folder of folds
  await checkReadable(files);
  const { model } = command.opts<{ model?: string }>();
  const kind = await ballotKind(files[0]!, reading);
  const isTable = kind === "table" && /^utilities\b/.test(model ?? "") && reading.ballots === undefined;
  if (kind !== "ballots" && !isTable) return { ballots: false, reading };
  for (const [option, value] of [["model", "utilities"], ["metrics", "kendall"]] as const) // biome-ignore format: pairs
    if (command.getOptionValueSource(option) === "default") command.setOptionValueWithSource(option, value, "implied");
  return { ballots: true, reading: isTable ? { ...reading, ballots: "always" } : reading };
}

/** The objective once the data are known, which decide where the command line leaves it open, with remarks about ties. */
export function objectiveOf(
  command: Command,
  data: Dataset,
  { model, objective }: { readonly model: Learner; readonly objective: Objective },
  notify: (line: string) => void,
): Objective {
  const open = command.getOptionValueSource("objective") === "default" && objective.spec === OBJECTIVE;
  const found = objectiveFor(data, model, open ? undefined : objective, (id) => `--objective ${id}`);
  for (const line of found.notices) notify(line);
  return found.objective;
}
