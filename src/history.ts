/**
 * Training history files: cost and validation metrics of every round. The history is not part of the model file, which contains only what
 * scoring needs.
 */
import { check, someText } from "./arguments.ts";
import type { Fitted, TrainingRound } from "./fit.ts";
import { checkNesting } from "./formats/json.ts";
import { InputError, quote } from "./input-error.ts";

const FORMAT = "tierwise history";

/** JSON with a line for every round. */
export function serializeHistory(fitted: Pick<Fitted, "history" | "best" | "stopOn">): string {
  check("serializeHistory", fitted, { wanted: "what fit or train gives", fits: isFitted });
  const { history, best, stopOn } = fitted;
  const chosen = stopOn === undefined ? "" : `, "stopOn": ${JSON.stringify(stopOn)}`;
  const rounds = history.map((round) => `  ${JSON.stringify(round)}`).join(",\n");
  return `{ "format": "${FORMAT}", "version": 1, "best": ${best.round}${chosen}, "rounds": [\n${rounds}\n] }\n`;
}

const isFitted = (value: unknown) => {
  const { history, best } = (value ?? {}) as Partial<Fitted>;
  return Array.isArray(history) && typeof best?.round === "number";
};

/** A value of JSON as an error shows it. */
const valueText = (value: unknown) =>
  value === undefined ? "nothing" : quote(typeof value === "object" ? JSON.stringify(value) : String(value));

/** The rounds in a text that `serializeHistory` made; `path` is what mistakes call it. */
export function parseHistory(text: string, path = "history"): TrainingRound[] {
  check("parseHistory", text, someText);
  check("parseHistory, the path", path, someText);
  const wrong = (what: string) => new InputError(`${path}: not a history written by train --history: ${what}`);
  let saved: { format?: unknown; version?: unknown; rounds?: unknown } | null;
  checkNesting(text, path);
  try {
    saved = JSON.parse(text);
  } catch {
    throw wrong("invalid JSON");
  }
  if (typeof saved !== "object" || saved?.format !== FORMAT || !Array.isArray(saved.rounds)) throw wrong("wrong format");
  if (saved.version !== 1)
    throw new InputError(
      `${path}: the history has ${saved.version === undefined ? "no version" : `version ${valueText(saved.version)}`}; this program reads 1`,
    );
  return saved.rounds.map((one: Partial<Record<keyof TrainingRound, unknown>> | null, i) => {
    const { round, cost, metrics, criterion } = one ?? {};
    if (typeof round !== "number" || !Number.isSafeInteger(round)) throw wrong(`entry ${i + 1} has no round`);
    const chosenBy = criterion === undefined ? {} : { criterion: numberOf(criterion, i) };
    return { round, cost: numberOf(cost, i), metrics: numbersOf(metrics, i), ...chosenBy };
  });

  /** JSON has no NaN, and writes null for it. */
  function numberOf(value: unknown, i: number): number {
    if (value === null) return Number.NaN;
    if (typeof value !== "number") throw wrong(`entry ${i + 1} has ${valueText(value)} where a number should be`);
    return value;
  }

  function numbersOf(value: unknown, i: number): Record<string, number> {
    if (typeof value !== "object" || value === null) throw wrong(`entry ${i + 1} has no metrics`);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, numberOf(one, i)]));
  }
}
