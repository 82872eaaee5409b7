/** The file in which a search keeps its trials, and what tells that they were made on the same data. */
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { type Grounds, headText, parseTrials, type Trial, trialText } from "../formats/trials.ts";
import { digest } from "../numeric/digest.ts";
import type { Dataset } from "../types.ts";

/** What tells whether trials were made on the same data. */
export function digestOf({ starts, labels, features, listWeights, itemWeights }: Dataset): string {
  const arrays = [starts, labels, features.values, ...(features.kind === "sparse" ? [features.indices, features.starts] : [])];
  const weights = [listWeights, itemWeights].filter((one) => one !== undefined);
  return digest(new TextEncoder().encode([...arrays, ...weights].map((one) => digest(one)).join(" ")));
}

/** Finished trials, in a file where one is named. A trial is added by one write, so that an interruption leaves it whole or cut off. */
export function openTrials(path: string | undefined, grounds: Grounds): { trials: readonly Trial[]; add(trial: Trial): void } {
  if (path === undefined) return { trials: [], add() {} };
  const bytes = existsSync(path) ? readFileSync(path) : new Uint8Array(0);
  const { trials, whole } = parseTrials(bytes, path, grounds);
  if (whole < bytes.length) truncateSync(path, whole);
  if (whole === 0) appendFileSync(path, headText(grounds));
  return { trials, add: (trial) => appendFileSync(path, trialText(trial), { flush: true }) };
}
