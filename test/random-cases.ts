/**
 * Random trainings for tests: small data of every kind, and options drawn from what parts declare, so that a new option is drawn from the day
 * it exists. An option of a kind that is not known here is an error, never left out.
 */
import type { AnyPart, Field } from "../src/part.ts";
import type { TrainPayload } from "../src/train.ts";
import type { Dataset, Matrix, Random } from "../src/types.ts";

export interface Registries {
  readonly optimizers: readonly AnyPart<{ readonly id: string; readonly spec: string }>[];
  readonly metrics: readonly AnyPart<{ readonly id: string; readonly spec: string }>[];
}

export const below = (draw: Random, n: number) => Math.floor(draw() * n);
export const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;

// Whole numbers stay small, because most of them are how often something is repeated.
const WHOLE = [1, 2, 3, 4, 7, 0];
const REAL = [0, 1e-8, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 1, 1.5, 3];

/** Values of an option that it accepts: fixed ones, its default, and members of other registries with random options of their own. */
export function valuesOf(key: string, field: Field<unknown>, draw: Random, registries: Registries): readonly unknown[] {
  const { default: start, kind } = field;
  const accepted = (values: readonly unknown[]) => values.filter((value) => field.read(value) !== undefined);
  const listed = /^one of (.*)$/.exec(kind);
  if (listed) return listed[1]!.split(", ");
  if (typeof start === "boolean") return [true, false];
  if (typeof start === "number" || start === "auto") {
    const isWhole = accepted([0.5, 1.5]).length === 0 && accepted([1, 2, 3]).length > 0;
    if (isWhole) return start === Number.POSITIVE_INFINITY || start === "auto" ? [...accepted(WHOLE), start] : accepted(WHOLE);
    return accepted([...REAL, start]);
  }
  if (Array.isArray(start)) return accepted(start[0] >= 1 ? ["3", "5/2", "8"] : ["0.001", "0.1", "0.01/0.1"]);
  if (typeof start === "string") return accepted(["", "1", "a", "ndcg@3", "mrr", "map@2", "err"]);
  const noun = /^an? (\w+): /.exec(kind)?.[1];
  const parts = noun === "optimizer" ? registries.optimizers : noun === "metric" ? registries.metrics : undefined;
  if (!parts)
    throw new Error(`option ${key} is ${kind}, which random cases cannot draw; add values for it to test/random-cases.ts`);
  return [start, ...Array.from({ length: 6 }, () => build(pick(draw, parts), draw, registries))];
}

/** A part with about half of its options drawn at random. */
export function build<T>(part: AnyPart<T>, draw: Random, parts: Registries): T {
  const given: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(part.fields as Record<string, Field<unknown>>)) {
    const long = typeof field.default === "number" && Number.isFinite(field.default) && field.default > 20; // rounds and sizes
    if (!long && draw() < 0.5) continue;
    given[key] = pick(draw, valuesOf(key, field, draw, parts));
  }
  return part(given);
}

export type Kind = "rows" | "ballots" | "catalogue";

/** Lists with ties, some of one item or none, weights, and features that are dense or sparse, with gaps, constants and copies. */
export function randomData(draw: Random, kind: Kind, columns = 1 + below(draw, 5), items = 2 + below(draw, 5)): Dataset {
  const lists = 1 + below(draw, pick(draw, [3, 12, 80]));
  const largest = kind === "rows" ? pick(draw, [1, 4, 9]) : items;
  const least = draw() < 0.3 ? 0 : 1;
  const starts = new Uint32Array(lists + 1);
  for (let q = 0; q < lists; q++) starts[q + 1] = starts[q]! + Math.max(least, below(draw, largest + 1));
  const count = starts[lists]!;
  const grades = pick(draw, [1, 2, 3, 5]);
  const real = draw() < 0.1;
  const lowest = kind === "catalogue" ? 1 : 0;
  const labels = Float32Array.from({ length: count }, () => (real ? 4 * draw() + lowest : lowest + below(draw, grades)));
  const weigh = (n: number) => Float32Array.from({ length: n }, () => pick(draw, [1, 0.5, 2, 0, 3 * draw() + 0.01]));
  const rows = kind === "catalogue" ? lists : count;
  return {
    ...{ starts, labels, base: 1, names: {} },
    features: kind === "ballots" ? empty(count) : matrix(draw, rows, columns),
    ...(kind === "rows" ? {} : { items: drawItems(draw, starts, items), names: { items: names(items) } }),
    ...(kind === "catalogue" ? { labelSpaceSize: items } : {}),
    ...(draw() < 0.3 ? { listWeights: weigh(lists) } : {}),
    ...(draw() < 0.3 ? { itemWeights: weigh(count) } : {}),
  };
}

const names = (items: number) => Array.from({ length: items }, (_, i) => String.fromCharCode(97 + i));
const empty = (rows: number): Matrix => ({ kind: "dense", rows, columns: 0, values: new Float32Array(0) });

/** Different items for each list, in rising order as catalogues have them. */
function drawItems(draw: Random, starts: Uint32Array, items: number): Uint32Array {
  const found: number[] = [];
  for (let q = 0; q + 1 < starts.length; q++) {
    let wanted = starts[q + 1]! - starts[q]!;
    for (let i = 0; i < items; i++)
      if (draw() * (items - i) < wanted) {
        found.push(i);
        wanted--;
      }
  }
  return Uint32Array.from(found);
}

function matrix(draw: Random, rows: number, columns: number): Matrix {
  const [missing, scale] = [pick(draw, [0, 0, 0.2, 0.7]), pick(draw, [1, 1, 1, 1e-4, 1e4, 1e25])];
  const kinds = Array.from({ length: columns }, () => pick(draw, ["real", "real", "few", "constant", "copy"]));
  const cell = (row: readonly number[], c: number) => {
    if (draw() < missing) return Number.NaN;
    if (kinds[c] === "copy" && c > 0) return row[c - 1]!;
    return kinds[c] === "constant" ? 1 : scale * (kinds[c] === "few" ? below(draw, 3) : 2 * draw() - 1);
  };
  const table = Array.from({ length: rows }, () => {
    const row: number[] = [];
    for (let c = 0; c < columns; c++) row.push(cell(row, c));
    return row;
  });
  if (draw() < 0.5) return { kind: "dense", rows, columns, values: Float32Array.from(table.flat()), absent: 0 };
  const absent = pick(draw, [0, Number.NaN]);
  const kept = table.map((row) => row.map((value, c) => ({ value, c })).filter(({ value }) => value > 0 || draw() < 0.1));
  const starts = new Uint32Array(rows + 1);
  kept.forEach((row, r) => {
    starts[r + 1] = starts[r]! + row.length;
  });
  const indices = Uint32Array.from(kept.flat(), ({ c }) => c);
  return { kind: "sparse", rows, columns, starts, indices, values: Float32Array.from(kept.flat(), ({ value }) => value), absent };
}

/** One random training, in the words that threads are given. */
export function randomCase(
  draw: Random,
  models: readonly AnyPart<{ readonly id: string; readonly spec: string }>[],
  objectives: readonly AnyPart<{ readonly id: string; readonly spec: string }>[],
  parts: Registries,
): TrainPayload {
  const part = pick(draw, models);
  const kind = kindFor(part.id, draw);
  const columns = 1 + below(draw, 5);
  const items = 2 + below(draw, 5);
  const wide = kind === "catalogue" && draw() < 0.2 ? items + 60 : items; // more than one block of labels
  const data = randomData(draw, kind, columns, wide);
  const validated = kind !== "ballots" && draw() < 0.3;
  return {
    data,
    model: build(part, draw, parts).spec,
    objective: build(pick(draw, objectives), draw, parts).spec,
    metrics: validated ? ["ndcg@3"] : [],
    ...(validated ? { valid: randomData(draw, kind, columns, wide) } : {}),
    ...{ seed: below(draw, 1000), patience: below(draw, 3) },
  };
}

function kindFor(model: string, draw: Random): Kind {
  if (model === "utilities") return "ballots";
  if (model === "leml" || model === "sleec" || model === "label-tree") return "catalogue";
  return model === "mlp" && draw() < 0.5 ? "catalogue" : "rows";
}
