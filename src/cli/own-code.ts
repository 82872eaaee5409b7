/** Objectives, metrics and feature transforms of one's own on the command line: a file instead of a name, `./mine.js` or `./mine.js:alpha=2`. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, quote } from "../input-error.ts";
import type { OwnKinds } from "../members.ts";
import { metricList, metricNames } from "../metrics/index.ts";
import { MissingTransform, type Transforms } from "../models/transform.ts";
import { importOwn, type OwnExport } from "../modules.ts";
import { splitOptions } from "../part.ts";
import type { Metric, Transform } from "../types.ts";

/** What a module exports, with the options that stand after its path. */
export interface OwnArgument<T> extends OwnExport<T> {
  readonly options: Record<string, string>;
}

const MODULE = /^(.+\.[cm]?[jt]s)(?:[:;]([\s\S]*))?$/;

/** Whether an argument is the path of a module rather than a name. */
export const isModulePath = (text: string): boolean => MODULE.test(text.trim());

/** Imports the module that an argument names; `option` is the flag, for errors. */
export async function ownArgument<K extends keyof OwnKinds>(option: string, kind: K, text: string): Promise<OwnArgument<OwnKinds[K]>> {
  const form = MODULE.exec(text.trim());
  if (!form) throw new InputError(`${option}: expected the path of a module, such as ./mine.js, got ${quote(text)}`);
  const [, path, rest = ""] = form;
  const options: Record<string, string> = {};
  for (const pair of splitOptions(rest)) {
    const at = pair.indexOf("=");
    const key = pair.slice(0, at).trim();
    if (at <= 0) throw new InputError(`${option} ${path}: expected options as key=value, got ${quote(pair)}`);
    if (key in options) throw new InputError(`${option} ${path}: option ${key} is given twice`);
    options[key] = pair.slice(at + 1).trim();
  }
  const found = await importOwn(option, kind, pathToFileURL(resolve(path!)));
  return {
    ...found,
    options,
    // A part reads its options from text; a function should see the values that code would give it.
    build: (given = options) => found.build(found.part ? given : Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueOf(value)]))),
  };
}

/** Numbers, true and false as what they are; anything else stays a text. */
function valueOf(text: unknown): unknown {
  if (text === "true" || text === "false") return text === "true";
  return typeof text === "string" && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The metrics of an option, among which modules may be: `ndcg@10,./mine.js;rel=2`. */
export async function metricsFrom(text: string): Promise<Metric[]> {
  const own = new Map<string, Metric>();
  for (const name of metricNames(text)) if (isModulePath(name)) own.set(name, (await ownArgument("--metrics", "metric", name)).build());
  return metricList(text, own);
}

/** The transform that is trained with, where --transform names one. */
export const transformFrom = async (text: string | undefined): Promise<Transform | undefined> =>
  text === undefined ? undefined : (await ownArgument("--transform", "transform", text)).build();

/** The code for transforms that model files name: a part builds what the file says, whatever options follow the path. */
export async function transformsFrom(text: string | undefined): Promise<{ readonly transforms: Transforms }> {
  if (text === undefined) return { transforms: [] };
  const { part, build } = await ownArgument("--transform", "transform", text);
  return { transforms: [part ?? build()] };
}

/** Errors about missing code of a transform name the flag here, not the option of a function. */
export function namingFlag<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MissingTransform ? new InputError(`${error.what}; --transform FILE gives it`) : error;
  }
}
