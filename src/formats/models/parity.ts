/**
 * A few rows with the scores that a converted model must give, kept beside the file: missing values, zeros, values at thresholds and
 * next to them in float32, members of category sets and others. What scores the model elsewhere can be checked with them.
 */
import { check, someText } from "../../arguments.ts";
import { InputError } from "../../input-error.ts";
import { above32, below32, floor32 } from "../../numeric/float32.ts";
import { below, random } from "../../numeric/random.ts";
import type { Columns, Random } from "../../types.ts";
import type { Exported } from "./format.ts";
import { largest } from "./shared/columns.ts";
import { expectedScore } from "./shared/lower.ts";
import { type Portable, portableScore } from "./shared/portable.ts";
import { Json, jsonOf } from "./shared/text.ts";

/** What OUT.parity.json holds. */
export interface Parity {
  /** Identifies the file format. */
  readonly format: "tierwise parity";
  /** Version of the file format. */
  readonly version: 1;
  /** The id of the model's format. */
  readonly target: string;
  /** Precision of the target's running sum. */
  readonly precision: "float64" | "float32";
  /** How far a score may be from the expected one, relative to 1 + |score|; 0: not at all. */
  readonly tolerance: number;
  /** Features in a row. */
  readonly count: number;
  /** Which of them the rows below give, from 0; all others are 0. */
  readonly columns: readonly number[];
  /** Their names or numbers. */
  readonly features: readonly string[];
  /** Null: missing. */
  readonly rows: readonly (readonly (number | null)[])[];
  /** Expected score of each row. */
  readonly scores: readonly number[];
}

const ROWS = 20;
const MOST_COLUMNS = 2000; // of wide models only some columns are given values

/** The rows for a model and the scores that its target must give. */
export function parityOf(
  model: Portable,
  target: string,
  { precision, leaves = "float32", tolerance, missing }: Omit<Exported, "content" | "notes">,
): Parity {
  const draw = random(20, model.columns.count);
  const choices = choicesOf(model);
  const columns = [...choices.keys()].sort((a, b) => a - b).slice(0, MOST_COLUMNS);
  const rows = Array.from({ length: ROWS }, (_, r) =>
    columns.map((column) => valueFor(r, choices.get(column)!, draw, missing === "zero")),
  );
  const scores = rows.map((row) => {
    const values = new Float32Array(model.columns.count);
    row.forEach((value, i) => {
      values[columns[i]!] = value ?? Number.NaN;
    });
    return portableScore(model, values, precision, (trees, row) => expectedScore(trees, row, precision, leaves));
  });
  const features = columns.map((column) => nameOf(model.columns, column));
  return {
    format: "tierwise parity",
    version: 1,
    target,
    precision,
    tolerance,
    count: model.columns.count,
    columns,
    features,
    rows,
    scores,
  };
}

const nameOf = ({ names, base }: Columns, column: number) => names?.[column] ?? String(column + base);

/** The first row is missing throughout, the second 0, and in the others each value is drawn by itself. */
function valueFor(row: number, values: readonly number[], draw: Random, zeros: boolean): number | null {
  if (row === 0) return zeros ? 0 : null;
  if (row === 1) return 0;
  const chance = draw();
  if (chance < 0.12 && !zeros) return null;
  if (chance < 0.2 || values.length === 0) return 0;
  return values[below(draw, values.length)]!;
}

/** By feature, what its values in the rows are drawn from. */
function choicesOf(model: Portable): Map<number, number[]> {
  const choices = new Map<number, number[]>();
  const add = (column: number, ...values: number[]) => {
    if (!choices.has(column)) choices.set(column, []);
    // Values next to zero are zero to some tools.
    for (const value of values)
      if (Number.isFinite(value) && (value === 0 || Math.abs(value) > 1e-30)) choices.get(column)!.push(value);
  };
  if (model.kind === "trees") {
    for (const { feature, threshold, sets } of model.trees)
      feature.forEach((column, node) => {
        if (column < 0) return;
        const set = sets.get(node);
        const at = floor32(threshold[node]!);
        if (set) add(column, set[0] ?? 0, set.at(-1) ?? 0, largest(set, 0) + 1);
        else add(column, at, above32(at), below32(at));
      });
    return choices;
  }
  for (let column = 0; column < model.columns.count; column++) {
    const [mean, deviation] = model.standard ? [model.standard.mean[column]!, 1 / (model.standard.factor[column]! || 1)] : [0, 1];
    add(column, ...[-2, -0.5, 0, 1, 3].map((step) => Math.fround(mean + step * deviation)));
  }
  return choices;
}

/** The text of a parity file. */
export function parityText(parity: Parity): string {
  checkParity("parityText", parity);
  return `${JSON.stringify(parity)}\n`;
}

/** Refuses what is no parity. */
export function checkParity(who: string, parity: unknown): asserts parity is Parity {
  check(who, parity, {
    wanted: "a parity, as exportModel and parseParity give it",
    fits: (value) => {
      const given = (value ?? {}) as Partial<Parity>;
      return given.format === "tierwise parity" && [given.rows, given.scores, given.columns, given.features].every(Array.isArray);
    },
  });
}

/** What a parity file says. */
export function parseParity(text: string, path: string): Parity {
  check("parseParity", text, someText);
  check("parseParity, the path", path, someText);
  const root = new Json(jsonOf(text, path), path);
  if (root.at("format").value !== "tierwise parity" || root.at("version").value !== 1)
    throw new InputError(`${path}: expected a parity file, as tierwise convert writes it beside a model`);
  const scores = [...root.at("scores").numbers()];
  const columns = [...root.at("columns").numbers()];
  const count = root.at("count").whole(0, 2 ** 24);
  if (columns.some((column) => !(Number.isInteger(column) && column >= 0 && column < count)))
    throw root.at("columns").error("numbers of features");
  const rows = root
    .at("rows")
    .list()
    .map((row) => {
      const cells = row.list().map((cell) => (cell.value === null ? null : cell.number()));
      if (cells.length !== columns.length) throw row.error(`${columns.length} values`);
      return cells;
    });
  if (rows.length !== scores.length) throw root.at("rows").error(`${scores.length} rows`);
  const precision = root.at("precision").text();
  if (precision !== "float64" && precision !== "float32") throw root.at("precision").error("float64 or float32");
  const features = root
    .at("features")
    .list()
    .map((name) => name.text());
  const target = root.at("target").text();
  return {
    format: "tierwise parity",
    version: 1,
    target,
    precision,
    tolerance: root.at("tolerance").number(),
    count,
    columns,
    features,
    rows,
    scores,
  };
}

/** The rows of a parity file in full, one after another. */
export function parityRows({ rows, columns, count }: Parity): Float32Array {
  const values = new Float32Array(rows.length * count);
  rows.forEach((row, r) => {
    row.forEach((value, i) => {
      values[r * count + columns[i]!] = value ?? Number.NaN;
    });
  });
  return values;
}

/** How the scores of a model compare with those of its parity file. */
export interface ParityCheck {
  /** Number of rows checked. */
  readonly rows: number;
  /** Rows whose score is the expected one to the last bit. */
  readonly identical: number;
  /** Largest difference. */
  readonly worst: number;
  /** All within the tolerance. */
  readonly passed: boolean;
}

export function compareParity({ scores, tolerance }: Parity, own: ArrayLike<number>): ParityCheck {
  let [identical, worst, passed] = [0, 0, own.length === scores.length];
  scores.forEach((score, i) => {
    const apart = Math.abs(score - own[i]!);
    if (score === own[i]) identical++;
    worst = Math.max(worst, apart);
    if (!(apart <= tolerance * (1 + Math.abs(score)))) passed = false;
  });
  return { rows: scores.length, identical, worst, passed };
}
