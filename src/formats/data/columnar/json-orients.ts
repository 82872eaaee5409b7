/**
 * Tables that are one object of JSON, as `to_json` of pandas writes them with the option `orient`: "columns", its default, "index", "split" and "table".
 * They are read where rows and columns can be told apart.
 * https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html
 */
import { InputError, quote } from "../../../input-error.ts";

type Members = Readonly<Record<string, unknown>>;

/** The rows of such a table, and a line about how it was read. */
export interface OrientedRows {
  readonly rows: readonly Members[];
  readonly notice: string;
}

export const WRITE_RECORDS = 'write records: to_json(FILE, orient="records", lines=True)';

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);

/** The rows of the only object of a file; undefined where it is a row itself. */
export function orientedRows(file: string, value: Members): OrientedRows | undefined {
  return splitRows(file, value) ?? tableRows(value) ?? crossedRows(file, value) ?? refuseWrapped(file, value);
}

/** Whether an object is such a table although all of its members are arrays: `{"columns": [...], "index": [...], "data": [...]}`. */
export const isSplit = ({ columns, data, ...rest }: Members): boolean =>
  Array.isArray(columns) && Array.isArray(data) && data.every(Array.isArray) && Object.keys(rest).every((key) => key === "index");

function splitRows(file: string, value: Members): OrientedRows | undefined {
  if (!isSplit(value)) return undefined;
  const { columns, data } = value as { columns: readonly unknown[]; data: readonly (readonly unknown[])[] };
  const odd = columns.find((name) => typeof name !== "string" && typeof name !== "number");
  if (odd !== undefined) throw new InputError(`${file}: expected names of columns as texts, got ${quote(JSON.stringify(odd))}; ${WRITE_RECORDS}`); // biome-ignore format: one line
  const rows = data.map((cells, row) => {
    if (cells.length !== columns.length)
      throw new InputError(`${file}: expected ${columns.length} cells in row ${row + 1} of "data", got ${cells.length}`);
    return Object.fromEntries(cells.map((cell, c) => [String(columns[c]), cell]));
  });
  return { rows, notice: orientNotice("split", rows) };
}

const orientNotice = (orient: string, rows: readonly Members[]) =>
  `one object with all rows, read as pandas writes it with orient="${orient}" (${rows.length} rows)`;

/** An index without a name of its own is left out, as it is elsewhere. */
const isIndex = (name: string) => /^(index|level_\d+)$/.test(name);

function tableRows({ schema, data }: Members): OrientedRows | undefined {
  if (!isMembers(schema) || !Array.isArray(schema.fields) || !Array.isArray(data) || !data.every(isMembers)) return undefined;
  const keys = Array.isArray(schema.primaryKey) ? schema.primaryKey.map(String).filter(isIndex) : [];
  const rows = data.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !keys.includes(name))));
  return { rows, notice: orientNotice("table", rows) };
}

/** Objects by column of values by row, or the other way round: the names of rows are whole numbers, in whose order they come, and those of columns are not. */
function crossedRows(file: string, value: Members): OrientedRows | undefined {
  const outer = Object.keys(value);
  const [first, ...others] = Object.values(value);
  if (!isMembers(first) || outer.length + Object.keys(first).length < 3) return undefined;
  const inner = Object.keys(first);
  const isSame = (one: unknown) =>
    isMembers(one) && Object.keys(one).length === inner.length && inner.every((name) => Object.hasOwn(one, name));
  if (!others.every(isSame)) return undefined;
  const [rowsOutside, rowsInside] = [outer, inner].map((names) => names.every((name) => /^\d+$/.test(name)));
  if (rowsOutside === rowsInside) {
    if (others.length === 0 || inner.length === 0) return undefined;
    throw new InputError(
      `${file}: expected an object for each row, got one of ${outer.length} objects with the same ${inner.length} members, of which rows and columns cannot be told apart; ${WRITE_RECORDS}`,
    );
  }
  const objects = value as Readonly<Record<string, Members>>;
  const rows = rowsOutside ? outer.map((row) => objects[row]!) : inner.map((row) => Object.fromEntries(outer.map((name) => [name, objects[name]![row]]))); // biome-ignore format: two ways
  return { rows, notice: orientNotice(rowsOutside ? "index" : "columns", rows) };
}

/** Refuses an object without a value of its own that holds an array of rows, such as the answer of a service. */
function refuseWrapped(file: string, value: Members): undefined {
  const isPlain = (one: unknown) => typeof one !== "object" || one === null;
  const [name, rows] = Object.entries(value).find(([, one]) => Array.isArray(one) && one.length > 1 && one.every(isMembers)) ?? []; // biome-ignore format: one line
  if (name === undefined || Object.values(value).some(isPlain)) return;
  throw new InputError(
    `${file}: expected an object for each row, got one whose member ${quote(name)} has ${(rows as unknown[]).length} of them; write these as lines: jq -c '.[${JSON.stringify(name)}][]' FILE`,
  );
}
