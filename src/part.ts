/**
 * Parts: how named components are declared, listed, looked up and suggested.
 *
 * One declaration provides a function for code, `plTopK({ k: 5 })`; a spec for the command line, `pl-topk:k=5`, `ndcg@10;gain=lin`,
 * `ndcg@10:lightgbm` or `adam(rate=0.1)`; help; JSON; and errors that suggest similar names.
 */
import { describeValue, InputError, quote } from "./input-error.ts";

/** An option: its meaning, the values it accepts, and how it is written. */
export interface Field<T> {
  /** What the option means. */
  readonly about: string;
  /** The expected value in words: "a whole number above 0". */
  readonly kind: string;
  /** Value if the option is not given. */
  readonly default: T;
  /** Names of the option in other tools. */
  readonly aliases: readonly string[];
  /** Parses a value from text or code; undefined if it is invalid. */
  read(value: unknown): T | undefined;
  /** The value as written on the command line. */
  write(value: T): string;
  /** The defaults that a value sets for other options. In specs such a value is written without its key: `ndcg@10:lightgbm`. */
  preset?(value: T): Readonly<Record<string, unknown>>;
  /** The defaults that a value sets for other options, where it is written with its key: `trees:bag=5`. */
  implies?(value: T): Readonly<Record<string, unknown>>;
  /** Whether the text of a value says all of it. Absent: it always does; code of the caller has no text that could be built again. */
  textual?(value: T): boolean;
}

/** The declaration of every option of a part. */
export type Fields<O> = { readonly [K in keyof O]: Field<O[K]> };

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

/** Whether an object has exactly these own entries, in this order: a copy or a change is told from the original. */
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

/** The defaults, including those that other options set. */
function defaultsOf<O extends object>(fields: Fields<O>, given: Partial<O>): O {
  const defaults = {} as O;
  for (const key of keysOf(fields)) defaults[key] = fields[key].default;
  for (const key of keysOf(fields)) Object.assign(defaults, fields[key].implies?.(given[key] ?? fields[key].default));
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

/** "did you mean a?" for similar names, else all names. */
export function suggest(name: string, known: readonly string[]): string {
  const wanted = normalized(name);
  const near = known
    .map((one) => ({ one, far: distance(wanted, normalized(one)) }))
    .filter(
      ({ one, far }) =>
        far <= Math.max(1, Math.floor(wanted.length / 3)) ||
        (wanted.length > 2 && (normalized(one).startsWith(wanted) || letters(normalized(one)) === letters(wanted))),
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ one }) => one);
  const more = known.length > 40 ? ` and ${known.length - 40} more` : "";
  const all = `there ${known.length === 1 ? "is" : "are"} ${known.slice(0, 40).map(printable).join(", ")}${more}`;
  return near.length === 0 ? all : `did you mean ${near.map(printable).join(" or ")}? (${all})`;
}

/** Names may come from files: control characters are removed and long names truncated. */
const printable = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}...` : name).replace(/\p{Cc}/gu, " ");

/** The letters of a word, sorted: equal for words with transposed letters. */
const letters = (word: string) => [...word].sort().join("");

/** Damerau-Levenshtein distance: insertions, deletions, changes and swaps of neighbors. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return 9;
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = 0; i <= a.length; i++) table[i * width] = i;
  for (let j = 0; j <= b.length; j++) table[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        table[(i - 1) * width + j]! + 1,
        table[i * width + j - 1]! + 1,
        table[(i - 1) * width + j - 1]! + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, table[(i - 2) * width + j - 2]! + 1);
      table[i * width + j] = least;
    }
  }
  return table[a.length * width + b.length]!;
}

/** learningRate → learning-rate */
export const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names are compared without case, dashes and underscores: `pl-topk`, `PL_TopK` and `plTopK` are equal. */
const normalized = (name: string) => name.toLowerCase().replace(/[-_]/g, "");

const keysOf = <O extends object>(fields: Fields<O>) => Object.keys(fields) as (keyof O & string)[];

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

/** The range of a number, and other names of the option. */
export interface Limits {
  /** Least value. Default: none. */
  readonly min?: number;
  /** Lower bound, itself excluded. Default: none. */
  readonly above?: number;
  /** Greatest value. Default: none. */
  readonly max?: number;
  /** Upper bound, itself excluded. Default: none. */
  readonly below?: number;
  /** Names of the option in other tools. Default: none. */
  readonly aliases?: readonly string[];
}

function within({ min = -Infinity, above = -Infinity, max = Infinity, below = Infinity }: Limits) {
  return (value: number) => value >= min && value > above && value <= max && value < below;
}

function range(noun: string, { min, above, max, below }: Limits): string {
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  const low = min !== undefined ? ` of at least ${min}` : above !== undefined ? ` above ${above}` : "";
  const high = max !== undefined ? ` of at most ${max}` : below !== undefined ? ` below ${below}` : "";
  return `${noun}${low}${low && high ? " and" : ""}${high}`;
}

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A real number. */
export function real(defaultValue: number, about: string, limits: Limits = {}): Field<number> {
  const fits = within(limits);
  return {
    about,
    default: defaultValue,
    kind: range("a number", limits),
    aliases: limits.aliases ?? [],
    read(value) {
      const number =
        typeof value === "number" ? value : typeof value === "string" && numeral.test(value) ? Number(value) : Number.NaN;
      return Number.isFinite(number) && fits(number) ? number : undefined;
    },
    write: String,
  };
}

/** An integer; `Infinity`, written "all", if that is the default. */
export function integer(defaultValue: number, about: string, limits: Limits = { above: 0 }): Field<number> {
  const fits = within(limits);
  const open = defaultValue === Infinity;
  return {
    about,
    default: defaultValue,
    kind: `${range("a whole number", limits)}${open ? ' or "all"' : ""}`,
    aliases: limits.aliases ?? [],
    read(value) {
      if (open && (value === "all" || value === Infinity)) return Infinity;
      const number =
        typeof value === "number" ? value : typeof value === "string" && /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
      return Number.isSafeInteger(number) && fits(number) ? number : undefined;
    },
    write: (value) => (value === Infinity ? "all" : String(value)),
  };
}

/** One of several words; the first is the default. */
export function choice<const W extends string>(
  words: readonly [W, ...W[]],
  about: string,
  aliases: readonly string[] = [],
): Field<W> {
  return {
    about,
    default: words[0],
    kind: `one of ${words.join(", ")}`,
    aliases,
    read: (value) => (typeof value === "object" ? undefined : words.find((word) => word === String(value))),
    write: String,
  };
}

/** Yes or no. */
export function flag(defaultValue: boolean, about: string, aliases: readonly string[] = []): Field<boolean> {
  const meaning: Record<string, boolean> = {
    true: true,
    yes: true,
    "1": true,
    on: true,
    false: false,
    no: false,
    "0": false,
    off: false,
  };
  return {
    about,
    default: defaultValue,
    kind: "true or false",
    aliases,
    read: (value) => (typeof value === "object" ? undefined : own(meaning, String(value))),
    write: String,
  };
}

const own = <T>(of: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(of, key) ? of[key] : undefined);

/** Any text. */
export function textField(defaultValue: string, about: string, aliases: readonly string[] = []): Field<string> {
  return {
    about,
    default: defaultValue,
    kind: "a text",
    aliases,
    read: (value) => (typeof value === "string" ? value : undefined),
    write: (value) => value,
  };
}

/** Numbers with "/" between them. */
export function numberList(
  defaultValue: readonly number[],
  about: string,
  kind: string,
  fits: (value: number) => boolean,
  aliases: string[] = [],
): Field<readonly number[]> {
  return {
    ...{ about, default: defaultValue, aliases },
    kind: `${kind}, or several with "/" between them`,
    read(value) {
      const given =
        typeof value === "number"
          ? [value]
          : typeof value === "string"
            ? value.split("/").map((one) => (one.trim() === "" ? Number.NaN : Number(one)))
            : value;
      return Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "number" && fits(one))
        ? given
        : undefined;
    },
    write: (value) => value.join("/"),
  };
}

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

/** The kinds of options that a part of one's own may declare: `field.real(1, "weight of ties", { above: 0 })`. */
export const field = {
  /** A real number. */
  real,
  /** An integer; `Infinity`, written "all", if that is the default. */
  integer,
  /** One of several words; the first is the default. */
  choice,
  /** Yes or no. */
  flag,
  /** Any text. */
  text: textField,
} as const;
