/** Finds the documents of a log in a data set, by the names of list and item, and their features for regressions. */
import { InputError } from "../input-error.ts";
import type { Dataset, Matrix } from "../types.ts";
import type { ClickLog } from "./click-log.ts";
import type { Exposures } from "./exposures.ts";
import type { Design } from "./regression-em.ts";

/** What is said of a document that is not in the data. */
export const NOT_FOUND = -1;

/** By document of the log: its entry of the data, or -1. */
export function entriesOf(who: string, log: ClickLog, counts: Exposures, data: Dataset): Int32Array {
  if (data.labelSpaceSize !== undefined || data.items)
    throw new InputError(`${who}: expected data with a row of features for each document, got ballots or label sets`);
  const { starts, names } = data;
  const byList = new Map<string, Map<string, number>>();
  for (let q = 0; q < starts.length - 1; q++) {
    const documents = byList.get(names.lists?.[q] ?? String(q + 1)) ?? new Map<string, number>();
    for (let e = starts[q]!; e < starts[q + 1]!; e++) {
      const name = names.entries?.[e] || String(e - starts[q]! + 1);
      if (!documents.has(name)) documents.set(name, e);
    }
    byList.set(names.lists?.[q] ?? String(q + 1), documents);
  }
  const found = Int32Array.from(
    counts.query,
    (q, d) => byList.get(log.queries[q]!)?.get(log.documents[counts.document[d]!]!) ?? NOT_FOUND,
  );
  if (found.every((entry) => entry === NOT_FOUND)) {
    const [query, document] = [log.queries[counts.query[0]!]!, log.documents[counts.document[0]!]!];
    throw new InputError(
      `${who}: no document of the log is in the data, such as ${JSON.stringify(document)} of the query ${JSON.stringify(query)}; lists and documents must have the same names in both (--qid and --id name their columns in the data)`,
    );
  }
  return found;
}

const MOST = 128; // features of a regression

/** Numbers that describe an entry of the data. */
export interface EntryFeatures {
  /** How many. */
  readonly columns: number;
  /** Writes those of an entry. */
  read(entry: number, into: Float64Array): void;
}

/** The features of an entry as they are, of any matrix. */
export function rawFeatures(matrix: Matrix): EntryFeatures {
  const { columns, values } = matrix;
  if (matrix.kind === "dense")
    return { columns, read: (entry, into) => into.set(values.subarray(entry * columns, (entry + 1) * columns)) };
  const { starts, indices, absent } = matrix;
  const read = (entry: number, into: Float64Array) => {
    into.fill(absent);
    for (let at = starts[entry]!; at < starts[entry + 1]!; at++) into[indices[at]!] = values[at]!;
  };
  return { columns, read };
}

/** By document: clicks over how often it was shown. */
export function clickRates({ starts, shown, clicked }: Pick<Exposures, "starts" | "shown" | "clicked">): Float64Array {
  return Float64Array.from({ length: starts.length - 1 }, (_, d) => {
    let [views, clicks] = [0, 0];
    for (let c = starts[d]!; c < starts[d + 1]!; c++) {
      views += shown[c]!;
      clicks += clicked[c]!;
    }
    return clicks / views;
  });
}

/**
 * Features of the documents with mean 0 and variance 1, missing values at the mean; of many, those that correlate most with `rates`, a number for each
 * document. `entries` are their rows in the data; a document that is not there has the mean of all.
 */
export function designOf(rates: Float64Array, features: EntryFeatures, entries: Int32Array): Design {
  const documents = entries.length;
  const { columns } = features;
  const row = new Float64Array(columns);
  const [known, sums, squares, products, rateSums] = Array.from({ length: 5 }, () => new Float64Array(columns)) as Float64Array[];
  const visit = (each: (d: number) => void) => {
    for (let d = 0; d < documents; d++) {
      if (entries[d] === NOT_FOUND) continue;
      features.read(entries[d]!, row);
      each(d);
    }
  };
  visit((d) => {
    for (let c = 0; c < columns; c++) {
      const value = row[c]!;
      if (!Number.isFinite(value)) continue;
      known![c]!++;
      sums![c]! += value;
      squares![c]! += value * value;
      products![c]! += value * rates[d]!;
      rateSums![c]! += rates[d]!;
    }
  });
  const means = sums!.map((sum, c) => sum / Math.max(1, known![c]!));
  const deviations = squares!.map((sum, c) => Math.sqrt(Math.max(0, sum / Math.max(1, known![c]!) - means[c]! ** 2)));
  const strengths = products!.map((sum, c) =>
    deviations[c]! > 0 ? Math.abs(sum - means[c]! * rateSums![c]!) / deviations[c]! : 0,
  );
  const chosen = Array.from(strengths.keys())
    .filter((c) => deviations[c]! > 0 && Number.isFinite(strengths[c]!))
    .sort((a, b) => strengths[b]! - strengths[a]! || a - b)
    .slice(0, MOST);
  const values = new Float64Array(documents * chosen.length);
  visit((d) => {
    chosen.forEach((c, j) => {
      if (Number.isFinite(row[c]!)) values[d * chosen.length + j] = (row[c]! - means[c]!) / deviations[c]!;
    });
  });
  return { columns: chosen.length, values };
}
