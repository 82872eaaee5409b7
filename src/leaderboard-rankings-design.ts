/** Rankings with numbered items, and their covariates as columns that a fit can use: centered within each ranking, which changes nothing, and scaled. */
import { InputError, quote } from "./input-error.ts";
import type { ItemDesign } from "./leaderboard-features.ts";
import type { RankingDesign } from "./models/utilities/ranking-problem.ts";
import type { Dataset, Matrix } from "./types.ts";

/** Columns of features of items, then of covariates, by entry. */
export interface Design extends RankingDesign {
  readonly names: readonly string[];
  /** A coefficient is divided by this to be that of the column as it was given. */
  readonly scales: Float64Array;
}

/** The data with numbers for the names of their items: those of ballots, or the ids of the entries of a table. */
export function namedRankings(who: string, data: Dataset): { data: Dataset; names: readonly string[] } {
  if (data.labelSpaceSize !== undefined) throw new InputError(`${who}: expected rankings, got label sets`);
  if (data.starts.length < 2) throw new InputError(`${who}: there are no rankings`);
  if (data.itemWeights) throw new InputError(`${who}: rankings have weights, and their entries have none; leave out the weight`);
  const numbered = data.items ? { data, names: data.names.items ?? [] } : numberedEntries(who, data);
  const { starts, items } = numbered.data;
  const last = new Int32Array(numbered.names.length).fill(-1);
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let e = starts[q]!; e < starts[q + 1]!; e++) {
      const item = items![e]!;
      if (last[item] === q)
        throw new InputError(`${who}: ${quote(numbered.names[item]!)} is twice in ranking ${data.names.lists?.[q] ?? q + 1}`);
      last[item] = q;
    }
  }
  return numbered;
}

function numberedEntries(who: string, data: Dataset): { data: Dataset; names: readonly string[] } {
  const { entries } = data.names;
  if (!entries) throw new InputError(`${who}: expected rankings of named items, ballots or rows with an id, got rows without`);
  const numbers = new Map<string, number>();
  const items = Uint32Array.from(entries, (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name)!;
  });
  return { data: { ...data, items }, names: [...numbers.keys()] };
}

/** One number of a matrix. */
function cellOf(matrix: Matrix, row: number, column: number): number {
  if (matrix.kind === "dense") return matrix.values[row * matrix.columns + column]!;
  for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++)
    if (matrix.indices[at] === column) return matrix.values[at]!;
  return 0;
}

/** The features of the items of each entry, then its covariates. */
export function designOf(who: string, data: Dataset, byItem: ItemDesign | undefined, featureNames: readonly string[]): Design {
  const { features, names, base, starts, items, labels } = data;
  const [own, more] = [byItem?.columns ?? 0, features.columns];
  const columns = own + more;
  const values = new Float64Array(labels.length * columns);
  const given = Array.from({ length: more }, (_, c) => names.features?.[c] ?? String(c + base));
  for (let e = 0; e < labels.length; e++) {
    for (let c = 0; c < own; c++) values[e * columns + c] = byItem!.values[items![e]! * own + c]!;
    for (let c = 0; c < more; c++) {
      const value = cellOf(features, e, c);
      if (!Number.isFinite(value))
        throw new InputError(`${who}: row ${e + 1} of the rankings has no number for the covariate ${quote(given[c]!)}`);
      values[e * columns + own + c] = value;
    }
  }
  const scales = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    let [square, size] = [0, 0];
    for (let q = 0; q + 1 < starts.length; q++) {
      const [from, to] = [starts[q]!, starts[q + 1]!];
      let mean = 0;
      for (let e = from; e < to; e++) mean += values[e * columns + c]! / (to - from);
      for (let e = from; e < to; e++) {
        size += values[e * columns + c]! ** 2;
        values[e * columns + c] = values[e * columns + c]! - mean;
        square += values[e * columns + c]! ** 2;
      }
    }
    if (!(square > 1e-24 * size))
      throw new InputError(
        `${who}: ${quote([...featureNames, ...given][c]!)} is the same for all items of each ranking, so it cannot have an effect; leave it out`,
      );
    const scale = c < own ? 1 : Math.sqrt(square / labels.length);
    for (let e = 0; e < labels.length; e++) values[e * columns + c] = values[e * columns + c]! / scale;
    scales[c] = c < own ? byItem!.scales[c]! : scale;
  }
  return { columns, values, names: [...featureNames, ...given], scales };
}

const DEPENDENT = 1e-10; // of the square of a column: what the columns before it leave is rounding

/**
 * Refuses columns that follow from those before them, or without a prior from the items: their coefficients are not determined. Cholesky's
 * decomposition of the products of the columns, each ranking centered, has the square of what is left of each on its diagonal.
 */
export function requireIndependent(who: string, data: Dataset, count: number, design: Design, prior: boolean): void {
  const { starts, labels, items } = data;
  const { columns: k, values } = design;
  if (k === 0) return;
  const n = prior ? 0 : count;
  const size = n + k;
  const products = new Float64Array(size * size);
  const add = (i: number, j: number, value: number) => void (products[i * size + j] = products[i * size + j]! + value);
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    if (labels.subarray(from, to).every((label) => label === labels[from])) continue; // says nothing
    for (let e = from; e < to; e++) {
      for (let c = 0; c < k; c++) {
        const value = values[e * k + c]!;
        if (n > 0) add(n + c, items![e]!, value);
        for (let d = 0; d <= c; d++) add(n + c, n + d, value * values[e * k + d]!);
      }
      if (n === 0) continue;
      add(items![e]!, items![e]!, 1);
      for (let f = from; f < to; f++) add(items![e]!, items![f]!, -1 / (to - from));
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) add(i, j, 1 / n); // a common shift of all items changes nothing
  const own = Float64Array.from({ length: size }, (_, i) => products[i * size + i]!);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = products[i * size + j]!;
      for (let m = 0; m < j; m++) sum -= products[i * size + m]! * products[j * size + m]!;
      if (j < i) products[i * size + j] = sum / products[j * size + j]!;
      else {
        if (i >= n && !(sum > DEPENDENT * own[i]!))
          throw new InputError(
            `${who}: ${quote(design.names[i - n]!)} follows from ${n > 0 ? "the items and " : ""}the columns before it, so its coefficient is not determined; leave it out${n > 0 ? ", or make it a feature of the items" : ""}`,
          );
        products[i * size + i] = Math.sqrt(Math.max(sum, 1e-300));
      }
    }
  }
}
