/**
 * What a request has that the model does not know: categories that the training data lacked, and features. Features by name are ignored, and
 * the answer says so in its warnings. A name that is probably one of the model's, spelled in another way, is an error: features that items leave out
 * are missing values, so nothing else would show the mistake.
 */
import { counted } from "../../counted.ts";
import { ignoredNotice } from "../../data/align.ts";
import { encodingOf, featureNames, widthOf } from "../../data/table/encode.ts";
import { InputError, quote } from "../../input-error.ts";
import { similarNames, spelling, suggest } from "../../similar-names.ts";
import type { Columns } from "../../types.ts";

const EXAMPLES = 3;

/** Whether an item has a feature of this name. */
type Has = (name: string) => boolean;

/** The error of a feature that the model does not know; a similar name is among those of the model, or of some of its columns. */
export function unknownFeature(where: string, name: string, model: Columns, some?: readonly string[]): InputError {
  const { count, base } = model;
  const names = some ?? encodingOf(model)?.map((column) => column.name);
  const known = names ? suggest(name, names) : `it knows ${count === 0 ? "none" : `${base} to ${base + count - 1}`}`;
  return new InputError(
    `${where}: the model does not know the feature ${quote(name)}; ${known} ("unknown": "ignore" leaves it out)`,
  );
}

export class UnknownNames {
  readonly #columns: Columns;
  readonly #categories = new Map<string, { count: number; readonly texts: Set<string> }>();
  readonly #features = new Set<string>();
  #lacking: readonly string[] = [];

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** Counts a category. */
  category(column: string, value: unknown): void {
    const held = this.#categories.get(column) ?? { count: 0, texts: new Set<string>() };
    this.#categories.set(column, held);
    held.count++;
    if (held.texts.size < EXAMPLES) held.texts.add(String(value).trim());
  }

  /** Notes features of an item, which has `others` that the model knows; refuses a name that stands in the place of one of the model. */
  features(names: readonly string[], others: number, has: Has, where: string): void {
    const { columns, spellings } = neededBy(this.#columns);
    const isVariant = (name: string) => spellings.get(spelling(name))?.some((column) => !columns.get(column)!.some(has));
    const mistaken = others === 0 ? names[0] : names.find(isVariant);
    if (mistaken !== undefined) throw unknownFeature(where, mistaken, this.#columns);
    for (const name of names) this.#features.add(name);
  }

  /** After the last item: refuses a name that is similar to one of the model which no item has. `has` says whether some item has a feature. */
  finish(has: Has, where: string): void {
    if (this.#features.size === 0) return;
    this.#lacking = [...neededBy(this.#columns).columns].flatMap(([column, names]) => (names.some(has) ? [] : [column]));
    for (const name of this.#features)
      if (similarNames(name, this.#lacking).length > 0) throw unknownFeature(where, name, this.#columns, this.#lacking);
  }

  /** A line for each column with categories, and one for all features. */
  warnings(): string[] {
    const lines = [...this.#categories].map(([column, { count, texts }]) => {
      const some = [...texts].map((text) => quote(text)).join(", ");
      return `column ${quote(column)}: ${counted(count, "value")} (${some}${count > texts.size ? ", ..." : ""}) of categories that the model does not know, read as none of them`;
    });
    if (this.#features.size > 0) lines.push(`${ignoredNotice([...this.#features], "feature")}${lackingText(this.#lacking)}`);
    return lines;
  }
}

function lackingText([first, ...rest]: readonly string[]): string {
  if (first === undefined) return "";
  return `; no item has its ${rest.length > 0 ? "features" : "feature"} ${quote(first)}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

/** The columns that a model needs. */
interface Needed {
  /** Each column with all names under which an item may have it: its own, and those of its categories. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** The columns by spelling. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<Columns, Needed>();

/** The columns of a model whose features have names, found once for each model. */
function neededBy(model: Columns): Needed {
  const found = known.get(model);
  if (found) return found;
  const needed = encodingOf(model)!.filter((column) => widthOf(column) > 0);
  const spellings = new Map<string, string[]>();
  for (const { name } of needed) spellings.set(spelling(name), [...(spellings.get(spelling(name)) ?? []), name]);
  const columns = new Map(needed.map((column) => [column.name, [...new Set([column.name, ...featureNames([column])])]]));
  known.set(model, { columns, spellings });
  return { columns, spellings };
}
