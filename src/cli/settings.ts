/**
 * Settings from a config file: a JSON object, or key=value lines as in LightGBM. A key is a long option of the command, with dashes or
 * underscores, or its name in another tool. The command line takes precedence.
 */
import type { Command, Option } from "commander";
import { checkNesting } from "../formats/json.ts";
import { textOfSmall } from "../formats/small-files.ts";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { applyBudget } from "./budget.ts";
import { FileOption } from "./file-option.ts";
import { notice } from "./output.ts";

export type Settings = Map<string, string>;

/** Other tools' names for options of commands. Names of a model's or an objective's options are their own aliases. */
const aliases: Readonly<Record<string, string>> = {
  application: "objective",
  "early-stopping-round": "patience",
  "early-stopping-rounds": "patience",
  estop: "patience",
  "input-model": "init",
  loss: "objective",
  metric: "metrics",
  "eval-metric": "metrics",
  "num-threads": "threads",
  nthread: "threads",
  "n-jobs": "threads",
  "output-model": "out",
  "model-out": "out",
  "random-state": "seed",
  test: "valid",
  "valid-data": "valid",
  validate: "valid",
  "group-column": "qid",
  "label-column": "label",
  "weight-column": "weight",
  "ignore-column": "ignore",
};

/** The name of the option that a key means. */
const nameOf = (key: string) => (Object.hasOwn(aliases, key) ? aliases[key]! : key);

const dashed = (name: string) => name.trim().replace(/^-+/, "").replace(/_/g, "-").toLowerCase();

/**
 * Gives the settings of the file after --config to the options that the command line left open. Returns those that are no options of the
 * command, for the parts it names.
 */
export function applyConfig(command: Command): Settings {
  const { config, quiet } = command.opts<{ config?: string; quiet?: true }>();
  if (config === undefined) return new Map();
  const settings = readSettings(config, command.options);
  if (settings.has("config")) throw new InputError(`${config}: a file of settings cannot name another (config)`);
  if (settings.has("sql"))
    throw new InputError(`${config}: a query stands on the command line (--sql), not in a file of settings`);
  const silent = quiet || (settings.has("quiet") && parseBoolean("quiet", settings.get("quiet")!));
  const rest = applySettings(command, settings, silent ? () => {} : notice);
  applyBudget(command);
  return rest;
}

/** The same for commands that know nothing but their options. */
export function applyConfigStrictly(command: Command): void {
  rejectUnknown(
    applyConfig(command),
    command.options.map(({ long }) => long!.slice(2)),
  );
}

const readSettings = (path: string, options: readonly Option[]) => parseSettings(textOf(path), path, options);

/** The settings in the text of a file, for a command of these options. */
export function parseSettings(content: string, path: string, options: readonly Option[]): Settings {
  const text = content.replace(/^\ufeff/, "");
  return /^\s*\{/.test(text) ? fromJson(text, path, options) : fromLines(text, path);
}

/** Settings among the words of a command line: `l2=0.1`. */
export function settingsFrom(words: readonly string[]): Settings {
  const settings: Settings = new Map();
  for (const word of words) {
    const at = word.indexOf("=");
    add(settings, word.slice(0, at), word.slice(at + 1), "command line");
  }
  return settings;
}

function textOf(path: string): string {
  if (path === "") throw new InputError("--config: expected the name of a file, got an empty one");
  try {
    return textOfSmall(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new InputError(`${path}: no such settings file`);
    if (code === "EISDIR") throw new InputError(`${path}: expected a settings file, got a directory`);
    throw new InputError(`${path}: the settings file cannot be read (${code})`);
  }
}

function fromJson(text: string, path: string, options: readonly Option[]): Settings {
  checkNesting(text, path);
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${path}: expected a JSON object of settings (${(error as Error).message.replace(/\s+/g, " ")})`);
  }
  const settings: Settings = new Map();
  for (const [key, value] of Object.entries(object)) {
    const simple = (one: unknown) => typeof one === "string" || typeof one === "number" || typeof one === "boolean";
    const values = Array.isArray(value) ? value : [value];
    if (!values.every(simple))
      throw new InputError(
        `${path}: expected a text, a number, true, false or a list of these for ${quote(key)}, got ${valueText(value)}`,
      );
    const option = options.find(({ long }) => long === `--${nameOf(dashed(key))}`);
    if (option instanceof FileOption && !option.variadic && typeof value !== "string")
      throw new InputError(`${path}: expected the name of a file for ${quote(key)}, got ${valueText(value)}`);
    add(settings, key, values.join(","), path);
  }
  return settings;
}

function valueText(value: unknown): string {
  try {
    return quote(JSON.stringify(value));
  } catch {
    return "one that is nested too deep"; // for the stack
  }
}

function fromLines(text: string, path: string): Settings {
  const settings: Settings = new Map();
  text.split(/\r?\n/).forEach((line, i) => {
    const content = line.replace(/#.*$/, "").trim();
    if (content === "") return;
    const at = content.indexOf("=");
    if (at <= 0) throw new InputError(`${path}:${i + 1}: expected "key = value", got ${quote(content)}`);
    add(settings, content.slice(0, at), content.slice(at + 1).trim(), `${path}:${i + 1}`);
  });
  return settings;
}

function add(settings: Settings, name: string, value: string, where: string): void {
  const key = dashed(name);
  if (settings.has(key)) throw new InputError(`${where}: ${quote(key)} is set twice`);
  settings.set(key, value);
}

/** Gives the settings to the options of a command that the command line left open; returns those that it does not know. */
export function applySettings(command: Command, settings: Settings, notify: (line: string) => void): Settings {
  const rest: Settings = new Map();
  const given = new Map<string, string>();
  for (const key of settings.keys()) {
    const name = nameOf(key);
    if (given.has(name)) throw new InputError(`${given.get(name)} and ${key} are both --${name}; keep one of them`);
    given.set(name, key);
  }
  for (const [key, value] of settings) {
    const name = nameOf(key);
    const option = command.options.find(({ long }) => long === `--${name}` || long === `--no-${name}`);
    if (!option) {
      rest.set(key, value);
      continue;
    }
    if (name !== key) notify(`${key} is interpreted as --${name}`);
    const field = option.attributeName();
    if (command.getOptionValueSource(field) === "cli") continue;
    const negated = option.long === `--${name}` && option.negate; // no-header = yes
    const simple = option.isBoolean() || option.negate;
    const read = option.variadic ? value.split(/[,\s]+/) : simple ? parseBoolean(key, value) !== negated : value;
    command.setOptionValueWithSource(field, read, "config");
  }
  return rest;
}

const yes = ["true", "yes", "on", "1"];
const no = ["false", "no", "off", "0"];

function parseBoolean(key: string, value: string): boolean {
  if (yes.includes(value)) return true;
  if (no.includes(value)) return false;
  throw new InputError(`${key}: expected true or false, got ${quote(value)}`);
}

export function rejectUnknown(settings: Settings, known: readonly string[]): void {
  for (const key of settings.keys()) throw new InputError(`there is no setting ${quote(key)}; ${suggest(key, known)}`);
}
