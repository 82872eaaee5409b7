/** The features of data and of models, by number or by name. */
import type { Columns, Dataset } from "../../types.ts";

export const columnsOf = ({ features, base, names }: Dataset): Columns =>
  names.features ? { count: features.columns, base, names: names.features } : { count: features.columns, base };

export const columnName = ({ names, base }: Columns, column: number): string => names?.[column] ?? String(column + base);
