/** Reading model files of other tools: texts, numbers and JSON, each with errors that name file and place. */
import { InputError, quote } from "../../../input-error.ts";
import { checkNesting, lineAt } from "../../json.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

export function textOf(bytes: Uint8Array, path: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes); // with U+FFFD in the place of what is no UTF-8
    throw new InputError(`${path}:${lineAt(text, text.indexOf("\ufffd"))}: expected a text file in UTF-8, and this line is not`);
  }
}

/** A number as C and JavaScript print it, with inf and nan; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (!word) return undefined;
  return word[2]!.toLowerCase() === "nan" ? Number.NaN : word[1] === "-" ? -Infinity : Infinity;
}

/** Each level of a tree takes two brackets in some formats; see MOST_LEVELS of build-tree.ts. */
const DEEPEST = 5000;

/** JSON, in which NaN and Infinity may stand for numbers as Python and XGBoost write them. */
export function jsonOf(text: string, path: string): unknown {
  checkNesting(text, path, undefined, DEEPEST);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/\b(NaN|Infinity)\b/.test(text)) {
      const tame = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/g, (word) =>
        word.startsWith('"') ? word : word === "NaN" ? '"NaN"' : word.startsWith("-") ? "-1e999" : "1e999",
      );
      try {
        return JSON.parse(tame);
      } catch {
        // The first error has the position in the original file.
      }
    }
    const at = placeIn(text, (error as Error).message);
    const column = at - text.lastIndexOf("\n", at - 1);
    throw new InputError(`${path}:${lineAt(text, at)}: expected JSON, and at character ${column} this is not (cut off, perhaps)`);
  }
}

/** Where JSON.parse met a mistake: it tells the position, or quotes ten characters on either side, or the text ended. */
function placeIn(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token, dots, excerpt] = /^Unexpected token '(.)', (\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
  const found = excerpt === undefined ? -1 : text.indexOf(excerpt);
  if (found < 0) return text.trimEnd().length;
  return found + (dots ? 10 : Math.max(0, excerpt!.indexOf(token!)));
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

const LONG = 20;

/** A value in words. What is long, and may be a whole model, is not written out. */
const shown = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (ArrayBuffer.isView(value)) return `${(value as unknown as ArrayLike<number>).length} numbers`;
  if (Array.isArray(value))
    return value.length > LONG || value.some((one) => typeof one === "object")
      ? `a list of ${value.length}`
      : quote(JSON.stringify(value));
  if (!isRecord(value)) return quote(typeof value === "string" ? value : JSON.stringify(value));
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object without fields";
  const named = keys.slice(0, 3).map((key) => quote(key, 20));
  return `an object with ${named.join(", ")}${keys.length > 3 ? ", ..." : ""}`;
};

/** A value of parsed JSON that knows its place, for errors such as "m.json: learner.gradient_booster: expected an object, got 3". */
export class Json {
  constructor(
    readonly value: unknown,
    readonly path: string,
    readonly place = "",
  ) {}

  error(wanted: string): InputError {
    return new InputError(`${this.path}: ${this.place || "the file"}: expected ${wanted}, got ${shown(this.value)}`);
  }

  /** Whether there is such a field. */
  has(key: string): boolean {
    return isRecord(this.value) && Object.hasOwn(this.value, key) && this.value[key] !== undefined;
  }

  at(key: string | number): Json {
    const place = typeof key === "number" ? `${this.place}[${key}]` : this.place === "" ? key : `${this.place}.${key}`;
    if (typeof key === "number") {
      const list = this.value as ArrayLike<unknown>;
      return new Json(list[key], this.path, place);
    }
    if (!isRecord(this.value)) throw this.error("an object");
    return new Json(Object.hasOwn(this.value, key) ? this.value[key] : undefined, this.path, place);
  }

  keys(): string[] {
    if (!isRecord(this.value)) throw this.error("an object");
    return Object.keys(this.value);
  }

  list(): readonly Json[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.error("a list");
    return value.map((_, i) => this.at(i));
  }

  /** Numbers, of the given count where one is wanted; not-finite ones only where they are allowed. */
  numbers(count?: number, finite: "finite" | "any" = "finite"): Float64Array {
    const { value } = this;
    const wanted = `a list of ${count === undefined ? "" : `${count} `}numbers`;
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) throw this.error(wanted);
    const list = value as ArrayLike<unknown>;
    if (count !== undefined && list.length !== count) throw this.error(wanted);
    const into = new Float64Array(list.length);
    for (let i = 0; i < list.length; i++) {
      const one = list[i];
      const number = one === "NaN" ? Number.NaN : one;
      if (typeof number !== "number" || (finite === "finite" && !Number.isFinite(number)))
        throw new Json(one, this.path, `${this.place}[${i}]`).error("a number");
      into[i] = number;
    }
    return into;
  }

  /** Yes and no, as booleans or as 1 and 0. */
  flags(count: number): boolean[] {
    const { value } = this;
    const list = (Array.isArray(value) || ArrayBuffer.isView(value) ? value : []) as ArrayLike<unknown>;
    if (list.length !== count) throw this.error(`a list of ${count} flags`);
    return Array.from(list, (one, i) => {
      if (typeof one !== "boolean" && one !== 0 && one !== 1)
        throw new Json(one, this.path, `${this.place}[${i}]`).error("0 or 1");
      return Boolean(one);
    });
  }

  whole(least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const value = typeof this.value === "string" && /^-?\d+$/.test(this.value) ? Number(this.value) : this.value;
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
      throw this.error(`a whole number of at least ${least}${most < Number.MAX_SAFE_INTEGER ? ` and at most ${most}` : ""}`);
    return value;
  }

  number(): number {
    if (typeof this.value !== "number" || !Number.isFinite(this.value)) throw this.error("a number");
    return this.value;
  }

  text(): string {
    if (typeof this.value !== "string") throw this.error("a text");
    return this.value;
  }
}
