/** Features of items from a table with a header: the column item, model or name, and columns of numbers. */
import { check, someText } from "../../arguments.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { InputError, quote } from "../../input-error.ts";
import { cellText } from "./columnar/table-text.ts";
import { checkInput, checkText } from "./file-bytes.ts";
import { cells, delimiterOf } from "./pairs.ts";
import { readTableOrText } from "./table-or-text.ts";

/** Features as a table gives them. */
export interface ItemFeatureTable {
  /** Names of the features. */
  readonly names: readonly string[];
  /** The numbers of each item. */
  readonly items: ReadonlyMap<string, readonly number[]>;
}

const ITEM = ["item", "model", "name"];

/** Features of items from a table: `item,size,open`, a row for each item. */
export async function readItemFeatures(path: string): Promise<ItemFeatureTable> {
  check("readItemFeatures, the path", path, someText);
  checkInput([path]);
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  let found: ItemFeatureTable | undefined;
  await readTableOrText(path, () => {}, {
    push(bytes) {
      checkText(path, (length += bytes.length));
      text += decoder.decode(bytes, { stream: true });
    },
    table(table) {
      found = tableFeatures(table);
    },
    end() {
      found = parseItemFeatures(text + decoder.decode(), path);
    },
  });
  return found!;
}

/** The features in the text of a table; `file` is named in errors. */
export function parseItemFeatures(text: string, file: string): ItemFeatureTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() !== "");
  if (start < 0) throw new InputError(`${file}: there are no items`);
  const delimiter = delimiterOf(lines[start]!);
  const head = cells(lines[start]!, delimiter);
  const table = new Features(file, head, `${file}:${start + 1}`);
  for (let at = start + 1; at < lines.length; at++) {
    if (lines[at]!.trim() === "") continue;
    const row = cells(lines[at]!, delimiter);
    if (row.length !== head.length)
      throw new InputError(`${file}:${at + 1}: expected ${head.length} cells as in the header, got ${row.length}`);
    table.add(row, () => `${file}:${at + 1}`);
  }
  return table.end();
}

/** The features in a table whose source hands it over as columns. */
function tableFeatures({ name, columns, batches, where = (row) => `${name}, row ${row + 1}` }: SourceTable): ItemFeatureTable {
  const table = new Features(name, columns.map((column) => column.trim()), name); // biome-ignore format: one line
  let before = 0;
  for (const { rows, columns: cellsOf } of batches) {
    for (let row = 0; row < rows; row++) {
      const at = before + row;
      table.add(cellsOf.map((column) => cellText(column, row).trim()), () => where(at)); // biome-ignore format: one line
    }
    before += rows;
  }
  return table.end();
}

class Features {
  private readonly file: string;
  private readonly place: number; // of the name
  private readonly names: readonly string[];
  private readonly items = new Map<string, readonly number[]>();

  /** `where` is the place of the header. */
  constructor(file: string, head: readonly string[], where: string) {
    this.file = file;
    this.place = head.findIndex((name) => ITEM.includes(name.toLowerCase()));
    if (this.place < 0) throw new InputError(`${where}: expected a column ${ITEM.join(", ")}, got ${quote(head.join(", "))}`);
    const names = head.filter((_, c) => c !== this.place);
    this.names = names;
    const double = names.find((name, c) => names.indexOf(name) !== c);
    if (double !== undefined) throw new InputError(`${where}: two columns are called ${quote(double)}`);
  }

  add(row: readonly string[], where: () => string): void {
    const { items, names, place } = this;
    const name = row[place]!;
    const texts = row.filter((_, c) => c !== place);
    if (name === "") throw new InputError(`${where()}: the name of the item is empty`);
    if (items.has(name)) throw new InputError(`${where()}: ${quote(name)} is there twice`);
    const values = texts.map((cell) => (cell.trim() === "" ? Number.NaN : Number(cell)));
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw new InputError(`${where()}: expected a number in the column ${names[bad]}, got ${quote(texts[bad]!)}`);
    items.set(name, values);
  }

  end(): ItemFeatureTable {
    if (this.items.size === 0) throw new InputError(`${this.file}: there are no items`);
    return { names: this.names, items: this.items };
  }
}
