import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Builder } from "../../data/builder.ts";
import { fit } from "../../fit.ts";
import { InputError } from "../../input-error.ts";
import { learner } from "../../models/index.ts";
import { plPartition } from "../../objectives/index.ts";
import { parseModel, serializeModel } from "./native.ts";

/** Two lists of three items and two features. */
function data() {
  const builder = new Builder();
  const rows = [[2, 0.5, 1], [1, 0.25, 3], [0, 0.75, 2], [1, 4, 1], [0, 2, 2], [0, 1, 5]]; // biome-ignore format: a table
  rows.forEach(([label, ...values], i) => {
    const list = builder.list(i < 3 ? "a" : "b");
    values.forEach((value, at) => void builder.cells.add(at + 1, value));
    builder.row(list, label!, 1, "");
  });
  return builder.finish();
}

const lists = data();
const training = {
  objective: "pl-partition",
  model: "linear",
  seed: 1,
  rounds: 3,
  best: 2,
  cost: 0.5,
  data: { lists: 2 },
  reading: {},
};
const kinds = [
  "linear",
  "linear:scale=list",
  "linear:scale=none",
  "trees:rounds=2,leaves=3,min-items=1",
  "trees:rounds=2,leaves=3,min-items=1,within-list=best",
];
const texts = kinds.map((kind) => {
  const { model } = fit(lists, { model: learner(kind), objective: plPartition() });
  return serializeModel({ model, training, metrics: { "ndcg@10": 0.75, err: Number.NaN } });
});

/** All that commands do with a model. */
function use(text: string): Float64Array {
  const file = parseModel(text, "m.json");
  const scores = new Float64Array(lists.labels.length);
  const { count, base } = file.model.columns;
  if (count === lists.features.columns && base === lists.base) file.model.score(lists, scores);
  const { title, facts, tables } = file.model.describe();
  expect(typeof title).toBe("string");
  for (const fact of Object.values(facts)) expect(["string", "number"]).toContain(typeof fact);
  for (const { head, rows } of tables) for (const row of rows) expect(row).toHaveLength(head.length);
  for (const value of Object.values(file.metrics)) expect(typeof value).toBe("number");
  expect(serializeModel(parseModel(serializeModel(file), "again.json"))).toBe(serializeModel(file));
  return scores;
}

function useOrInputError(text: string): void {
  try {
    use(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^m\.json(:\d+)?: .+$/); // one line that names the file
  }
}

describe("a model file", () => {
  it.each(texts)("gives the same scores and the same text after reading", (text) => {
    expect(serializeModel(parseModel(text, "m.json"))).toBe(text);
    expect(use(text)).toEqual(use(serializeModel(parseModel(text, "m.json"))));
  });

  it("keeps a metric that is undefined for every list as NaN", () => {
    expect(parseModel(texts[0]!, "m.json").metrics).toEqual({ "ndcg@10": 0.75, err: Number.NaN });
  });

  it("cut off anywhere is a mistake that names the line", () => {
    const [text] = texts as [string];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length - 3 }), (length) => {
        const part = text.slice(0, length);
        const line = part.trimEnd().split("\n").length;
        expect(() => parseModel(part, "m.json")).toThrow(new InputError(`m.json:${line}: invalid JSON in the model file, which may be truncated`)); // biome-ignore format: one message
      }),
    );
    expect(() => parseModel("", "m.json")).toThrow("m.json: expected a model file, but it is empty");
  });

  it.each<[what: string, change: (saved: Record<string, unknown>) => unknown, message: string]>([
    [
      "a later version",
      (saved) => ({ ...saved, version: 2 }),
      "m.json: the model file has version 2, written by a later version of tierwise; this one reads up to 1, so update it",
    ],
    [
      "no version",
      ({ version: _, ...rest }) => rest,
      'm.json: the model file is damaged: version should be a whole number, and is "absent"',
    ],
    ["another format", (saved) => ({ ...saved, format: "lightgbm" }), "m.json: not a tierwise model file"],
    ["a list", (saved) => [saved], "m.json: not a tierwise model file"],
    [
      "no columns",
      ({ columns: _, ...rest }) => rest,
      'm.json: the model file is damaged: columns should be an object, and is "absent"',
    ],
    ["no model", ({ model: _, ...rest }) => rest, 'm.json: the model file is damaged: model should be a model, and is "absent"'],
    [
      "a model of another time",
      (saved) => ({ ...saved, model: { id: "oracle" } }),
      'm.json: the model file holds a model of kind "oracle", which this version does not know',
    ],
  ])("with %s is refused", (_, change, message) => {
    const text = JSON.stringify(change(JSON.parse(texts[0]!)));
    expect(() => parseModel(text, "m.json")).toThrow(new InputError(message));
  });

  it("with any field removed or of another kind works or is a mistake", () => {
    const paths = texts.flatMap((text) => places(JSON.parse(text)).map((path) => ({ text, path })));
    expect(paths.length).toBeGreaterThan(50);
    for (const { text, path } of paths) {
      for (const value of [undefined, null, "x", 0, -1, 1e300, 0.5, true, [], {}, ["x"], { id: "linear" }])
        useOrInputError(changed(text, path, value));
    }
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), ({ text, path }, value) =>
        useOrInputError(changed(text, path, value)),
      ),
      { numRuns: 500 },
    );
  });

  it("with any byte changed works or is a mistake", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
        (text, at, letter) => {
          const i = at % text.length;
          useOrInputError(text.slice(0, i) + letter + text.slice(i + 1));
        },
      ),
      { numRuns: 500 },
    );
  });
});

type Path = readonly (string | number)[];

/** The way to every value inside a JSON value. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, one]) => places(one, [...path, Array.isArray(value) ? Number(key) : key]));
  return [path, ...inside];
}

/** The JSON text with another value in one place, or with none there. */
function changed(text: string, path: Path, value: unknown): string {
  if (path.length === 0) return JSON.stringify(value) ?? "";
  const root = JSON.parse(text);
  const holder = path.slice(0, -1).reduce((at, key) => at[key], root);
  const last = path.at(-1)!;
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return JSON.stringify(root);
}

it("a model nested 3,000 deep is refused in one line", () => {
  const whole = texts[0]!;
  const head = /"id": ?"standardi[sz]e"[\s\S]*?"inner": ?/.exec(whole)![0];
  const deep = whole.replace(head, () => `${head}{${head}`.repeat(3000)).concat("}".repeat(3000));
  expect(() => parseModel(deep, "deep.json")).toThrow(InputError);
  expect(() => parseModel(deep, "deep.json")).toThrow(/^deep\.json:\d+: brackets are nested more than 200 deep/);
});
