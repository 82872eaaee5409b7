/**
 * Objectives, metrics and feature transforms of the caller, given as a module: functions cannot be sent to worker threads, but a worker can
 * import the same module by its URL. The module exports `objective`, `metric` or `transform`: a finished object, a function of options that
 * gives one, or a part (see `part`), whose options are then checked like those of the library's own.
 */
import { describeValue, InputError, quote } from "./input-error.ts";
import { articleOf, checkMembers, type OwnKinds } from "./members.ts";
import { type AnyPart, buildPart, hasEntries } from "./part.ts";
import type { Metric, Objective, Transform } from "./types.ts";

/** A module that exports an `objective`, `metric` or `transform`. */
export interface ModuleSource {
  /** The URL of the module, such as `new URL("./mine.js", import.meta.url)`. */
  readonly module: URL | string;
  /** What its function or part is called with: plain data, since every thread gets a copy. Default: no options. */
  readonly options?: Readonly<Record<string, unknown>>;
}

type Kind = keyof OwnKinds;

/** What a module exports under the name of a kind. */
export interface OwnExport<T> {
  /** Where it is a part: what it declares. */
  readonly part?: AnyPart<T>;
  /** Makes the object. What it gives can be made again in another thread (see `moduleOf`). */
  build(options?: Readonly<Record<string, unknown>>): T;
}

/** The URL of a module and the options of what was built from it: plain data, for another thread. */
export interface ModuleOrigin {
  readonly module: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const origins = new WeakMap<
  object,
  { readonly origin: ModuleOrigin; readonly entries: readonly (readonly [string, unknown])[] }
>();

/** Which module built a value, if it is unchanged since, or undefined. */
export function moduleOf(value: object): ModuleOrigin | undefined {
  const found = origins.get(value);
  return found && hasEntries(value, found.entries) ? found.origin : undefined;
}

/** Whether an option is a module rather than an object made from one. */
export const isModuleSource = (value: unknown): value is ModuleSource =>
  typeof value === "object" && value !== null && "module" in value && !("id" in value);

/** Imports a module and finds what it exports. `who` stands before errors. */
export async function importOwn<K extends Kind>(who: string, kind: K, module: URL | string): Promise<OwnExport<OwnKinds[K]>> {
  const href = hrefOf(who, module);
  const where = `${who}: ${shownUrl(href)}`;
  const exported = (await importModule(where, href))[kind];
  if (exported === undefined)
    throw new InputError(
      `${where} has no export named "${kind}"; export ${articleOf(kind)} ${kind}, a function of options that returns one, or a part`,
    );
  const isFunction = typeof exported === "function";
  const declared =
    isFunction && "fields" in exported && "id" in exported ? (exported as unknown as AnyPart<OwnKinds[K]>) : undefined;
  if (!isFunction) checkMembers(where, kind, exported);
  return {
    ...(declared && { part: declared }),
    build(options = {}) {
      checkPlain(who, options);
      if (!isFunction && Object.keys(options).length > 0)
        throw new InputError(
          `${where} exports a finished ${kind}, which has no options, got ${quote(Object.keys(options)[0]!)}; export a function of options or a part`,
        );
      const made: unknown = declared
        ? buildPart(declared, kind, options)
        : isFunction
          ? attempt(where, () => (exported as (options: unknown) => unknown)(options))
          : exported;
      checkMembers(where, kind, made);
      origins.set(made, { origin: { module: href, options }, entries: Object.entries(made) });
      return made;
    },
  };
}

/** Imports a module and builds its objective, metric or transform. */
export async function loadOwn<K extends Kind>(who: string, kind: K, source: ModuleSource): Promise<OwnKinds[K]> {
  const { module, options, ...rest } = source;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new InputError(`${who}: expected { module, options }, got also ${quote(unknown)}`);
  return (await importOwn(who, kind, module)).build(options);
}

/** Options that take objects of the library, objects of the caller, or modules. */
export interface OwnOptions {
  readonly objective?: Objective | ModuleSource;
  readonly metrics?: readonly (Metric | ModuleSource)[];
  readonly transform?: Transform | ModuleSource;
}

/** The same options with objects alone. */
export type Loaded<O extends OwnOptions> = Omit<O, keyof OwnOptions> & {
  readonly objective?: Objective;
  readonly metrics?: readonly Metric[];
  readonly transform?: Transform;
};

/** Imports the modules among the options of a function. */
export async function loadModules<O extends OwnOptions>(who: string, options: O): Promise<Loaded<O>> {
  const { objective, metrics, transform, ...rest } = options;
  const loaded = async <K extends Kind>(name: string, kind: K, value: OwnKinds[K] | ModuleSource) =>
    isModuleSource(value) ? await loadOwn(`${who}, option ${name}`, kind, value) : value;
  return {
    ...rest,
    ...(objective && { objective: await loaded("objective", "objective", objective) }),
    ...(metrics && { metrics: await Promise.all(metrics.map((one) => loaded("metrics", "metric", one))) }),
    ...(transform && { transform: await loaded("transform", "transform", transform) }),
  };
}

/** The objective of a module, for functions that take finished objects, such as `fit`. `train` can give it to threads. */
export const loadObjective = (source: ModuleSource) => load("loadObjective", "objective", source);

/** The metric of a module, for functions that take finished objects, such as `evaluate`. `train` can give it to threads. */
export const loadMetric = (source: ModuleSource) => load("loadMetric", "metric", source);

/** The feature transform of a module, for functions that take finished objects, such as `readModel`. `train` can give it to threads. */
export const loadTransform = (source: ModuleSource) => load("loadTransform", "transform", source);

async function load<K extends Kind>(who: string, kind: K, source: ModuleSource): Promise<OwnKinds[K]> {
  if (!isModuleSource(source)) throw new InputError(`${who}: expected { module, options }, got ${describeValue(source)}`);
  return loadOwn(who, kind, source);
}

function hrefOf(who: string, module: unknown): string {
  if (module instanceof URL) return module.href;
  if (typeof module === "string" && URL.canParse(module)) return module;
  throw new InputError(
    `${who}: expected the URL of a module, as new URL("./mine.js", import.meta.url) gives it, got ${describeValue(module)}`,
  );
}

/** A file by its path, any other module by its URL. */
const shownUrl = (href: string) => (href.startsWith("data:") ? "the module in a data: URL" : href.replace(/^file:\/\//, ""));

async function importModule(where: string, href: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ href);
  } catch (error) {
    throw new InputError(`${where} cannot be imported: ${firstLine(error).replace(/ imported from .*$/, "")}`);
  }
}

function attempt(where: string, work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    throw new InputError(`${where}: ${firstLine(error)}`);
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split("\n")[0]!;

/** Other threads get a copy of the options, and functions and classes cannot be copied. */
function checkPlain(who: string, options: Readonly<Record<string, unknown>>): void {
  if (!isPlainObject(options)) throw new InputError(`${who}, options: expected an object, got ${describeValue(options)}`);
  for (const [key, value] of Object.entries(options))
    if (!isPlain(value))
      throw new InputError(
        `${who}, option ${key}: expected plain data (numbers, texts, true, false, arrays and objects of these), got ${describeValue(value)}`,
      );
}

const isPlainObject = (value: unknown) =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

const isPlain = (value: unknown): boolean =>
  value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)
    ? true
    : Array.isArray(value)
      ? value.every(isPlain)
      : isPlainObject(value) && Object.values(value as object).every(isPlain);
