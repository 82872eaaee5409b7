/** User-defined objectives, metrics and feature transforms on the command line: a file in place of a name, `./mine.js` or `./mine.js:alpha=2`. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { readModel } from "../formats/models/files.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { InputError, quote } from "../input-error.ts";
import type { OwnKinds } from "../members.ts";
import { metricList, metricNames } from "../metrics/index.ts";
import { MissingTransform, type Transforms } from "../models/transform.ts";
import { importOwn, type OwnExport } from "../modules.ts";
import { splitOptions } from "../part.ts";
import { DEFAULT_STOP_ON_TEXT, parseStopOn } from "../stop-on.ts";
import type { Metric, Transform } from "../types.ts";

/** What a module exports, with the options that follow its path. */
export interface OwnArgument<T> extends OwnExport<T> {
  readonly path: string; // as it was given
  readonly options: Record<string, unknown>;
  readonly module: URL;
}

const MODULE = /^(.+\.[cm]?[jt]s)(?:[:;]([\s\S]*))?$/;

/** Whether an argument is the path of a module rather than a name. */
export const isModulePath = (text: string): boolean => MODULE.test(text.trim());

/** Imports the module that an argument names; `flag` is for errors. */
export async function ownArgument<K extends keyof OwnKinds>(
  flag: string,
  kind: K,
  text: string,
): Promise<OwnArgument<OwnKinds[K]>> {
  const [, path, rest = ""] = MODULE.exec(text.trim()) ?? [];
  if (path === undefined)
    throw new InputError(`${flag}: expected the path of a module, such as ./mine.js or ./mine.js:alpha=2, got ${quote(text)}`);
  const module = pathToFileURL(resolve(path));
  const found = await importOwn(flag, kind, module);
  const options: Record<string, unknown> = {};
  for (const pair of splitOptions(rest)) {
    const at = pair.indexOf("=");
    const [key, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at <= 0) throw new InputError(`${flag} ${path}: expected options as key=value, got ${quote(pair)}`);
    if (key in options) throw new InputError(`${flag} ${path}: option ${key} is given twice`);
    // A part reads its options from text; a function should get the values that code would give it.
    options[key] = found.part ? value : scalarFrom(value);
  }
  return { ...found, path, module, options, build: (given = options) => found.build(given) };
}

/** Numbers, true and false as what they are; anything else stays text. */
function scalarFrom(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The argument that builds the same object again: the path of its module, with the options of its spec. */
export const pathAndOptions = (path: string, { id, spec }: { readonly id: string; readonly spec: string }): string =>
  spec.startsWith(id) ? `${path}${spec.slice(id.length)}` : path;

/** The metrics of an option, among which modules may be: `ndcg@10,./mine.js;rel=2`. */
export async function metricsFrom(text: string): Promise<Metric[]> {
  const own = new Map<string, Metric>();
  for (const name of metricNames(text))
    if (isModulePath(name)) own.set(name, (await ownArgument("--metrics", "metric", name)).build());
  return metricList(text, own);
}

/** Adds --stop-on to a command that trains with validation data. */
export const addStopOn = (command: Command): Command =>
  command.option(
    "--stop-on <what>",
    `what selects the best round and stops training: a metric, loss (of the validation data under the objective), or a mean over rounds such as "smooth(ndcg@10,5)" (default: ${DEFAULT_STOP_ON_TEXT})`,
  );

/** What --stop-on says, in canonical form. A module must be among those of --metrics, and is meant by its path. */
export function stopOnFrom(text: string | undefined, given: string, metrics: readonly Metric[]): string | undefined {
  if (text === undefined) return undefined;
  const module = metricNames(given).findIndex((name) => isModulePath(name) && text.includes(name));
  const named = module < 0 ? text : text.replace(metricNames(given)[module]!, metrics[module]!.spec);
  return parseStopOn("--stop-on", named, metrics).spec;
}

/** Adds --transform to a command that trains. */
export const addTransform = (command: Command): Command =>
  command.option("--transform <module>", "module that exports a feature transform, which becomes part of the model");

/** Adds --transform to a command that reads models. */
export const addTransformCode = (command: Command): Command =>
  command.option("--transform <module>", "module of the feature transform that the model was trained with");

/** The transform that is trained with, if any. */
export const transformFrom = async (text: string | undefined): Promise<Transform | undefined> =>
  text === undefined ? undefined : (await ownArgument("--transform", "transform", text)).build();

/** The model in a file; `transform` is the module of the transform that it may carry. */
export async function readModelWith(path: string, { transform }: { readonly transform?: string }): Promise<ModelFile> {
  const transforms = await transformsFrom(transform);
  try {
    return readModel(path, { transforms });
  } catch (error) {
    throw error instanceof MissingTransform ? new InputError(`${error.what}; --transform FILE names its module`) : error;
  }
}

/** A part builds what the model file says, whatever options follow the path. */
async function transformsFrom(text: string | undefined): Promise<Transforms> {
  if (text === undefined) return [];
  const { part, build } = await ownArgument("--transform", "transform", text);
  return [part ?? build()];
}
