/** Names as people write them: spellings that count as equal, and suggestions for names that are not known. */
import { quote } from "./input-error.ts";
import { CONTROL } from "./printable.ts";

/** "did you mean a?" for similar names, else all names. */
export function suggest(name: string, known: readonly string[]): string {
  const near = similar(name, known, (wanted, one) => wanted.length > 2 && one.startsWith(wanted)).slice(0, 3);
  const more = known.length > 40 ? ` and ${known.length - 40} more` : "";
  const all = `there ${known.length === 1 ? "is" : "are"} ${known.slice(0, 40).map(printable).join(", ")}${more}`;
  return near.length === 0 ? all : `did you mean ${near.map(printable).join(" or ")}? (${all})`;
}

/** The names that may be misspelled as `name`, nearest first. */
export const similarNames = (name: string, known: readonly string[]): string[] => similar(name, known, () => false);

function similar(name: string, known: readonly string[], isMeant: (wanted: string, one: string) => boolean): string[] {
  const wanted = spelling(name);
  return known
    .map((one) => ({ one, plain: spelling(one) }))
    .map(({ one, plain }) => ({ one, plain, far: distance(wanted, plain) }))
    .filter(
      ({ plain, far }) =>
        far <= Math.max(1, Math.floor(wanted.length / 3)) ||
        (wanted.length > 2 && letters(plain) === letters(wanted)) ||
        isMeant(wanted, plain),
    )
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one);
}

/** Names may come from files: control characters are removed, long names truncated, and blanks at an end are shown by quotes. */
const printable = (name: string) =>
  name !== name.trim() ? quote(name) : (name.length > 60 ? `${name.slice(0, 60)}...` : name).replace(CONTROL, " ");

/** A name without case, dashes, underscores and blanks: what is left is a different name. */
export const spelling = (name: string): string => normalized(name).replace(/\s+/g, "");

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
