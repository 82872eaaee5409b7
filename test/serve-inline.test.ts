/** Small requests that `tierwise serve` ranks in its own thread, against the same requests ranked by a worker. */
import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { encodeRankBody, RANK_BODY_TYPE } from "../dist/src/formats/rank-body.js";
import { ballots, build, fit, type Learner, linear, mlp, plPartition, trees, utilities, writeModel } from "../dist/src/index.js";
import { below, random } from "../dist/src/numeric/random.js";
import { newLog } from "../dist/src/server/http/log.js";
import { InlineRanker } from "../dist/src/server/serve/inline-ranker.js";
import { buildServing, type ServeOptions, type Serving } from "../dist/src/server/serve/serve.js";
import { folder } from "./cli.ts";

const WIDTH = 4;
const where = folder();
const pathOf = (name: string) => join(where, `${name}.json`);
const names = ["trees", "linear", "network", "within", "wide", "worths"];
const objective = plPartition();
const limits = { body: 1 << 20, rows: 2000, detailedRows: 100, seconds: 10, queue: 100 };
const open: Serving[] = [];

async function serving(options: Partial<ServeOptions> = {}): Promise<Serving> {
  const log = newLog(() => {}, { quiet: true });
  const models = names.map((name) => ({ name, path: pathOf(name) }));
  const served = await buildServing({ models, threads: 1, limits, reload: 0, log, ...options });
  open.push(served);
  return served;
}

let served: Serving;
beforeAll(async () => {
  const draw = random(5);
  const features = () => Array.from({ length: WIDTH }, () => Math.fround(draw() * 4 - 2));
  const rows = Array.from({ length: 200 }, (_, i) => ({ list: i >> 3, features: features() }));
  const data = build(rows.map((row) => ({ ...row, label: Math.max(0, Math.round(row.features[0]! + row.features[1]!)) })));
  const save = (name: string, learner: Learner, on = data) => {
    const { model } = fit(on, { model: learner, objective });
    writeModel(pathOf(name), { model, training: { objective: "pl-partition", model: name }, metrics: {} });
  };
  save("trees", trees({ rounds: 8, leaves: 6 }));
  save("linear", linear({ l2: 1 }));
  save("network", mlp({ hidden: [5], epochs: 2 }));
  save("within", trees({ rounds: 4, leaves: 4, withinList: "rank" }));
  save("wide", mlp({ hidden: [300, 1000], epochs: 1 })); // more numbers than a model may have
  save("worths", utilities({ ghost: 0.5 }), ballots([["ant", ["bee", "cat"]], ["bee", "ant"]])); // biome-ignore format: one line
  served = await serving();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => Promise.all(open.map(({ app }) => app.close())));

async function post(name: string, payload: Uint8Array | string, headers: Record<string, string> = {}, app = served.app) {
  const all = { "content-type": RANK_BODY_TYPE, accept: RANK_BODY_TYPE, "x-request-id": "one", ...headers };
  const answer = await app.inject({ method: "POST", url: `/models/${name}/rank`, headers: all, payload: Buffer.from(payload) });
  return { status: answer.statusCode, type: answer.headers["content-type"], body: answer.rawPayload.toString("hex") };
}

/** Sends a request alone. Whether the thread of the server ranked it, and the answer. */
async function alone(...request: Parameters<typeof post>) {
  const spy = vi.spyOn(InlineRanker.prototype, "rank");
  await new Promise((resolve) => setTimeout(resolve, 1)); // a turn in which nothing was ranked
  const answer = await post(...request);
  const inline = spy.mock.results.some(({ value }) => value === true);
  spy.mockRestore();
  return { inline, answer };
}

/** The answer of a worker. */
async function byWorker(...request: Parameters<typeof post>) {
  const spy = vi.spyOn(InlineRanker.prototype, "rank").mockReturnValue(false);
  const answer = await post(...request);
  spy.mockRestore();
  return answer;
}

const numbers = (rows: number, value = (i: number) => (i % 7) - 3) =>
  Float32Array.from({ length: rows * WIDTH }, (_, i) => value(i));
const single = (rows: number, more: object = {}) => encodeRankBody({ columns: WIDTH, rows, ...more }, [numbers(rows)]);

it("gives the same bytes as a worker to random requests", async () => {
  const draw = random(11);
  const value = () => [Number.NaN, -0, draw() * 6 - 3, 0.1, 1e30][below(draw, 5)]!;
  let ranked = 0;
  for (let k = 0; k < 120; k++) {
    const name = ["trees", "linear", "network", "within"][below(draw, 4)]!;
    const lists = Array.from({ length: below(draw, 4) }, (_, q) => ({ id: `q${q}`, rows: below(draw, 30) }));
    const shape = draw() < 0.5 ? { rows: below(draw, 40), id: "é" } : { lists };
    const rows = "rows" in shape ? shape.rows : lists.reduce((sum, list) => sum + list.rows, 0);
    const wishes = { ...(draw() < 0.4 && { top: 1 + below(draw, 9) }), ...(draw() < 0.3 && { scores: draw() < 0.5 }) };
    const body = encodeRankBody({ columns: WIDTH, ...shape, ...wishes }, [numbers(rows, value)]);
    const { inline, answer } = await alone(name, body);
    if (inline) ranked++; // not all: it depends on the time that rows have taken
    expect([k, answer.status]).toEqual([k, 200]);
    expect([k, answer]).toEqual([k, await byWorker(name, body)]);
  }
  expect(ranked).toBeGreaterThan(60);
});

it.each([
  ["an infinite number", encodeRankBody({ columns: WIDTH, rows: 1 }, [Float32Array.of(1, 2, Number.POSITIVE_INFINITY, 3)]), 400],
  ["fewer numbers than announced", encodeRankBody({ columns: WIDTH, rows: 9 }, [numbers(8)]), 400],
  ["no rows and no lists", encodeRankBody({ columns: WIDTH }, [numbers(8)]), 400],
  ["an unknown field", single(3, { bottom: 1 }), 400],
  ["a wish that no compact answer has", single(3, { explain: true }), 406],
] as const)("refuses %s as a worker does", async (_, body, status) => {
  const { inline, answer } = await alone("linear", body);
  expect([inline, answer.status]).toEqual([true, status]);
  expect(answer).toEqual(await byWorker("linear", body));
});

const json = JSON.stringify({ items: [[1, 2, 3, 4]] });
it.each([
  ["JSON bodies", "linear", json, { "content-type": "application/json" }, 200],
  ["JSON answers", "linear", single(3), { accept: "application/json" }, 200],
  ["bodies above 128 KB", "linear", single(9000), {}, 413],
  ["long heads", "linear", single(600, { ids: Array.from({ length: 600 }, (_, i) => `item ${i}`) }), {}, 200],
  ["columns by name", "linear", encodeRankBody({ columns: 1, features: ["1"], rows: 3 }, [new Float32Array(3)]), {}, 200],
  ["bytes that are no body", "linear", "TWRK", {}, 400],
  ["models with many numbers", "wide", single(3), {}, 200],
  ["models of utilities", "worths", single(3), {}, 400],
] as const)("leaves %s to the workers", async (_, name, body, headers, status) => {
  const { inline, answer } = await alone(name, body, headers);
  expect([inline, answer.status]).toEqual([false, status]);
});

it("leaves requests to the workers that come at the same time, and counts all of them", async () => {
  const spy = vi.spyOn(InlineRanker.prototype, "rank");
  const answers = await Promise.all(Array.from({ length: 12 }, () => post("linear", single(5))));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(spy.mock.results.filter(({ value }) => value === true).length).toBeLessThan(12);
  const rowsOf = () => Number(/tierwise_rows_scored_total\{model="linear"\} (\d+)/.exec(served.metrics.text())![1]);
  const rows = rowsOf();
  await post("linear", single(5));
  expect(rowsOf()).toBe(rows + 5);
});

it("leaves requests to the workers that a second model takes part in", async () => {
  const second = { name: "linear", path: pathOf("linear"), of: "trees", split: 0.5 };
  const { app } = await serving({ models: [{ name: "trees", path: pathOf("trees") }], second });
  expect((await alone("trees", single(3), {}, app)).inline).toBe(false);
});

it("ranks by the new version after a reload, and forgets the old one", async () => {
  copyFileSync(pathOf("trees"), pathOf("changing"));
  const { app, models } = await serving({ models: [{ name: "changing", path: pathOf("changing") }] });
  const before = await alone("changing", single(6), {}, app);
  const forget = vi.spyOn(InlineRanker.prototype, "forget");
  copyFileSync(pathOf("linear"), pathOf("next"));
  renameSync(pathOf("next"), pathOf("changing"));
  await models.check();
  expect(forget).toHaveBeenCalledExactlyOnceWith("changing@1");
  const after = await alone("changing", single(6), {}, app);
  expect([before.inline, after.inline]).toEqual([true, true]);
  expect(after.answer).not.toEqual(before.answer);
  expect(after.answer).toEqual(await byWorker("changing", single(6), {}, app));
});
