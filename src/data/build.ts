/**
 * Builds a dataset from rows that arrive one by one. Rows of a list need not be adjacent: `finish` groups them, with lists in order of
 * first appearance and rows in their given order. Each file is a section: the same list name in two sections denotes two lists.
 */
import { checkOptions, type Kinds, oneOf, someTexts } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";
import { Heap } from "../numeric/heap.ts";
import type { Dataset } from "../types.ts";
import { Cells, type CellsPart, LABEL, type Storage } from "./cells.ts";
import { checkFeatures, checkKeys, checkRow, LARGE, LargeValues, noNumber } from "./rows.ts";

/** How rows become a dataset. */
export interface BuildOptions {
  /** Value of cells that are not given: 0, or missing. Default: "zero". */
  readonly absent?: "zero" | "missing";
  /** Number of the first feature; "auto": 0 if a feature 0 occurs, else 1. Default: 1. */
  readonly base?: 0 | 1 | "auto";
  /** How features are stored. Default: "auto", which is dense when at least a third of the cells are given. */
  readonly storage?: Storage;
  /** Memory of the kernels for what is needed until the dataset is finished. */
  readonly scratch?: Heap;
  /** Memory of the kernels for the features, where it has room. */
  readonly heap?: Heap;
}

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

/** Rows that another thread has gathered. Texts are joined by newlines, which none of them holds, because one text travels faster. */
export interface BuilderPart {
  readonly cells: CellsPart;
  readonly labels: Float32Array;
  /** Places in `names`, or LATER. */
  readonly listOf: Uint32Array;
  readonly weights: Float32Array | undefined;
  readonly ids: string | undefined;
  /** Of lists. */
  readonly names: string;
  readonly lists: number;
}

/** The list of a row that is assigned later, by `groupBySizes` or `groupByNames`. */
export const UNASSIGNED = 0xffffffff;

export class Builder {
  readonly cells: Cells;
  /** Names of the columns. */
  features: readonly string[] | undefined;
  /** Columns with names are numbered from `base` too; otherwise from 0. */
  numbered = false;
  rows = 0;
  lists = 0;
  /** Rows of one list were not adjacent. */
  scattered = false;
  /** In this section. */
  scatteredHere = false;
  private readonly options: Required<Pick<BuildOptions, "absent" | "base" | "storage">>;
  private labels = new Float32Array(256);
  private listOf = new Uint32Array(256);
  private weights: Float32Array | undefined;
  private ids: string[] | undefined;
  private listNames: string[] = [];
  private anyNamed = false;
  private listWeights: Float32Array | undefined;
  private section = new Map<string, number>();
  private lastList = UNASSIGNED;
  /** Of dense rows as code gives them. */
  private width: number | undefined;
  private readonly large = new LargeValues();

  constructor({ absent = "zero", base = 1, storage = "auto", scratch, heap }: BuildOptions = {}, cells?: Cells) {
    this.options = { absent, base, storage };
    const heaps = { ...(scratch && { scratch }), ...(heap && { heap }) };
    this.cells = cells ?? new Cells({ absent: absent === "zero" ? 0 : Number.NaN, base, ...heaps });
  }

  /** From here on, list names are those of another file. */
  beginSection(): void {
    this.section = new Map();
    this.lastList = UNASSIGNED;
    this.scatteredHere = false;
    this.cells.seal();
    this.cells.highestHere = -1;
  }

  /** The number of the list of that name in this section. */
  list(name: string): number {
    let found = this.section.get(name);
    if (found === undefined) {
      found = this.newList(name);
      this.section.set(name, found);
      this.anyNamed = true;
    }
    return found;
  }

  /** The names of the lists of this section. */
  sectionNames(): Iterable<string> {
    return this.section.keys();
  }

  /** Ends a row whose cells were added to `cells`. Gives the number of a feature that occurs twice, or -1. */
  row(list: number, label: number, weight = 1, id = ""): number {
    const twice = this.cells.end();
    if (twice >= 0) return twice;
    const at = this.rows++;
    if (at === this.labels.length) this.widen();
    this.labels[at] = label;
    this.cells.note(LABEL, label);
    this.place(at, list);
    if (weight !== 1) this.itemWeights()[at] = weight;
    if (id !== "") this.entryIds()[at] = id;
    else this.ids?.push("");
    return -1;
  }

  /** What has gathered, for the builder of another thread. */
  part(cells: CellsPart): BuilderPart {
    const [labels, listOf] = [this.labels.slice(0, this.rows), this.listOf.slice(0, this.rows)];
    const names = this.listNames.join("\n");
    return {
      cells,
      labels,
      listOf,
      weights: this.weights?.slice(0, this.rows),
      ids: this.ids?.join("\n"),
      names,
      lists: this.lists,
    };
  }

  /** Goes on with the rows that another thread has gathered, as if they had come one by one. */
  join({ cells, labels, listOf, weights, ids, names, lists }: BuilderPart): void {
    const numbers = lists === 0 ? [] : names.split("\n").map((name) => this.list(name));
    const from = this.rows;
    this.rows += labels.length;
    while (this.rows > this.labels.length) this.widen();
    this.labels.set(labels, from);
    if (weights) this.itemWeights().set(weights, from);
    for (let row = 0; row < labels.length; row++) this.place(from + row, numbers[listOf[row]!] ?? UNASSIGNED);
    if (ids !== undefined) this.ids ??= new Array<string>(from).fill("");
    for (const id of ids?.split("\n") ?? (this.ids ? labels.keys() : [])) this.ids!.push(typeof id === "string" ? id : "");
    this.cells.join(cells);
  }

  /** A whole row as code gives it. Dense rows all have as many features as the first. */
  add(row: Row): this {
    const at = this.rows + 1;
    checkRow(row, at);
    if (at === 1) checkKeys(row);
    const { list, label, features, weight = 1, id = "" } = row;
    if (label >= LARGE || label <= -LARGE) this.large.note(label, at);
    checkFeatures(features, at);
    if (!Array.isArray(features) && "numbers" in features) this.addSparse(features, at);
    else this.addDense(features as ArrayLike<number>, at);
    const twice = this.row(this.list(String(list)), label, weight, id);
    if (twice >= 0) throw new InputError(`row ${at}: feature ${this.nameOf(twice)} is given twice`);
    return this;
  }

  private addDense(values: ArrayLike<number>, row: number): void {
    const width = this.features?.length ?? (this.width ??= values.length);
    if (values.length !== width)
      throw new InputError(
        `row ${row}: expected ${width} features, ${this.features ? "which have names" : "as many as in the rows before"}, got ${values.length} (NaN is a missing value)`,
      );
    const first = this.options.base === 0 ? 0 : 1;
    const isFloat32 = values instanceof Float32Array; // nothing is lost of these
    for (let i = 0; i < width; i++) {
      const value = values[i]!;
      if (typeof value !== "number") throw noNumber(row, this.nameOf(i + first), value);
      if ((value >= LARGE || value <= -LARGE) && !(isFloat32 && Number.isFinite(value)))
        this.large.note(value, row, i + first, this.nameOf(i + first));
      this.cells.add(i + first, value);
    }
  }

  private addSparse({ numbers, values }: { numbers: ArrayLike<number>; values: ArrayLike<number> }, row: number): void {
    const least = this.options.base === 1 ? 1 : 0;
    for (let i = 0; i < values.length; i++) {
      const number = numbers[i]!;
      const value = values[i]!;
      if (!(Number.isInteger(number) && number >= least && number < 2 ** 31))
        throw new InputError(
          `row ${row}: expected a feature number from ${least} to ${2 ** 31 - 1}, got ${describeValue(number)}`,
        );
      if (typeof value !== "number") throw noNumber(row, this.nameOf(number), value);
      if (value >= LARGE || value <= -LARGE) this.large.note(value, row, number, this.nameOf(number));
      this.cells.add(number, value);
    }
  }

  private nameOf(number: number): string {
    const name = this.features?.[number - this.firstNumber()];
    return name === undefined ? String(number) : quote(name);
  }

  /** The number of the first column. */
  firstNumber(): 0 | 1 {
    if (this.features && !this.numbered) return 0;
    return this.options.base === "auto" ? (this.cells.lowest === 0 ? 0 : 1) : this.options.base;
  }

  /** Groups the rows from `from` on into lists of the given sizes. */
  groupBySizes(from: number, sizes: ArrayLike<number>): void {
    let row = from;
    for (let i = 0; i < sizes.length; i++) {
      const list = this.newList("");
      for (const end = row + sizes[i]!; row < end; row++) this.place(row, list);
    }
  }

  /** Groups the rows from `from` on by one list name each. */
  groupByNames(from: number, names: readonly string[]): void {
    names.forEach((name, i) => {
      this.place(from + i, this.list(name));
    });
  }

  /** The list numbers of the rows from `from` on. */
  listsFrom(from: number): Uint32Array {
    return this.listOf.slice(from, this.rows);
  }

  /** One weight for each row from `from` on. */
  weighRows(from: number, weights: ArrayLike<number>): void {
    this.itemWeights().set(weights, from);
  }

  /** One weight for each list from list `from` on. */
  weighLists(from: number, weights: ArrayLike<number>): void {
    const before = this.listWeights ?? new Float32Array(0);
    this.listWeights = new Float32Array(from + weights.length).fill(1);
    this.listWeights.set(before);
    this.listWeights.set(weights, from);
  }

  /** The dataset. Row weights that are equal within every list become list weights. The builder is used up. */
  finish(): Dataset {
    const { rows, lists, cells } = this;
    cells.seal();
    const starts = new Uint32Array(lists + 1);
    for (let row = 0; row < rows; row++) {
      const list = this.listOf[row]!;
      if (list >= lists) throw new InputError(`row ${row + 1} belongs to no list`);
      starts[list + 1]!++;
    }
    for (let list = 0; list < lists; list++) starts[list + 1]! += starts[list]!;
    const place = this.scattered ? this.places(starts) : undefined;
    const base = this.firstNumber();
    const columns = this.features?.length ?? Math.max(0, cells.highest + 1 - base);
    const labels = moved(this.labels.subarray(0, rows), place);
    const weights = this.weights && moved(this.weights.subarray(0, rows), place);
    const flat = weights && !this.listWeights ? levels(weights, starts) : undefined;
    const listWeights = flat ?? (this.listWeights && padded(this.listWeights, lists));
    const ids = this.ids && (place ? permuted(this.ids, place) : this.ids);
    const features = cells.finish(base, columns, this.options.storage, place);
    return {
      starts,
      labels,
      features,
      ...(listWeights && { listWeights }),
      ...(weights && !flat && { itemWeights: weights }),
      base: this.features ? 1 : base,
      names: {
        ...(this.anyNamed && { lists: this.listNames.map((name, list) => name || String(list + 1)) }),
        ...(ids && { entries: ids }),
        ...(this.features && { features: this.features }),
      },
    };
  }

  private newList(name: string): number {
    this.listNames.push(name);
    return this.lists++;
  }

  private place(row: number, list: number): void {
    this.listOf[row] = list;
    // Lists are numbered as they first come, so a lower number means that rows of another list stood between.
    if (this.lastList !== UNASSIGNED && list < this.lastList) this.scattered = this.scatteredHere = true;
    else this.lastList = list;
  }

  private places(starts: Uint32Array): Uint32Array {
    const next = starts.slice();
    const place = new Uint32Array(this.rows);
    for (let row = 0; row < place.length; row++) place[row] = next[this.listOf[row]!]!++;
    return place;
  }

  private itemWeights(): Float32Array {
    this.weights ??= new Float32Array(this.labels.length).fill(1);
    return this.weights;
  }

  private entryIds(): string[] {
    this.ids ??= new Array<string>(this.rows - 1).fill("");
    return this.ids;
  }

  private widen(): void {
    const size = this.labels.length * 2;
    this.labels = widened(this.labels, new Float32Array(size));
    this.listOf = widened(this.listOf, new Uint32Array(size));
    if (this.weights) this.weights = widened(this.weights, new Float32Array(size).fill(1));
  }
}

function widened<A extends Float32Array | Uint32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}

function padded(weights: Float32Array, size: number): Float32Array {
  return weights.length === size ? weights : widened(weights, new Float32Array(size).fill(1));
}

function moved(values: Float32Array, place: Uint32Array | undefined): Float32Array {
  if (!place) return values.slice();
  const into = new Float32Array(values.length);
  for (let row = 0; row < place.length; row++) into[place[row]!] = values[row]!;
  return into;
}

function permuted(values: readonly string[], place: Uint32Array): string[] {
  const into = new Array<string>(values.length);
  for (let row = 0; row < place.length; row++) into[place[row]!] = values[row]!;
  return into;
}

/** The weight of each list when no list holds two different ones. */
function levels(weights: Float32Array, starts: Uint32Array): Float32Array | undefined {
  const level = new Float32Array(starts.length - 1);
  for (let list = 0; list < level.length; list++) {
    level[list] = weights[starts[list]!]!;
    for (let i = starts[list]! + 1; i < starts[list + 1]!; i++) if (weights[i] !== level[list]) return undefined;
  }
  return level;
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
  for (const row of rows) builder.add(row);
  builder.cells.seal();
  if (named && builder.cells.highest - builder.firstNumber() >= named.length)
    throw new InputError(
      `${named.length} features have names, the last being ${quote(named.at(-1) ?? "")}, but the rows have more`,
    );
  return builder.finish();
}
