/**
 * Cells that are done, one line of JSON each, appended as soon as one is finished: a run that was interrupted goes on where it stopped, and
 * a last line that was cut off counts as not done. The name of a cell is all its settings.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { appendWhole, makeFolder } from "./internal.ts";
import type { Cell, Json } from "./paper.ts";

export interface Store {
  has(cell: Cell): boolean;
  get<T extends Json>(cell: Cell<T>): T;
  put(cell: Cell, value: Json): void;
}

export function openStore(path: string, fresh: boolean): Store {
  makeFolder(dirname(path));
  if (fresh) rmSync(path, { force: true });
  const known = new Map<string, Json>();
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  for (const line of before.split("\n")) {
    const entry = parsed(line);
    if (entry) known.set(entry.key, entry.value);
  }
  if (before !== "" && !before.endsWith("\n")) appendWhole(path, "\n");
  return {
    has: (cell) => known.has(keyOf(cell)),
    get<T extends Json>(cell: Cell<T>) {
      const value = known.get(keyOf(cell));
      if (value === undefined) throw new Error(`the cell ${cell.title} is not done`);
      return value as T;
    },
    put(cell, value) {
      known.set(keyOf(cell), value);
      appendWhole(path, `${JSON.stringify({ key: keyOf(cell), settings: cell.settings, value })}\n`);
    },
  };
}

function parsed(line: string): { key: string; value: Json } | undefined {
  try {
    const entry = JSON.parse(line) as { key?: unknown; value?: Json };
    return typeof entry.key === "string" && entry.value !== undefined ? { key: entry.key, value: entry.value } : undefined;
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
