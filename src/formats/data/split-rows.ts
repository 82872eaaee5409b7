/**
 * Files of the Extreme Classification Repository that say which rows are for training or testing: a row number from 1 on each line, in as
 * many columns as there are splits.
 */
import { counted } from "../../counted.ts";
import { subset } from "../../data/subset.ts";
import { InputError, quote } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import type { SideFile } from "./side-files.ts";

/** The lists of the data that column `column` (from 1) of the split names, in its order. */
export function keepRows(data: Dataset, { name, bytes }: SideFile, column: number): { data: Dataset; notice: string } {
  if (data.labelSpaceSize === undefined)
    throw new InputError(`${name}: a split selects rows of xml-repository and arff files, and this is another format`);
  const rows: number[] = [];
  const lists = data.starts.length - 1;
  new TextDecoder().decode(bytes).split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === "") return;
    const word = line.trim().split(/[\s,]+/)[column - 1];
    if (word === undefined) throw new InputError(`${name}:${i + 1}: there is no column ${column} in ${quote(line)}`);
    const row = /^\d+$/.test(word) ? Number(word) : 0;
    if (row < 1 || row > lists) throw new InputError(`${name}:${i + 1}: expected a row from 1 to ${lists}, got ${quote(word)}`);
    rows.push(row - 1);
  }); // biome-ignore format: one chain
  if (rows.length === 0) throw new InputError(`${name}: it names no rows`);
  return { data: subset(data, rows), notice: `${name}: ${counted(rows.length, "row")} of ${lists} kept` };
}
