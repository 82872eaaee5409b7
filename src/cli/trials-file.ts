/** The trials file of a search, with a digest that identifies the data. */
import { readFileSync, truncateSync } from "node:fs";
import { appendWhole, isFile } from "../formats/models/files.ts";
import { parseTrials, serializeTrial, serializeTrialsHeader, type Trial, type TrialContext } from "../formats/trials.ts";
import { digest } from "../numeric/digest.ts";
import type { Dataset } from "../types.ts";

/** A digest that identifies the data of trials. */
export function digestOf({ starts, labels, features, listWeights, itemWeights }: Dataset): string {
  const arrays = [starts, labels, features.values, ...(features.kind === "sparse" ? [features.indices, features.starts] : [])];
  const weights = [listWeights, itemWeights].filter((one) => one !== undefined);
  return digest(new TextEncoder().encode([...arrays, ...weights].map((one) => digest(one)).join(" ")));
}

/**
 * Finished trials, in a file where one is named. A trial is added by one write, so that an interruption leaves it whole or cut off. What is
 * no file, such as a pipe, holds none.
 */
export function openTrials(
  path: string | undefined,
  context: TrialContext,
): { trials: readonly Trial[]; add(trial: Trial): void } {
  if (path === undefined) return { trials: [], add() {} };
  const bytes = isFile(path) ? readFileSync(path) : new Uint8Array(0);
  const { trials, whole } = parseTrials(bytes, path, context);
  if (whole < bytes.length) truncateSync(path, whole);
  if (whole === 0) appendWhole(path, serializeTrialsHeader(context));
  return { trials, add: (trial) => appendWhole(path, serializeTrial(trial)) };
}
