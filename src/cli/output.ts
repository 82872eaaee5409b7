/**
 * Formatting of results and messages. Results go to standard output, everything else to standard error. Names come from files, so no
 * control character of a name goes out as it is.
 */
import { forSpreadsheet } from "../data/names.ts";
import { visible } from "../printable.ts";
import { figure } from "../report/figure.ts";
import type { Description, Table } from "../types.ts";

export { figure };

const color = process.stderr.isTTY && !process.env.NO_COLOR;
const dim = (text: string) => (color ? `\u001b[2m${text}\u001b[22m` : text);

/** A line for people about what happens, on standard error. */
export const notice = (text: string) => void process.stderr.write(`${dim(visible(text))}\n`);

/** What went wrong, in one line on standard error. */
export const complain = (text: string) =>
  void process.stderr.write(`tierwise: ${visible(text.replace(/\s*[\r\n]+\s*/g, " "))}\n`);

/** Part of the result, on standard output. */
export const print = (text: string) => void process.stdout.write(`${visible(text, "\n\t")}\n`);

/** The same for machine-readable output, with names unchanged, except on a terminal. */
export const printRaw = (text: string) => (process.stdout.isTTY ? print(text) : void process.stdout.write(`${text}\n`));

export const printJson = (value: unknown) =>
  print(JSON.stringify(value, (_, one) => (typeof one === "number" && !Number.isFinite(one) ? null : one)));

const cell = (value: string | number) => (typeof value === "number" ? figure(value) : visible(value));

/** Columns of equal width, numbers to the right. */
export function tableText({ head: titles, rows }: Pick<Table, "head" | "rows">): string {
  const head = titles.map(cell);
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

const [ELSEWHERE, LEAST] = [100, 40]; // columns of what is no terminal, so that it is the same everywhere, and at least

/** The columns of the terminal that results go to. */
const outputWidth = () => (process.stdout.isTTY ? Math.max(LEAST, process.stdout.columns ?? ELSEWHERE) : ELSEWHERE);

/** Text in lines of at most so many characters, all but the first indented. Nothing is parted within parentheses. */
export function wrapped(text: string, width = outputWidth()): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/\s+(?![^(]*\))/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `  ${word}`;
    } else line += `${line === "" ? "" : " "}${word}`;
  }
  return [...lines, line].join("\n");
}

/** A table as CSV, with quotes where a cell needs them, and no text that a spreadsheet would take for a formula. */
export function csvText({ head, rows }: Pick<Table, "head" | "rows">): string {
  const quoted = (value: string | number) => {
    const text = typeof value === "number" ? String(value) : forSpreadsheet(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\n");
}

/** A table as Markdown, numbers to the right; characters that would end a cell or begin markup are escaped. */
export function markdownText({ head, rows }: Pick<Table, "head" | "rows">): string {
  const right = head.map((_, c) => rows.length > 0 && rows.every((row) => typeof row[c] === "number"));
  const text = (value: string | number) => cell(value).replace(/[\\|<>&*_`[\]~]/g, (letter) => `\\${letter}`);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head.map(text)), line(right.map((yes) => (yes ? "--:" : "---"))), ...rows.map((row) => line(row.map(text)))].join(
    "\n",
  );
}

export function descriptionText({ title, facts, tables }: Description, most = 20): string {
  const names = Object.keys(facts);
  const width = Math.max(...names.map((name) => cell(name).length));
  const lines = [title, "", ...names.map((name) => `${cell(name).padEnd(width)}  ${cell(facts[name]!)}`)];
  for (const table of tables) {
    const rows = table.rows.slice(0, most);
    lines.push("", table.title, tableText({ head: table.head, rows }));
    if (rows.length < table.rows.length) lines.push(`... and ${table.rows.length - rows.length} more (--all shows them)`);
  }
  return lines.join("\n");
}
