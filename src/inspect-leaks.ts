/** Leaks of `inspect` that are no order: words that stand for labels, and values that are filled in only from some label on. */
import { eachColumn } from "./data/column.ts";
import { widthOf } from "./data/table/encode.ts";
import type { InspectWarning } from "./inspect.ts";
import { columnName, columnsOf } from "./models/shared/columns.ts";
import type { Dataset } from "./types.ts";

const LEAST_ROWS = 20;
const NEARLY_ALL = 0.99; // of rows: a few labels may be wrong
const FEW_WORDS = 0.25; // of rows: more words than that are names
const COMMON = 0.9; // of rows: a label that so many have says little about a word

/** How often each label occurs in the rows of one word. */
type LabelCounts = Map<number, number>;

const addTo = (counts: LabelCounts, label: number, count: number) => counts.set(label, (counts.get(label) ?? 0) + count);
const mostOf = (counts: LabelCounts) => Math.max(0, ...counts.values());

/** Columns of words of which each goes with one label, and which tell most labels apart. */
export function labelsInWords({ names: { encoding = [] }, features, labels }: Dataset): InspectWarning[] {
  const found: InspectWarning[] = [];
  let at = 0;
  for (const one of encoding) {
    const width = widthOf(one);
    if (one.kind === "category") {
      const byWord: LabelCounts[] = [];
      eachColumn(features, (values) => void byWord.push(labelCounts(values, labels)), at, at + width);
      const words = byWord.filter(({ size }) => size > 0);
      const all: LabelCounts = new Map();
      for (const counts of words) for (const [label, count] of counts) addTo(all, label, count);
      const rows = sumOf(all.values());
      const usual = sumOf(words.map(mostOf)); // rows with the label that is usual for their word
      if (
        rows >= LEAST_ROWS &&
        words.length <= FEW_WORDS * rows &&
        mostOf(all) < COMMON * rows &&
        usual >= NEARLY_ALL * rows
      )
        found.push({ kind: "leak", names: [one.name], text: `column ${one.name} gives the label away: each of its ${words.length} words goes with one label in ${usual === rows ? "all" : "nearly all"} rows; if it is known only after the fact, leave it out (--ignore ${one.name})` }); // biome-ignore format: one line
    }
    at += width;
  }
  return found;
}

function labelCounts(values: Float64Array, labels: Float32Array): LabelCounts {
  const counts: LabelCounts = new Map();
  for (let row = 0; row < values.length; row++) if (values[row] === 1) addTo(counts, labels[row]!, 1);
  return counts;
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/** Features that have a value in nearly all rows from some label on, or up to it, and in nearly none of the others. */
export function filledByLabel(data: Dataset, known: ReadonlySet<string>): InspectWarning[] {
  const { labels, features } = data;
  const columns = columnsOf(data);
  const found: InspectWarning[] = [];
  let order: Uint32Array | undefined;
  eachColumn(features, (values, c) => {
    const name = columnName(columns, c);
    if (known.has(name)) return;
    let total = 0;
    for (const value of values) if (!Number.isNaN(value)) total++;
    if (Math.min(total, values.length - total) < LEAST_ROWS / 2) return;
    order ??= Uint32Array.from(labels.keys()).sort((a, b) => labels[a]! - labels[b]!);
    let below = 0; // filled rows below the cut
    for (let cut = 0; cut < order.length; cut++) {
      const from = labels[order[cut]!]!;
      if (cut > 0 && from !== labels[order[cut - 1]!]) {
        const right = cut - below + (total - below); // empty below, filled from there on
        const n = values.length;
        const [which, rows] = right >= NEARLY_ALL * n ? ["better", n - cut] : n - right >= NEARLY_ALL * n ? ["worse", cut] : ["", 0]; // biome-ignore format: one choice
        if (which !== "") {
          found.push({ kind: "leak", names: [name], text: `feature ${name} is filled in ${right === n || right === 0 ? "only" : "nearly only"} in the ${rows} rows with the ${which} labels; if it is known only after the fact, leave it out (--ignore ${name})` }); // biome-ignore format: one line
          break;
        }
      }
      if (!Number.isNaN(values[order[cut]!]!)) below++;
    }
  });
  return found;
}
