/**
 * Logs of interleaved rankings, JSON lines in any order: {"impression": id, "a", "b", "items", "credit"} for a ranking that was shown, and
 * {"click": item, "impression": id} for a click on one of its items. Nothing here opens files.
 */
import { withExactIntegers } from "./formats/exact-integers.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import type { InterleavedImpression } from "./interleave.ts";

/** The impressions of two models. */
export interface InterleavedModels {
  /** Name and version of the first model. */
  readonly a: string;
  /** Name and version of the second model. */
  readonly b: string;
  /** What was shown, with the clicks. */
  readonly impressions: readonly InterleavedImpression[];
}

/** What a log holds. */
export interface InterleavingLog {
  /** By pair of models, in the order in which they first occur. */
  readonly pairs: readonly InterleavedModels[];
  /** Clicks on impressions that the log does not have. */
  readonly strayClicks: number;
}

interface Shown {
  readonly pair: string;
  readonly places: ReadonlyMap<unknown, number>;
  readonly credit: readonly number[];
  readonly clicks: number[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A log as text. */
export interface InterleavingText {
  /** What errors call it. */
  readonly path: string;
  /** Lines of JSON. */
  readonly text: string;
}

/** Reads logs of impressions and clicks, which may lie in different ones. */
export function parseInterleavingLog(texts: readonly InterleavingText[]): InterleavingLog {
  if (!Array.isArray(texts) || !texts.every((one) => typeof one?.path === "string" && typeof one.text === "string"))
    throw new InputError(`parseInterleavingLog: expected an array of { path, text }, got ${describeValue(texts)}`);
  const shown = new Map<string, Shown>();
  const models = new Map<string, { a: string; b: string }>();
  const clicks: { readonly where: string; readonly impression: string; readonly item: unknown }[] = [];
  for (const { path, text } of texts)
    text.split("\n").forEach((line: string, l: number) => {
      if (line.trim() === "") return;
      const where = `${path}:${l + 1}`;
      const entry = recordOf(line, where);
      const { impression } = entry;
      if (typeof impression !== "string") throw new InputError(`${where}: expected the id of an impression as text`);
      if ("click" in entry) {
        clicks.push({ where, impression, item: entry.click });
        return;
      }
      if (shown.has(impression)) throw new InputError(`${where}: the impression ${quote(impression)} occurs twice`);
      const { a, b } = entry;
      if (typeof a !== "string" || typeof b !== "string")
        throw new InputError(`${where}: expected the names of both models as a and b`);
      const pair = JSON.stringify([a, b]);
      models.set(pair, { a, b });
      shown.set(impression, { pair, ...placesOf(entry, where), clicks: [] });
    });
  let strayClicks = 0;
  for (const { where, impression, item } of clicks) {
    const one = shown.get(impression);
    const place = one?.places.get(item) ?? one?.places.get(String(item)); // ids are texts, also where a client had a number
    if (one && place === undefined)
      throw new InputError(`${where}: the item ${quote(String(item))} is not among those of the impression ${quote(impression)}`);
    if (one) one.clicks.push(place!);
    else strayClicks++;
  }
  const all = [...shown.values()];
  const pairs = [...models].map(([pair, names]) => ({ ...names, impressions: all.filter((one) => one.pair === pair) }));
  return { pairs, strayClicks };
}

function recordOf(line: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(withExactIntegers(line));
  } catch {
    throw new InputError(`${where}: expected a line of JSON, got ${quote(line)}`);
  }
  if (!isRecord(value)) throw new InputError(`${where}: expected a JSON object, got ${quote(line)}`);
  return value;
}

function placesOf({ items, credit }: Record<string, unknown>, where: string): Pick<Shown, "places" | "credit"> {
  const fits = Array.isArray(credit) && credit.every((one) => typeof one === "number" && one >= 0 && one <= 1);
  if (!fits) throw new InputError(`${where}: expected credit as a list of numbers from 0 to 1`);
  if (!Array.isArray(items) || items.length !== credit.length)
    throw new InputError(`${where}: expected items as a list of ${credit.length}, as many as there are in credit`);
  return { places: new Map(items.map((item, place) => [item, place])), credit };
}
