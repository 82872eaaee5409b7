/** Tables that came as columns, with what their columns are for and what they become. */
import type { Decision } from "../../data/table/decision.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { InputError } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { assignRoles, isOneList, type Roles } from "./columns.ts";
import { noLists } from "./csv.ts";
import type { RowContext } from "./format.ts";
import type { ParseSummary } from "./parse-summary.ts";

/** A table with what its columns are for. */
export interface RoledTable {
  readonly table: SourceTable;
  readonly roles: Roles;
  readonly context: RowContext;
  readonly summary: ParseSummary;
}

/** Assigns roles to the columns of a table. */
export function withRoles(table: SourceTable, context: RowContext, summary: ParseSummary): RoledTable {
  const { name, columns } = table;
  if (context.scorer?.numbered)
    throw new InputError(
      `${name}: the model knows its features by number, but the columns of a table have names; use data with numbered features, or train on a table`,
    );
  const roles = assignRoles(`${name}:1`, columns, context);
  if (roles.qid < 0 && !context.grouped && !isOneList(roles, context))
    throw new InputError(`${name}:1: ${noLists(name, columns, roles)}`);
  return { table, roles, context, summary };
}

/** What the columns of all tables become. */
export interface Columns {
  readonly encoding: readonly ColumnEncoding[];
  /** What labels are, where they are times. */
  readonly label?: ColumnEncoding;
  /** What was decided, where no model says it. */
  readonly decisions: readonly Decision[];
  /** What a user should know of the columns. */
  readonly notices: readonly string[];
}
