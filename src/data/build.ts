/** Builds a dataset from rows in memory, checking each row. */
import { checkOptions, type Kinds, oneOf, someTexts } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";
import { Heap } from "../numeric/heap.ts";
import type { Dataset } from "../types.ts";
import { Builder, type BuildOptions } from "./builder.ts";
import { checkFeatures, checkKeys, checkRow, LARGE, LargeValues, noNumber } from "./check-rows.ts";

/**
 * A row as code gives it. Features are one number per column, as many in every such row and NaN where one is missing, or numbers of features
 * with their values. Features and labels become 32-bit floats: a row whose value would become the same number as another one of its column,
 * such as a time in milliseconds, is an error.
 */
export interface Row {
  /** Name of the list. Rows with the same name form a list. */
  readonly list: string | number;
  /** Relevance: higher is better, equal is tied. */
  readonly label: number;
  /** All values of the row, or the numbers and values of the features that are given. */
  readonly features:
    | ArrayLike<number>
    | {
        /** Number of each feature, counted from `base`. */
        readonly numbers: ArrayLike<number>;
        /** Value of each feature in `numbers`. */
        readonly values: ArrayLike<number>;
      };
  /** Weight of the row. Default: 1. */
  readonly weight?: number;
  /** Id of the document. */
  readonly id?: string;
}

/** Adds whole rows to a builder. Dense rows all have as many features as the first. */
export class RowAdder {
  private readonly builder: Builder;
  /** Of dense rows. */
  private width: number | undefined;
  private readonly large = new LargeValues();

  constructor(builder: Builder) {
    this.builder = builder;
  }

  add(row: Row): this {
    const at = this.builder.rows + 1;
    checkRow(row, at);
    if (at === 1) checkKeys(row);
    const { list, label, features, weight = 1, id = "" } = row;
    if (label >= LARGE || label <= -LARGE) this.large.note(label, at);
    checkFeatures(features, at);
    if (!Array.isArray(features) && "numbers" in features) this.addSparse(features, at);
    else this.addDense(features as ArrayLike<number>, at);
    const twice = this.builder.row(this.builder.list(String(list)), label, weight, id);
    if (twice >= 0) throw new InputError(`row ${at}: feature ${this.nameOf(twice)} is given twice`);
    return this;
  }

  private addDense(values: ArrayLike<number>, row: number): void {
    const width = this.builder.features?.length ?? (this.width ??= values.length);
    if (values.length !== width)
      throw new InputError(
        `row ${row}: expected ${width} features, ${this.builder.features ? "which have names" : "as many as in the rows before"}, got ${values.length} (NaN is a missing value)`,
      );
    const first = this.builder.base === 0 ? 0 : 1;
    const isFloat32 = values instanceof Float32Array; // nothing is lost of these
    for (let i = 0; i < width; i++) {
      const value = values[i]!;
      if (typeof value !== "number") throw noNumber(row, this.nameOf(i + first), value);
      if ((value >= LARGE || value <= -LARGE) && !(isFloat32 && Number.isFinite(value)))
        this.large.note(value, row, i + first, this.nameOf(i + first));
      this.builder.cells.add(i + first, value);
    }
  }

  private addSparse({ numbers, values }: { numbers: ArrayLike<number>; values: ArrayLike<number> }, row: number): void {
    const least = this.builder.base === 1 ? 1 : 0;
    for (let i = 0; i < values.length; i++) {
      const number = numbers[i]!;
      const value = values[i]!;
      if (!(Number.isInteger(number) && number >= least && number < 2 ** 31))
        throw new InputError(
          `row ${row}: expected a feature number from ${least} to ${2 ** 31 - 1}, got ${describeValue(number)}`,
        );
      if (typeof value !== "number") throw noNumber(row, this.nameOf(number), value);
      if (value >= LARGE || value <= -LARGE) this.large.note(value, row, number, this.nameOf(number));
      this.builder.cells.add(number, value);
    }
  }

  private nameOf(number: number): string {
    const name = this.builder.features?.[number - this.builder.firstNumber()];
    return name === undefined ? String(number) : quote(name);
  }
}

const someHeap = { wanted: "a heap", fits: (value: unknown) => value instanceof Heap };

const kinds: Kinds<BuildOptions & { readonly features?: readonly string[] }> = {
  absent: oneOf("zero", "missing"),
  base: oneOf(0, 1, "auto"),
  storage: oneOf("auto", "dense", "sparse"),
  ...{ scratch: someHeap, heap: someHeap, features: someTexts },
};

/** How rows become a dataset, and what their columns are called. */
export interface BuildRowsOptions extends BuildOptions {
  /** Names of the columns. Default: none, so features are numbered. */
  readonly features?: readonly string[];
}

/** The dataset of rows that are at hand. `features` names the columns. A row that could be misread is an error with its number, from 1. */
export function build(rows: Iterable<Row>, options: BuildRowsOptions = {}): Dataset {
  if (typeof rows !== "object" || rows === null || !(Symbol.iterator in rows) || ArrayBuffer.isView(rows))
    throw new InputError(`build: expected an array of rows { list, label, features }, got ${describeValue(rows)}`);
  checkOptions("build", options, kinds);
  const named = options.features;
  const twice = named?.find((name, column) => named.indexOf(name) < column);
  if (twice !== undefined) throw new InputError(`build, option features: two columns are called ${quote(twice)}`);
  const builder = new Builder(options);
  builder.features = named;
  builder.numbered = true;
  const adder = new RowAdder(builder);
  for (const row of rows) adder.add(row);
  builder.cells.seal();
  if (named && builder.cells.highest - builder.firstNumber() >= named.length)
    throw new InputError(
      `${named.length} features have names, the last being ${quote(named.at(-1) ?? "")}, but the rows have more`,
    );
  return builder.finish();
}
