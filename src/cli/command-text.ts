/** Commands as shell text, for reproducing a report. */

import type { ReadOptions } from "../formats/data/read-options.ts";
import { readerFields } from "../formats/data/read-options.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { InputError } from "../input-error.ts";
import { learner } from "../models/index.ts";
import { transformOf } from "../models/transform.ts";
import { objectives } from "../objectives/index.ts";
import { type Field, kebabCase } from "../part.ts";
import { visible } from "../printable.ts";
import { nameOf } from "./options.ts";

/** Words with quotes where a shell needs them. */
export const commandText = (words: readonly string[]): string => ["tierwise", ...words].map(quoted).join(" ");

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // A terminal does not show control characters as they are; bash and zsh read them back so.
  if (visible(word) !== word) return `$'${visible(word.replaceAll("\\", "\\\\").replaceAll("'", "\\'"))}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The options by which data were read, as words. */
export const readingWords = (reading: Partial<ReadOptions>): string[] =>
  Object.entries(reading).flatMap(([key, value]) => {
    const field: Field<unknown> | undefined = readerFields[key as keyof ReadOptions];
    const read = field?.read(value);
    if (field && typeof field.default === "boolean")
      return read === undefined || read === field.default ? [] : [`--${read ? "" : "no-"}${kebabCase(key)}`];
    return field && read !== undefined && field.write(read) !== field.write(field.default)
      ? [`--${kebabCase(nameOf(key))}`, field.write(read)]
      : [];
  });

/** The training of a model as far as its file remembers it: names in capitals are of data that it does not. */
export function trainingWords(
  path: string,
  { model: fitted, training, metrics }: ModelFile,
  files: readonly string[] | undefined,
): string[] {
  const { model, objective, seed, reading = {} } = training;
  const validated = Object.keys(metrics);
  return [
    "train",
    ...(files ?? ["TRAINING-DATA"]),
    ...["--model", model],
    ...(hasOwnCost(model)
      ? []
      : ["--objective", isKnown(objective) ? objective : objective.replace(/^[^@:;(]*/, "OBJECTIVE-MODULE")]),
    ...(transformOf(fitted) ? ["--transform", "TRANSFORM-MODULE"] : []),
    ...(validated.length > 0 ? ["--valid", "VALIDATION-DATA", "--metrics", validated.join(",")] : []),
    ...(seed === undefined ? [] : ["--seed", String(seed)]),
    ...readingWords(reading as Partial<ReadOptions>),
    ...["--out", path],
  ];
}

/** Whether an objective is of the library; the module of another is not recorded. */
const isKnown = (spec: string) => objectives.some(({ id }) => id === spec.replace(/[@:;(].*$/s, ""));

function hasOwnCost(model: string): boolean {
  try {
    return learner(model).cost !== undefined;
  } catch (error) {
    if (error instanceof InputError) return false; // of another program, perhaps
    throw error;
  }
}
