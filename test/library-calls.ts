/**
 * A call of every public function, with a value for each of its options under which its result differs from that without the option, or that calls
 * its callback. Long: a table of all options. test/every-library-option.test.ts tries the values, test/library-defaults.test.ts the defaults.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Threads run the built JavaScript, so these tests do too.
const at = (path: string) => new URL(`../dist/src/${path}`, import.meta.url).href;
const library = (await import(at("index.js"))) as typeof import("../src/index.ts");
const { report } = (await import(at("report/report.js"))) as typeof import("../src/report/report.ts");
const testing = (await import(at("testing/index.js"))) as typeof import("../src/testing/index.ts");
const { random } = (await import(at("numeric/random.js"))) as typeof import("../src/numeric/random.ts");
const { Heap } = (await import(at("numeric/heap.js"))) as typeof import("../src/numeric/heap.ts");
const { linear, trees, utilities, mlp, lambdaRank: lambdarank, plPartition, ndcg, meanAveragePrecision: map } = library;

const folder = mkdtempSync(join(tmpdir(), "tierwise-options-"));
const heap = new Heap();
afterAll(() => {
  heap.close();
  rmSync(folder, { recursive: true, force: true });
});
const path = (name: string) => join(folder, name);

const draw = random(11);
const rows = Array.from({ length: 96 }, (_, i) => {
  const features = [draw(), draw(), draw()];
  return { list: `q${Math.floor(i / 8)}`, label: Math.floor(2 * (features[0]! + 0.6 * draw())), features };
});
const data = library.build(rows, { features: ["a", "b", "c"] });
const wider = library.build(
  rows.map((row, i) => ({ ...row, features: [...row.features, i % 5] })),
  { features: ["a", "b", "c", "d"] },
);
/** Labels that nothing can predict, so that validation stops improving. */
const noise = library.build(
  rows.map((row, i) => ({ ...row, label: (i * 7) % 3 })),
  { features: ["a", "b", "c"] },
);
const held = library.subset(data, [8, 9, 10, 11]);
const objects = rows.map(({ list, label, features: [a, b, c] }, i) => ({
  q: list,
  y: label,
  doc: `d${i}`,
  a,
  b,
  c,
  w: 1 + (i % 3),
}));
const orders = [
  ["a", ["b", "c"]],
  ["b", "a", "c"],
  ["c", "b"],
  ["a", "c"],
  ["b", "c", "a"],
  ["c", "a"],
] as const;
const votes = library.ballots(orders as never);
const fought = library.battles([
  ...Array.from({ length: 120 }, (_, i) => ({
    first: "abcd"[i % 4]!,
    second: "abcd"[(i + 1 + (i % 3)) % 4]!,
    winner: (["first", "second", "tie"] as const)[((i * 7) % 5) % 3]!,
    slice: i % 2 === 0 ? "even" : "odd",
  })),
  ...Array.from({ length: 8 }, (_, i) => ({
    ...{
      first: "e",
      second: "a",
      winner: i % 4 < 2 ? ("first" as const) : ("second" as const),
      slice: i % 2 === 0 ? "even" : "odd",
    },
  })),
]);
const timed = Array.from({ length: 90 }, (_, i) => ({
  first: "abcd"[i % 4]!,
  second: "abcd"[(i + 1 + (i % 3)) % 4]!,
  winner: (["first", "first", "tie", "second"] as const)[(i * 5) % 4]!,
}));
const judged = library.battles([
  ...timed.map((battle, i) => ({ ...battle, cluster: `judge ${i % 6}` })),
  ...(["first", "second"] as const).map((winner) => ({ first: "e", second: "b", winner, cluster: "judge 1" })),
]);
/** A number from 0 to 1 that looks random. */
const scattered = (i: number, salt: number) => (((((i + 1) * 2654435761) ^ (salt * 40503)) >>> 0) % 9973) / 9973;
/** Battles for which a first-order plan is not the fewest. */
const close = library.battles(
  Array.from({ length: 100 }, (_, i) => ({
    ...{ first: "abcde"[Math.floor(5 * scattered(i, 5))]!, second: "abcde"[Math.floor(5 * scattered(i, 6))]! },
    winner: (["first", "second", "tie"] as const)[Math.floor(3 * scattered(i, 7))]!,
  })).filter(({ first, second }) => first !== second),
);
const dated = library.battles(
  Array.from({ length: 300 }, (_, i) => ({
    ...{ first: i % 50 === 0 ? "e" : "abcd"[i % 4]!, second: "abcd"[(i + 1 + (i % 3)) % 4]! },
    ...{ winner: (["first", "second", "tie"] as const)[((i * 7) % 11) % 3]!, slice: String(Math.floor(i / 75)) },
  })).filter(({ first, second }) => first !== second),
);
const itemFeatures = { names: ["x"], items: new Map([..."abcde"].map((name, i) => [name, [(i * i) % 7]])) };
const model = library.fit(data, { model: linear({ l2: 0.1 }) }).model;
const other = library.fit(data, { model: linear({ l2: 20 }) }).model;
const growing = { model: trees({ rounds: 3, minItems: 2, leaves: 4 }) };
const grown = library.fit(data, growing).model;
const gaps = library.fit(
  library.build(rows.map((row, i) => ({ ...row, features: row.features.map((v, c) => ((i + c) % 4 ? v : Number.NaN)) }))),
  growing,
).model;
const byList = library.fit(data, { model: linear({ l2: 0.1, scale: "list" }) }).model;
const worths = library.fit(votes, { model: utilities({ ghost: 0.5 }) }).model;
const scores = library.score(model, data);
const metrics = [ndcg({ k: 3 })];
const system = (name: string, one: typeof model, only = metrics) =>
  library.systemValues(name, library.evaluate(one, data, only), data);
const many = Array.from({ length: 30 }, (_, i) => Math.sin(7 * i));
const shifted = many.map((value, i) => value + 0.3 * Math.cos(3 * i));
const folds = library.folds(data, 3, 1);
const graded = (name: string) => `${name},y,page,a\n1,2,d,0.5\n1,0,e,0.1\n2,1,f,0.7\n2,2,g,0.2\n`;
const cube = {
  id: "cube",
  spec: "cube",
  fit: () => 3,
  apply: (_: unknown, one: typeof data) => ({
    ...one,
    features: { ...one.features, values: one.features.values.map((value) => value ** 3) },
  }),
};
const carried = library.fit(data, { model: linear({ l2: 0.1 }), transform: cube });
const carriedFile = { model: carried.model, training: carried.training, metrics: {} };
const file = { model, training: { objective: "pl-partition", model: "linear" }, metrics: {} };
library.writeModel(path("carried.json"), carriedFile);
writeFileSync(path("data.csv"), graded("qid").replace(",y,", ",label,").replace("page", "docid"));
writeFileSync(path("sparse.txt"), "1 qid:1 1:0.5 3:1\n0 qid:1 2:1\n2 qid:2 1:3\n0 qid:2 3:2\n");
writeFileSync(path("zero.txt"), "1 qid:1 0:0.5 3:1\n0 qid:1 2:1\n");
writeFileSync(path("rated.csv"), "qid,label,a,b\n1,0,5,x\n1,1,7,y\n");
writeFileSync(path("products.csv"), "b,size\nx,1\ny,2\n");
writeFileSync(path("people.csv"), "qid,age\n1,40\n");
writeFileSync(path("labels.xc.txt"), "4 2 2\n0 0:1\n1 1:1\n0,1 0:0.5\n1 0:0.3 1:2\n");
writeFileSync(
  path("clicks.csv"),
  `query,query2,document,document2,position,position2,clicked,clicked2,impression,impression2,dwell,dwell2
a,b,x,y,1,3,1,0,1,1,5,50
a,b,y,x,2,4,1,1,1,2,20,2
`,
);
/** Pages of documents of the data, with clicks. */
const shownBy = Float64Array.from(rows, ({ features: [a, b] }) => 2 * a! + b!);
const simulated = library.simulateClicks(data, shownBy, { impressions: 400, depth: 4 });
const simulatedBias = library.positionBias(simulated.log);
const fixed = library.simulateClicks(data, shownBy, { impressions: 50, temperature: 0 }).log; // documents never move
const few = library.simulateClicks(data, shownBy, { impressions: 6, depth: 4 }).log;
const once = library.simulateClicks(data, shownBy, { impressions: 6, depth: 3 }).log; // most documents are not shown
writeFileSync(path("battles.csv"), "model_a,model_b,winner,judge,w\na,b,tie,u,2\nb,a,a,v,3\na,b,b,u,1\na,a,tie,u,1\n");
writeFileSync(path("titled-battles.csv"), "A season\nwinner,loser\na,b\n");
writeFileSync(path("both-sides.csv"), "model_a,left,model_b,right,winner,result\na,c,b,d,tie,model_a\n");
writeFileSync(path("both-losers.csv"), "winner,loser,beaten,tie,drawn,count,times\na,b,c,no,yes,1,2\n");
writeFileSync(path("titled-clicks.csv"), "A day\nquery,doc,position,clicked\na,x,1,1\n");
writeFileSync(path("rows.txt"), "1\n3\n");
writeFileSync(path("part.orders"), "a > b\nb > c\nc > a > b\n");
const unnamed = library.exportModel(library.fit(library.build(rows), growing).model, { to: "lightgbm" });
const exported = library.exportModel(grown, { to: "lightgbm" });

/** Two systems over many lists, so that the test is not exact. */
const numeric = (options: Options) =>
  library.compare(
    [many, shifted].map((values, i) => ({
      ...system(String(i), model),
      lists: values.map((_, q) => `q${q}`),
      weights: Float32Array.from(values, () => 1),
      values: { "ndcg@3": Float64Array.from(values) },
    })) as never,
    options as never,
  );

export type Options = Readonly<Record<string, unknown>>;
export type Call = (options: Options) => unknown;

/** A value of an option, with the other options that it needs, and where it is for a case of its own, another call. */
export interface Case {
  readonly value: unknown;
  readonly with?: Options;
  readonly call?: Call;
  /** The default, where the comment of the option has words for it instead of a value. */
  readonly usual?: unknown;
  /** Why the result is the same. */
  readonly same?: string;
  /** How the value refuses what is accepted without it. */
  readonly refused?: RegExp;
}

/** A callback: how often it is called is part of the result. */
export const callback = Symbol("callback");

async function battlesOf(name: string, options: Options): Promise<unknown[]> {
  const found: unknown[] = [];
  await library.eachBattle([path(name)], (battle) => void found.push(battle), options);
  return found;
}

/** Names of columns of battles; `call` reads a file. */
const resultColumns = (call: (name: string, options: Options) => unknown): Function["values"] => {
  const column = (value: string, usual: string, name: string) => is(value, { usual, call: (options) => call(name, options) });
  return {
    first: column("left", "model_a", "both-sides.csv"),
    second: column("right", "model_b", "both-sides.csv"),
    winner: column("result", "winner", "both-sides.csv"),
    loser: column("beaten", "loser", "both-losers.csv"),
    tie: column("drawn", "tie", "both-losers.csv"),
    count: column("times", "count", "both-losers.csv"),
  };
};

export interface Function {
  readonly call: Call;
  /** Options that the call needs. */
  readonly needs?: Options;
  readonly values: Readonly<Record<string, Case | { readonly value: typeof callback }>>;
}

const is = (value: unknown, more: Omit<Case, "value"> = {}): Case => ({ value, ...more });
const called = { value: callback } as const;
const strict = (more: Omit<Case, "value">) =>
  is("error", { ...more, usual: "ignore", refused: /the model does not know the (feature "d"|column "z")/ });
const aligned = (call: (one: typeof data, options: never) => unknown) =>
  strict({ call: (options) => call(wider, options as never) });
const threads = is(2, { same: "threads never change a result" });
const blocking = is(true, { with: { threads: 1 }, same: "only where training runs" });
const signal = is(new AbortController().signal, { same: "nothing is aborted" });

const store = { where: "nowhere", load: () => [], save() {}, remove() {} };
const keeping = is({ store, rounds: 1 }, { same: "only where an interrupted training continues" });

const fitting: Function["values"] = {
  model: is(linear({ l2: 5 })),
  objective: is(lambdarank(), { usual: plPartition() }),
  transform: is(cube),
  init: is(grown, { with: growing }),
  valid: is(held, { with: { metrics } }),
  metrics: is([map()], { with: { valid: held }, usual: [] }),
  stopOn: is("ndcg@3", {
    with: { model: trees({ rounds: 12, minItems: 1, leaves: 8, learningRate: 0.9 }), valid: noise, metrics },
  }),
  patience: is(1, { with: { model: trees({ rounds: 12, minItems: 1, leaves: 8, learningRate: 0.9 }), valid: noise, metrics } }),
  seed: is(9, { with: { model: mlp({ hidden: [3], epochs: 1 }) } }),
  onRound: called,
  checkpoint: keeping,
  onProgress: is(() => {}, { same: "only trainings of one round report parts of it" }),
  unknownFeatures: strict({ with: { valid: wider, metrics } }),
};
const memory = is("8g", { same: "a budget never changes a result" });
const training: Function["values"] = { ...fitting, threads, blocking, memory, signal };
const { init: _, valid: __, memory: ___, ...crossed } = training;

/** The request that `rankOverHttp` makes; test/serve.test.ts has real answers. */
async function requested(options: object): Promise<unknown> {
  const { fetch } = globalThis;
  let request: unknown;
  globalThis.fetch = async (_, init) => {
    request = { headers: init?.headers, body: Buffer.from(init?.body as Uint8Array).toString("latin1") };
    return new Response("{}", { status: 400 });
  };
  try {
    await library.rankOverHttp("http://127.0.0.1/models/m", [{ rows: [[1], [2]] }], options);
  } catch (error) {
    if (!(error instanceof library.InputError)) throw error;
  } finally {
    globalThis.fetch = fetch;
  }
  return request;
}

type Read = (name: string, content: string) => Call;
const parsed: Read = (name, content) => (options) => library.parseData([{ name, content }], options as never).data;
const read: Read = (name, content) => (options) => {
  writeFileSync(path(name), content);
  return library.readData([path(name)], { threads: 1, ...options } as never);
};
const reading = (table: Read): Function["values"] => ({
  format: is("csv", { call: table("a.orders", graded("qid").replace(",y,", ",label,").replace("page", "docid")) }),
  label: is("y", { with: { qid: "q", id: "page" }, call: table("a.csv", graded("q")) }),
  qid: is("q", { with: { label: "y", id: "page" }, call: table("a.csv", graded("q")) }),
  weight: is("a", { with: { label: "y", qid: "q", id: "page" }, call: table("a.csv", graded("q")) }),
  id: is("page", { with: { label: "y", qid: "q" }, call: table("a.csv", graded("q")) }),
  ignore: is(["page"], { with: { label: "y", qid: "q" }, call: table("a.csv", graded("q")) }),
  absent: is("missing", { call: table("a.txt", "1 qid:1 1:0.5 3:1\n0 qid:1 2:1\n") }),
  indexBase: is(0, { call: table("a.txt", "1 qid:1 0:0.5 3:1\n0 qid:1 2:1\n") }),
  absentItems: is("last", { call: table("a.orders", "a > b\nb > c\nc > a > b\n") }),
  split: is(path("rows.txt"), { call: (options) => library.readData([path("labels.xc.txt")], options as never) }),
  tiers: is("ratings:cuts=1/2", { call: table("a.txt", "5 qid:1 1:0.5\n0 qid:1 1:1\n") }),
  positions: is("ignore", {
    call: (options) =>
      library.parseData(
        [{ name: "a.txt", content: "1 qid:1 1:0.5\n0 qid:1 1:1\n0 qid:2 1:0.2\n1 qid:2 1:0.9\n", positions: "1\n2\n1\n2\n" }],
        options as never,
      ),
  }),
  labels: is("optional", { call: table("a.csv", "qid,a\n1,0.5\n1,0.7\n") }),
  storage: is("sparse", { call: table("a.txt", "1 qid:1 1:0.5\n0 qid:1 1:1\n") }),
  heap: is(heap, { call: table("a.txt", "1 qid:1 1:0.5\n0 qid:1 1:1\n"), same: "only where the features are" }),
  scorer: is(
    { numbered: false, remembered: [] },
    { call: table("a.txt", "1 qid:1 1:0.5\n0 qid:1 1:1\n"), same: "only for errors" },
  ),
  columns: is(true, { call: table("a.csv", "qid,label,a\n1,0,0.5\n1,1,0.7\n"), same: "only how it is read" }),
  categories: is(["a"], { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n") }),
  maxCategories: is(1, { call: table("a.csv", "qid,label,a\n1,0,x\n1,1,y\n1,0,x\n1,1,y\n") }),
  dateColumns: is(["a"], { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n") }),
  timeColumns: is(["a"], { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n") }),
  missingValues: is(["7"], { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n") }),
  skipLines: is(1, { call: table("a.csv", "qid,label,a\nqid,label,b\n1,0,5\n1,1,7\n") }),
  separator: is(":", { call: table("a.csv", "qid:label:a\n1:0:5\n1:1:7\n") }),
  decimal: is(",", { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7.125\n") }),
  header: is(false, { with: { qid: "1" }, call: table("a.csv", "1,2,3\n0,2,5\n") }),
  lowerIsBetter: is(true, { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n") }),
  higherIsBetter: is(true, { with: { label: "tier" }, call: table("a.csv", "qid,tier,a\n1,0,5\n1,1,7\n") }),
  labelOrder: is(["x", "y"], { with: { missingValues: ["z"] }, call: table("a.csv", "qid,label,a\n1,x,5\n1,y,7\n") }),
  labelLast: is(["7"], { call: table("a.csv", "qid,label,a\n1,8,5\n1,7,7\n1,5,1\n") }),
  labelMissing: is(["7"], { call: table("a.csv", "qid,label,a\n1,8,5\n1,7,7\n1,5,1\n") }),
  duplicates: is("last", { with: { id: "item" }, call: table("a.csv", "qid,item,label,a\n1,x,0,5\n1,x,1,7\n1,y,2,3\n") }),
  joinLists: is(true, { call: table("a.csv", "qid,label,a\n1,0,5\n1,1,7\n"), same: "there is one file" }),
  ballots: is("always", { with: { id: "b" }, call: table("a.csv", "qid,label,a,b\n1,0,5,x\n1,1,7,y\n") }),
  items: is(path("products.csv"), {
    with: { id: "b" },
    call: (options) => library.readData([path("rated.csv")], options as never),
  }),
  lists: is(path("people.csv"), {
    with: { id: "b" },
    call: (options) => library.readData([path("rated.csv")], options as never),
  }),
});
const binned: Read = (name, content) => (options) => {
  writeFileSync(path(name), content);
  return library.readBinned([path(name)], { threads: 1, ...options } as never);
};
const {
  absentItems: _1,
  split: _2,
  duplicates: _13,
  tiers: _3,
  labelMissing: _15,
  labels: _4,
  storage: _5,
  scorer: _6,
  ...rowsOfTables
} = reading(binned);
const {
  columns: _7,
  items: _8,
  lists: _9,
  categories: _10,
  maxCategories: _11,
  dateColumns: _12,
  timeColumns: _14,
  ...readingRows
} = rowsOfTables;
const cut = (await library.readBinned([path("data.csv")], growing)).data;
/** Weights of `many`. */
const weighted = is(
  many.map((_, i) => 1 + (i % 3)),
  { usual: many.map(() => 1) },
);
const widened = "qid,label,docid,a,z\n1,2,d,0.5,1\n1,0,e,0.1,2\n";

/** A check passes, or tells what does not hold. */
const verdict = (check: () => void) => {
  try {
    check();
    return "passed";
  } catch (error) {
    return String(error);
  }
};

/** Without seconds, which differ from run to run. */
const auto = async (options: Options, from = data) => {
  const { trials, ...found } = await library.autoTrain(from, options);
  return { ...found, trials: trials.map(({ seconds: ___, ...one }) => one) };
};

export const functions: Readonly<Record<string, Function>> = {
  align: { call: (options) => library.align(wider, model.columns, options), values: { unknownFeatures: strict({}) } },
  autoTrain: {
    call: (options) => auto(options),
    needs: { trials: 2, folds: 2, patience: 3, threads: 1, blocking: true },
    values: {
      trials: is(1),
      budget: is(1e-9),
      folds: is(3, { usual: 5 }),
      valid: is(held),
      unknownFeatures: strict({ with: { valid: wider } }),
      objective: is(library.rankNet()),
      metrics: is([map()], { usual: [ndcg({ k: 10 })] }),
      checkpoint: keeping,
      done: is([{ settings: {}, model: "trees", objective: "pl-partition", metrics: {}, rounds: [], failed: "not at all" }]),
      onTrial: called,
      onRound: called,
      transform: is(cube),
      stopOn: is("ndcg@3", { call: (options) => auto(options, noise) }),
      patience: is(40, { with: { stopOn: "ndcg@3" }, call: (options) => auto(options, noise) }),
      seed: is(9),
      threads,
      blocking: is(false, { same: "only where training runs" }),
      signal,
    },
  },
  ballots: {
    call: (options) => library.ballots(orders as never, options),
    values: {
      absent: is("last"),
      weights: is([1, 2, 3, 1, 2, 3], { usual: [1, 1, 1, 1, 1, 1] }),
      items: is(["c", "b", "a", "d"]),
    },
  },
  baselines: {
    call: (options) => library.baselines(data, options as never),
    needs: { metric: metrics[0] },
    values: {
      metric: is({ ...ndcg({ k: 3 }), better: "lower" }),
      train: is(held),
      nameOf: is((c: number) => `column ${c}`, { usual: (c: number) => "abc"[c] }),
    },
  },
  blend: {
    call: (options) => library.blend([model, grown], data, options),
    values: {
      weights: is("equal"),
      metrics: is(metrics, { usual: [] }),
      unknownFeatures: aligned((one, options) => library.blend([model, grown], one, options)),
    },
  },
  bootstrap: {
    call: (options) => library.bootstrap(votes, options as never),
    needs: { model: utilities({ ghost: 0.5 }), objective: plPartition(), resamples: 6 },
    values: {
      model: is(utilities({ ghost: 2 })),
      objective: is(library.davidson()),
      resamples: is(9),
      level: is(0.6),
      seed: is(5),
    },
  },
  bootstrapDifference: {
    call: (options) => library.bootstrapDifference(many, shifted, { random: random(1), ...options }),
    values: {
      random: is(random(9)),
      weights: weighted,
      level: is(0.7),
      resamples: is(50),
      kind: is("percentile"),
    },
  },
  bootstrapMean: {
    call: (options) => library.bootstrapMean(many, { random: random(1), ...options }),
    values: {
      random: is(random(9)),
      weights: weighted,
      level: is(0.7),
      resamples: is(50),
      kind: is("percentile"),
    },
  },
  build: {
    call: (options) => library.build([{ list: 1, label: 1, features: { numbers: [1, 3], values: [5, 6] } }], options),
    values: {
      features: is(["x", "y", "z"]),
      absent: is("missing"),
      base: is(0),
      storage: is("sparse"),
      scratch: is(heap, { same: "only where work is done" }),
      heap: is(heap, { same: "only where the features are" }),
    },
  },
  calibrate: {
    call: (options) => library.calibrate(scores, data, options),
    values: { bins: is(4), most: is(3), level: is(0.5), seed: is(4, { with: { most: 6 } }), progress: called },
  },
  candidatesOf: {
    call: (options) => library.candidatesOf(options as never),
    needs: { model: "linear", objective: "pl-partition", space: { l2: "0.1..10" } },
    values: {
      model: is("linear:scale=none"),
      objective: is("ranknet"),
      space: is({ l2: "1..3" }),
      search: is("random", { usual: "grid", with: { space: { l2: "1,2,3" }, trials: 2 } }),
      trials: is(3),
      seed: is(8),
    },
  },
  checkMetric: {
    call: (options) => verdict(() => testing.checkMetric(ndcg(), options as never)),
    values: {
      range: is([0, 0.5], { usual: [-Infinity, Infinity] }),
      dependsOn: is("scores", { same: "ndcg passes either way" }),
      ties: is("order", { same: "ndcg passes either way" }),
      definition: is(() => 0),
      labels: is([0, 1], { with: { range: [0, 1] }, same: "ndcg passes for all labels" }),
      cases: is(3, { same: "only how often" }),
    },
  },
  checkObjective: {
    call: (options) => verdict(() => testing.checkObjective(plPartition(), options)),
    values: { tolerance: is(1e-9) },
  },
  checkTransform: {
    call: (options) => verdict(() => testing.checkTransform(cube as never, options)),
    values: { data: is(data, { same: "it passes on all data" }) },
  },
  compare: {
    call: (options) =>
      library.compare(
        [system("one", model, [ndcg({ k: 3 }), map()]), system("two", other, [ndcg({ k: 3 }), map()])],
        options as never,
      ),
    needs: { metrics, resamples: 60 },
    values: {
      metrics: is([map()]),
      baseline: is("two", { usual: "one" }),
      changed: is(1, { call: numeric }),
      level: is(0.5),
      rounds: is(40, { call: numeric }),
      resamples: is(80),
      seed: is(6),
    },
  },
  chainDiagnostics: {
    call: (options) => library.chainDiagnostics(model, data, { objective: library.pmopGibbs(), ...options }),
    needs: { steps: 20, stages: 2 },
    values: { objective: is(library.pmopMh()), chains: is(3), steps: is(30), stages: is(1), seed: is(7) },
  },
  compareTies: {
    call: (options) => library.compareTies(votes, options),
    needs: { objectives: ["pl-partition", "ranknet"], parts: 2 },
    values: { objectives: is(["pl-partition"], { usual: library.TIE_TREATMENTS }), parts: is(3), ghost: is(2), seed: is(7) },
  },
  voterClusters: {
    call: (options) => library.voterClusters(votes, options),
    needs: { most: 2, parts: 2, rounds: 8 },
    values: { most: is(1), parts: is(3), starts: is(1), rounds: is(2), ghost: is(2), seed: is(7) },
  },
  leaderboard: {
    call: (options) => library.leaderboard(fought, options),
    needs: { errors: "bootstrap", resamples: 20 },
    values: {
      objective: is(library.rankNet({ ties: "half" }), { usual: library.davidson() }),
      ghost: is(2),
      errors: is("robust", { usual: "information" }),
      errorRidge: is(0.1, { call: (options) => library.leaderboard(fought, { ...options, errors: "information" }) }),
      resamples: is(30),
      level: is(0.5),
      minBattles: is(30),
      scale: is("elo"),
      anchor: is(5, { usual: 0 }),
      anchorItem: is("b"),
      seed: is(7),
      onProgress: called,
    },
  },
  leaderboardBySlice: {
    call: (options) => library.leaderboardBySlice(fought, options),
    needs: { errors: "bootstrap", resamples: 20 },
    values: {
      objective: is(library.rankNet(), { usual: library.davidson() }),
      ghost: is(2),
      errors: is("robust", { usual: "information" }),
      errorRidge: is(0.1, { call: (options) => library.leaderboardBySlice(fought, { ...options, errors: "information" }) }),
      resamples: is(30),
      level: is(0.5),
      minBattles: is(14),
      scale: is("elo"),
      anchor: is(5, { usual: 0 }),
      anchorItem: is("b"),
      seed: is(7),
      onProgress: called,
    },
  },
  leaderboardWithJudges: {
    call: (options) => library.leaderboardWithJudges(judged, options),
    needs: { ghost: 0.5 },
    values: {
      objective: is(library.rankNet({ ties: "half" }), { usual: library.davidson() }),
      ghost: is(2),
      errors: is("information", { usual: "clustered" }),
      errorRidge: is(0.1, { same: "the marginal likelihood has no ridge" }),
      resamples: is(30, { same: "there is no bootstrap" }),
      level: is(0.5),
      minBattles: is(30),
      scale: is("elo"),
      anchor: is(5, { usual: 0 }),
      anchorItem: is("b"),
      seed: is(7),
      onProgress: called,
    },
  },
  leaderboardInfluence: {
    call: (options) => library.leaderboardInfluence(judged, options),
    needs: { ghost: 0.5, largest: 1 },
    values: {
      objective: is(library.rankNet({ ties: "half" }), { usual: library.davidson() }),
      ghost: is(20),
      minBattles: is(30),
      contenders: is(1),
      largest: is(0.001),
      refine: is(false, { call: (options) => library.leaderboardInfluence(close, options) }),
      onProgress: called,
    },
  },
  compareInterleaved: {
    call: (options) =>
      library.compareInterleaved(
        Array.from({ length: 40 }, (_, i) => ({ credit: [i % 3 === 0 ? 0 : 1, i % 3 === 0 ? 1 : 0], clicks: [0] })),
        options,
      ),
    values: { level: is(0.5), seed: is(7) },
  },
  positionBias: {
    call: (options) => library.positionBias(simulated.log, options),
    values: {
      method: is("cascade"),
      features: is(data, { call: (options) => library.positionBias(fixed, options) }),
      level: is(0.5),
    },
  },
  clickData: {
    call: (options) => library.clickData(simulated.log, data, options),
    values: {
      bias: is(simulatedBias),
      by: is("impression"),
      clip: is(1.5, { with: { bias: simulatedBias } }),
      unseen: is("leave-out", { usual: "predicted", call: (options) => library.clickData(once, data, options) }),
      labelStep: is(2),
    },
  },
  counterfactualDcg: {
    call: (options) => library.counterfactualDcg(simulated.log, data, shownBy, options as never),
    needs: { bias: simulatedBias },
    values: {
      bias: is(library.positionBias(simulated.log, { method: "cascade" })),
      k: is(2),
      clip: is(1.5),
      level: is(0.5),
      relevance: is(
        Array.from(data.labels, () => 0.5),
        { call: (options) => library.counterfactualDcg(few, data, shownBy, { bias: simulatedBias, ...options } as never) },
      ),
    },
  },
  simulateClicks: {
    call: (options) => library.simulateClicks(data, shownBy, options),
    needs: { impressions: 50 },
    values: {
      impressions: is(60),
      depth: is(2),
      model: is("cascade"),
      strength: is(2),
      proceed: is(0.5, { with: { model: "cascade" } }),
      afterClick: is(0.1, { with: { model: "cascade" } }),
      noise: is(0.5),
      temperature: is(3),
      seed: is(7),
    },
  },
  readClicks: {
    call: (options) => library.readClicks([path("clicks.csv")], options),
    values: {
      query: is("query2", { usual: "query" }),
      document: is("document2", { usual: "document" }),
      position: is("position2", { usual: "position" }),
      clicked: is("clicked2", { usual: "clicked" }),
      impression: is("impression2", { usual: "impression" }),
      dwell: is("dwell2", { usual: "dwell", with: { minDwell: 10 } }),
      minDwell: is(10),
      skipLines: is(1, { call: (options) => library.readClicks([path("titled-clicks.csv")], options) }),
      progress: called,
    },
  },
  interleave: {
    call: (options) => library.interleave([0, 1, 2, 3], [3, 2, 1, 0], options as never),
    needs: { random: () => 0.4 },
    values: { method: is("probabilistic"), top: is(2, { usual: 4 }), random: is(() => 0.9) },
  },
  rankOverHttp: {
    call: requested,
    values: { token: is("secret"), top: is(1), scores: is(false) },
  },
  nextPairs: {
    call: (options) => library.nextPairs(judged, options),
    values: {
      objective: is(library.rankNet({ ties: "half" }), { usual: library.davidson() }),
      ghost: is(2),
      minBattles: is(30),
      level: is(0.2),
      seed: is(7),
      pairs: is(1),
      battles: is(5),
      top: is(1, { usual: 5 }),
      newItems: is(["z"], { usual: [] }),
    },
  },
  nextPairsOf: {
    call: (options) =>
      library.nextPairsOf(
        {
          names: ["a", "b", "c"],
          utilities: [0.3, 0, -0.3],
          covariance: Float64Array.of(0.2, -0.1, -0.1, -0.1, 0.2, -0.1, -0.1, -0.1, 0.2),
        },
        options,
      ),
    values: {
      objective: is(library.rankNet({ ties: "half" }), { same: "the information is given with the utilities" }),
      ghost: is(2, { same: "there is no fit" }),
      minBattles: is(30, { same: "there are no battles" }),
      level: is(0.2),
      seed: is(7),
      pairs: is(1),
      battles: is(5),
      top: is(1, { usual: 3 }),
      newItems: is(["z"], { usual: [] }),
    },
  },
  compareRatings: {
    call: (options) => library.compareRatings(timed, options),
    needs: { slices: 3 },
    values: {
      objective: is(library.rankNet({ ties: "half" }), { usual: library.davidson() }),
      systems: is([library.elo()], { usual: [library.elo(), library.glicko2(), library.trueSkill()] }),
      slices: is(5),
      ghost: is(3),
      onProgress: called,
    },
  },
  eachBattle: {
    call: (options) => battlesOf("battles.csv", options),
    values: {
      skipLines: is(1, { call: (options) => battlesOf("titled-battles.csv", options) }),
      ...resultColumns(battlesOf),
      period: is("judge"),
      progress: called,
      notice: called,
    },
  },
  leaderboardChanges: {
    call: (options) => library.leaderboardChanges(library.leaderboard(fought), library.leaderboard(fought), options),
    values: { threshold: is(2) },
  },
  compareBattleModels: {
    call: (options) => library.compareBattleModels(dated, options),
    needs: { parts: 2, time: true },
    values: { parts: is(3), seed: is(7), time: is(false), periods: is(2), onProgress: called },
  },
  leaderboardDrift: {
    call: (options) => library.leaderboardDrift(dated, options),
    values: {
      ...{
        objective: is(library.raoKupper(), { usual: library.davidson() }),
        level: is(0.5),
        scale: is("elo"),
        anchor: is(5, { usual: 0 }),
        periods: is(2),
        step: is(0.3),
      },
      ...{ parts: is(3), seed: is(7), onProgress: called },
    },
  },
  leaderboardFit: {
    call: (options) => library.leaderboardFit(dated, options),
    needs: { simulations: 20 },
    values: {
      ...{
        objective: is(library.raoKupper(), { usual: library.davidson() }),
        ghost: is(2),
        seed: is(7),
        simulations: is(30, { usual: 200 }),
        threshold: is(0.5),
      },
      onProgress: called,
    },
  },
  leaderboardWithFeatures: {
    call: (options) => library.leaderboardWithFeatures(dated, itemFeatures, options),
    values: {
      ...{
        objective: is(library.raoKupper(), { usual: library.davidson() }),
        level: is(0.5),
        minBattles: is(30),
        scale: is("elo"),
        anchor: is(5, { usual: 0 }),
      },
      ...{ anchorItem: is("b"), seed: is(7), shrinkage: is(0.2) },
    },
  },
  leaderboardOfRankings: {
    call: (options) => library.leaderboardOfRankings(votes, options),
    values: {
      ...{
        objective: is(library.raoKupper(), { usual: plPartition() }),
        errors: is("robust", { usual: "information" }),
        level: is(0.5),
        scale: is("elo"),
        anchor: is(5, { usual: 0 }),
      },
      ...{ anchorItem: is(votes.names.items![0]!), seed: is(7), shrinkage: is(0.2) },
      itemFeatures: is({ names: ["x"], items: new Map(votes.names.items!.map((name, i) => [name, [i * i]])) }),
    },
  },
  battles: {
    call: (options) =>
      library.battles(
        [{ first: "a", second: "b", winner: "tie", ...("covariates" in (options as object) && { covariates: [1] }) }],
        options,
      ),
    values: { covariates: is(["x"]), emptySlices: is(true, { same: "no battle has a slice" }) },
  },
  readBattles: {
    call: (options) => library.readBattles([path("battles.csv")], options),
    values: {
      skipLines: is(1, { call: (options) => library.readBattles([path("titled-battles.csv")], options) }),
      ...resultColumns((name, options) => library.readBattles([path(name)], options)),
      cluster: is("judge"),
      by: is("judge"),
      emptySlices: is(true, { same: "every battle has a slice" }),
      weight: is("w"),
      covariates: is(["w"]),
      progress: called,
      notice: called,
    },
  },
  compareValues: {
    call: (options) => library.compareValues(many, shifted, options),
    needs: { resamples: 60 },
    values: {
      seed: is(6),
      rounds: is(40),
      level: is(0.5),
      resamples: is(80),
      weights: weighted,
    },
  },
  contextCompression: {
    call: (options) => library.contextCompression(data, options),
    values: { permutations: is(7), k: is(2), seed: is(3) },
  },
  cv: {
    call: (options) => library.cv(folds, options as never),
    needs: { model: linear({ l2: 0.1 }), metrics, threads: 1, blocking: true },
    values: {
      ...crossed,
      metrics: is([map()]),
      stopOn: is("ndcg@3", {
        with: { model: trees({ rounds: 12, minItems: 1, leaves: 8, learningRate: 0.9 }) },
        call: (options) => library.cv(library.folds(noise, 3, 1), options as never),
      }),
      patience: is(1, {
        with: { model: trees({ rounds: 12, minItems: 1, leaves: 8, learningRate: 0.9 }) },
        call: (options) => library.cv(library.folds(noise, 3, 1), options as never),
      }),
      blocking: is(false, { same: "only where training runs" }),
      unknownFeatures: strict({
        call: (options) =>
          library.cv(
            folds.map((fold, i) => (i ? fold : { ...fold, test: wider })),
            options as never,
          ),
      }),
      onFold: called,
    },
  },
  dataset: {
    call: (options) => library.dataset(objects, { ...options } as never),
    needs: { list: "q", label: "y", id: "doc" },
    values: {
      list: is("doc", { with: { features: ["a"], id: undefined } }),
      label: is("w"),
      id: is("doc", { with: { id: undefined, features: ["a"] } }),
      weight: is("w", { usual: () => 1 }),
      features: is(["a", "c"], { usual: ["a", "b", "c", "w"] }),
      encoding: is([
        { name: "c", kind: "number" },
        { name: "a", kind: "number" },
      ]),
      labelLast: is(["1"], { call: (options) => library.dataset(objects, { ...options } as never) }),
      labelOrder: is(["A", "S"], {
        call: (options) => {
          const letters = objects.map((one, i) => ({ ...one, y: i % 2 === 0 ? "S" : "A" }));
          return library.dataset(letters, { ...options } as never);
        },
      }),
    },
  },
  effects: {
    call: (options) => library.effects(model, data, options as never),
    needs: { metric: metrics[0] },
    values: {
      metric: is(map(), {
        call: (options) => library.effects({ ...model, explain: undefined } as never, data, options as never),
      }),
      most: is(1),
      rows: is(20),
      points: is(3),
      seed: is(5, { with: { rows: 20 } }),
      unknownFeatures: aligned((one, options) => library.effects(model, one, options)),
    },
  },
  evaluate: {
    call: () => 0,
    values: { unknownFeatures: aligned((one, options) => library.evaluate(model, one, metrics, options)) },
  },
  evaluationScores: {
    call: () => 0,
    values: { unknownFeatures: aligned((one, options) => library.evaluationScores(model, one, metrics, options)) },
  },
  permutationImportance: {
    call: (options) => library.permutationImportance(model, data, options as never),
    needs: { metric: metrics[0] },
    values: {
      metric: is(map()),
      repeats: is(2),
      shuffle: is("data"),
      seed: is(7),
      progress: called,
      unknownFeatures: strict({
        call: (options) => library.permutationImportance(model, wider, options as never),
      }),
    },
  },
  whatIf: {
    call: () => 0,
    values: { unknownFeatures: aligned((one, options) => library.whatIf(model, one, 0, [{ feature: "a", set: 1 }], options)) },
  },
  explain: { call: () => 0, values: { unknownFeatures: aligned((one, options) => library.explain(model, one, 0, options)) } },
  exportModel: {
    call: (options) => library.exportModel(grown, options as never),
    needs: { to: "solr", missing: "zero" },
    values: {
      to: is("lightgbm"),
      features: is(["x", "y", "z"], { usual: ["a", "b", "c"] }),
      missing: is("zero", {
        with: { missing: undefined },
        call: (options) => library.exportModel(gaps, { to: "solr", ...options } as never),
      }),
      name: is("mine"),
    },
  },
  featureStore: {
    call: (options) =>
      library.featureStore(
        [
          { name: "a", field: "a" },
          { name: "b", field: "b" },
        ] as never,
        options as never,
      ),
    needs: { to: "solr" },
    values: { to: is("opensearch"), name: is("mine"), rerank: is(7), features: is(["a"], { same: "only checked" }) },
  },
  fit: { call: (options) => library.fit(data, options as never), needs: { model: linear({ l2: 0.1 }) }, values: fitting },
  importModel: {
    call: (options) => library.importModel(exported.content, options),
    values: {
      from: is("lightgbm", { same: "the content tells the format too" }),
      features: is(["x", "y", "z"], { usual: ["a", "b", "c"] }),
      base: is(0, { call: (options) => library.importModel(unnamed.content, options as never) }),
      path: is("mine.txt", { same: "only for errors" }),
    },
  },
  joinScores: {
    call: (options) => library.joinScores(votesOf(), new Map([["q0", new Map([["d0", 1]])]]), options),
    values: { complete: is(true) },
  },
  labelSets: {
    call: (options) => library.labelSets([{ t: ["x", "y"], u: ["z"], f: { a: 1 }, g: { b: 2 } }], options as never),
    needs: { labels: "t", features: "f" },
    values: { labels: is("u"), features: is("g"), space: is(["y", "x", "z"], { usual: ["x", "y"] }) },
  },
  parseData: { call: () => 0, values: reading(parsed) },
  inspect: {
    call: (options) => library.inspect(data, options as never),
    values: { test: is(held), ids: is(["a"]) },
  },
  parseModel: {
    call: (options) => library.parseModel(library.serializeModel(carriedFile), "model.json", options),
    values: { transforms: is([cube], { usual: [] }) },
  },
  probabilities: {
    call: (options) => library.probabilities(scores.subarray(0, 8), options),
    values: {
      temperature: is(3),
      places: is([2]),
      level: is(0.5),
      exact: is(3, { with: { draws: 200 } }),
      draws: is(150, { with: { exact: 3 } }),
      random: is(random(99), { usual: random(1), with: { exact: 3, draws: 200 } }),
    },
  },
  rank: {
    call: (options) => library.rank(model, data, options),
    values: {
      top: is(2, { usual: 8 }),
      unknownFeatures: aligned((one, options) => [...library.rank(model, one, options)]),
      features: is(({ a, b, c }: (typeof objects)[0]) => [c, b, a], {
        call: (options) => library.rank(model, objects, options as never),
      }),
    },
  },
  rankProbabilities: {
    call: (options) => library.rankProbabilities(model, data, options),
    values: {
      pairs: is(true),
      seed: is(7, { with: { exact: 3, draws: 200 } }),
      temperature: is(3),
      places: is([2]),
      level: is(0.5),
      exact: is(3, { with: { draws: 200 } }),
      draws: is(150, { with: { exact: 3 } }),
      random: is(random(99), { with: { exact: 3, draws: 200 } }),
      top: is(2, { usual: 8 }),
      unknownFeatures: aligned((one, options) => [...library.rankProbabilities(model, one, options)]),
    },
  },
  readData: {
    call: (options) => library.readData([path("data.csv")], options as never),
    values: {
      ...reading(read),
      threads: is(2, { same: "threads never change a result" }),
      segment: is(16, { same: "only how it is read" }),
      cache: is(folder),
      memory,
      progress: called,
    },
  },
  readBinned: {
    call: (options) => library.readBinned([path("data.csv")], options as never),
    needs: growing,
    values: {
      ...readingRows,
      weight: is("w", { call: binned("a.csv", "qid,label,a,w\n1,0,0.5,2\n1,1,0.7,2\n") }),
      positions: is("ignore", { same: "there is no file of positions" }),
      heap: is(heap, { same: "only where the bins are" }),
      model: is(trees({ maxBins: 3, minItems: 1 })),
      like: is(cut, { with: { model: undefined } }),
      unknownFeatures: strict({ with: { model: undefined, like: cut }, call: binned("wider.csv", widened) }),
      threads: is(2, { same: "threads never change a result" }),
      segment: is(16, { same: "only how it is read" }),
      memory,
      progress: called,
    },
  },
  readModel: {
    call: (options) => library.readModel(path("carried.json"), options),
    values: { transforms: is([cube], { usual: [] }) },
  },
  report: {
    call: (options) => report(options as never),
    needs: { name: "model", file, metrics, judged: { name: "held", data: held } },
    values: {
      name: is("mine"),
      file: is({ ...file, model: other }),
      judged: is({ name: "all", data }),
      role: is("validation"),
      train: is({ name: "train", data }),
      history: is(library.parseHistory(library.serializeHistory(library.fit(data, { model: linear() })), "history")),
      bias: is(simulatedBias),
      against: is([{ name: "other", model: other, data: held }]),
      metrics: is([map()]),
      commands: is(["tierwise report"]),
      version: is("9.9.9"),
      seed: is(3),
      unknownFeatures: strict({ with: { judged: { name: "wider", data: wider } } }),
    },
  },
  score: {
    call: () => 0,
    values: {
      unknownFeatures: aligned((one, options) => library.score(model, one, options)),
      features: is(({ a, b, c }: (typeof objects)[0]) => [c, b, a], {
        call: (options) => library.score(model, objects, options as never),
      }),
    },
  },
  scoreRows: {
    call: (options) =>
      library.scoreRows(
        byList,
        [
          [1, 2, 3],
          [2, 1, 3],
          [5, 4, 1],
        ],
        options as never,
      ),
    values: { starts: is([0, 2, 3]) },
  },
  tiersFromClicks: { call: (options) => library.tiersFromClicks([0, 1, 0], options), values: { unseen: is("between") } },
  tiersFromPairs: {
    call: (options) =>
      library.tiersFromPairs(
        4,
        [
          { winner: 0, loser: 1 },
          { winner: 1, loser: 2 },
          { winner: 3, loser: 2 },
        ],
        options,
      ),
    values: {
      by: is("implied"),
      cycles: is("break", {
        call: (options) =>
          library.tiersFromPairs(
            2,
            [
              { winner: 0, loser: 1, weight: 2 },
              { winner: 1, loser: 0 },
            ],
            options as never,
          ),
      }),
      name: is((item: number) => `item ${item}`, { same: "only for errors" }),
    },
  },
  tiersFromRatings: {
    call: (options) => library.tiersFromRatings([3, 1, 5], options),
    values: { cuts: is([2]), dense: is(true) },
  },
  train: {
    call: (options) => library.train(data, options as never),
    needs: { model: linear({ l2: 0.1 }), threads: 1, blocking: true },
    values: { ...training, blocking: is(false, { same: "only where training runs" }) },
  },
  tune: {
    call: (options) => library.tune([{ train: data, valid: held }], options as never),
    needs: { model: "linear", objective: "pl-partition", space: { l2: "0.1,10" }, metrics, threads: 1, blocking: true },
    values: {
      model: is("linear:scale=none"),
      objective: is("ranknet"),
      space: is({ l2: "1,2" }),
      metrics: is([map()]),
      search: is("random", { usual: "grid", with: { trials: 1 } }),
      trials: is(1, { with: { search: "random" } }),
      checkpoint: keeping,
      done: is([
        { settings: { l2: "0.1" }, model: "linear:l2=0.1", objective: "pl-partition", metrics: { "ndcg@3": 0.123 }, rounds: [1] },
      ]),
      onTrial: called,
      onRound: called,
      transform: is(cube),
      stopOn: is("smooth(ndcg@3,3)", {
        with: { model: "trees:rounds=12,min-items=1,learning-rate=0.9", space: { leaves: "3,4" } },
        call: (options) => library.tune([{ train: data, valid: noise }], options as never),
      }),
      patience: is(1, {
        with: { stopOn: "ndcg@3", model: "trees:rounds=12,min-items=1,learning-rate=0.9", space: { leaves: "3,4" } },
        call: (options) => library.tune([{ train: data, valid: noise }], options as never),
      }),
      seed: is(9, { with: { model: "mlp:hidden=3,epochs=1", space: { l2: "0.1,1" } } }),
      threads,
      blocking: is(false, { same: "only where training runs" }),
      signal,
    },
  },
  utilityProbabilities: {
    call: (options) => library.utilityProbabilities(worths as never, options).truth.top(2),
    values: { draws: is(500), seed: is(4) },
  },
};

/** A member of an object that calls are given, which has a default: calls with the member set, and another value under which the result differs. */
interface Member {
  readonly call: Call;
  readonly value: unknown;
}

const fights = (member: Options) =>
  library.leaderboard(
    library.battles([
      { first: "a", second: "b", winner: "first", ...member },
      ...(["first", "second", "second"] as const).map((winner) => ({ first: "a", second: "b", winner })),
    ]),
  );
const changed = (change: Options) => library.whatIf(model, data, 0, [{ feature: "a", ...change }]);

/** Those members that are no options. */
export const members: Readonly<Record<string, Member>> = {
  "Battle.count": { call: fights, value: 2 },
  "Battle.weight": { call: fights, value: 2 },
  "CheckpointOptions.name": {
    call: (member) => {
      const names: string[] = [];
      const load = (name: string) => {
        names.push(name);
        return [];
      };
      library.fit(data, { model: linear(), checkpoint: { store: { ...store, load }, ...member } });
      return names;
    },
    value: "mine",
  },
  "FeatureChange.add": { call: changed, value: 1 },
  "FeatureChange.factor": { call: changed, value: 3 },
  "Preference.weight": {
    call: (member) =>
      library.tiersFromPairs(
        2,
        [
          { winner: 0, loser: 1, ...member },
          { winner: 1, loser: 0, weight: 3 },
        ],
        { cycles: "break" },
      ),
    value: 2,
  },
  "Row.weight": {
    call: (member) =>
      library.fit(library.build(rows.map((row, i) => (i === 0 ? { ...row, ...member } : row))), { model: linear({ l2: 1 }) })
        .model,
    value: 9,
  },
};

function votesOf() {
  return library.build([
    { list: "q0", label: 1, features: [1], id: "d0" },
    { list: "q1", label: 1, features: [1], id: "d1" },
  ] as never);
}

/** Everything in a result, as text; what cannot be read is refused. */
function textOf(result: unknown): string {
  return JSON.stringify(result, (_, value) => {
    if (ArrayBuffer.isView(value)) return [value.constructor.name, ...Array.from(value as Float64Array, String)];
    if (value instanceof Map || value instanceof Set) return [...value];
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value === "object" && value !== null && typeof value.save === "function")
      return { ...value.save(), columns: value.columns };
    return typeof value === "bigint" ? String(value) : value;
  });
}

export async function outcome(call: Call, options: Options): Promise<string> {
  const result = await call(options);
  const isIterator = typeof result === "object" && result !== null && "next" in result;
  return textOf(isIterator ? [...(result as unknown as Iterable<unknown>)] : result).replaceAll(folder, "folder");
}
