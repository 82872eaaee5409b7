/**
 * The laws of feature transforms: the state is plain JSON and complete, the data are not changed in place, labels do not reach the features, rows
 * stay where they are, and a list has the same features alone as together with others, since a served model sees one list at a time.
 */
import { build, type Row } from "../data/build.ts";
import { subset } from "../data/subset.ts";
import { InputError } from "../input-error.ts";
import { applyTransform, fitTransform } from "../models/transform.ts";
import { below } from "../numeric/random.ts";
import type { Dataset, Random, Transform } from "../types.ts";
import { type Law, show, Violation } from "./laws.ts";

/** On what data a transform is checked. */
export interface TransformCheckOptions {
  /** Data of the kind that the transform is made for. Default: drawn ones of 3 columns, dense, dense with missing values, and sparse. */
  readonly data?: Dataset;
}

/** The data of a check, each with a name for messages. */
type Cases = { readonly cases: readonly (readonly [name: string, data: Dataset])[] };

/** Ten lists of one to eight items with three features, some of them missing, or few of them stored. */
export function drawData(random: Random, kind: "dense" | "missing" | "sparse"): Dataset {
  const rows: Row[] = [];
  for (let list = 0; list < 10; list++)
    for (let items = 1 + below(random, 8); items > 0; items--) {
      const values = [4 * random() - 1, Math.floor(10 * random()), 100 * random()];
      const label = below(random, 4);
      if (kind === "sparse") {
        const kept = [0, 1, 2].filter(() => random() < 0.6);
        rows.push({ list, label, features: { numbers: kept.map((c) => c + 1), values: kept.map((c) => values[c]!) } });
      } else
        rows.push({ list, label, features: values.map((value) => (kind === "missing" && random() < 0.2 ? Number.NaN : value)) });
    }
  return build(rows);
}

/** The data as a law sees it; a transform may refuse a kind of data with an `InputError`, which is then left out. */
function eachCase(transform: Transform, { cases }: Cases, visit: (data: Dataset, state: unknown, name: string) => void): void {
  let refused: InputError | undefined;
  let taken = 0;
  for (const [name, data] of cases) {
    let state: unknown;
    try {
      const copy = structuredClone(data); // changes in place are the subject of another law
      state = fitTransform(transform, copy);
      applyTransform(transform, state, copy);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused = error;
      continue;
    }
    taken++;
    visit(data, state, name);
  }
  if (taken === 0 && refused) throw new Violation(`all data are refused: ${refused.message}`);
}

/** Features as text, every bit of them. */
function print({ features, names, base }: Dataset): string {
  const { values, columns, rows, kind } = features;
  const places = features.kind === "sparse" ? [features.absent, ...features.starts, ...features.indices] : [];
  return JSON.stringify([
    kind,
    rows,
    columns,
    base,
    names.features,
    places.map(String),
    Array.from(values, (value) => (Object.is(value, -0) ? "-0" : String(value))),
  ]);
}

/** Every row written out, so that dense and sparse features can be compared list by list. */
function rowsOf({ features }: Dataset, from: number, to: number): number[][] {
  return Array.from({ length: to - from }, (_, i) => {
    if (features.kind === "dense")
      return Array.from(features.values.subarray((from + i) * features.columns, (from + i + 1) * features.columns));
    const row = new Array<number>(features.columns).fill(features.absent);
    for (let at = features.starts[from + i]!; at < features.starts[from + i + 1]!; at++)
      row[features.indices[at]!] = features.values[at]!;
    return row;
  });
}

const always = () => true;

/** All laws of transforms. */
export const transformLaws: readonly Law<Transform, Cases>[] = [
  {
    name: "fit gives plain JSON, and apply gives data with the same lists, labels and rows",
    applies: always,
    check: (transform, cases) => eachCase(transform, cases, () => {}),
  },
  {
    name: "fit and apply do not change the data they are given",
    applies: always,
    check: (transform, cases) =>
      eachCase(transform, cases, (data, _, name) => {
        const copy = structuredClone(data);
        transform.apply(transform.fit(copy), copy);
        if (print(copy) !== print(data) || show(copy.labels) !== show(data.labels))
          throw new Violation(`the features or labels of ${name} data are changed in place`);
      }),
  },
  {
    name: "fit and apply give the same result again",
    applies: always,
    check: (transform, cases) =>
      eachCase(transform, cases, (data, state, name) => {
        const again = fitTransform(transform, data);
        if (JSON.stringify(again) !== JSON.stringify(state))
          throw new Violation(`the states of two fits to the same ${name} data differ: ${brief(state)} and ${brief(again)}`);
        const [one, other] = [applyTransform(transform, state, data), applyTransform(transform, state, data)];
        if (print(one) !== print(other)) throw new Violation(`two applications to the same ${name} data differ`);
      }),
  },
  {
    name: "apply does not look at labels, which data to rank do not have",
    applies: always,
    check: (transform, cases) =>
      eachCase(transform, cases, (data, state, name) => {
        const unlabelled = { ...data, labels: new Float32Array(data.labels.length) };
        if (print(applyTransform(transform, state, unlabelled)) !== print(applyTransform(transform, state, data)))
          throw new Violation(`the features of ${name} data change with their labels`);
      }),
  },
  {
    name: "a list has the same features alone as among others",
    applies: always,
    check: (transform, cases) =>
      eachCase(transform, cases, (data, state, name) => {
        const whole = applyTransform(transform, state, data);
        for (let q = 0; q + 1 < data.starts.length; q++) {
          const alone = applyTransform(transform, state, subset(data, Uint32Array.of(q)));
          const wanted =
            data.labelSpaceSize === undefined ? rowsOf(whole, data.starts[q]!, data.starts[q + 1]!) : rowsOf(whole, q, q + 1);
          const found = rowsOf(alone, 0, alone.features.rows);
          const row = wanted.findIndex((values, i) => values.some((value, c) => !Object.is(value, found[i]![c])));
          if (alone.features.columns !== whole.features.columns || row >= 0)
            throw new Violation(
              `list ${q} of ${name} data, item ${Math.max(0, row)}: ${show(found[Math.max(0, row)] ?? [])} alone and ${show(wanted[Math.max(0, row)] ?? [])} among others`,
            );
        }
      }),
  },
  {
    name: "a transform that keeps columns gives as many, with the same names",
    applies: ({ keepsColumns }) => keepsColumns === true,
    check: (transform, cases) =>
      eachCase(transform, cases, (data, state, name) => {
        const { features, names } = applyTransform(transform, state, data);
        if (features.columns !== data.features.columns || String(names.features) !== String(data.names.features))
          throw new Violation(
            `${name} data of ${data.features.columns} columns become ${features.columns} columns, or others by name`,
          );
      }),
  },
];

const brief = (state: unknown) => {
  const text = JSON.stringify(state);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
};
