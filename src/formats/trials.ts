/**
 * Trials files: a JSON line with the conditions of the search, then a line for each finished trial. An incomplete last line, left by an
 * interruption, is ignored. Nothing here opens files.
 */
import { check, type Kind, someText } from "../arguments.ts";
import { InputError, quote } from "../input-error.ts";
import { checkNesting } from "./json.ts";

/** What all trials of a file share; trials on anything else say nothing about each other. */
export type TrialContext = Readonly<Record<string, string | number>>;

/** A setting and what it reached. */
export interface Trial {
  /** Values by option. */
  readonly settings: Readonly<Record<string, string>>;
  /** Spec of the model with these settings. */
  readonly model: string;
  /** Spec of the objective with these settings. */
  readonly objective: string;
  /** Metrics of the validation data, means over the folds, by spec. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The best round of each fold. */
  readonly rounds: readonly number[];
  /** Mean log-likelihood of a validation ballot, for utilities under a likelihood. */
  readonly likelihood?: number;
  /** Why there are no metrics. */
  readonly failed?: string;
  /** Seconds that the trial took; of `autoTrain`. */
  readonly seconds?: number;
  /** A score of each item by a model that was not trained on its list, as `encodeScores` writes them; of `autoTrain`. */
  readonly scores?: string;
}

const FORMAT = "tierwise trials";

const someGrounds: Kind = {
  wanted: "texts and numbers by name",
  fits: (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => ["string", "number"].includes(typeof one)),
};

/** The first line of a file of trials. */
export function serializeTrialsHeader(context: TrialContext): string {
  check("serializeTrialsHeader", context, someGrounds);
  return `${JSON.stringify({ format: FORMAT, version: 1, ...context })}\n`;
}

/** A line of a file of trials. */
export function serializeTrial(trial: Trial): string {
  check("serializeTrial", trial, { wanted: "a trial, as tune gives them", fits: isTrial });
  return `${JSON.stringify(trial)}\n`;
}

/** The content of a trials file. */
export interface ParsedTrials {
  /** The trials, in the order of the file. */
  readonly trials: Trial[];
  /** Number of bytes up to the end of the last complete line. */
  readonly whole: number;
}

/** The trials of a file, and how many of its bytes are whole lines. */
export function parseTrials(bytes: Uint8Array, path: string, context: TrialContext): ParsedTrials {
  check("parseTrials", bytes, { wanted: "the bytes of a file", fits: (value) => value instanceof Uint8Array });
  check("parseTrials, the path", path, someText);
  check("parseTrials, the grounds", context, someGrounds);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole === 0) return { trials: [], whole };
  const lines = new TextDecoder().decode(bytes.subarray(0, whole - 1)).split("\n");
  const { format, version, ...held } = objectOf(lines[0]!, path, 1);
  if (format !== FORMAT) throw new InputError(`${path}: not a trials file written by tune`);
  if (version !== 1)
    throw new InputError(
      `${path}: the trials file has ${version === undefined ? "no version" : `version ${quote(typeof version === "object" ? JSON.stringify(version) : String(version))}`}; this tierwise reads version 1`,
    );
  for (const key of new Set([...Object.keys(context), ...Object.keys(held)]))
    if (held[key] !== context[key])
      throw new InputError(
        `${path}: its trials were made under other conditions: ${key} was ${held[key] ?? "not given"} and is ${context[key] ?? "not given"}; use another file`,
      );
  return { trials: lines.slice(1).map((line, i) => trialOf(objectOf(line, path, i + 2), `${path}:${i + 2}`)), whole };
}

function objectOf(line: string, path: string, number: number): Record<string, unknown> {
  checkNesting(line, path, number);
  try {
    const found: unknown = JSON.parse(line);
    if (typeof found === "object" && found !== null) return found as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw new InputError(`${path}:${number}: expected a line of JSON, got ${quote(line)}`);
}

function isTrial(value: unknown): boolean {
  const { settings, model, objective, metrics, rounds, likelihood, failed, seconds, scores } = (value ?? {}) as Record<
    keyof Trial,
    unknown
  >;
  const isRecord = (one: unknown, kind: string) =>
    typeof one === "object" && one !== null && Object.values(one).every((each) => each === null || typeof each === kind);
  return (
    isRecord(settings, "string") &&
    typeof model === "string" &&
    typeof objective === "string" &&
    isRecord(metrics, "number") &&
    Array.isArray(rounds) &&
    rounds.every(Number.isSafeInteger) &&
    (likelihood === undefined || typeof likelihood === "number") &&
    (failed === undefined || typeof failed === "string") &&
    (seconds === undefined || typeof seconds === "number") &&
    (scores === undefined || typeof scores === "string")
  );
}

function trialOf(found: Record<string, unknown>, where: string): Trial {
  if (!isTrial(found)) throw new InputError(`${where}: expected a trial, got ${quote(JSON.stringify(found))}`);
  const values = Object.entries(found.metrics as Record<string, number | null>).map(([name, value]) => [
    name,
    value ?? Number.NaN,
  ]);
  return { ...(found as unknown as Trial), metrics: Object.fromEntries(values) };
}

const CHUNK = 8192; // bytes that are passed as arguments at once

/** Scores as text: 32-bit floats, little-endian, in base64. */
export function encodeScores(scores: Float32Array): string {
  const view = new DataView(new ArrayBuffer(4 * scores.length));
  scores.forEach((score, i) => void view.setFloat32(4 * i, score, true));
  const bytes = new Uint8Array(view.buffer);
  let text = "";
  for (let from = 0; from < bytes.length; from += CHUNK) text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return btoa(text);
}

/** The scores of such a text; `who` begins errors. */
export function decodeScores(who: string, text: string, count: number): Float32Array {
  const damaged = (got: string) => new InputError(`${who}: expected ${count} scores of 32 bits in base64, got ${got}`);
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw damaged(quote(text));
  }
  if (bytes.length !== 4 * count) throw damaged(`${bytes.length} bytes`);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true));
}
