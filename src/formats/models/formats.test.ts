/** What every format of model files must hold to. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import { revive } from "../../models/index.ts";
import { type TreesModel, treesModel } from "../../models/trees/index.ts";
import { plainSum, type TreeSum } from "../../models/trees/sum.ts";
import { CATEGORY_FLOORED, CATEGORY_TRUNCATED, MISSING_LEFT, type Tree, ZERO_MISSING } from "../../models/trees/tree.ts";
import { above32, below32 } from "../../numeric/float32.ts";
import { below, random } from "../../numeric/random.ts";
import type { Columns, Dataset, Model, Random } from "../../types.ts";
import { checkModel, exportModel } from "./export.ts";
import { formatForName, modelFormats, sniff } from "./formats.ts";
import { importModel } from "./import.ts";
import { parseModel, serializeModel } from "./native.ts";
import { parityText, parseParity } from "./parity.ts";
import { linearModel } from "./shared/linear.ts";
import { expectedScore } from "./shared/lower.ts";
import { portable, portableScore } from "./shared/portable.ts";

const COLUMNS = 7;
const CATEGORICAL = 5; // columns from here on hold categories, where trees have any
const thresholds = [-2.5, -1, -0.5, 0, 0.1, 0.25, 1 / 3, 1, 1e-20, 7, 1e30].map(Math.fround);

interface Kind {
  readonly sets?: number; // rules of category nodes
  readonly rules?: number; // that numerical nodes may have
  readonly double?: true;
  readonly sum?: TreeSum;
}

function anyTree(leaves: number, draw: Random, { sets, rules = MISSING_LEFT, double }: Kind): Tree {
  const size = 2 * leaves - 1;
  const feature = new Int32Array(size).fill(-1);
  const [left, right] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  const members = new Map<number, Float32Array>();
  const missing = new Uint8Array(size);
  const open = [0];
  for (let next = 1; next < size; next += 2) {
    const node = open.splice(below(draw, open.length), 1)[0]!;
    feature[node] = below(draw, sets === undefined ? COLUMNS : draw() < 0.3 ? COLUMNS : CATEGORICAL);
    if (sets !== undefined && feature[node]! >= CATEGORICAL) {
      members.set(
        node,
        Float32Array.from({ length: 40 }, (_, c) => c).filter(() => draw() < 0.3),
      );
      missing[node] = (sets & ~MISSING_LEFT) | (sets & MISSING_LEFT && draw() < 0.5 ? MISSING_LEFT : 0);
    } else missing[node] = below(draw, 4) & rules;
    [left[node], right[node]] = [next, next + 1];
    open.push(next, next + 1);
  }
  const threshold = Array.from({ length: size }, (_, node) =>
    members.has(node) ? 0 : thresholds[below(draw, thresholds.length)]!,
  );
  return {
    ...{ feature, left, right, missing, sets: members },
    threshold: double ? Float64Array.from(threshold, (value) => value * (1 + 1e-12)) : Float32Array.from(threshold),
    value: Float64Array.from({ length: size }, (_, node) => (feature[node]! < 0 ? draw() - 0.5 : 0)),
    gain: Float64Array.from({ length: size }, () => 4 * draw()),
    items: Float64Array.from({ length: size }, (_, node) => size - node),
  };
}

function anyModel(seed: number, kind: Kind): TreesModel {
  const draw = random(9, seed);
  const trees = Array.from({ length: 12 }, (_, t) => anyTree(t === 3 ? 1 : 1 + below(draw, 12), draw, kind));
  return treesModel({ count: COLUMNS, base: 0 }, trees, {}, undefined, kind.sum);
}

const float32Sum: TreeSum = { ...plainSum, precision: "float32", start: Math.fround(0.3) };
const kinds: Readonly<Record<string, Kind>> = {
  "trained here": {},
  "trained here, with categories": { sets: 0 },
  "of LightGBM": { double: true, rules: MISSING_LEFT | ZERO_MISSING, sets: CATEGORY_TRUNCATED },
  "of LightGBM, a forest": { double: true, sum: { ...plainSum, divisor: 12 } },
  "of XGBoost": { sets: CATEGORY_FLOORED | MISSING_LEFT, sum: float32Sum },
  "of CatBoost": { sum: { ...plainSum, scale: 0.75, bias: 1.25 } },
};

function dataset(values: Float32Array, { count, base, names }: Columns): Dataset {
  const rows = count > 0 ? values.length / count : 0;
  return {
    starts: Uint32Array.of(0, rows),
    labels: new Float32Array(rows),
    features: { kind: "dense", rows, columns: count, values },
    base,
    names: names ? { features: names } : {},
  };
}

/** Values at thresholds and beside them, zeros, whole categories, and missing ones where they are wanted. */
function anyRows(rows: number, draw: Random, missing: boolean): Float32Array {
  return Float32Array.from({ length: rows * COLUMNS }, (_, at) => {
    if (missing && draw() < 0.15) return Number.NaN;
    if (draw() < 0.1) return 0;
    if (at % COLUMNS >= CATEGORICAL) return below(draw, 45);
    const threshold = thresholds[below(draw, thresholds.length)]!;
    const near = [threshold, above32(threshold), below32(threshold), threshold + 1][below(draw, 4)]!;
    return Math.abs(near) < 1e-30 ? 0 : near;
  });
}

function scoresOf(model: Model, values: Float32Array): Float64Array {
  const data = dataset(values, model.columns);
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

const written = modelFormats.filter(({ write }) => write);
const CATEGORIES: readonly string[] = [
  "lightgbm",
  "lightgbm-json",
  "xgboost",
  "xgboost-ubj",
  "xgboost-dump",
  "onnx",
  "onnx-float",
  "vespa",
  "js",
  "c",
];
const ZEROS: readonly string[] = ["ranklib", "solr", "opensearch-ranklib"]; // take missing values as 0

describe.each(written.map((format) => [format.id, format] as const))("%s", (id, format) => {
  describe.each(Object.entries(kinds))("a model %s", (_, kind) => {
    const models = [1, 2, 3].map((seed) => anyModel(seed, kind));
    const categorical = kind.sets !== undefined;
    if (categorical && !CATEGORIES.includes(id)) {
      it("is refused for its categories, with the number of nodes", () => {
        expect(() => exportModel(models[0]!, { to: id, missing: "zero" })).toThrow(
          /categorical splits, and \d+ of the model's \d+ nodes are categorical/,
        );
      });
      return;
    }
    if (ZEROS.includes(id))
      it("is refused for its missing values, with the number of nodes and the way out", () => {
        expect(() => exportModel(models[0]!, { to: id })).toThrow(
          /missing values as 0, and \d+ of the model's \d+ nodes .* missing=zero/,
        );
      });
    if (!format.read) {
      it("becomes code", async () => {
        for (const model of models) await runs(id, model);
      });
      return;
    }
    it("gives the scores that its target gives, on rows with all that is out of the ordinary", () => {
      for (const [seed, model] of models.entries()) {
        const { content, parity } = exportModel(model, { to: id, missing: "zero" });
        const again = importModel(content, { from: id }).model;
        const drawn = anyRows(300, random(3, seed), !ZEROS.includes(id));
        const rows =
          id === "solr" ? drawn.map((value) => (Math.abs(value) < 1e-12 ? 0 : value === above32(-1) ? -1 : value)) : drawn; // see the test of thresholds below
        const own = expected(again.columns.names ? permuted(again, rows) : rows, again);
        const wanted = Float64Array.from({ length: 300 }, (_, r) =>
          expectedScore(portable(model) as never, rows.subarray(r * COLUMNS, (r + 1) * COLUMNS), parity.precision),
        );
        if (parity.tolerance === 0) expect(own).toEqual(wanted);
        else
          for (const [r, score] of own.entries())
            expect(Math.abs(score - wanted[r]!)).toBeLessThanOrEqual(parity.tolerance * (1 + Math.abs(wanted[r]!)));
      }
    });

    it("reads again as it was written", () => {
      const { content } = exportModel(models[0]!, { to: id, missing: "zero" });
      const file = importModel(content, { from: id });
      expect(
        sniff(typeof content === "string" ? new TextEncoder().encode(content) : content)?.id.replace("onnx-float", "onnx"),
      ).toBe(id.replace("opensearch-ranklib", "opensearch").replace("onnx-float", "onnx"));
      const twice = exportModel(file.model, { to: id, missing: "zero" });
      const scores = scoresOf(models[0]!, anyRows(50, random(1), false));
      const native = parseModel(serializeModel(file), "m.json").model;
      const rows = anyRows(50, random(1), !ZEROS.includes(id));
      expect(scoresWith(native, rows)).toEqual(scoresWith(file.model, rows));
      expect(scoresWith(importModel(twice.content, { from: id }).model, rows)).toEqual(scoresWith(file.model, rows));
      expect(scores).toHaveLength(50);
    });
  });
});

/** Rows with their columns in the order of a model whose file names only the features in use. */
function permuted(model: Model, rows: Float32Array): Float32Array {
  const names = model.columns.names!;
  const n = rows.length / COLUMNS;
  const moved = new Float32Array(n * names.length);
  for (let r = 0; r < n; r++)
    names.forEach((name, at) => void (moved[r * names.length + at] = rows[r * COLUMNS + Number(name.slice(1))]!));
  return moved;
}

function expected(rows: Float32Array, model: Model): Float64Array {
  const data = dataset(widened(rows, model), model.columns);
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** Rows for a model that knows fewer features, because no tree uses the last ones. */
function widened(rows: Float32Array, model: Model): Float32Array {
  const { count, names } = model.columns;
  if (names || count === COLUMNS) return rows;
  return Float32Array.from(
    { length: (rows.length / COLUMNS) * count },
    (_, at) => rows[Math.floor(at / count) * COLUMNS + (at % count)] ?? 0,
  );
}

const scoresWith = (model: Model, rows: Float32Array) => expected(model.columns.names ? permuted(model, rows) : rows, model);

/** Runs generated JavaScript on many rows; C is compiled by the tests of the command line. */
async function runs(id: string, model: TreesModel): Promise<void> {
  const { content, parity } = exportModel(model, { to: id });
  expect(content).toContain("score(");
  if (id !== "js") return;
  const { score } = (await import(`data:text/javascript,${encodeURIComponent(String(content))}`)) as {
    score(features: Float32Array): number;
  };
  const rows = anyRows(300, random(4), true);
  const own = Float64Array.from({ length: 300 }, (_, r) => score(rows.subarray(r * COLUMNS, (r + 1) * COLUMNS)));
  expect(own).toEqual(scoresOf(model, rows));
  expect(parity.tolerance).toBe(0);
}

describe("weighted sums and networks", () => {
  const columns = { count: 3, base: 1 } as const;
  const draw = random(5);
  const numbers = (length: number) => Array.from({ length }, () => draw() - 0.5);
  const standard = (inner: Record<string, unknown>) =>
    revive({ id: "standardise", by: "all", mean: [0.5, -2, 0], factor: [2, 0.25, 0], inner }, columns);
  const models: Readonly<Record<string, Model>> = {
    linear: linearModel(columns, [0.5, -1, 0.25], 0.75),
    standardised: standard({ id: "linear", weights: numbers(4), extras: {} }),
    network: standard({
      id: "mlp",
      sizes: [4, 2, 1],
      weights1: numbers(12),
      biases1: numbers(4),
      weights2: numbers(8),
      biases2: numbers(2),
      weights3: numbers(2),
      biases3: numbers(1),
      extras: {},
    }),
  };
  const targets: Readonly<Record<string, readonly string[]>> = {
    ranklib: ["linear", "standardised"],
    onnx: ["linear", "standardised", "network"],
    "onnx-float": ["linear", "standardised", "network"],
    solr: ["linear", "standardised", "network"],
    opensearch: ["linear", "standardised"],
    js: ["linear", "standardised", "network"],
    c: ["linear", "standardised", "network"],
  };
  for (const { id } of written)
    it.each(Object.entries(models))(`${id}: %s`, async (name, model) => {
      if (!targets[id]?.includes(name)) {
        expect(() => exportModel(model, { to: id, missing: "zero" })).toThrow(InputError);
        return;
      }
      // exportModel itself checks the rows of parity, also those with missing values where the target can tell.
      const { content, parity } = exportModel(model, { to: id, missing: "zero" });
      const rows = parity.rows.map((row) => Float32Array.from(row, (value) => value ?? Number.NaN));
      const plain = portable(model);
      const shift =
        ["solr", "opensearch"].includes(id) && plain.kind === "linear"
          ? id === "solr"
            ? plain.bias
            : portableScore(plain, Float32Array.of(0, 0, 0), "float64", expectedScore)
          : 0;
      for (const [r, row] of rows.entries())
        expect(portableScore(plain, row, "float64", expectedScore) - shift).toBeCloseTo(parity.scores[r]!, 5);
      if (id !== "js") return;
      const { score } = (await import(`data:text/javascript,${encodeURIComponent(String(content))}`)) as {
        score(features: Float32Array): number;
      };
      const own = scoresFor(model, Float32Array.from(rows.flatMap((row) => [...row])));
      for (const [r, row] of rows.entries()) expect(score(row)).toBeCloseTo(own[r]!, name === "network" ? 5 : 11);
    });

  function scoresFor(model: Model, values: Float32Array): Float64Array {
    const data = dataset(values, model.columns);
    const scores = new Float64Array(data.labels.length);
    model.score(data, scores);
    return scores;
  }

  it("what other tools cannot do is refused in one line", () => {
    const inner = { id: "linear", weights: numbers(4), extras: {} };
    const within = revive({ id: "standardise", by: "list", inner }, columns);
    expect(() => exportModel(within, { to: "onnx" })).toThrow("standardised within each list");
    expect(() => exportModel(linearModel(columns, [1, 2, 3], 0), { to: "nonsense" })).toThrow(
      'no model format is called "nonsense"',
    );
    expect(() => exportModel(linearModel(columns, [1, 2, 3], 0), { to: "catboost" })).toThrow("read and not written");
    expect(() => exportModel(linearModel(columns, [1, 2, 3], 0), { to: "onnx", missing: "no" as "zero" })).toThrow(
      "option missing",
    );
    expect(() => importModel(7 as unknown as string)).toThrow("expected the text or the bytes");
    expect(() => importModel("x", { from: "solr" })).toThrow(InputError);
    expect(() => importModel("", { from: "lightgbm" })).toThrow("the file is empty");
    expect(() => importModel("x", { from: "js" })).toThrow("are written and not read");
  });
});

describe("parity", () => {
  const model = anyModel(4, kinds["of LightGBM"]!);

  it("holds missing values, zeros, and values at thresholds and beside them", () => {
    const { parity } = exportModel(model, { to: "lightgbm" });
    expect(parity.rows).toHaveLength(20);
    expect(parity.rows[0]!.every((value) => value === null)).toBe(true);
    expect(parity.rows[1]!.every((value) => value === 0)).toBe(true);
    const values = new Set(parity.rows.flat());
    expect(thresholds.filter((value) => values.has(value)).length).toBeGreaterThan(4);
    expect(thresholds.filter((value) => values.has(above32(value))).length).toBeGreaterThan(3);
    expect(parseParity(parityText(parity), "p.json")).toEqual(parity);
  });

  it("fails where a file was changed", () => {
    const { content, parity } = exportModel(model, { to: "lightgbm" });
    expect(checkModel(content, parity)).toMatchObject({ rows: 20, identical: 20, worst: 0, passed: true });
    const changed = String(content).replace(/leaf_value=\S+/g, "leaf_value=17");
    expect(checkModel(changed, parity).passed).toBe(false);
  });

  it("is refused in one line where it is damaged", () => {
    const text = parityText(exportModel(model, { to: "lightgbm" }).parity);
    for (const change of [
      ["scores", "score"],
      ["float64", "float16"],
      ['"version":1', '"version":9'],
      ["null", '"x"'],
    ] as const)
      expect(() => parseParity(text.replace(change[0], change[1]), "p.json")).toThrow(/^p\.json: /);
    for (let length = 0; length < text.length - 2; length += 97)
      expect(() => parseParity(text.slice(0, length), "p.json")).toThrow(InputError);
  });
});

describe("the format of a file", () => {
  it("is found by the longest ending", () => {
    const found = ["m.txt", "m.solr.json", "m.ubj", "a.float.onnx", "a.onnx", "x.xml", "x.c", "x.mjs", "m.json", "m"].map(
      (name) => formatForName(name)?.id,
    );
    expect(found).toEqual(["lightgbm", "solr", "xgboost-ubj", "onnx-float", "onnx", "ranklib", "c", "js", undefined, undefined]);
  });
});

describe("solr", () => {
  it("a constant of a linear model is said to be lacking", () => {
    const model = (bias: number) =>
      revive({ id: "linear", weights: [2, -1, bias], extras: {} }, { count: 2, base: 0, names: ["a", "b"] });
    const notes = (bias: number) => exportModel(model(bias), { to: "solr" }).notes;
    expect(notes(0.5)).toEqual(["a LinearModel has no constant, so all scores lack 0.5; their order is the same"]);
    expect(notes(0)).toEqual([]);
  });
  it("thresholds that cannot be had once Solr has added 1e-6 are said to be off, and the parity rows are of what Solr does", () => {
    const { notes, parity, content } = exportModel(anyModel(1, {}), { to: "solr", missing: "zero" });
    expect(notes.join()).toMatch(/Solr adds 1e-6 to thresholds, and \d+ cannot be had exactly; they are off by up to 6\.0e-8/);
    expect(checkModel(content, parity)).toMatchObject({ identical: 20, passed: true });
  });
});

it("a UBJSON object is one of XGBoost, whichever type the length of its first name has", () => {
  for (const marker of ["i", "U", "I", "l", "L"]) {
    const bytes = Uint8Array.from([0x7b, marker.charCodeAt(0), 0, 0]);
    expect(sniff(bytes)?.id, marker).toBe("xgboost-ubj");
  }
  expect(sniff(Uint8Array.from([0x7b, "S".charCodeAt(0), 0, 0]))).toBeUndefined();
});
