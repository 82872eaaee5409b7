/** Tables and pages as Markdown. */
import type { Block, Entry, Grid } from "./paper.ts";

/** What stands in one place of a table, as text. */
export function shown(entry: Entry): string {
  if (entry === null) return "–";
  if (typeof entry === "string") return entry.replaceAll("|", "\\|");
  const { value, digits = 4, best = false } = typeof entry === "number" ? { value: entry } : entry;
  if (!Number.isFinite(value)) return "–";
  const text = value.toFixed(digits).replace("-", "−");
  return best ? `**${text}**` : text;
}

export function gridText({ title, head, rows }: Grid): string {
  const numeric = head.map((_, c) => rows.every((row) => typeof row[c] !== "string"));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    ...(title === "" ? [] : [`**${title}**`, ""]),
    line(head),
    line(numeric.map((right) => (right ? "--:" : "---"))),
    ...rows.map((row) => line(row.map(shown))),
  ].join("\n");
}

/** Plots are files beside the page. */
export function blockText(block: Block): string {
  if (block.kind === "text") return block.text;
  if (block.kind === "table") return gridText(block.table);
  return `![${block.alt}](${block.name}.svg)`;
}

/** The best number of each of the columns from `from` to `to`, marked. */
export function markBest(
  rows: readonly (readonly Entry[])[],
  from: number,
  to: number,
  better: "higher" | "lower" = "higher",
): Entry[][] {
  const value = (entry: Entry | undefined) =>
    typeof entry === "number" ? entry : typeof entry === "object" && entry !== null ? entry.value : Number.NaN;
  const sign = better === "higher" ? 1 : -1;
  const best = Array.from({ length: to - from }, (_, c) =>
    Math.max(...rows.map((row) => sign * value(row[from + c])).filter((one) => !Number.isNaN(one))),
  );
  return rows.map((row) =>
    row.map((entry, c) => {
      if (c < from || c >= to || sign * value(entry) !== best[c - from]) return entry;
      return typeof entry === "number" ? { value: entry, best: true } : { ...(entry as { value: number }), best: true };
    }),
  );
}
