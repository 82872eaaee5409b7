/** What reports call the files that they were made from. */
import { basename } from "node:path";
import { isQuery, shownPath } from "../formats/data/columnar/query-path.ts";
import { isInput } from "../formats/data/file-bytes.ts";

/** Files by their own names, without the folders. */
export function shortFileNames(files: readonly string[]): string {
  const names = files.map((file) => (isInput(file) ? "standard input" : isQuery(file) ? shownPath(file) : basename(file)));
  return names.length > 4 ? `${names[0]} and ${names.length - 1} other files` : names.join(" + ");
}
