/** Feature columns of data and models, and checks that data match the columns of a model. */
import { check, checkData, someFloats } from "../../arguments.ts";
import { InputError } from "../../input-error.ts";
import type { Columns, Dataset, Model } from "../../types.ts";

export const columnsOf = ({ features, base, names }: Dataset): Columns => ({
  ...{ count: features.columns, base },
  ...(names.features && { names: names.features }),
  ...(names.encoding && { encoding: names.encoding }),
});

export const columnName = ({ names, base }: Columns, column: number): string => names?.[column] ?? String(column + base);

/** The features that contributions to the scores of a model are of. */
export const explainedColumns = ({ derived, columns }: Model): Columns => derived?.columns ?? columns;

/** Refuses data whose columns are not those of the model, whose rows it would read at the wrong places. */
export function checkColumns(columns: Columns, data: Dataset): void {
  checkData("a model", data);
  const { features, base, names } = data;
  const wayOut = "align(data, model.columns) fits them, as evaluate, rank and score do by themselves";
  if (features.columns !== columns.count)
    throw new InputError(`the model knows ${columns.count} features, and the data have ${features.columns}; ${wayOut}`);
  if (columns.count === 0 || columns.names === names.features) {
    if (columns.names || columns.count === 0 || columns.base === base) return;
    throw new InputError(
      `the features of the model begin with number ${columns.base}, and those of the data with ${base}; ${wayOut}`,
    );
  }
  if (!columns.names || !names.features)
    throw new InputError(
      `the model knows its features by ${columns.names ? "name" : "number"}, and the data have theirs by ${names.features ? "name" : "number"}`,
    );
  const other = columns.names.findIndex((name, c) => name !== names.features![c]);
  if (other >= 0)
    throw new InputError(
      `feature ${other + 1} of the model is ${columns.names[other]}, and that of the data ${names.features[other]}; ${wayOut}`,
    );
}

/** The same for scoring, with an array long enough for all scores. */
export function checkScoring(columns: Columns, data: Dataset, into: Float64Array): void {
  checkColumns(columns, data);
  checkScoresArray(data, into);
}

/** A score for every item of the data goes somewhere. */
export function checkScoresArray(data: Dataset, into: Float64Array): void {
  checkData("a model", data);
  check("Model.score, where scores go", into, someFloats);
  if (into.length < data.labels.length)
    throw new InputError(`Model.score: expected an array of at least ${data.labels.length} scores, got one of ${into.length}`);
}
