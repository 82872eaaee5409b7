/**
 * Random requests to `tierwise serve`, many at once, against the library: every kind of model, JSON and compact bodies, with all that a request may
 * wish for. Bodies of all sizes, so that some pass through the memory of a batch and some do not fit there. TIERWISE_CASES draws more.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ignoredNotice } from "../dist/src/data/align.js";
import { decodeRankBody, encodeRankBody, RANK_BODY_TYPE } from "../dist/src/formats/rank-body.js";
import {
  build,
  explain,
  fit,
  linear,
  type Model,
  mlp,
  plPartition,
  probabilities,
  type Random,
  rank,
  readModel,
  trees,
  writeModel,
} from "../dist/src/index.js";
import { columnName, explainedColumns } from "../dist/src/models/shared/columns.js";
import { below, random } from "../dist/src/numeric/random.js";
import { newLog } from "../dist/src/server/http/log.js";
import { buildServing, type Serving } from "../dist/src/server/serve/serve.js";
import { folder } from "./cli.ts";

const CASES = Number(process.env.TIERWISE_CASES ?? 150);
const WIDTH = 5;
const names = Array.from({ length: WIDTH }, (_, c) => `f${c}`);
const where = folder();
const models = new Map<string, Model>();
let served: Serving;

/** Values that float32 changes, that are missing, and both zeros. */
function value(draw: Random): number {
  const kind = below(draw, 12);
  return kind === 0 ? Number.NaN : kind === 1 ? -0 : kind === 2 ? 0 : (draw() - 0.5) * 10 ** below(draw, 4);
}
const rowOf = (draw: Random) => Array.from({ length: WIDTH }, () => value(draw));

beforeAll(async () => {
  const draw = random(3);
  const known = () => rowOf(draw).map((one) => (Number.isNaN(one) ? 0 : Math.max(-3, Math.min(3, one))));
  const rows = Array.from({ length: 160 }, (_, i) => ({ list: i >> 3, features: known() })).map((row) => ({
    ...row,
    label: Math.max(0, Math.round(row.features[0]! - row.features[1]!)),
  }));
  const objective = plPartition();
  for (const withNames of [true, false]) {
    const data = build(rows, withNames ? { features: names } : {});
    const learners = [
      trees({ rounds: 6, leaves: 5 }),
      linear({ l2: 1 }),
      mlp({ hidden: [4], epochs: 2 }),
      trees({ rounds: 4, leaves: 4, withinList: "rank" }),
    ];
    learners.forEach((learner, k) => {
      const name = `${withNames ? "named" : "numbered"}-${k}`;
      const path = join(where, `${name}.json`);
      writeModel(path, {
        model: fit(data, { model: learner, objective }).model,
        training: { objective: "pl-partition", model: name },
        metrics: {},
      });
      models.set(name, readModel(path).model);
    });
  }
  served = await buildServing({
    models: [...models.keys()].map((name) => ({ name, path: join(where, `${name}.json`) })),
    limits: { body: 1 << 24, rows: 200_000, detailedRows: 400, seconds: 60, queue: 1000 },
    ...{ threads: 2, reload: 0, log: newLog(() => {}, { quiet: true }) },
  });
});
afterAll(() => served?.app.close());

interface Case {
  readonly name: string;
  readonly lists: readonly { readonly id?: string; readonly ids?: string[]; readonly rows: number[][] }[];
  readonly single: boolean;
  readonly wishes: {
    readonly top?: number;
    readonly scores?: boolean;
    readonly probabilities?: boolean | { temperature?: number; within?: number[] };
    readonly explain?: boolean | number;
  };
  readonly body: "arrays" | "objects" | "compact" | "columns by name";
  readonly compactAnswer: boolean;
  /** Features that the model does not know, which some items have among their own. */
  readonly others: readonly string[];
}

function randomCase(draw: Random): Case {
  const maybe = <T extends object>(p: number, one: T): T | Record<string, never> => (draw() < p ? one : {});
  const single = draw() < 0.5;
  const detailed = draw() < 0.3;
  const long = !detailed && draw() < 0.05;
  const body = (["arrays", "objects", "compact", "columns by name"] as const)[below(draw, 4)]!;
  const compactAnswer = !detailed && draw() < 0.5;
  const lists = Array.from({ length: single ? 1 : below(draw, 5) }, (_, q) => {
    const rows = Array.from({ length: long ? 15_000 : below(draw, 25) }, () => rowOf(draw));
    return { ...maybe(0.5, { id: `list ${q}` }), ...maybe(0.4, { ids: rows.map((__, i) => `"${i}é`) }), rows };
  });
  const wishes = {
    ...maybe(0.4, { top: 1 + below(draw, 12) }),
    ...maybe(0.3, { scores: draw() < 0.5 }),
    ...(detailed
      ? {
          ...maybe(0.6, { probabilities: [true, { temperature: 0.5 + draw() }, { within: [1, 3] }][below(draw, 3)]! }),
          ...maybe(0.6, { explain: [true, 1, 3][below(draw, 3)]! }),
        }
      : {}),
  };
  const name = [...models.keys()][below(draw, models.size)]!;
  const others = name.startsWith("named") && draw() < 0.4 ? ["title", "shop", "url"].slice(below(draw, 3)) : [];
  return { name, lists, single, wishes, body, compactAnswer, others };
}

const json = (one: number) => (Number.isNaN(one) ? null : one);

/** The bytes of the request, and the features in it that the model does not know. In objects, features are at random places. */
function bodyOf({ name, lists, single, wishes, body, others }: Case, draw: Random): { bytes: Uint8Array; unknown: Set<string> } {
  const keys = name.startsWith("named") ? names : names.map((_, c) => String(c + models.get(name)!.columns.base));
  const order = names.map((_, c) => ({ c, key: draw() })).sort((x, y) => x.key - y.key).map(({ c }) => c); // biome-ignore format: one line
  if (body === "compact" || body === "columns by name") {
    const byName = body === "columns by name";
    const heads = lists.map(({ rows, ...rest }) => ({ ...rest, rows: rows.length }));
    const more = byName ? others : [];
    const head = { columns: WIDTH + more.length, ...(byName && { features: [...more, ...order.map((c) => keys[c])] }), ...(single ? heads[0] : { lists: heads }), ...wishes }; // biome-ignore format: one line
    const values = lists.flatMap(({ rows }) => rows.flatMap((row) => (byName ? [...more.map(() => 7), ...order.map((c) => row[c]!)] : row))); // biome-ignore format: one line
    return { bytes: encodeRankBody(head, [Float32Array.from(values)]), unknown: new Set(more) };
  }
  const unknown = new Set<string>();
  const otherOf = (other: string) => {
    unknown.add(other);
    return [other, [1, "text", null, [1], { a: 1 }][below(draw, 5)]];
  };
  const item = (row: readonly number[]) =>
    body === "arrays"
      ? row.map(json)
      : Object.fromEntries([...others.filter(() => draw() < 0.3).map(otherOf), ...order.map((c) => [keys[c], json(row[c]!)])]);
  const items = lists.map(({ rows, ...rest }) => ({ ...rest, items: rows.map(item) }));
  // JSON.stringify writes -0 as 0, which is what the server makes of it anyway.
  return { bytes: Buffer.from(JSON.stringify({ ...(single ? items[0] : { lists: items }), ...wishes })), unknown };
}

/** What the library says about a list. */
function wanted(model: Model, { id, ids, rows }: Case["lists"][number], q: number, { wishes }: Case) {
  const rounded = rows.map((row) => row.map((one) => Math.fround(one) + 0));
  const scored = rank(model, rounded);
  const places = new Map(rounded.map((row, i) => [row, i]));
  const scores = new Float64Array(rows.length);
  for (const { item, score } of scored) scores[places.get(item)!] = score;
  const { probabilities: likely, explain: why, top = Infinity } = wishes;
  const how = typeof likely === "object" ? likely : {};
  const chances = likely && probabilities(scores, { temperature: how.temperature ?? 1, ...(how.within && { places: how.within }), random: random(1, q) }); // biome-ignore format: one line
  const withFeatures = model.columns.names ? { features: names } : {};
  const reasons = why && rows.length > 0 ? explain(model, build(rounded.map((features) => ({ list: 1, label: 0, features })), withFeatures), 0) : []; // biome-ignore format: one line
  const items = scored.slice(0, top).map(({ item, rank: place, score }) => {
    const index = places.get(item)!;
    return {
      ...{ index, ...(ids && { id: ids[index] }), rank: place },
      ...(wishes.scores !== false && { score }),
      ...(chances && {
        first: chances.first[index],
        within: Object.fromEntries(chances.within.map(({ k, chances: all }) => [k, all[index]])),
        expected: chances.expected[index],
        interval: [chances.low[index], chances.high[index]],
      }),
      ...(why && {
        reasons: reasons
          .find((one) => one.index === index)!
          .reasons.slice(0, why === true ? 10 : why)
          .map(({ feature, contribution }) => ({
            feature: columnName(explainedColumns(model), feature),
            contribution,
          })),
      }),
    };
  });
  return { ...(id !== undefined && { id }), items };
}

it("answers random requests as the library ranks, to the last bit, many at once", async () => {
  const draw = random(Number(process.env.TIERWISE_SEED ?? 21));
  const cases = Array.from({ length: CASES }, () => randomCase(draw));
  for (let from = 0; from < cases.length; from += 30)
    await Promise.all(cases.slice(from, from + 30).map((one, k) => checkCase(one, from + k, random(31, from + k))));
});

async function checkCase(one: Case, number: number, draw: Random): Promise<void> {
  const compact = one.body.startsWith("co");
  const { bytes: body, unknown } = bodyOf(one, draw);
  const answer = await served.app.inject({
    ...{ method: "POST", url: `/models/${one.name}/rank` },
    headers: {
      "content-type": compact ? RANK_BODY_TYPE : "application/json",
      ...(one.compactAnswer && { accept: RANK_BODY_TYPE }),
    },
    payload: Buffer.from(body),
  });
  const model = models.get(one.name)!;
  if (one.wishes.explain && !model.explain && one.lists.length > 0) {
    expect([answer.statusCode, answer.json().error.message]).toEqual([400, expect.stringContaining("cannot be explained")]);
    return;
  }
  const what = `case ${number}, ${one.body}`;
  expect([what, answer.statusCode, answer.statusCode === 200 ? "" : answer.body]).toEqual([what, 200, ""]);
  const lists = one.lists.map((list, q) => wanted(model, list, q, one));
  const key = { model: `${one.name}@1`, ...(unknown.size > 0 && { warnings: [ignoredNotice([...unknown], "feature")] }) };
  if (!one.compactAnswer) expect({ what, ...answer.json() }).toEqual({ what, ...key, ...(one.single ? lists[0] : { lists }) });
  else {
    const { head, numbers } = decodeRankBody(answer.rawPayload);
    expect(head).toEqual({ ...key, lists: lists.map(({ items, ...rest }) => ({ ...rest, items: items.length })) });
    const all = lists.flatMap(({ items }) => items);
    const bytes = Uint8Array.from(numbers).buffer;
    expect([...new Uint32Array(bytes, 0, all.length)]).toEqual(all.map(({ index }) => index));
    const at = Math.ceil((4 * all.length) / 8) * 8;
    if (one.wishes.scores === false) expect(numbers.length).toBe(4 * all.length);
    else expect([...new Float64Array(bytes, at, all.length)]).toEqual(all.map(({ score }) => score));
  }
}
