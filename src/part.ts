/**
 * Parts: how named components are declared, listed, looked up and suggested.
 *
 * One declaration provides a function for code, `plTopK({ k: 5 })`; a spec for the command line, `pl-topk:k=5`, `ndcg@10;gain=lin`,
 * `ndcg@10:lightgbm` or `adam(rate=0.1)`; help; JSON; and errors that suggest similar names.
 */
import type { Field, Fields } from "./fields.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import { kebabCase, normalized, suggest } from "./similar-names.ts";

export * from "./fields.ts";
export { distance, kebabCase, suggest } from "./similar-names.ts";

/** A callable with a name: plTopK({ k: 5 }) in code, "pl-topk:k=5" on the command line. */
export interface Part<O, T> {
  (options?: Partial<O>): T;
  /** Name on the command line. */
  readonly id: string;
  /** What it is, in one line. */
  readonly about: string;
  /** The declared options. */
  readonly fields: Fields<O>;
  /** Other names, such as those in other tools. */
  readonly aliases: readonly string[];
}

/** A part with any options, as in the lists `objectives`, `metrics`, `models` and `optimizers`. */
// biome-ignore lint/suspicious/noExplicitAny: the parts of one list differ in their options
export type AnyPart<T> = Part<any, T>;

/** An option that differs from its default, as text. */
export interface NonDefault {
  /** Name of the option. */
  readonly key: string;
  /** Its value as text. */
  readonly value: string;
  /** Whether it is written without its key. */
  readonly bare: boolean;
}

/** `pl-topk:k=5,seed=1` */
const withColon = (id: string, nonDefault: readonly NonDefault[]) =>
  nonDefault.length === 0
    ? id
    : `${id}:${nonDefault.map(({ key, value, bare }) => (bare ? value : `${key}=${value}`)).join(",")}`;

/**
 * Declares a part. `make` receives the complete options and the canonical spec, which contains only non-default options and is formatted by
 * `formatSpec`.
 */
export function part<O extends object, T>(
  id: string,
  about: string,
  fields: Fields<O>,
  make: (options: O, text: string) => T,
  aliases: readonly string[] = [],
  formatSpec: (id: string, nonDefault: readonly NonDefault[]) => string = withColon,
): Part<O, T> {
  const build = (given: Partial<O> = {}): T => {
    const options = completeOptions(id, fields, given);
    const made = make(options, formatSpec(id, nonDefaults(fields, options)));
    const textual = keysOf(fields).every((key) => fields[key].textual?.(options[key]) ?? true);
    if (textual && typeof made === "object" && made !== null)
      origins.set(made, { part: declared, entries: Object.entries(made) });
    return made;
  };
  const declared = Object.assign(build, { id, about, fields, aliases });
  return declared;
}

/** The values built by parts, with the part and the properties, to distinguish originals from copies and changes. */
const origins = new WeakMap<object, { readonly part: unknown; readonly entries: readonly (readonly [string, unknown])[] }>();

/**
 * Whether one of these parts built the value, and neither it nor its components, such as the optimizer of a model, were changed. Then its
 * spec rebuilds it, for example in another thread. `{ ...plPartition(), evaluate: mine }` is not such a thing.
 */
export function isBuiltBy<T>(parts: readonly AnyPart<T>[], value: T): boolean {
  const origin = typeof value === "object" && value !== null ? origins.get(value) : undefined;
  if (!origin || !parts.some((one) => one === origin.part)) return false;
  return hasEntries(value as object, origin.entries);
}

/** Whether an object has exactly these own entries, in this order: so that copies and changed objects are recognized. */
export function hasEntries(value: object, entries: readonly (readonly [string, unknown])[]): boolean {
  const now = Object.entries(value);
  return now.length === entries.length && now.every(([key, one], i) => key === entries[i]![0] && one === entries[i]![1]);
}

function completeOptions<O extends object>(who: string, fields: Fields<O>, given: Partial<O>): O {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InputError(`${who}: expected options as an object, got ${describeValue(given)}`);
  const checked = {} as Partial<O>;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const key = keyOf(who, fields, name);
    const field = fields[key];
    const read = field.read(value);
    if (read === undefined)
      throw new InputError(`${who}, option ${kebabCase(String(key))}: expected ${field.kind}, got ${shownOption(value)}`);
    checked[key] = read;
  }
  return { ...defaultsOf(fields, checked), ...checked };
}

const shownOption = (value: unknown) =>
  typeof value === "object" || typeof value === "function" ? describeValue(value) : quote(String(value));

/** The defaults, including those set by a preset option. */
function defaultsOf<O extends object>(fields: Fields<O>, given: Partial<O>): O {
  const defaults = {} as O;
  for (const key of keysOf(fields)) defaults[key] = fields[key].default;
  const bare = bareKey(fields);
  return bare ? { ...defaults, ...fields[bare].preset!(given[bare] ?? defaults[bare]) } : defaults;
}

/** The option whose value may be written without its key. */
const bareKey = <O extends object>(fields: Fields<O>) => keysOf(fields).find((key) => fields[key].preset);

function keyOf<O extends object>(who: string, fields: Fields<O>, name: string): keyof O & string {
  const keys = keysOf(fields);
  const wanted = normalized(name);
  for (const key of keys)
    if (normalized(key) === wanted || fields[key].aliases.some((alias) => normalized(alias) === wanted)) return key;
  const known = keys.map(kebabCase);
  if (known.length === 0) throw new InputError(`${who} has no options, got ${quote(name)}`);
  throw new InputError(`${who} has no option ${quote(name)}; ${suggest(name, known)}`);
}

/** Reads `id`, `id@k`, `id:key=value,key=value`, `id:word`, `id;key=value` or `id(key=value)` and builds the part. */
export function find<T>(parts: readonly AnyPart<T>[], noun: string, text: string): T {
  const { part: found, options } = parseSpec(parts, noun, text);
  return buildPart(found, noun, options);
}

/** All options of a part: the given ones, parsed, and defaults for the others. */
export function resolveOptions<T>(
  from: AnyPart<T>,
  noun: string,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return completeOptions<Record<string, unknown>>(`${noun} ${from.id}`, from.fields, options);
}

/** Builds a part from options given as text. Errors also name the kind of part. */
export function buildPart<T>(from: AnyPart<T>, noun: string, options: Readonly<Record<string, unknown>>): T {
  resolveOptions(from, noun, options);
  return from(options);
}

/** The part named by a spec, and its options as text. */
export function parseSpec<T>(
  parts: readonly AnyPart<T>[],
  noun: string,
  text: string,
): { part: AnyPart<T>; options: Record<string, string> } {
  if (typeof text !== "string")
    throw new InputError(`expected the name of ${article(noun)}, such as ${quote(parts[0]!.id)}, got ${describeValue(text)}`);
  const form = /^\s*([^@:;()\s]+)\s*(?:\(([\s\S]*)\))?(?:@([^:;()]*))?(?:[:;]([\s\S]*))?$/.exec(withoutColon(parts, text));
  if (!form) throw new InputError(`expected the name of ${article(noun)}, such as ${quote(parts[0]!.id)}, got ${quote(text)}`);
  const [, name, inner, at, rest] = form;
  const found = findByName(parts, noun, name!);
  const options: Record<string, string> = {};
  const add = (key: string, value: string) => {
    const canonical = keyOf(`${noun} ${found.id}`, found.fields as Fields<Record<string, unknown>>, key);
    if (canonical in options)
      throw new InputError(`${noun} ${found.id}: option ${kebabCase(canonical)} is given twice in ${quote(text)}`);
    options[canonical] = value;
  };
  if (at !== undefined) add("k", at);
  for (const pair of [...splitOptions(inner ?? ""), ...splitOptions(rest ?? "")]) {
    const cut = pair.indexOf("=");
    const bare = bareKey(found.fields as Fields<Record<string, unknown>>);
    if (cut > 0) add(pair.slice(0, cut).trim(), pair.slice(cut + 1).trim());
    else if (bare) add(bare, pair);
    else throw new InputError(`${noun} ${found.id}: expected options as key=value, got ${quote(pair)}`);
  }
  return { part: found, options };
}

/** `rank:ndcg:truncation=5` → `lambdarank:truncation=5`: some tools have names with a colon. */
function withoutColon<T>(parts: readonly AnyPart<T>[], text: string): string {
  const given = text.trim();
  for (const one of parts)
    for (const alias of one.aliases)
      if (alias.includes(":") && normalized(given).startsWith(normalized(alias)) && /^($|[@:;(])/.test(given.slice(alias.length)))
        return one.id + given.slice(alias.length);
  return text;
}

function findByName<T>(parts: readonly AnyPart<T>[], noun: string, name: string): AnyPart<T> {
  const wanted = normalized(name);
  const found = parts.find((one) => normalized(one.id) === wanted || one.aliases.some((alias) => normalized(alias) === wanted));
  if (found) return found;
  const known = parts.map((one) => one.id);
  throw new InputError(`no ${noun} is called ${quote(name)}; ${suggest(name, known)}`);
}

/** Splits at commas and semicolons outside parentheses. */
export function splitOptions(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let piece = "";
  for (const letter of text) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (depth === 0 && (letter === "," || letter === ";")) {
      found.push(piece);
      piece = "";
    } else piece += letter;
  }
  found.push(piece);
  return found.map((one) => one.trim()).filter((one) => one !== "");
}

function nonDefaults<O extends object>(fields: Fields<O>, options: O): NonDefault[] {
  const nonDefault: NonDefault[] = [];
  const defaults = defaultsOf(fields, options);
  for (const key of keysOf(fields)) {
    const field = fields[key];
    const bare = field.preset !== undefined;
    const value = field.write(options[key]);
    if (value !== field.write(bare ? field.default : defaults[key])) nonDefault.push({ key: kebabCase(key), value, bare });
  }
  return nonDefault;
}

const keysOf = <O extends object>(fields: Fields<O>) => Object.keys(fields) as (keyof O & string)[];

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

/** A nested part, such as the optimizer of a model: `adam`, `adam(rate=0.1)` or `ndcg(gain=lin)@10` in text. */
export function partField<T extends { readonly id: string; readonly spec: string }>(
  parts: readonly AnyPart<T>[],
  noun: string,
  defaultValue: T,
  about: string,
  does: keyof T & string, // the method that identifies custom values
): Field<T> {
  return {
    about,
    default: defaultValue,
    kind: `${article(noun)}: ${parts.map((one) => one.id).join(", ")}`,
    aliases: [],
    read: (value) => (typeof value === "string" ? find(parts, noun, value) : isLike<T>(value, does) ? value : undefined),
    textual: (value) => isBuiltBy(parts, value),
    write: ({ spec }) => spec.replace(/^([^@:;]+)(@[^:;]*)?[:;](.*)$/, (_, id, at = "", inner) => `${id}(${inner})${at}`),
  };
}

function isLike<T>(value: unknown, does: keyof T & string): value is T {
  if (typeof value !== "object" || value === null) return false;
  const { id, spec, [does]: method } = value as Record<string, unknown>;
  return typeof id === "string" && typeof spec === "string" && typeof method === "function";
}

/** The option of a part with this name or alias, or undefined. */
export function findOption<T>({ fields }: AnyPart<T>, name: string): string | undefined {
  const wanted = normalized(name);
  const known: Readonly<Record<string, Field<unknown>>> = fields;
  return Object.keys(known).find(
    (key) => normalized(key) === wanted || known[key]!.aliases.some((alias) => normalized(alias) === wanted),
  );
}

/** The options of a part, for help: one row per option. */
export function optionRows<T>({
  fields,
}: AnyPart<T>): { option: string; start: string; kind: string; about: string; aliases: readonly string[] }[] {
  const known: Readonly<Record<string, Field<unknown>>> = fields;
  return Object.entries(known).map(([key, field]) => ({
    option: kebabCase(key),
    start: field.write(field.default),
    kind: field.kind,
    about: field.about,
    aliases: field.aliases,
  }));
}
