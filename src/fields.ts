/** Kinds of options: how a value is described, read from text or code, and written. */

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
  /** Whether the text of a value says all of it. Absent: it always does; code of the caller has no text that could be built again. */
  textual?(value: T): boolean;
}

/** The declaration of every option of a part. */
export type Fields<O> = { readonly [K in keyof O]: Field<O[K]> };

/** The range of a number, and other names of the option. */
export interface NumberLimits {
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

function within({ min = -Infinity, above = -Infinity, max = Infinity, below = Infinity }: NumberLimits) {
  return (value: number) => value >= min && value > above && value <= max && value < below;
}

function range(noun: string, { min, above, max, below }: NumberLimits): string {
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  const low = min !== undefined ? ` of at least ${min}` : above !== undefined ? ` above ${above}` : "";
  const high = max !== undefined ? ` of at most ${max}` : below !== undefined ? ` below ${below}` : "";
  return `${noun}${low}${low && high ? " and" : ""}${high}`;
}

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A real number. */
export function real(defaultValue: number, about: string, limits: NumberLimits = {}): Field<number> {
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

/** The same option, whose default, "auto", is a value that depends on the data. */
export const automatic = <T>(field: Field<T>): Field<T | "auto"> => ({
  ...field,
  kind: `${field.kind}, or "auto"`,
  default: "auto",
  read: (value) => (value === "auto" ? "auto" : field.read(value)),
  write: (value) => (value === "auto" ? "auto" : field.write(value)),
});

/** An integer; `Infinity`, written "all", if that is the default. */
export function integer(defaultValue: number, about: string, limits: NumberLimits = { above: 0 }): Field<number> {
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
