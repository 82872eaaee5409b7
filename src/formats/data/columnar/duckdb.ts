/**
 * The result of a query of DuckDB, which reads Parquet, CSV, JSON, SQLite, its own databases and more: `sql:select * from 'x.parquet'` in the place of a
 * data file. Nothing is downloaded: extensions that are not installed are refused by DuckDB.
 */
import type * as DuckDB from "@duckdb/node-api";
import { arrayText, type Element } from "../../../data/table/array-text.ts";
import type { SourceTable, TableBatch, TableColumn } from "../../../data/table/source-table.ts";
import { MISSING_BOOLEAN } from "../../../data/table/source-table.ts";
import { InputError, quote } from "../../../input-error.ts";
import { firstLine } from "./arrow.ts";
import { importDuckDB } from "./packages.ts";
import { queryOf, shortQuery } from "./query-path.ts";
import { decimalColumn, textColumn } from "./value-column.ts";

/** Results of queries that were looked at before they are read: a query runs once. */
const looked = new Map<string, SourceTable>();

/** The columns of the result of a query, which is kept for `queryTable`. */
export async function queryColumns(path: string, check: () => void): Promise<readonly string[]> {
  const table = await queryTable(path, check);
  looked.set(path, table);
  return table.columns;
}

/** The table of a query; of several statements, that of the last one. Called between chunks, `check` may throw. */
export async function queryTable(path: string, check: () => void): Promise<SourceTable> {
  const known = looked.get(path);
  looked.delete(path);
  return known ?? runQuery(path, check);
}

async function runQuery(path: string, check: () => void): Promise<SourceTable> {
  const sql = queryOf(path);
  const name = shortQuery(sql);
  if (sql.trim() === "") throw new InputError("expected a query after sql:, got none");
  const duckdb = await importDuckDB(`${name}: a query`);
  const settings = { autoinstall_known_extensions: "false", threads: "1" }; // one thread: rows keep their order and tests their time
  const instance = await duckdb.DuckDBInstance.create(":memory:", settings);
  const connection = await instance.connect();
  try {
    const statements = await connection.extractStatements(sql);
    for (let i = 0; i + 1 < statements.count; i++) await (await statements.prepare(i)).run();
    const last = await statements.prepare(statements.count - 1);
    const result = await last.stream();
    const columns = result.columnNames();
    const types = result.columnTypes();
    if (columns.length === 0 || result.returnType !== duckdb.ResultReturnType.QUERY_RESULT)
      throw new InputError(`${name}: the query has no result; end with a SELECT`);
    const readers = types.map((type, c) => readerOf(duckdb, name, columns[c]!, type));
    const batches: TableBatch[] = [];
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      check();
      const rows = chunk.rowCount;
      batches.push({ rows, columns: readers.map((read, c) => read(chunk.getColumnVector(c), rows)) });
    }
    return { name, columns, batches };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const text = firstLine(error);
    const wayOut = /extension/i.test(text)
      ? "; extensions are not downloaded: export the rows with the database's own tool, such as sqlite3 -header -csv FILE QUERY, and read them from standard input (-)"
      : "";
    throw new InputError(`${name}: DuckDB cannot run the query (${text})${wayOut}`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

type Vector = DuckDB.DuckDBVector;
type Reader = (vector: Vector, rows: number) => TableColumn;

/** Reads the chunks of a column of some type. */
function readerOf(duckdb: typeof DuckDB, file: string, column: string, type: DuckDB.DuckDBType): Reader {
  const { DuckDBTypeId: Id } = duckdb;
  const numbers =
    (of: (value: never) => number, kind: "number" | "date" | "time" = "number"): Reader =>
    (vector, rows) => {
      const values = new Float64Array(rows);
      for (let row = 0; row < rows; row++) {
        const value = vector.getItem(row);
        values[row] = value === null ? Number.NaN : of(value as never);
      }
      return { kind, values };
    };
  const written = (vector: Vector, rows: number) =>
    Array.from({ length: rows }, (_, row) => {
      const value = vector.getItem(row);
      return value === null ? undefined : String(value);
    });
  const texts: Reader = (vector, rows) => textColumn(written(vector, rows));
  const integers: Reader = (vector, rows) => {
    for (let row = 0; row < rows; row++) {
      const value = vector.getItem(row) as bigint | null;
      if (value !== null && !Number.isSafeInteger(Number(value))) return texts(vector, rows); // an id, of which no digit may be lost
    }
    return numbers((value: bigint) => Number(value))(vector, rows);
  };
  const instants = (per: bigint, of: (value: never) => bigint, kind: "date" | "time" = "date") =>
    numbers((value: never) => {
      const whole = of(value) / per;
      return Number(whole) + Number(of(value) - whole * per) / Number(per);
    }, kind);
  const interval = ({ months, days, micros }: DuckDB.DuckDBIntervalValue) => {
    if (months === 0) return BigInt(days) * 86_400_000_000n + micros;
    throw new InputError(
      `${file}: column ${quote(column)}: intervals with months have no length in seconds; make days of them in the query`,
    );
  };
  const refusal = () =>
    new InputError(
      `${file}: column ${quote(column)} is ${String(type)}, of which no feature can be made; leave it out of the query, or unnest or cast it there`,
    );
  switch (type.typeId) {
    case Id.TINYINT:
    case Id.SMALLINT:
    case Id.INTEGER:
    case Id.UTINYINT:
    case Id.USMALLINT:
    case Id.UINTEGER:
    case Id.FLOAT:
    case Id.DOUBLE:
      return numbers((value: number) => value);
    case Id.BIGINT:
    case Id.UBIGINT:
    case Id.HUGEINT:
    case Id.UHUGEINT:
      return integers;
    case Id.DECIMAL:
      return (vector, rows) => decimalColumn(written(vector, rows));
    case Id.BOOLEAN:
      return (vector, rows) => ({
        kind: "boolean",
        values: Uint8Array.from({ length: rows }, (_, row) => {
          const value = vector.getItem(row);
          return value === null ? MISSING_BOOLEAN : Number(value);
        }),
      });
    case Id.DATE:
      return numbers((value: DuckDB.DuckDBDateValue) => value.days * 86_400, "date");
    case Id.TIMESTAMP:
    case Id.TIMESTAMP_TZ:
      return instants(1_000_000n, (value: DuckDB.DuckDBTimestampValue) => value.micros);
    case Id.TIMESTAMP_S:
      return instants(1n, (value: DuckDB.DuckDBTimestampSecondsValue) => value.seconds);
    case Id.TIMESTAMP_MS:
      return instants(1000n, (value: DuckDB.DuckDBTimestampMillisecondsValue) => value.millis);
    case Id.TIMESTAMP_NS:
      return instants(1_000_000_000n, (value: DuckDB.DuckDBTimestampNanosecondsValue) => value.nanos);
    case Id.TIME:
      return instants(1_000_000n, (value: DuckDB.DuckDBTimeValue) => value.micros, "time");
    case Id.INTERVAL:
      return instants(1_000_000n, interval, "time");
    case Id.VARCHAR:
    case Id.ENUM:
    case Id.UUID:
      return texts;
    case Id.LIST:
    case Id.ARRAY:
      if ((type as DuckDB.DuckDBListType).valueType.typeId === Id.VARCHAR)
        return (vector, rows) =>
          textColumn(
            Array.from({ length: rows }, (_, row) => {
              const value = vector.getItem(row) as DuckDB.DuckDBListValue | null;
              return value === null ? undefined : arrayText(value.items as readonly Element[]);
            }),
          );
      throw refusal();
    case Id.SQLNULL:
      return (_, rows) => ({ kind: "number", values: new Float64Array(rows).fill(Number.NaN) });
    default:
      throw refusal();
  }
}
