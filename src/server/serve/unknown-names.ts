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

  /**
   * Notes features of an item, which has `others` that the model knows; `has` says whether it has one of a name. Refuses a name that stands in the
   * place of one of the model.
   */
  features(names: readonly string[], others: number, has: (name: string) => boolean, where: string): void {
    const { spellings } = neededBy(this.#columns);
    const isVariant = (name: string) => spellings.get(spelling(name))?.some((column) => !column.names.some(has));
    const mistaken = others === 0 ? names[0] : names.find(isVariant);
    if (mistaken !== undefined) throw unknownFeature(where, mistaken, this.#columns);
    for (const name of names) this.#features.add(name);
  }

  /** After the last item: refuses a name that is similar to one of the model which no item has. `seen` is 1 for each feature that some item has. */
  finish(seen: Uint8Array, where: string): void {
    if (this.#features.size === 0) return;
    const needed = neededBy(this.#columns);
    const isLacking = ({ first, width }: NeededColumn) => !seen.subarray(first, first + width).includes(1);
    this.#lacking = needed.columns.filter(isLacking).map(({ name }) => name);
    const lacking = new Set(this.#lacking);
    for (const name of this.#features)
      if (similarTo(needed, name).some((one) => lacking.has(one)))
        throw unknownFeature(where, name, this.#columns, this.#lacking);
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

interface NeededColumn {
  readonly name: string;
  /** All names under which an item may have it: its own, and those of its categories. */
  readonly names: readonly string[];
  /** Number of its first feature, and how many it has. */
  readonly first: number;
  readonly width: number;
}

/** The columns that a model needs. */
interface Needed {
  readonly columns: readonly NeededColumn[];
  /** The columns by spelling. */
  readonly spellings: ReadonlyMap<string, readonly NeededColumn[]>;
  /** Names of columns that are similar to a name of requests. */
  readonly similar: Map<string, readonly string[]>;
}

const known = new WeakMap<Columns, Needed>();

/** The columns of a model whose features have names, found once for each model. */
function neededBy(model: Columns): Needed {
  const found = known.get(model);
  if (found) return found;
  let next = 0;
  const columns = encodingOf(model)!.flatMap((column): NeededColumn[] => {
    const [first, width] = [next, widthOf(column)];
    next += width;
    return width === 0 ? [] : [{ name: column.name, names: [column.name, ...featureNames([column])], first, width }];
  });
  const spellings = new Map<string, NeededColumn[]>();
  for (const column of columns) spellings.set(spelling(column.name), [...(spellings.get(spelling(column.name)) ?? []), column]);
  const needed = { columns, spellings, similar: new Map() };
  known.set(model, needed);
  return needed;
}

const MOST = 256; // names that are compared with those of a model, over all requests; others are told in the warnings only

function similarTo({ columns, similar }: Needed, name: string): readonly string[] {
  const found = similar.get(name);
  if (found || similar.size >= MOST) return found ?? [];
  const names = similarNames(name, columns.map((column) => column.name)); // biome-ignore format: one step
  similar.set(name, names);
  return names;
}
