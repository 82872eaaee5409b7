/**
 * What README.md and the pages of docs/ promise. A block `ts` is a program, whose lines of comment at the margin are what it prints. In a
 * block `console`, or without a language, lines after "$ " are commands, and what follows one is what it prints. A block with a file's name after its language,
 * such as `csv wines.csv`, is a file. "..." alone on a line stands for any lines, "…" inside a line for any text.
 */
import { readdirSync, readFileSync } from "node:fs";

export interface Block {
  readonly language: string;
  readonly name: string; // of the file, or ""
  readonly text: string;
  readonly line: number; // of the first line inside
}

export interface Promised {
  readonly command: string;
  readonly output: readonly string[]; // none: nothing is said of it
  readonly line: number;
}

/** The pages of the repository, by their paths. */
export function pages(root: string): string[] {
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).map(
    (name) => `docs/${name.replaceAll("\\", "/")}`,
  );
  return ["README.md", ...docs.filter((name) => name.endsWith(".md") && !name.startsWith("docs/api/")).sort()];
}

export function blocksOf(path: string): Block[] {
  const found: Block[] = [];
  const lines = readFileSync(path, "utf8").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const head = /^```(\S*)(?:\s+(\S+))?\s*$/.exec(lines[i]!);
    if (!head) continue;
    const from = i + 1;
    while (++i < lines.length && lines[i] !== "```");
    found.push({ language: head[1]!, name: head[2] ?? "", text: lines.slice(from, i).join("\n"), line: from + 1 });
  }
  return found;
}

export function promisesOf({ text, line }: Block): Promised[] {
  const all: { command: string; output: string[]; line: number }[] = [];
  text.split("\n").forEach((one, i) => {
    if (one.startsWith("$ ")) all.push({ command: one.slice(2), output: [], line: line + i });
    else all.at(-1)?.output.push(one);
  });
  for (const { output } of all) while (output.at(-1)?.trim() === "") output.pop();
  return all;
}

/** Whether a text is what was promised. */
export function matches(text: string, promised: readonly string[]): boolean {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = promised.map((line) => (line === "..." ? "(?:.*\n)*?" : `${line.split("…").map(literal).join(".*")} *\n`));
  return new RegExp(`^${pattern.join("")}$`).test(`${text.trimEnd()}\n`);
}

/** The words of a command line; quotes keep blanks. Undefined where a shell is needed. */
export function wordsOf(command: string): string[] | undefined {
  if (/[|<>&;$`*\\]/.test(command.replace(/'[^']*'/g, ""))) return undefined;
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
