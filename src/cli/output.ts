/** How results and messages look. Results go to standard output, everything else to standard error. */
import { figure } from "../report/figure.ts";
import type { Description, Table } from "../types.ts";

export { figure };

const color = process.stderr.isTTY && !process.env.NO_COLOR;
const dim = (text: string) => (color ? `\u001b[2m${text}\u001b[22m` : text);

/** A line for people about what happens, on standard error. */
export const notice = (text: string) => void process.stderr.write(`${dim(text)}\n`);

/** Part of the result, on standard output. */
export const print = (text: string) => void process.stdout.write(`${text}\n`);

export const printJson = (value: unknown) =>
  print(JSON.stringify(value, (_, one) => (typeof one === "number" && !Number.isFinite(one) ? null : one)));

const cell = (value: string | number) => (typeof value === "number" ? figure(value) : value);

/** Columns of equal width, numbers to the right. */
export function tableText({ head, rows }: Pick<Table, "head" | "rows">): string {
  const texts = rows.map((row) => row.map(cell));
  const widths = head.map((title, c) => Math.max(title.length, ...texts.map((row) => row[c]!.length)));
  const right = head.map((_, c) => rows.length > 0 && rows.every((row) => typeof row[c] === "number"));
  const line = (cells: readonly string[]) =>
    cells
      .map((text, c) => (right[c] ? text.padStart(widths[c]!) : text.padEnd(widths[c]!)))
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...texts.map(line)].join("\n");
}

export function descriptionText({ title, facts, tables }: Description, most = 20): string {
  const names = Object.keys(facts);
  const width = Math.max(...names.map((name) => name.length));
  const lines = [title, "", ...names.map((name) => `${name.padEnd(width)}  ${cell(facts[name]!)}`)];
  for (const table of tables) {
    const rows = table.rows.slice(0, most);
    lines.push("", table.title, tableText({ head: table.head, rows }));
    if (rows.length < table.rows.length) lines.push(`... and ${table.rows.length - rows.length} more (--all shows them)`);
  }
  return lines.join("\n");
}
