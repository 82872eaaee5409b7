/** How columns of a table become features, as people read it. */
import { quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { dateText } from "./texts.ts";

/** The columns of dates of a model, each with the day from which its features count. */
export const dateColumns = (encoding: readonly ColumnEncoding[] = []): { readonly name: string; readonly day: string }[] =>
  encoding.flatMap(({ name, kind, origin = 0 }) => (kind === "date" ? [{ name, day: dateText(origin).replace(/T.*/, "") }] : []));

/** The columns of times of a model. */
export const timeNames = (encoding: readonly ColumnEncoding[] = []): string[] =>
  encoding.flatMap(({ name, kind }) => (kind === "time" ? [name] : []));

/** What a program must compute that scores with the features of a model itself, a sentence each. */
export function encodingNotes(encoding: readonly ColumnEncoding[] = []): string[] {
  const days = new Map<string, string[]>(); // names by day
  for (const { name, day } of dateColumns(encoding)) days.set(day, [...(days.get(day) ?? []), quote(name)]);
  const times = timeNames(encoding).map((name) => quote(name));
  const [category, set] = (["category", "set"] as const).map((wanted) => {
    const found = encoding.find(({ kind, categories = [] }) => kind === wanted && categories.length > 0);
    return found && quote(`${found.name}=${found.categories![0]}`);
  });
  return [
    ...[...days].map(([day, names]) => `dates are days since ${day} and parts of days (${someOf(names)})`),
    ...(times.length > 0 ? [`times are seconds (${someOf(times)})`] : []),
    ...(category ? [`a category is a feature for each of its names, 1 or 0, such as ${category}`] : []),
    ...(set ? [`an array of texts is a feature for each of them, 1 where it has the text and 0 where not, such as ${set}`] : []),
    ...(encoding.some(({ kind }) => kind === "boolean") ? ["booleans are 1 and 0"] : []),
  ];
}

const someOf = (names: readonly string[]) => `${names.slice(0, 8).join(", ")}${names.length > 8 ? ", ..." : ""}`;
