/**
 * Cells that are done, one line of JSON each, appended as soon as one is finished: a run that was interrupted goes on where it stopped, and
 * a last line that was cut off counts as not done. The name of a cell is all its settings. Each line has the digest of the code that computed the
 * value: one of other code than today's counts as not done.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { appendDurably, makeFolder } from "./internal.ts";
import type { Cell, Json } from "./paper.ts";

export interface Store {
  has(cell: Cell): boolean;
  get<T extends Json>(cell: Cell<T>): T;
  put(cell: Cell, value: Json): void;
  /** Whether there is a value that other code has computed. */
  isStale(cell: Cell): boolean;
}

export function openStore(path: string, fresh: boolean): Store {
  makeFolder(dirname(path));
  if (fresh) rmSync(path, { force: true });
  const known = new Map<string, Entry>();
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  for (const line of before.split("\n")) {
    const entry = parsed(line);
    if (entry) known.set(entry.key, entry);
  }
  if (before !== "" && !before.endsWith("\n")) appendDurably(path, "\n");
  const current = (cell: Cell) => {
    const entry = known.get(keyOf(cell));
    return entry?.code === cell.code ? entry : undefined;
  };
  return {
    has: (cell) => current(cell) !== undefined,
    isStale: (cell) => known.has(keyOf(cell)) && !current(cell),
    get<T extends Json>(cell: Cell<T>) {
      const entry = current(cell);
      if (!entry) throw new Error(`the cell ${cell.title} is not done`);
      return entry.value as T;
    },
    put(cell, value) {
      const entry = { key: keyOf(cell), code: cell.code, settings: cell.settings, value };
      known.set(entry.key, entry);
      appendDurably(path, `${JSON.stringify(entry)}\n`);
    },
  };
}

interface Entry {
  readonly key: string;
  readonly code?: string; // absent in files of earlier versions
  readonly value: Json;
}

function parsed(line: string): Entry | undefined {
  try {
    const { key, code, value } = JSON.parse(line) as { key?: unknown; code?: unknown; value?: Json };
    if (typeof key !== "string" || value === undefined) return undefined;
    return typeof code === "string" ? { key, code, value } : { key, value };
  } catch {
    return undefined;
  }
}

const keyOf = ({ settings }: Cell) => createHash("sha256").update(sorted(settings)).digest("hex").slice(0, 24);

/** JSON whose keys are in order, so that the order in which settings were written does not matter. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value as Readonly<Record<string, Json>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, one]) => `${JSON.stringify(key)}:${sorted(one)}`).join(",")}}`;
}
