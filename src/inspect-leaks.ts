/** Leaks of `inspect` that are no order: words that stand for labels, and values that are filled in only from some label on. */
import { column } from "./data/column.ts";
import { widthOf } from "./data/table/encode.ts";
import type { InspectWarning } from "./inspect.ts";
import { columnName, columnsOf } from "./models/shared/columns.ts";
import type { Dataset } from "./types.ts";

const LEAST_ROWS = 20;
const NEARLY_ALL = 0.99; // of rows: a few labels may be wrong
const FEW_WORDS = 0.25; // of rows: more words than that are names
const COMMON = 0.9; // of rows: a label that so many have says little about a word

/** The label that most of these rows have, and how many have it. */
function mostFrequent(labels: readonly number[]): { readonly label: number; readonly count: number } {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].reduce((best, [label, count]) => (count > best.count ? { label, count } : best), { label: 0, count: 0 });
}

/** Columns of words of which each goes with one label, and which tell most labels apart. */
export function labelsInWords({ names: { encoding = [] }, features, labels }: Dataset): InspectWarning[] {
  const found: InspectWarning[] = [];
  let at = 0;
  for (const one of encoding) {
    const width = widthOf(one);
    if (one.kind === "category") {
      const labelsOf = Array.from({ length: width }, (_, word) => {
        const values = column(features, at + word);
        return Array.from(labels).filter((_, row) => values[row] === 1);
      }).filter((own) => own.length > 0);
      const all = labelsOf.flat();
      const usual = labelsOf.map(mostFrequent);
      const told = usual.reduce((sum, { count }) => sum + count, 0);
      if (
        all.length >= LEAST_ROWS &&
        labelsOf.length <= FEW_WORDS * all.length &&
        mostFrequent(all).count < COMMON * all.length &&
        told >= NEARLY_ALL * all.length
      )
        found.push({ kind: "leak", names: [one.name], text: `column ${one.name} tells the label: each of its ${labelsOf.length} words goes with one label in ${told === all.length ? "all" : "nearly all"} rows; if it is known only after the fact, leave it out (--ignore ${one.name})` }); // biome-ignore format: one line
    }
    at += width;
  }
  return found;
}

/** Features that have a value in nearly all rows from some label on, or up to it, and in nearly none of the others. */
export function filledByLabel(data: Dataset, known: ReadonlySet<string>): InspectWarning[] {
  const { labels, features } = data;
  const columns = columnsOf(data);
  const found: InspectWarning[] = [];
  const order = Array.from(labels.keys()).sort((a, b) => labels[a]! - labels[b]!);
  for (let c = 0; c < columns.count; c++) {
    const name = columnName(columns, c);
    if (known.has(name)) continue;
    const values = column(features, c);
    const filled = order.map((row) => !Number.isNaN(values[row]!));
    const total = filled.filter(Boolean).length;
    if (Math.min(total, filled.length - total) < LEAST_ROWS / 2) continue;
    let below = 0; // filled rows below the cut
    for (let cut = 0; cut < order.length; cut++) {
      const from = labels[order[cut]!]!;
      if (cut > 0 && from !== labels[order[cut - 1]!]) {
        const right = cut - below + (total - below); // empty below, filled from there on
        const way = right >= NEARLY_ALL * filled.length ? `${from} or more` : filled.length - right >= NEARLY_ALL * filled.length ? `below ${from}` : undefined; // biome-ignore format: one choice
        if (way) {
          found.push({ kind: "leak", names: [name], text: `feature ${name} is filled in ${right === filled.length || right === 0 ? "only" : "nearly only"} where labels are ${way}; if it is known only after the fact, leave it out (--ignore ${name})` }); // biome-ignore format: one line
          break;
        }
      }
      if (filled[cut]) below++;
    }
  }
  return found;
}
