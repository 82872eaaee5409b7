/** Models of other tools in every command that takes a model, with the scores of their own tool. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, root, succeed, tierwise } from "./cli.ts";

const fixture = (name: string) => readFileSync(join(root, "test/fixtures/models", name));
const COLUMNS = 10;
const raw = fixture("rows-finite.f32");
const values = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));

/** The rows that the tools scored, in lists of ten; missing values are left out. */
const lines = Array.from({ length: values.length / COLUMNS }, (_, row) => {
  const cells = Array.from(values.subarray(row * COLUMNS, (row + 1) * COLUMNS), (value, c) => ({ value, c }));
  const pairs = cells.filter(({ value }) => !Number.isNaN(value)).map(({ value, c }) => `${c + 1}:${value}`);
  return `${(row * 7) % 5} qid:${Math.floor(row / 10) + 1} ${pairs.join(" ")} #docid = ${row}`;
});

// RankLib and dumps know only the features that they use.
const models: Readonly<Record<string, { readonly few?: true; readonly kind?: string }>> = {
  "xgboost-plain.json": {},
  "xgboost-base-score.ubj": {},
  "xgboost-dump-categories.json": { few: true },
  "catboost-plain.json": {},
  "catboost-lossguide.json": {},
  "ranklib-lambdamart.txt": { few: true },
  "ranklib-forest.txt": { few: true },
  "ranklib-linear.txt": { kind: "linear" },
  "onnx-lightgbm.onnx": {},
  "onnx-boosting.onnx": {},
};
// Of LightGBM and its dump other rows were scored, with infinities, which data files do not hold.
const unscored = ["lightgbm-plain.txt", "lightgbm-dump-zero-as-missing.json"];

describe.each([...Object.keys(models), ...unscored])("%s", (name) => {
  const { few, kind = "trees" } = models[name] ?? {};
  const case_ = JSON.parse(String(fixture(name.replace(/\.\w+$/, ".case.json"))));
  const cwd = folder({ [name]: fixture(name), "rows.txt": `${lines.join("\n")}\n` });
  // The tools saw arrays, in which the first feature is 0 without a name, and the data file begins with 1.
  const model = "model.json";
  const reading = ["--absent", "missing", ...(few ? ["--unknown-features", "ignore"] : []), "--quiet"];

  it("is converted, and shown", async () => {
    const result = JSON.parse(await succeed(["convert", name, model, "--index-base", "1", "--json"], { cwd }));
    expect(result).toMatchObject({ in: name, from: case_.format, out: model, to: "tierwise" });
    expect(await succeed(["show", model], { cwd })).toContain(`${kind}: a `);
    expect(await succeed(["show", name], { cwd })).not.toContain("NaN");
  });

  it("ranks, with the scores of its tool", async () => {
    const run = await succeed(["rank", model, "rows.txt", ...reading], { cwd });
    const ranked = run
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" "));
    expect(ranked).toHaveLength(lines.length);
    if (unscored.includes(name)) return;
    for (const [, , row, , score] of ranked) {
      const wanted = case_.scores[Number(row)];
      expect(Math.abs(Number(score) - wanted)).toBeLessThanOrEqual((case_.tolerance ?? 0) * (1 + Math.abs(wanted)));
    }
  });

  it("is evaluated, and compared with a copy of itself", async () => {
    const result = JSON.parse(
      await succeed(["evaluate", model, "rows.txt", "--metrics", "ndcg@10", "--json", ...reading], { cwd }),
    );
    expect(JSON.stringify(result)).toMatch(/"ndcg@10"/);
    copyFileSync(join(cwd, model), join(cwd, "copy.json"));
    const compared = await succeed(["compare", model, "copy.json", "rows.txt", "--metrics", "ndcg@10", ...reading], { cwd });
    expect(compared).toContain("ndcg@10");
  });

  it("is explained: contributions of a list add up to the differences of scores", async () => {
    const { items } = JSON.parse(await succeed(["explain", model, "rows.txt", "--json", ...reading], { cwd }));
    const mean = items.reduce((sum: number, { score }: { score: number }) => sum + score, 0) / items.length;
    for (const { score, reasons } of items) {
      const total = reasons.reduce((sum: number, { part }: { part: number }) => sum + part, 0);
      expect(total).toBeCloseTo(score - mean, 5);
    }
    expect(items.some(({ reasons }: { reasons: unknown[] }) => reasons.length > 0)).toBe(true);
  });

  it("is reported", async () => {
    await succeed(["report", model, "rows.txt", "--out", "r.html", "--metrics", "ndcg@10", ...reading], { cwd });
    const page = readFileSync(join(cwd, "r.html"), "utf8");
    expect(page).toContain("ndcg@10");
    if (kind === "trees") expect(page).not.toContain("cannot be explained by feature");
  });

  it("is converted on, to a file that passes its check", async () => {
    for (const out of kind === "trees" ? ["m.txt", "m.ubj", "m.mjs", "m.onnx"] : ["m.mjs", "m.onnx"]) {
      const { code, err } = await tierwise(["convert", name, out], { cwd });
      expect([code, err]).toEqual([0, expect.any(String)]);
      expect(existsSync(join(cwd, `${out}.parity.json`))).toBe(true);
      expect(JSON.parse(await succeed(["convert", "--check", out, "--json"], { cwd }))).toMatchObject({ rows: 20, passed: true });
    }
  });
});

it("a model that numbers features from 0 is not matched with data that begin with 1 in silence", async () => {
  const cwd = folder({ "m.json": fixture("xgboost-plain.json"), "rows.txt": `${lines.join("\n")}\n` });
  const { code, err } = await tierwise(["rank", "m.json", "rows.txt", "--absent", "missing", "--quiet"], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining("it knows 0 to 9 and numbers features from 0, the data from 1")]);
});
