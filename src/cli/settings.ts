/**
 * Settings from a file: a JSON object, or lines of key=value as LightGBM has them. A key is a long option of the command, with dashes or
 * underscores, or another tool's name for it. What the command line says counts more.
 */
import { readFileSync, statSync } from "node:fs";
import type { Command } from "commander";
import { Mistake, quote } from "../mistake.ts";
import { guess } from "../part.ts";

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

export const dashed = (name: string) => name.trim().replace(/^-+/, "").replace(/_/g, "-").toLowerCase();

export function readSettings(path: string): Settings {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind?.isFile())
    throw new Mistake(`${path}: ${kind ? "expected a file of settings, and this is none" : "there is no such file of settings"}`);
  const text = readFileSync(path, "utf8");
  return /^\s*\{/.test(text) ? fromJson(text, path) : fromLines(text, path);
}

function fromJson(text: string, path: string): Settings {
  try {
    const object = JSON.parse(text) as Record<string, unknown>;
    return new Map(
      Object.entries(object).map(([key, value]) => [dashed(key), Array.isArray(value) ? value.join(",") : String(value)]),
    );
  } catch (error) {
    throw new Mistake(`${path}: expected a JSON object of settings (${(error as Error).message})`);
  }
}

function fromLines(text: string, path: string): Settings {
  const settings: Settings = new Map();
  text.split(/\r?\n/).forEach((line, i) => {
    const said = line.replace(/#.*$/, "").trim();
    if (said === "") return;
    const cut = said.indexOf("=");
    if (cut <= 0) throw new Mistake(`${path}:${i + 1}: expected "key = value", got ${quote(said)}`);
    settings.set(dashed(said.slice(0, cut)), said.slice(cut + 1).trim());
  });
  return settings;
}

/** Gives the settings to the options of a command that the command line left open; returns those that it does not know. */
export function apply(command: Command, settings: Settings, say: (line: string) => void): Settings {
  const rest: Settings = new Map();
  for (const [key, value] of settings) {
    const name = aliases[key] ?? key;
    const option = command.options.find((one) => one.long === `--${name}`);
    if (!option) rest.set(key, value);
    else {
      if (name !== key) say(`${key} is understood as --${name}`);
      const field = option.attributeName();
      if (command.getOptionValueSource(field) === "cli") continue;
      const read = option.variadic ? value.split(/[,\s]+/) : option.isBoolean() ? value !== "false" && value !== "0" : value;
      command.setOptionValueWithSource(field, read, "config");
    }
  }
  return rest;
}

export function refuse(settings: Settings, known: readonly string[]): void {
  for (const key of settings.keys()) throw new Mistake(`there is no setting ${quote(key)}; ${guess(key, known)}`);
}
