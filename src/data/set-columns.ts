/**
 * Arrays of texts in the rows of `dataset`. Which texts there are is known after the last row, so each different array has a number until then, and
 * its column becomes a feature for each text (`table/sets.ts`).
 */
import { InputError, quote } from "../input-error.ts";
import { checkMemory } from "../memory-budget.ts";
import type { ColumnEncoding, Dataset } from "../types.ts";
import { eachColumn } from "./column.ts";
import { EXACT } from "./rounded.ts";
import { MAX_CATEGORIES } from "./table/decision.ts";
import { featureNames, widthOf } from "./table/encode.ts";
import { elementsIn } from "./table/sets.ts";

/** The array of texts, some of which may be missing, that a value is; undefined for others. */
function textsOf(value: object): readonly unknown[] | undefined {
  if (ArrayBuffer.isView(value) || !(Symbol.iterator in value)) return undefined;
  const array = Array.isArray(value) ? (value as unknown[]) : Array.from(value as Iterable<unknown>);
  return array.every((one) => typeof one === "string" || one === null || one === undefined) ? array : undefined;
}

interface NumberedArray {
  readonly number: number;
  readonly elements: readonly string[];
}

export class SetColumns {
  /** By column, the different arrays with their numbers. */
  private readonly arrays = new Map<number, Map<string, NumberedArray>>();

  /** The number of an array of texts; undefined for other objects. */
  numberOf(column: number, value: object): number | undefined {
    const array = textsOf(value);
    if (!array) return undefined;
    const known = this.arrays.get(column) ?? new Map<string, NumberedArray>();
    this.arrays.set(column, known);
    const elements = elementsIn("dataset", array)!;
    const key = JSON.stringify(elements);
    const found = known.get(key) ?? { number: known.size, elements };
    known.set(key, found);
    if (found.number > EXACT) throw new InputError(`dataset: more than ${EXACT} different arrays in one column`); // of which 32-bit floats hold the numbers
    return found.number;
  }

  /** The data with a feature for each text; the same data where no column has arrays. */
  expand(data: Dataset): Dataset {
    if (this.arrays.size === 0) return data;
    const names = data.names.features!;
    const encoding = names.map((name, column): ColumnEncoding => {
      const arrays = this.arrays.get(column);
      if (!arrays) return { name, kind: "number" };
      const categories = [...new Set([...arrays.values()].flatMap(({ elements }) => elements))].sort((a, b) => (a < b ? -1 : 1));
      if (categories.length > MAX_CATEGORIES)
        throw new InputError(
          `dataset: the arrays in column ${quote(name)} have ${categories.length} different texts, and at most ${MAX_CATEGORIES} become features; leave the column out, by naming those that are features (features: [...])`,
        );
      return categories.length === 0 ? { name, kind: "none" } : { name, kind: "set", categories };
    });
    const width = encoding.reduce((sum, one) => sum + widthOf(one), 0);
    const { rows } = data.features;
    checkMemory(`${width} features of ${rows} rows`, 4 * width * rows);
    const values = new Float32Array(rows * width);
    let first = 0;
    eachColumn(data.features, (column, c) => {
      const { kind, categories = [] } = encoding[c]!;
      if (kind === "none") return;
      const arrays = kind === "set" ? [...this.arrays.get(c)!.values()].map(({ elements }) => new Set(elements)) : [];
      for (let row = 0; row < rows; row++) {
        const at = row * width + first;
        const value = column[row]!;
        if (kind !== "set") values[at] = value;
        else categories.forEach((one, place) => void (values[at + place] = Number.isNaN(value) ? value : arrays[value]!.has(one) ? 1 : 0)); // biome-ignore format: one step
      }
      first += kind === "set" ? categories.length : 1;
    });
    return {
      ...data,
      features: { kind: "dense", rows, columns: width, values, absent: Number.NaN },
      names: { ...data.names, features: featureNames(encoding), encoding },
    };
  }
}
