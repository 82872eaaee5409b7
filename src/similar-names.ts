/** Names as people write them: spellings that count as equal, and suggestions for names that are not known. */
import { CONTROL } from "./printable.ts";

/** "did you mean a?" for similar names, else all names. */
export function suggest(name: string, known: readonly string[]): string {
  const wanted = normalized(name);
  const near = known
    .map((one) => ({ one, far: distance(wanted, normalized(one)) }))
    .filter(
      ({ one, far }) =>
        far <= Math.max(1, Math.floor(wanted.length / 3)) ||
        (wanted.length > 2 && (normalized(one).startsWith(wanted) || letters(normalized(one)) === letters(wanted))),
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ one }) => one);
  const more = known.length > 40 ? ` and ${known.length - 40} more` : "";
  const all = `there ${known.length === 1 ? "is" : "are"} ${known.slice(0, 40).map(printable).join(", ")}${more}`;
  return near.length === 0 ? all : `did you mean ${near.map(printable).join(" or ")}? (${all})`;
}

/** Names may come from files: control characters are removed and long names truncated. */
const printable = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}...` : name).replace(CONTROL, " ");

/** The letters of a word, sorted: equal for words with transposed letters. */
const letters = (word: string) => [...word].sort().join("");

/** Damerau-Levenshtein distance: insertions, deletions, changes and swaps of neighbors. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return 9;
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = 0; i <= a.length; i++) table[i * width] = i;
  for (let j = 0; j <= b.length; j++) table[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        table[(i - 1) * width + j]! + 1,
        table[i * width + j - 1]! + 1,
        table[(i - 1) * width + j - 1]! + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, table[(i - 2) * width + j - 2]! + 1);
      table[i * width + j] = least;
    }
  }
  return table[a.length * width + b.length]!;
}

/** learningRate → learning-rate */
export const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Names are compared without case, dashes and underscores: `pl-topk`, `PL_TopK` and `plTopK` are equal. */
export const normalized = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
