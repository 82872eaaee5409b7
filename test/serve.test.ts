/** The server of models: answers, limits, faults, reloads and experiments, against the library. */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeRankBody, encodeRankBody, RANK_BODY_TYPE } from "../dist/src/formats/rank-body.js";
import {
  ballots,
  build,
  explain,
  fit,
  linear,
  type Model,
  mlp,
  parseData,
  parseInterleavingLog,
  plPartition,
  probabilities,
  rank,
  rankOverHttp,
  readModel,
  trees,
  utilities,
  writeModel,
} from "../dist/src/index.js";
import { random } from "../dist/src/numeric/random.js";
import { listen } from "../dist/src/server/http/listen.js";
import { newLog } from "../dist/src/server/http/log.js";
import { shareOf } from "../dist/src/server/serve/assignment.js";
import { buildServing, type ServeOptions } from "../dist/src/server/serve/serve.js";
import { folder, root } from "./cli.ts";

const where = folder();
const WIDTH = 6;
const draw = random(7);
const rows = (count: number) =>
  Array.from({ length: count }, () => Array.from({ length: WIDTH }, () => Math.round(draw() * 40) / 8 - 2));
const names = Array.from({ length: WIDTH }, (_, c) => `f${c}`);

/** Lists of items with named features, whose labels follow from the first two. */
const data = build(
  Array.from({ length: 30 }, (_, list) =>
    rows(8).map((features) => ({ list, features, label: Math.max(0, Math.round(features[0]! + features[1]!)) })),
  ).flat(),
  { features: names },
);
const objective = plPartition();
const kinds: Record<string, () => Model> = {
  trees: () => fit(data, { model: trees({ rounds: 12, leaves: 6 }), objective }).model,
  other: () => fit(data, { model: linear({ l2: 1 }), objective }).model,
  network: () => fit(data, { model: mlp({ hidden: [5], epochs: 3 }), objective }).model,
  within: () => fit(data, { model: trees({ rounds: 5, leaves: 4, withinList: "rank" }), objective }).model,
  ballots: () =>
    fit(
      ballots([
        ["ant", ["bee", "cat"]],
        ["bee", "ant", "cat"],
      ]),
      {
        model: utilities({ ghost: 0.5 }),
        objective,
      },
    ).model,
};
const models = new Map<string, Model>();
const pathOf = (name: string) => join(where, `${name}.json`);
beforeAll(() => {
  for (const [name, make] of Object.entries(kinds)) {
    writeModel(pathOf(name), {
      model: make(),
      training: { objective: "pl-partition", model: name },
      metrics: { "ndcg@10": 0.5 },
    });
    models.set(name, readModel(pathOf(name)).model);
  }
  for (const name of ["lightgbm-plain.txt", "xgboost-plain.json"])
    copyFileSync(join(root, "test/fixtures/models", name), join(where, name));
});

/** A model of a table with a column of numbers, dates, truth values, times and categories. */
function shop(): string {
  const brands = ["Sony", "Bosch", "Braun"];
  const lines = Array.from({ length: 40 }, (_, i) =>
    [
      i >> 2,
      i % 3,
      (i * 7) % 11,
      `2024-01-${10 + (i % 19)}`,
      i % 2 ? "yes" : "no",
      `${i % 4}:${10 + i}.5`,
      brands[(i * 5) % 3],
      `no. ${i}`,
    ].join(","),
  );
  const text = `qid,label,price,listed,available,packed,brand,title\n${lines.join("\n")}\n`;
  const { data: table } = parseData([{ name: "shop.csv", content: text }], { qid: "qid", label: "label" });
  writeModel(pathOf("shop"), {
    model: fit(table, { model: linear({ l2: 1 }), objective }).model,
    training: { objective: "pl-partition", model: "linear" },
    metrics: {},
  });
  return pathOf("shop");
}

/** A model of two features with numbers. */
function plainModel(): string {
  const lists = [0, 1, 2, 3].flatMap((list) =>
    [0, 1, 2].map((label) => ({ list, label, features: [label + list / 8, 1 - label] })),
  );
  const { model } = fit(build(lists), { model: linear({ l2: 1 }), objective });
  writeModel(pathOf("plain"), { model, training: { objective: "pl-partition", model: "linear" }, metrics: {} });
  return pathOf("plain");
}

const limits = { body: 1 << 20, rows: 2000, detailedRows: 100, seconds: 10, queue: 100 };
const open: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  for (const app of open) await app.close();
});

async function serving(options: Partial<ServeOptions> = {}) {
  const lines: string[] = [];
  const log = newLog((text) => lines.push(...text.trimEnd().split("\n")));
  const served = await buildServing({
    ...{ models: [{ name: "trees", path: pathOf("trees") }], threads: 1, limits, reload: 0, log },
    ...options,
  });
  open.push(served.app);
  const post = async (name: string, payload: unknown, headers: Record<string, string> = {}) => {
    const answer = await served.app.inject({
      ...{ method: "POST", url: `/models/${name}/rank` },
      headers: { "content-type": "application/json", ...headers },
      payload:
        typeof payload === "string" || payload instanceof Uint8Array ? Buffer.from(payload as never) : JSON.stringify(payload),
    });
    return { status: answer.statusCode, body: answer.json(), answer };
  };
  return { ...served, post, lines };
}

const items = (count: number) => rows(count);
const named = (row: readonly number[]) => Object.fromEntries(names.map((name, c) => [name, row[c]!]));
const expected = (model: Model, list: readonly unknown[]) =>
  rank(model, list as number[][]).map(({ item, rank: place, score }) => ({ index: list.indexOf(item), rank: place, score }));

describe("ranking", () => {
  it.each([1, 2, 3])("gives the library's scores to the last bit, for all kinds of models, on %d threads", async (threads) => {
    const sources = [...["trees", "network", "within", "ballots"].map((name) => ({ name, path: pathOf(name) }))];
    const { post } = await serving({ threads, models: sources });
    for (const name of ["trees", "network", "within"]) {
      const model = models.get(name)!;
      // Many at once, so that some are scored together.
      await Promise.all(
        Array.from({ length: 12 }, async (_, r) => {
          const list = items(1 + ((r * 7) % 20));
          const byName = list.map(named);
          const [array, object, several] = await Promise.all([
            post(name, { items: list }),
            post(name, { items: byName }),
            post(name, { lists: [{ id: "x", items: list }, { items: [] }, { items: byName }] }),
          ]);
          const wanted = expected(model, list);
          expect(array.body).toEqual({ model: `${name}@1`, items: wanted });
          expect(object.body.items).toEqual(wanted);
          expect(several.body.lists).toEqual([{ id: "x", items: wanted }, { items: [] }, { items: wanted }]);
        }),
      );
    }
    const { body } = await post("ballots", { items: ["cat", "ant"], ids: ["x", "y"] });
    expect(body.items.map((one: { id: string }) => one.id)).toEqual(
      rank(models.get("ballots")!, ["cat", "ant"]).map(({ item }) => ({ cat: "x", ant: "y" })[item]),
    );
  });

  it("serves models of other tools", async () => {
    const { app, post } = await serving({ models: [{ name: "lgb", path: join(where, "lightgbm-plain.txt") }] });
    const model = readModel(join(where, "lightgbm-plain.txt")).model;
    const { features } = (await app.inject("/models/lgb")).json();
    const list = Array.from({ length: 20 }, () => Array.from({ length: features.count as number }, () => draw() * 4 - 2));
    expect((await post("lgb", { items: list })).body.items).toEqual(expected(model, list));
  });

  it("answers compact requests with the same scores", async () => {
    const { app } = await serving();
    const url = await listen(app, { host: "127.0.0.1", port: 0 });
    const lists = [{ id: "a", rows: items(7) }, { rows: items(3) }];
    const found = await rankOverHttp(`${url}/models/trees`, lists);
    lists.forEach(({ rows: list }, q) => {
      const wanted = expected(models.get("trees")!, list);
      expect(Array.from(found[q]!.order)).toEqual(wanted.map(({ index }) => index));
      expect(Array.from(found[q]!.scores)).toEqual(wanted.map(({ score }) => score));
    });
    expect(found[0]!.id).toBe("a");
    const best = await rankOverHttp(`${url}/models/trees`, lists, { top: 2, scores: false });
    expect([best[0]!.order.length, best[0]!.scores.length]).toEqual([2, 0]);
    await expect(rankOverHttp(`${url}/models/none`, lists)).rejects.toThrow(/404 no model has that name/);
    await expect(rankOverHttp(`${url}/models/trees`, [{ rows: [[1]] }])).rejects.toThrow(/the model has 6 features, got 1/);
    await expect(rankOverHttp("", lists)).rejects.toThrow(/rankOverHttp, the URL/);
    for (const wrong of [[{ rows: 3 }], [...lists, { rows: 3 }], [{ rows: [[1, 2], 3] }]])
      await expect(rankOverHttp(url, wrong as never)).rejects.toThrow(/expected an array of lists/);
    await expect(rankOverHttp(url, [{ rows: [[1], [1, 2]] }])).rejects.toThrow(/row 1 has 2 numbers/);
  });

  it("finds columns of a compact body by name", async () => {
    const { post } = await serving();
    const list = items(5);
    const order = [3, 0, 5, 1, 2, 4];
    const head = { columns: WIDTH, rows: 5, features: order.map((c) => names[c]) };
    const body = encodeRankBody(head, [Float32Array.from(list.flatMap((row) => order.map((c) => row[c]!)))]);
    expect((await post("trees", body, { "content-type": RANK_BODY_TYPE })).body.items).toEqual(
      expected(models.get("trees")!, list),
    );
  });

  it("gives what is wished for: top, no scores, probabilities, reasons, missing values", async () => {
    const { post } = await serving();
    const model = models.get("trees")!;
    const list = items(6);
    const top = (await post("trees", { items: list, top: 2, scores: false })).body.items;
    expect(top).toEqual(
      expected(model, list)
        .slice(0, 2)
        .map(({ index, rank: place }) => ({ index, rank: place })),
    );
    const likely = (await post("trees", { items: list, probabilities: { temperature: 2, within: [1, 2] } })).body.items;
    const scores = Float64Array.from(list, (row) => rank(model, [row])[0]!.score);
    const chances = probabilities(scores, { temperature: 2, places: [1, 2] });
    for (const { index, first, within, expected: mean, interval } of likely) {
      expect([first, within[1], within[2], mean]).toEqual([
        chances.first[index],
        chances.within[0]!.chances[index],
        chances.within[1]!.chances[index],
        chances.expected[index],
      ]);
      expect(interval).toEqual([chances.low[index], chances.high[index]]);
    }
    const why = (await post("trees", { items: list, explain: 2 })).body.items;
    const dataset = build(
      list.map((features) => ({ list: 1, label: 0, features })),
      { features: names },
    );
    expect(why.map((one: { reasons: unknown }) => one.reasons)).toEqual(
      explain(model, dataset, 0).map(({ reasons }) =>
        reasons.slice(0, 2).map(({ feature, contribution }) => ({ feature: names[feature], contribution })),
      ),
    );
    const missing = await post("trees", { items: [{ f0: 1 }, { f1: null, f0: true }] });
    const rest = [Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    expect(missing.body.items).toEqual(
      expected(
        model,
        [
          [1, ...rest],
          [1, ...rest],
        ].map((row) => row),
      ),
    );
    const unknown = await post("trees", { items: [{ f0: 1, zzz: 2 }], unknown: "ignore" });
    expect(unknown.status).toBe(200);
  });

  it("streams a large answer", async () => {
    const { app, post } = await serving({ limits: { ...limits, rows: 100_000 } });
    void app;
    const { body, answer } = await post("trees", {
      items: items(2000),
      ids: Array.from({ length: 2000 }, (_, i) => `item ${i} ${"x".repeat(60)}`),
    });
    expect(answer.headers["content-length"]).toBeUndefined();
    expect(body.items).toHaveLength(2000);
  });
});

describe("refusals", () => {
  const list = [[1, 2, 3, 4, 5, 6]];
  const bad: [what: string, body: unknown, status: number, message: RegExp][] = [
    ["JSON that is none", "{", 400, /not valid JSON/],
    ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), 400, /not valid JSON in UTF-8/],
    ["no object", "[]", 400, /^the request: expected an object such as \{"items": \[...\]\}, got an array of 0$/],
    ["null", "null", 400, /^the request: expected an object such as .*, got null$/],
    ["neither items nor lists", {}, 400, /items: expected the items/],
    ["items and lists", { items: list, lists: [] }, 400, /belong into each/],
    ["an item that is a number", { items: [1] }, 400, /items\[0\]: must be/],
    ["a text as feature", { items: [["a", 2, 3, 4, 5, 6]] }, 400, /items\[0\]/],
    ["too few features", { items: [[1]] }, 400, /items\[0\]: expected 6 features, got 1/],
    ["an infinite feature", '{"items":[[1e400,2,3,4,5,6]]}', 400, /items\[0\]/],
    ["a feature beyond float32", { items: [[1e300, 2, 3, 4, 5, 6]] }, 400, /beyond 32-bit floats/],
    [
      "an unknown feature",
      { lists: [{ items: [{ f9: 1 }] }] },
      400,
      /lists\[0\].items\[0\]: the model does not know the feature "f9"/,
    ],
    ["a prototype as feature", '{"items":[{"__proto__":1}]}', 400, /does not know the feature "__proto__"/],
    ["an unknown field", { items: list, tops: 1 }, 400, /tops: there is no such field/],
    ["a top of 0", { items: list, top: 0 }, 400, /top: must be/],
    ["ids that do not match", { items: list, ids: ["a", "b"] }, 400, /ids: expected 1 id, one for each item, got 2/],
    ["too few ids", { items: [...list, ...list], ids: ["a"] }, 400, /ids: expected 2 ids, one for each item, got 1/],
    ["names for a model of features", { items: ["a"] }, 400, /only models of utilities/],
    ["a document for a model of items", { document: [1] }, 400, /ranks items, not labels/],
    ["too many rows", { items: Array.from({ length: 2001 }, () => list[0]) }, 413, /2001 items, and the limit is 2000/],
    [
      "too many explained rows",
      { items: Array.from({ length: 101 }, () => list[0]), explain: true },
      413,
      /the limit is 100 for requests with/,
    ],
  ];
  const compact: [what: string, body: Uint8Array, message: RegExp][] = [
    ["an empty body", new Uint8Array(0), /at least 8 bytes/],
    ["another beginning", new Uint8Array(16), /TWRK/],
    ["a long head", Uint8Array.of(0x54, 0x57, 0x52, 0x4b, 255, 255, 0, 0), /its head should have 65535 bytes/],
    ["a head that is no JSON", Uint8Array.of(0x54, 0x57, 0x52, 0x4b, 1, 0, 0, 0, 0x7b), /not valid JSON/],
    ["too few numbers", encodeRankBody({ columns: 6, rows: 2 }, [new Float32Array(6)]), /48 bytes, got 24/],
    ["infinity", encodeRankBody({ columns: 1, rows: 1 }, [Float32Array.of(Infinity)]), /row 0, column 0 is infinite/],
    ["no rows", encodeRankBody({ columns: 6 }, []), /rows: expected/],
    [
      "names that do not match",
      encodeRankBody({ columns: 1, rows: 1, features: ["a", "b"] }, [new Float32Array(1)]),
      /features: expected 1 name, /,
    ],
    [
      "an unknown name",
      encodeRankBody({ columns: 1, rows: 1, features: ["zz"] }, [new Float32Array(1)]),
      /does not know the feature "zz"/,
    ],
  ];

  it("name the field or the limit, and the server goes on", async () => {
    const { post, app } = await serving();
    for (const [what, body, status, message] of bad) {
      const { status: got, body: answer } = await post("trees", body);
      expect([what, got, answer.error?.message]).toEqual([what, status, expect.stringMatching(message)]);
    }
    for (const [what, body, message] of compact) {
      const { status: got, body: answer } = await post("trees", body, { "content-type": RANK_BODY_TYPE });
      expect([what, got, answer.error?.message]).toEqual([what, 400, expect.stringMatching(message)]);
    }
    for (const name of ["none", "..%2f..%2fetc%2fpasswd", "__proto__", "constructor", "trees%00"])
      expect((await post(name, { items: list })).status).toBe(404);
    expect((await post("trees", "x".repeat(2 << 20))).body.error).toEqual({
      code: "body_too_large",
      message: "the body is larger than the limit of 1048576 bytes",
    });
    expect((await post("trees", { items: list, explain: true }, { accept: RANK_BODY_TYPE })).status).toBe(406);
    for (const type of ["text/xml", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect([type, (await post("trees", "<a>", { "content-type": type })).status]).toEqual([type, 415]);
    expect((await post("trees", "")).body.error.message).toMatch(/not valid JSON/);
    const bare = await app.inject({ method: "POST", url: "/models/trees/rank" });
    expect([bare.statusCode, bare.json().error.code]).toEqual([400, "no_body"]);
    expect((await post("trees", { items: list })).status).toBe(200);
    expect((await app.inject("/metrics")).body).toContain('tierwise_rank_errors_total{model="trees",code="too_many_rows"} 2');
  });

  it("take arrays of texts, and tell of texts that are new", async () => {
    const lines = Array.from({ length: 40 }, (_, i) => JSON.stringify({ qid: i >> 2, label: i % 3, x: (i * 7) % 11, tags: ["new", "sale", "eco"].filter((__, t) => (i >> t) % 2) })); // biome-ignore format: one row
    const { data: table } = parseData([{ name: "tags.jsonl", content: lines.join("\n") }]);
    const { model } = fit(table, { model: linear({ l2: 1 }), objective });
    writeModel(pathOf("tags"), { model, training: { objective: "pl-partition", model: "linear" }, metrics: {} });
    const { post } = await serving({ models: [{ name: "tags", path: pathOf("tags") }] });
    const items = [{ x: 1, tags: ["eco", "new"] }, { x: 1, tags: [] }, { x: 1, tags: null }, { tags: "sale", x: 1 }, { x: 1, tags: ["lost", "new"] }]; // biome-ignore format: items
    const told = await post("tags", { items });
    const scores = told.body.items.map(({ index, score }: { index: number; score: number }) => [index, score]);
    expect(scores).toEqual(rank(model, items).map(({ item, score }) => [items.indexOf(item), score]));
    expect(told.body.warnings).toEqual([
      'column "tags": 1 value ("lost") of categories that the model does not know, read as none of them',
    ]);
    const { status, body } = await post("tags", { items: [{ x: 1, tags: { a: 1 } }] });
    expect([status, body.error.message]).toEqual([400, 'items[0]: feature "tags": expected an array of texts, got an object with the keys "a"']); // biome-ignore format: one claim
  });

  it("name item and feature where a text means nothing in a column of a table, and tell of categories that are new", async () => {
    const { post, app } = await serving({ models: [{ name: "shop", path: shop() }] });
    const good = { price: "9.5", listed: "2024-03-01", available: "Yes", packed: "1:30.5", brand: "Sony" };
    const plain = await post("shop", { items: [good] });
    expect([plain.status, Object.keys(plain.body)]).toEqual([200, ["model", "items"]]);
    const score = async (item: object) => (await post("shop", { items: [item] })).body.items[0].score;
    expect(await score({ ...good, price: 9.5, available: true, packed: 90.5 })).toBe(plain.body.items[0].score);
    expect(await score({ ...good, packed: "00:01:30.500" })).toBe(plain.body.items[0].score);
    expect(await score({ ...good, packed: "1:31" })).not.toBe(plain.body.items[0].score);
    for (const word of ["NA", "", " n/a "])
      expect(await score({ price: word, listed: word, available: word, packed: word, brand: word })).toBe(await score({}));

    for (const [field, value, wanted] of [
      ["price", "abc", 'must be a number, got the text "abc"'],
      ["price", "9,5", 'must be a number, got the text "9,5"'],
      ["price", "1e400", 'is "1e400", which is beyond 32-bit floats'],
      ["listed", "morgen", 'must be a date such as 2024-03-01, got the text "morgen"'],
      ["listed", "2024-02-31", 'must be a date such as 2024-03-01, got the text "2024-02-31"'],
      ["listed", true, "must be a date such as 2024-03-01, got true"],
      ["packed", "1:05 PM", 'must be a time such as 1:02:03.4, or a number of seconds, got the text "1:05 PM"'],
      ["available", "vielleicht", 'must be true or false (or 1, 0, yes, no), got the text "vielleicht"'],
      ["available", 2, "must be true or false (or 1, 0, yes, no), got 2"],
    ] as const) {
      const message = `items[1]: feature "${field}" ${wanted}`;
      expect((await post("shop", { items: [good, { ...good, [field]: value }] })).body.error?.message).toBe(message);
      const { status, body } = await post("shop", { lists: [{ items: [] }, { items: [good, { [field]: value }] }] });
      expect([status, body.error?.message]).toEqual([400, `lists[1].${message}`]);
    }

    const brands = ["Sony", "Miele", "AEG", "Miele", "Loewe", "Grundig", null];
    const told = await post("shop", { items: brands.map((brand) => ({ ...good, brand })), top: 1 });
    expect(told.status).toBe(200);
    const warnings = [
      'column "brand": 5 values ("Miele", "AEG", "Loewe", ...) of categories that the model does not know, read as none of them',
    ];
    expect(told.body.warnings).toEqual(warnings);
    const one = await post("shop", { lists: [{ items: [{ brand: 7 }] }, { items: [{ brand: "Bosch" }] }] });
    expect(one.body.warnings).toEqual([
      'column "brand": 1 value ("7") of categories that the model does not know, read as none of them',
    ]);
    const compactly = await app.inject({
      ...{ method: "POST", url: "/models/shop/rank", payload: { items: brands.map((brand) => ({ brand })) } },
      headers: { accept: RANK_BODY_TYPE },
    });
    expect(decodeRankBody(compactly.rawPayload).head.warnings).toEqual(warnings);
    const { paths } = (await app.inject("/openapi.json")).json();
    const answer = paths["/models/{name}/rank"].post.responses["200"].content["application/json"].schema;
    expect(answer.properties.warnings.type).toBe("array");
  });

  it("ignore features by name that the model does not know, whatever they hold, and tell of them", async () => {
    const { post, app } = await serving({
      models: [
        { name: "trees", path: pathOf("trees") },
        { name: "shop", path: shop() },
      ],
    });
    const rows = items(3);
    const plain = (await post("trees", { items: rows.map(named) })).body;
    const extra = { title: "a", tags: ["b", { c: 1 }], shop: { id: 7 }, f9: 1e300, none: null };
    const wide = rows.map((row, i) => ({ ...(i === 1 ? extra : {}), ...named(row) }));
    const warnings = ['the features "title", "tags", "shop", "f9", "none" are ignored: the model does not know them'];
    expect((await post("trees", { items: wide })).body).toEqual({ ...plain, warnings });
    expect((await post("trees", { lists: [{ items: wide }] })).body).toMatchObject({ lists: [{ items: plain.items }], warnings });
    expect((await post("trees", { items: wide, unknown: "ignore" })).body).toEqual(plain);
    const strict = (await post("trees", { items: wide, unknown: "error" })).body.error.message;
    expect(strict).toMatch(
      /^items\[1\]: the model does not know the feature "title"; there are f0, .* \("unknown": "ignore" leaves it out\)$/,
    );

    // Arrays among objects have every feature.
    expect((await post("trees", { items: [{ f0: 1, title: 2 }, rows[0]] })).body.warnings).toEqual([
      'the feature "title" is ignored: the model does not know it',
    ]);
    expect((await post("trees", { items: [{ f0: 1, title: 2 }] })).body.warnings).toEqual([
      'the feature "title" is ignored: the model does not know it; no item has its features "f1" and 4 more',
    ]);
    const good = { price: 9, listed: "2024-03-01", available: true, packed: 90.5, title: ["left out in training"] };
    expect((await post("shop", { items: [{ ...good, brand: "Sony" }] })).body.warnings).toBeUndefined();
    expect((await post("shop", { items: [{ ...good, "brand=Sony": 1, color: "red" }] })).body.warnings).toEqual([
      'the feature "color" is ignored: the model does not know it',
    ]);

    const body = (features: string[]) =>
      encodeRankBody({ columns: features.length, rows: 1, features }, [new Float32Array(features.length).fill(1)]);
    const compactly = async (features: string[]) =>
      (await post("trees", body(features), { "content-type": RANK_BODY_TYPE })).body;
    expect((await compactly([...names, "zz"])).warnings).toEqual(['the feature "zz" is ignored: the model does not know it']);
    expect((await compactly(["f1", "F0", ...names.slice(2)])).error.message).toMatch(
      /^features: the model does not know the feature "F0"; did you mean f0 or/,
    );
    const { paths } = (await app.inject("/openapi.json")).json();
    expect(JSON.stringify(paths)).toContain("others than those of the model are ignored");
  });

  it("refuse a feature that stands in the place of one of the model: spelled in another way, or nearly the same and none else", async () => {
    const { post } = await serving({ models: [{ name: "shop", path: shop() }] });
    const good = { price: 9, listed: "2024-03-01", available: true, packed: 90.5, brand: "Sony" };
    const { price, ...rest } = good;
    for (const name of ["Price", "price ", "PRI_CE", "pri-ce"]) {
      const { status, body } = await post("shop", { items: [good, { ...rest, [name]: price }] });
      expect([status, body.error?.message]).toEqual([
        400,
        expect.stringMatching(
          /^items\[1\]: the model does not know the feature ".*"; did you mean price\? \(there are price, listed, /,
        ),
      ]);
      expect((await post("shop", { items: [{ ...good, [name]: 1 }] })).status).toBe(200); // beside the right one
    }
    for (const name of ["prices", "pirce"]) {
      expect((await post("shop", { items: [good, { ...rest, [name]: price }] })).status).toBe(200); // another item has the right one
      const { body } = await post("shop", { lists: [{ items: [] }, { items: [{ ...rest, [name]: price }] }] });
      expect(body.error?.message).toBe(
        `lists: the model does not know the feature "${name}"; did you mean price? (there is price) ("unknown": "ignore" leaves it out)`,
      );
    }
    expect((await post("shop", { items: [{ prix: 1, marque: "Sony" }] })).body.error.message).toMatch(
      /^items\[0\]: the model does not know the feature "prix"; /, // none that it knows
    );
  });

  it("compare unknown names with those of the model only so often, and still tell of all", async () => {
    const { post } = await serving({ models: [{ name: "shop", path: shop() }] });
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`extra column ${i}`, i]));
    const warned = (await post("shop", { items: [{ price: 1, ...many }] })).body.warnings;
    expect(warned).toEqual([
      expect.stringMatching(
        /^the features "extra column 0", .* and 294 more are ignored: .*; no item has its features "listed" and 3 more$/,
      ),
    ]);
    const { status, body } = await post("shop", { items: [{ price: 1, prices: 1, brands: "Sony" }] }); // "brands" is not compared any more
    expect([status, body.warnings]).toEqual([200, ['the features "prices", "brands" are ignored: the model does not know them; no item has its features "listed" and 3 more']]); // biome-ignore format: one step
    expect((await post("shop", { items: [{ price: 1, Brand: "Sony" }] })).status).toBe(400);
  });

  it("refuse features of a model that numbers them, by numbers and names", async () => {
    const { post } = await serving({ models: [{ name: "plain", path: plainModel() }] });
    for (const name of ["3", "0", "title"])
      expect((await post("plain", { items: [{ 1: 1, [name]: 1 }] })).body.error.message).toBe(
        `items[0]: the model does not know the feature "${name}"; it knows 1 to 2 ("unknown": "ignore" leaves it out)`,
      );
    expect((await post("plain", { items: [{ 1: 1, title: 1 }], unknown: "ignore" })).status).toBe(200);
  });

  it("keep all digits of ids that are numbers, and refuse one that is no whole number or far too long", async () => {
    const { post } = await serving();
    const list = items(4);
    const ids = ["12345678901234567", "12345678901234568", "7", "9007199254740993"];
    const value = JSON.stringify(list);
    const idsOf = (answer: { items: { index: number; id: string }[] }) =>
      answer.items.sort((a, b) => a.index - b.index).map(({ id }) => id);
    const one = await post("trees", `{"id":98765432109876543210,"ids":[${ids}],"items":${value}}`);
    expect([one.status, one.body.id, idsOf(one.body)]).toEqual([200, "98765432109876543210", ids]);
    const both = await post(
      "trees",
      `{"lists":[{"id":3,"items":[]},{"id":1.2345678901234567e16,"ids":["a","b",${ids[0]},"${ids[1]}"],"items":${value}}]}`,
    );
    expect(both.body.lists.map(({ id }: { id: string }) => id)).toEqual(["3", "12345678901234567"]);
    expect(idsOf(both.body.lists[1])).toEqual(["a", "b", ids[0], ids[1]]);
    const texts = (await post("trees", { ids, items: list })).body;
    expect({ ...one.body, id: undefined, items: idsOf(one.body) }).toEqual({ ...texts, id: undefined, items: idsOf(texts) });

    // Features are rounded as ever.
    const large = (x: string) => post("trees", `{"ids":[${ids[0]},2],"items":[[${x},0,0,0,0,0],{"f0":${x}}]}`);
    expect((await large("12345678901234567890")).body).toEqual((await large("12345678901234567000")).body);

    const head = { columns: 6, rows: 2, ids: [0, 1] };
    const text = JSON.stringify(head).replace("[0,1]", `[${ids[0]},${ids[1]}]`);
    const length = Math.ceil(text.length / 8) * 8;
    const compact = encodeRankBody(head, [Float32Array.from(list.slice(0, 2).flat())]);
    const body = new Uint8Array(8 + length + 48);
    body.set(compact.subarray(0, 4));
    new DataView(body.buffer).setUint32(4, length, true);
    body.fill(0x20, 8, 8 + length).set(new TextEncoder().encode(text), 8);
    body.set(compact.subarray(compact.length - 48), 8 + length);
    expect(idsOf((await post("trees", body, { "content-type": RANK_BODY_TYPE })).body)).toEqual(ids.slice(0, 2));

    for (const [id, message] of [
      ["1.5", "ids[1]: must be string or integer"],
      ["null", "ids[1]: must be string or integer"],
      ["1e70", "ids[1]: the number 1e+70 is too long for an id; give it as a text"],
    ])
      expect((await post("trees", `{"ids":[1,${id}],"items":[[1,2,3,4,5,6],[1,2,3,4,5,6]]}`)).body.error.message).toBe(message);
    expect((await post("trees", `{"lists":[{"id":1e70,"items":${value}}]}`)).body.error.message).toBe(
      "lists[0].id: the number 1e+70 is too long for an id; give it as a text",
    );
    expect((await post("trees", '{"items":[12345678901234567]}')).status).toBe(400);
  });

  it("refuses what a full queue cannot hold, and recovers", async () => {
    const { post } = await serving({ limits: { ...limits, queue: 2 } });
    const many = await Promise.all(Array.from({ length: 40 }, () => post("trees", { items: items(300) })));
    const count = (status: number) => many.filter((one) => one.status === status).length;
    expect(count(503)).toBeGreaterThan(0);
    expect(count(200)).toBeGreaterThan(0);
    expect(count(200) + count(503)).toBe(40);
    expect(many.find(({ status }) => status === 503)!.answer.headers["retry-after"]).toBe("1");
    expect((await post("trees", { items: list })).status).toBe(200);
  });
});

describe("reloading", () => {
  it("changes versions under load without a failed request, and refuses a broken file", async () => {
    const path = pathOf("changing");
    copyFileSync(pathOf("trees"), path);
    const { post, models: served, app } = await serving({ models: [{ name: "m", path }] });
    const list = items(5);
    const wanted = new Map(["trees", "other"].map((name) => [JSON.stringify(expected(models.get(name)!, list)), name]));
    let running = true;
    const seen = new Set<string>();
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (running) {
          const { status, body } = await post("m", { items: list });
          expect(status).toBe(200);
          seen.add(wanted.get(JSON.stringify(body.items)) ?? "neither");
        }
      }),
    );
    for (let time = 0; time < 6; time++) {
      copyFileSync(pathOf(time % 2 === 0 ? "other" : "trees"), `${path}.new`);
      renameSync(`${path}.new`, path);
      await served.check();
    }
    running = false;
    await load;
    expect([...seen].sort()).toEqual(["other", "trees"]);
    expect((await app.inject("/models")).json().models[0]).toMatchObject({ name: "m", version: 7 });
    writeFileSync(path, readFileSync(pathOf("trees"), "utf8").slice(0, 500));
    await served.check();
    const { models: shown } = (await app.inject("/models")).json();
    expect(shown[0]).toMatchObject({ version: 7, error: expect.stringContaining("invalid JSON") });
    expect((await post("m", { items: list })).status).toBe(200);
    copyFileSync(pathOf("other"), path);
    await served.check();
    expect((await app.inject("/models")).json().models[0].error).toBeUndefined();
  });
});

describe("two models", () => {
  const second = { name: "other", path: "", of: "trees", split: 0 };
  it("compares the second model in the background", async () => {
    const { post, app } = await serving({ second: { ...second, path: pathOf("other") } });
    for (let time = 0; time < 5; time++) expect((await post("trees", { items: items(12) })).body.model).toBe("trees@1");
    for (let tries = 0; tries < 100; tries++) {
      const { comparison } = (await app.inject("/models/trees")).json();
      if (comparison.lists === 5) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { comparison } = (await app.inject("/models/trees")).json();
    expect(comparison).toMatchObject({ with: "other", lists: 5 });
    expect(comparison.kendallTau).toBeGreaterThan(0);
    expect((await app.inject("/models")).json().models[1]).toMatchObject({ name: "other", role: "shadow" });
  });

  it("serves a share of lists by the hash of their id", async () => {
    const { post } = await serving({ second: { ...second, path: pathOf("other"), split: 0.3 } });
    const lists = Array.from({ length: 200 }, (_, q) => ({ id: `q${q}`, items: items(3) }));
    const { body } = await post("trees", { lists });
    let byOther = 0;
    body.lists.forEach((list: { model: string; items: unknown }, q: number) => {
      const other = shareOf("trees", `q${q}`) < 0.3;
      byOther += other ? 1 : 0;
      expect(list.model).toBe(other ? "other@1" : "trees@1");
      expect(list.items).toEqual(expected(models.get(other ? "other" : "trees")!, lists[q]!.items));
    });
    expect(byOther).toBeGreaterThan(35);
    expect(byOther).toBeLessThan(85);
    expect(shareOf("m", "q1")).toBe(0x01a258f9 / 2 ** 32); // printf m/q1 | sha256sum
  });

  it("counts items, lists and those of the second model, request by request", async () => {
    const { post, metrics } = await serving({ second: { ...second, path: pathOf("other"), split: 0.3 } });
    const counted = ["rows_scored", "lists_ranked", "split_lists"].map(
      (name) => () => Number(new RegExp(`^tierwise_${name}_total\\{model="trees"\\} (\\d+)`, "m").exec(metrics.text())?.[1] ?? 0),
    );
    const wanted = [0, 0, 0];
    for (let q = 0; q < 24; q += 3) {
      const ids = q % 2 === 0 ? [`q${q}`] : [`q${q}`, `q${q + 1}`, `q${q + 2}`];
      await post("trees", { lists: ids.map((id) => ({ id, items: items(2) })) });
      [2, 1, 0].forEach((each, k) => void (wanted[k] = wanted[k]! + each * ids.length));
      wanted[2] = wanted[2]! + ids.filter((id) => shareOf("trees", id) < 0.3).length;
      expect(counted.map((count) => count())).toEqual(wanted);
    }
    expect(wanted[2]).toBeGreaterThan(3);
  });

  it("interleaves both and logs impressions and clicks", async () => {
    const path = join(where, "log.jsonl");
    const { post, app } = await serving({
      second: { ...second, path: pathOf("other"), interleave: "team-draft" },
      impressions: path,
    });
    const list = items(6);
    const { body } = await post(
      "trees",
      { id: "q", items: list, ids: ["a", "b", "c", "d", "e", "f"], top: 4 },
      { "x-request-id": "r1" },
    );
    expect(body).toMatchObject({ id: "q", impression: "r1/0" });
    expect(body.items).toHaveLength(4);
    expect(body.items[0].score).toBeUndefined();
    const click = (payload: object) => app.inject({ method: "POST", url: "/models/trees/clicks", payload });
    expect((await click({ impression: "r1/0", item: body.items[1].id })).statusCode).toBe(202);
    expect((await click({ impression: 3 })).statusCode).toBe(400);
    const rounded = await app.inject({
      ...{ method: "POST", url: "/models/trees/clicks", headers: { "content-type": "application/json" } },
      payload: '{"impression":"r1/0","item":12345678901234567}',
    });
    expect([rounded.statusCode, rounded.json().error.message]).toEqual([400, expect.stringContaining("item")]);
    await app.close();
    const { pairs } = parseInterleavingLog([{ path, text: readFileSync(path, "utf8") }]);
    expect(pairs).toMatchObject([{ a: "trees@1", b: "other@1", impressions: [{ clicks: [1] }] }]);
    const [shown] = pairs[0]!.impressions;
    expect(Array.from(shown!.credit).filter((one) => one === 1)).toHaveLength(2); // each model picks two
  });
});

it("has metrics that a scrape can read, and documents for people and programs", async () => {
  const { app, post } = await serving();
  await post("trees", { items: items(3) });
  const { body } = await app.inject("/metrics");
  for (const line of body.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+-]+(Inf)?)$/);
  expect(body).toContain('tierwise_rows_scored_total{model="trees"} 3');
  expect(body).toMatch(/tierwise_model_info\{model="trees",version="1",digest="[0-9a-f]{16}"\} 1/);
  const document = (await app.inject("/openapi.json")).json();
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/models/{name}/rank", "/models", "/models/{name}", "/metrics"]),
  );
  expect(document.paths["/models/{name}/rank"].post.requestBody.content).toHaveProperty("application/json");
  expect((await app.inject("/docs")).body).toContain("/models/{name}/rank");
  expect((await app.inject("/readyz")).json()).toEqual({ status: "ready" });
});
