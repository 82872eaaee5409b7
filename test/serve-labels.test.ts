/** The server of models that rank labels: documents in JSON and in compact bodies against the library, on any number of threads. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeRankBody, RANK_BODY_TYPE } from "../dist/src/formats/rank-body.js";
import { build, evaluate, fit, labelSets, labelTree, leml, metric, mlp, readModel, writeModel } from "../dist/src/index.js";
import { random } from "../dist/src/numeric/random.js";
import { newLog } from "../dist/src/server/http/log.js";
import { buildServing } from "../dist/src/server/serve/serve.js";
import { folder } from "./cli.ts";

const where = folder();
const [features, space] = [["red", "green", "blue"], ["sky", "grass", "rose", "sea", "leaf"]]; // biome-ignore format: short
const wanted = [["rose"], ["grass", "leaf"], ["sky", "sea"]];
const draw = random(3);
const documents = Array.from({ length: 60 }, (_, i) => ({
  words: Object.fromEntries(features.map((name, f) => [name, (f === i % 3 ? 1 : 0) + Math.round(8 * draw()) / 16])),
  tags: wanted[i % 3]!,
}));
const data = labelSets(documents, { labels: "tags", features: "words", space });
const learners = {
  "label-tree": labelTree({ trees: 2, leafLabels: 2 }),
  leml: leml({ rank: 2 }),
  mlp: mlp({ hidden: [4], epochs: 4 }),
};
const pathOf = (name: string) => join(where, `${name}.json`);

const closing: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  for (const [name, model] of Object.entries(learners))
    writeModel(pathOf(name), { ...fit(data, { model }), training: { objective: "squares", model: name }, metrics: {} });
});
afterAll(async () => {
  for (const close of closing) await close();
});

async function serving(threads: number) {
  const { app } = await buildServing({
    models: Object.keys(learners).map((name) => ({ name, path: pathOf(name) })),
    limits: { body: 1 << 20, rows: 2000, detailedRows: 100, seconds: 10, queue: 100 },
    ...{ threads, reload: 0, log: newLog(() => {}) },
  });
  closing.push(() => app.close());
  return async (name: string, payload: unknown, type = "application/json") => {
    const body = payload instanceof Uint8Array ? Buffer.from(payload) : JSON.stringify(payload);
    const answer = await app.inject({
      method: "POST",
      url: `/models/${name}/rank`,
      headers: { "content-type": type },
      payload: body,
    });
    return { status: answer.statusCode, body: answer.json() };
  };
}

describe.each(Object.keys(learners))("%s", (name) => {
  it.each([1, 2])("has the best labels of each document, as the library has them, on %d threads", async (threads) => {
    const post = await serving(threads);
    const { items, scores } = readModel(pathOf(name)).model.top!(data, 3);
    const bestOf = (q: number) => [0, 1, 2].map((k) => ({ id: space[items[3 * q + k]!], rank: k + 1, score: scores[3 * q + k] }));
    const lists = documents.map(({ words }, q) => ({ id: `d${q}`, document: words }));
    const many = await post(name, { top: 3, lists });
    expect(many.status).toBe(200);
    expect(many.body.lists).toMatchObject(documents.map((_, q) => ({ id: `d${q}`, items: bestOf(q) })));
    for (const q of [0, 7, 59]) {
      const named = await post(name, { top: 3, document: documents[q]!.words });
      expect(named.body.items).toMatchObject(bestOf(q));
      const inOrder = await post(name, { top: 3, document: features.map((one) => documents[q]!.words[one]) });
      expect(inOrder.body.items).toEqual(named.body.items);
    }
    const values = Float32Array.from(documents.flatMap(({ words }) => features.map((one) => words[one]!)));
    const compact = encodeRankBody({ columns: 3, top: 3, lists: documents.map(() => ({ rows: 1 })) }, [values]);
    const fromBytes = await post(name, compact, RANK_BODY_TYPE);
    const twoRows = await post(name, encodeRankBody({ columns: 3, rows: 2 }, [values.subarray(0, 6)]), RANK_BODY_TYPE);
    expect([twoRows.status, JSON.stringify(twoRows.body)]).toEqual([
      400,
      expect.stringContaining("rows: the model ranks labels, so a list is a document: expected 1 row, got 2"),
    ]);
    expect([fromBytes.status, fromBytes.body.lists?.map((list: { items: unknown }) => list.items)]).toEqual([
      200,
      many.body.lists.map((list: { items: unknown }) => list.items),
    ]);
  });

  it("has no more labels than there are, ten unless asked, and refuses what labels cannot have", async () => {
    const post = await serving(1);
    const document = documents[0]!.words;
    expect((await post(name, { document })).body.items).toHaveLength(5);
    expect((await post(name, { document, top: 99 })).body.items).toHaveLength(5);
    for (const [body, message] of [
      [{ items: [document] }, "the model ranks labels, so a list is a document: give its features as document"],
      [{ lists: [{ items: [[1, 2, 3]] }] }, "lists[0].items: the model ranks labels"],
      [{ document, probabilities: true }, "a model that ranks labels has neither probabilities nor explanations"],
      [{ document, explain: 3 }, "a model that ranks labels has neither probabilities nor explanations"],
      [{ document: { ...document, pink: 1 }, unknown: "error" }, "pink"],
      [{ document: { pink: 1 } }, "document: the model does not know the feature "],
      [{ document: [1, 2] }, "document"],
    ] as const) {
      const answer = await post(name, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(JSON.stringify(answer.body)).toContain(message);
    }
    const { warnings } = (await post(name, { document: { ...document, pink: ["any"] } })).body;
    expect(warnings).toEqual(['the feature "pink" is ignored: the model does not know it']);
  });

  it("is used with data of the same labels only", () => {
    const { model } = readModel(pathOf(name));
    const fewer = labelSets(documents, { labels: "tags", features: "words", space: [...space, "moss"] });
    expect(() => evaluate(model, fewer, [metric("precision@1")])).toThrow("the model ranks 5 labels, and the data have 6");
    const table = build(Array.from({ length: 4 }, (_, i) => ({ list: i >> 1, label: i & 1, features: [i, 1, 2] })), { features }); // biome-ignore format: short
    expect(() => model.top!(table, 1)).toThrow("the model ranks 5 labels, and these are not multi-label data");
  });
});
