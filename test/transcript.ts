/**
 * Transcripts: commands with all that they print, as a terminal would show them. A line that begins with "$ " is a command; what follows, up to the
 * next one, is its output, with the lines of standard error marked by "! " and an exit code that is not 0 at the end. Besides those of tierwise
 * there are three commands that show a file, `cat FILE`, `digest FILE` and, for pages, `words FILE`, and one that writes the lines below it to a file,
 * `write FILE`. `digest tierwise ...` has a digest in the place of an output, for all digits of numbers that another command shows with fewer. Times
 * and the version are masked.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../src/version.ts";
import { tierwise } from "./cli.ts";
import { open } from "./page.ts";

/** The words of a command; those in single quotes may contain spaces. */
const wordsOf = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);

const quoted = (word: string) => (/\s/.test(word) || word === "" ? `'${word}'` : word);

const digestOf = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex").slice(0, 16);

/** What a run takes differs from run to run, and the version from release to release; all else does not. */
const timeless = (text: string) =>
  text
    .replaceAll(`tierwise ${VERSION}`, "tierwise VERSION")
    .replace(/"seconds":(\{.*?\}|[\d.e-]+)/g, '"seconds":…')
    .replace(/"processor":[\d.e-]+/g, '"processor":…')
    .replace(/\b\d+(\.\d+)? (s|ms)\b/g, "… s")
    .replace(/^(seconds +).*$/gm, "$1…")
    .replace(/^(trial .*)seconds(.*\n.*\n)((?:.+\n)*)/gm, (_, before, after, rows: string) => {
      const rest = rows.split("\n").map((row) => row.replace(/^((?:\d|blend) .{3,}?) +\d+\.\d(?=$| {2})/, "$1  …"));
      return `${before}seconds${after}${rest.join("\n")}`;
    });

/** The text of a page, a line for each heading, paragraph and row, and for each drawing its words and its digest. */
function pageWords(html: string): string {
  const document = open(html);
  const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
  const lines = [...document.querySelectorAll("h1,h2,h3,h4,p,li,dt,dd,tr,summary,figcaption,pre,svg")].map((one) => {
    if (one.tagName.toLowerCase() === "svg")
      return `[${one.getAttribute("aria-label") ?? "drawing"}: ${digestOf(one.outerHTML)}]`;
    if (one.tagName === "TR") return [...one.querySelectorAll("th,td")].map(({ textContent }) => tidy(textContent)).join(" | ");
    return `${/^H\d$/.test(one.tagName) ? `${"#".repeat(Number(one.tagName.slice(1)))} ` : ""}${tidy(one.textContent)}`;
  });
  return `${lines.filter(Boolean).join("\n")}\n`;
}

/** A command and what is below it. */
interface Block {
  readonly line: string;
  readonly output: string;
}

async function answer({ line, output }: Block, cwd: string): Promise<string> {
  const [command, ...words] = wordsOf(line);
  if (command === "write") {
    writeFileSync(join(cwd, words[0]!), output);
    return output;
  }
  const file = () => readFileSync(join(cwd, words[0]!));
  if (words.length === 1 && command !== "tierwise" && !existsSync(join(cwd, words[0]!))) return `(there is no ${words[0]})\n`;
  if (command === "cat") return timeless(file().toString());
  if (command === "words") return timeless(pageWords(file().toString()));
  if (command === "digest" && words[0] === "tierwise") {
    const printed = await answer({ line: words.map(quoted).join(" "), output }, cwd);
    return printed.includes("(ended with") ? printed : `${digestOf(printed)}\n`;
  }
  if (command === "digest") return `${digestOf(file())}\n`;
  if (command !== "tierwise") throw new Error(`not a command of transcripts: ${line}`);
  const { code, out, err } = await tierwise(words, { cwd });
  const marked = timeless(err).replace(/^(?=.)/gm, "! ");
  return `${marked}${timeless(out)}${code === 0 ? "" : `(ended with ${code})\n`}`;
}

/** The commands of a transcript with the outputs that are stored there. */
function blocksOf(text: string): Block[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((block) => {
      const end = block.indexOf("\n");
      return { line: block.slice(0, end), output: block.slice(end + 1) };
    });
}

/** Runs the commands of a transcript again, in this folder; gives it as it should be stored today. */
export async function replayed(text: string, cwd: string): Promise<string> {
  const head = text.slice(0, text.search(/^\$ /m));
  const parts: string[] = [];
  for (const block of blocksOf(text)) {
    const output = await answer(block, cwd);
    parts.push(`$ ${block.line}\n${output}${output === "" || output.endsWith("\n") ? "" : "\n"}`);
  }
  return `${head}${parts.join("")}`;
}
