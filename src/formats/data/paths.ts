/**
 * Names of data files that stand for several: a pattern such as `part-*.parquet` (quoted, so that a shell does not expand it), and a folder, of
 * which all data files are read. Files come in the order of their names, numbers within them by their value (part-2 before part-10).
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../input-error.ts";
import { statIfExists } from "../durable.ts";
import { isQuery } from "./columnar/query-path.ts";
import { isInput } from "./file-bytes.ts";
import { readableFormats } from "./formats.ts";

const order = new Intl.Collator("en", { numeric: true });
const byName = (a: string, b: string) => order.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

/** The files that names stand for. A name that is there is taken as it is, also with letters of a pattern in it. */
export function expandPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path === "" || isInput(path) || isQuery(path)) return [path];
    const entry = statIfExists(path);
    if (entry?.isDirectory()) return filesIn(path);
    return entry || !/[*?[{]/.test(path) ? [path] : matching(path);
  });
}

/** Whether the name of data is that of a folder. */
export const isDataFolder = (path: string): boolean =>
  !isInput(path) && !isQuery(path) && (statIfExists(path)?.isDirectory() ?? false);

const PACKED = /\.(gz|bz2|xz|zst)$/i;
const PLAIN = [".txt", ".dat", ".data"];

/** Whether a name ends as one of a data file. */
function isData(name: string): boolean {
  const plain = name.toLowerCase().replace(PACKED, "");
  return [...PLAIN, ...readableFormats.flatMap(({ extensions }) => extensions)].some((ending) => plain.endsWith(ending));
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !/^[._]/.test(entry.name) && isData(entry.name))
    .map(({ name }) => join(folder, name))
    .sort(byName);
  if (found.length > 0) return found;
  throw new InputError(
    `${folder}: the folder has no data files; expected names that end in ${PLAIN[0]}, .csv, .parquet, .jsonl or others of tierwise list formats`,
  );
}

/** The files of a pattern: * and ? within a name, ** for folders at any depth, [abc] and {a,b}. */
function matching(pattern: string): string[] {
  const found = new Set(braces(pattern).flatMap((one) => walk(one.startsWith("/") ? "/" : "", one.split("/").filter(Boolean))));
  if (found.size > 0) return [...found].sort(byName);
  throw new InputError(`${pattern}: there is no such file, and no file matches it as a pattern`);
}

/** The patterns without braces that one with braces stands for. */
function braces(pattern: string): string[] {
  const form = /^([\s\S]*?)\{([^{}]*)\}([\s\S]*)$/.exec(pattern);
  if (!form) return [pattern];
  const [, before, inner, after] = form;
  return inner!.split(",").flatMap((choice) => braces(`${before}${choice}${after}`));
}

function walk(folder: string, [segment, ...rest]: readonly string[]): string[] {
  if (segment === undefined) return [];
  const here = () => {
    try {
      return readdirSync(folder || ".", { withFileTypes: true });
    } catch {
      return []; // a folder that is not there, or may not be read, has no files that match
    }
  };
  const at = (name: string) => join(folder, name);
  if (segment === "**") {
    const folders = here().filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
    return [
      ...walk(folder, rest.length > 0 ? rest : ["*"]),
      ...folders.flatMap(({ name }) => walk(at(name), [segment, ...rest])),
    ];
  }
  if (!/[*?[]/.test(segment)) {
    const entry = statIfExists(at(segment));
    if (!entry) return [];
    return rest.length > 0 ? walk(at(segment), rest) : entry.isDirectory() ? [] : [at(segment)];
  }
  const form = patternOf(segment);
  return here()
    .filter(({ name }) => form.test(name) && (!name.startsWith(".") || segment.startsWith(".")))
    .flatMap(({ name }) => walk(folder, [name, ...rest]).concat(/[*?[]/.test(name) && rest.length === 0 ? [at(name)] : []));
}

/** One segment as a regular expression. */
function patternOf(segment: string): RegExp {
  const text = segment.replace(/\[(!?)([^\]]+)\]|[\s\S]/g, (piece, not, set) => {
    if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\\]^]/g, "\\$&")}]`;
    return piece === "*" ? "[^/]*" : piece === "?" ? "[^/]" : piece.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${text}$`);
}
