/** Queries in the place of data files: `sql:select * from 'x.parquet'`. */
const PREFIX = "sql:";

/** Whether the name of a data file is a query. */
export const isQuery = (path: string): boolean => path.startsWith(PREFIX);

/** A query in the place of a data file. */
export const queryPath = (sql: string): string => `${PREFIX}${sql}`;

/** The query in the place of a data file. */
export const queryOf = (path: string): string => path.slice(PREFIX.length);

/** What a query is called in messages. */
export function shortQuery(sql: string): string {
  const short = sql.replace(/\s+/g, " ").trim();
  return `${PREFIX}${short.length > 60 ? `${short.slice(0, 57)}...` : short}`;
}

/** What the file or query of a name is called in messages. */
export const shownPath = (path: string): string => (isQuery(path) ? shortQuery(queryOf(path)) : path);

/** The same for all that are read as one. */
export const shownPaths = (paths: readonly string[]): string => paths.map(shownPath).join(", ");
