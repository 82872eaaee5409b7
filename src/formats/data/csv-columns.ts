/** Collects the rows of separated text as typed columns: numbers, and texts by dictionary where a cell is something else. */
import { numeralOf } from "../../data/table/cell-text.ts";
import { isPointGroup } from "../../data/table/marks.ts";
import { MISSING_TEXT, type SourceTable, type TableBatch, type TableColumn } from "../../data/table/source-table.ts";
import { asText, numeral, readNumeral } from "../../numeric/numeral.ts";
import type { Cells } from "./csv-cells.ts";
import type { RowContext } from "./format.ts";

const BATCH_CELLS = 1 << 22;
const [LEAST_ROWS, MOST_ROWS] = [1 << 8, 1 << 16];
const PLUS = 43;

export class CollectedRows {
  private readonly columns: ColumnCells[];
  private readonly batches: TableBatch[] = [];
  private readonly batchRows: number;
  private lines = new Uint32Array(256);
  private rows = 0;
  private batchStart = 0;

  /** `asText` has the columns whose texts are kept as they are, because they name lists or items. */
  constructor(columns: number, asText: ReadonlySet<number>, { decimal, scorer }: Pick<RowContext, "decimal" | "scorer">) {
    const given = (decimal ?? "auto") !== "auto" || scorer !== undefined;
    this.columns = Array.from({ length: columns }, (_, c) => new ColumnCells(asText.has(c), given));
    this.batchRows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.floor(BATCH_CELLS / Math.max(1, columns))));
  }

  /** Takes the row whose cells were found; `first` is the first of them that counts. */
  row(bytes: Uint8Array, cells: Cells, line: number, first: number): void {
    if (this.rows === this.lines.length) this.lines = longer(this.lines, new Uint32Array(2 * this.rows));
    this.lines[this.rows++] = line;
    this.columns.forEach((column, c) => {
      column.add(bytes, cells, c + first);
    });
    if (this.rows - this.batchStart === this.batchRows) this.flush();
  }

  /** All rows. */
  table(name: string, names: readonly string[], notices: readonly string[]): SourceTable {
    this.flush();
    const { lines, batches } = this;
    return { name, columns: names, batches, where: (row) => `${name}:${lines[row]}`, notices };
  }

  private flush(): void {
    const rows = this.rows - this.batchStart;
    if (rows === 0) return;
    this.batches.push({ rows, columns: this.columns.map((column) => column.take()) });
    this.batchStart = this.rows;
  }
}

/** The cells of one column in a batch: numbers until another text comes. */
class ColumnCells {
  private readonly asText: boolean;
  private count = 0;
  private numbers: Float64Array = new Float64Array(LEAST_ROWS);
  private codes: Int32Array | undefined;
  private places = new Map<string, number>();
  /** Whether the decimal mark was decided before. */
  private readonly given: boolean;
  /** Whether a point before other than three digits was met, so that any point is a decimal mark. */
  private hasPoints = false;

  /** `given`: what a point is may have been decided before. */
  constructor(asText: boolean, given: boolean) {
    this.asText = asText;
    this.given = given;
    if (asText) this.codes = new Int32Array(LEAST_ROWS);
  }

  add(bytes: Uint8Array, cells: Cells, column: number): void {
    if (this.count === (this.codes ?? this.numbers).length) this.widen();
    const at = this.count++;
    if (this.asText) {
      const name = cells.name(bytes, column);
      this.codes![at] = name === "" ? MISSING_TEXT : this.code(name);
      return;
    }
    const [from, to] = [cells.froms[column]!, cells.tos[column]!];
    let value = readNumeral(bytes, from);
    const hasPlus = bytes[from] === PLUS; // among times, +5.4 is a gap to the first
    const isPlain = numeral.end === to && !Number.isNaN(value) && !hasPlus;
    if (!isPlain || (numeral.decimals === 3 && this.isOpen(bytes, from, to))) {
      const text = isPlain ? asText(bytes, from, to) : cells.text(bytes, column);
      const again = isPlain ? undefined : numeralOf(text);
      if ((again === undefined || hasPlus || (isPointGroup(text) && (this.given || !this.hasPoints))) && text !== "") {
        this.codes ??= this.coded(at);
        this.codes[at] = this.code(isPlain ? text : cells.name(bytes, column));
        return;
      }
      value = again ?? Number.NaN;
    }
    if (!this.hasPoints && !Number.isNaN(value) && !Number.isInteger(value)) this.hasPoints = true;
    if (this.codes) this.codes[at] = Number.isNaN(value) ? MISSING_TEXT : this.code(plainText(value));
    else this.numbers[at] = value + 0;
  }

  /** Whether the point of a number with three digits after it may stand between thousands. */
  private isOpen(bytes: Uint8Array, from: number, to: number): boolean {
    return (this.given || !this.hasPoints) && to - from <= 8 && isPointGroup(asText(bytes, from, to));
  }

  /** The cells as a column, after which there are none. */
  take(): TableColumn {
    const { codes, count, places } = this;
    this.count = 0;
    if (!codes) return { kind: "number", values: this.numbers.slice(0, count) };
    this.places = new Map();
    this.codes = this.asText ? codes : undefined;
    if (!this.asText && this.numbers.length < codes.length) this.numbers = new Float64Array(codes.length);
    return { kind: "text", codes: codes.slice(0, count), dictionary: [...places.keys()] };
  }

  /** The first numbers of the batch as texts. */
  private coded(count: number): Int32Array {
    const codes = new Int32Array(this.numbers.length);
    for (let i = 0; i < count; i++)
      codes[i] = Number.isNaN(this.numbers[i]!) ? MISSING_TEXT : this.code(plainText(this.numbers[i]!));
    return codes;
  }

  private code(text: string): number {
    let code = this.places.get(text);
    if (code === undefined) this.places.set(text, (code = this.places.size));
    return code;
  }

  private widen(): void {
    const size = 2 * this.count;
    if (this.codes) this.codes = longer(this.codes, new Int32Array(size));
    else this.numbers = longer(this.numbers, new Float64Array(size));
  }
}

/** A number whose point is a decimal mark, as text that shows it. */
function plainText(value: number): string {
  const text = String(value + 0);
  return isPointGroup(text) ? `${text}0` : text;
}

function longer<A extends Uint32Array | Int32Array | Float64Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
