/**
 * Builds a dataset from rows that arrive one by one. Rows of a list need not be adjacent: `finish` groups them, with lists in order of
 * first appearance and rows in their given order. Each file is a section: the same list name in two sections denotes two lists.
 */
import { InputError } from "../input-error.ts";
import type { Heap } from "../numeric/heap.ts";
import type { Dataset } from "../types.ts";
import type { FeatureStorage } from "./blocks.ts";
import { Cells, type CellsPart } from "./cells.ts";
import { listWeightsOf, moved, movedTexts, padded, places } from "./group-rows.ts";
import { LABEL } from "./rounded.ts";
import type { RowSink } from "./row-sink.ts";

/** How rows become a dataset. */
export interface BuildOptions {
  /** Value of cells that are not given: 0, or missing. Default: "zero". */
  readonly absent?: "zero" | "missing";
  /** Number of the first feature; "auto": 0 if a feature 0 occurs, else 1. Default: 1. */
  readonly base?: 0 | 1 | "auto";
  /** How features are stored. Default: "auto", which is dense when at least a third of the cells are given. */
  readonly storage?: FeatureStorage;
  /** Memory of the kernels for what is needed until the dataset is finished. */
  readonly scratch?: Heap;
  /** Memory of the kernels for the features, if it is large enough. */
  readonly heap?: Heap;
}

/** What processes that read parts of the same files must agree on. */
export interface AgreedRows {
  readonly base: 0 | 1;
  readonly columns: number;
  readonly storage: "dense" | "sparse";
  /** Whether rows have weights, and whether these are of lists. */
  readonly weights: "none" | "lists" | "items";
  /** Whether any list has a name. Others are called by their number among all lists, of which `list` is the first of this process. */
  readonly named: boolean;
  readonly list: number;
  /** Names of columns. */
  readonly features?: readonly string[];
}

/** What a builder knows of its rows before they are finished. */
export interface RowFacts {
  readonly rows: number;
  readonly lists: number;
  readonly filled: number;
  readonly lowest: number;
  readonly highest: number;
  readonly weights: AgreedRows["weights"];
  readonly scattered: boolean;
  readonly named: boolean;
  readonly features?: readonly string[];
}

/** With what only readers have. */
interface BuilderOptions extends BuildOptions {
  /** Takes the features of rows, instead of a matrix. */
  readonly sink?: RowSink;
}

/** Rows collected by another thread. Texts are joined by newlines, which none of them contains, because one text is transferred faster. */
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
  /** Number of the first feature, or how it is found. */
  readonly base: 0 | 1 | "auto";
  private readonly storage: FeatureStorage;
  private labels = new Float32Array(256);
  private listOf = new Uint32Array(256);
  private weights: Float32Array | undefined;
  private positions: Float32Array | undefined;
  private ids: string[] | undefined;
  private listNames: string[] = [];
  private anyNamed = false;
  private listWeights: Float32Array | undefined;
  private section = new Map<string, number>();
  private lastList = UNASSIGNED;

  constructor({ absent = "zero", base = 1, storage = "auto", scratch, heap, sink }: BuilderOptions = {}, cells?: Cells) {
    this.base = base;
    this.storage = storage;
    const heaps = { ...(scratch && { scratch }), ...(heap && { heap }), ...(sink && { sink }) };
    this.cells = cells ?? new Cells({ absent: absent === "zero" ? 0 : Number.NaN, base, ...heaps });
  }

  /** The number of the first column. */
  firstNumber(): 0 | 1 {
    if (this.features && !this.numbered) return 0;
    return this.base === "auto" ? (this.cells.lowest === 0 ? 0 : 1) : this.base;
  }

  /** From here on, rows are those of another file, whose lists are others even if they have the same names, unless `joins` says otherwise. */
  beginSection(joins = false): void {
    if (!joins) {
      this.section = new Map();
      this.lastList = UNASSIGNED;
    }
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
    this.cells.rounded.note(LABEL, label);
    this.place(at, list);
    if (weight !== 1) this.itemWeights()[at] = weight;
    if (id !== "") this.entryIds()[at] = id;
    else this.ids?.push("");
    return -1;
  }

  /** The rows so far, for the builder of another thread. */
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

  /** Appends the rows that another thread has collected, as if they had come one by one. */
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

  /** The position at which each row from `from` on was shown, a whole number from 0; NaN for rows of which it is not known. */
  positionRows(from: number, positions: ArrayLike<number>): void {
    this.positions ??= new Float32Array(this.labels.length).fill(Number.NaN);
    this.positions.set(positions, from);
  }

  /** Positions in the order of the finished dataset. */
  finishedPositions: Float32Array | undefined;

  /** One weight for each list from list `from` on. */
  weighLists(from: number, weights: ArrayLike<number>): void {
    const before = this.listWeights ?? new Float32Array(0);
    this.listWeights = new Float32Array(from + weights.length).fill(1);
    this.listWeights.set(before);
    this.listWeights.set(weights, from);
  }

  /** What is known of the rows so far. */
  facts(): RowFacts {
    this.cells.seal();
    const { rows, lists, cells, scattered } = this;
    const flat = this.weights && listWeightsOf(this.weights.subarray(0, rows), this.startsOfLists());
    const weights = !this.weights ? "none" : flat ? "lists" : "items";
    return {
      ...{ rows, lists, filled: cells.filled, lowest: cells.lowest, highest: cells.highest, weights, scattered },
      ...{ named: this.anyNamed, ...(this.features && { features: this.features }) },
    };
  }

  /** Where lists begin. */
  private startsOfLists(): Uint32Array {
    const { rows, lists } = this;
    const starts = new Uint32Array(lists + 1);
    for (let row = 0; row < rows; row++) {
      const list = this.listOf[row]!;
      if (list >= lists) throw new InputError(`row ${row + 1} belongs to no list`);
      starts[list + 1]!++;
    }
    for (let list = 0; list < lists; list++) starts[list + 1]! += starts[list]!;
    return starts;
  }

  /**
   * The dataset. Row weights that are equal within every list become list weights. The builder is used up. `agreed` is what holds for the rows of
   * all processes, where others read other parts of the files.
   */
  finish(agreed?: AgreedRows): Dataset {
    const { rows, lists, cells } = this;
    cells.seal();
    if (agreed && agreed.weights !== "none") this.itemWeights();
    const ofItems = agreed?.weights === "items"; // elsewhere weights differ within a list
    const starts = this.startsOfLists();
    const place = this.scattered ? places(this.listOf.subarray(0, rows), starts) : undefined;
    const base = agreed?.base ?? this.firstNumber();
    const columns = agreed?.columns ?? this.features?.length ?? Math.max(0, cells.highest + 1 - base);
    const labels = moved(this.labels.subarray(0, rows), place);
    const weights = this.weights && moved(this.weights.subarray(0, rows), place);
    this.finishedPositions = this.positions && moved(this.positions.subarray(0, rows), place);
    const flat = weights && !this.listWeights ? listWeightsOf(weights, starts) : undefined;
    const listWeights = flat ?? (this.listWeights && padded(this.listWeights, lists));
    const ids = this.ids && (place ? movedTexts(this.ids, place) : this.ids);
    const features = cells.finish(base, columns, agreed?.storage ?? this.storage, place);
    return {
      starts,
      labels,
      features,
      ...(listWeights && !ofItems && { listWeights }),
      ...(weights && (!flat || ofItems) && { itemWeights: weights }),
      base: this.features ? 1 : base,
      names: {
        ...((agreed?.named ?? this.anyNamed) && {
          lists: this.listNames.map((name, list) => name || String((agreed?.list ?? 0) + list + 1)),
        }),
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
    if (this.positions) this.positions = widened(this.positions, new Float32Array(size).fill(Number.NaN));
  }
}

function widened<A extends Float32Array | Uint32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
