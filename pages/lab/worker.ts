/**
 * Reads data and trains with the library itself, away from the thread of the page. A model file has the bytes that `tierwise train` writes for the
 * same file and options: same parser, same kernels or their exact fallbacks, same record of the training.
 */
import {
  type Dataset,
  evaluate,
  fit,
  InputError,
  learner,
  type Model,
  metric,
  objective,
  parseData,
  scoreRows,
  serializeModel,
  split,
} from "../../src/browser.ts";
import { widthOf } from "../../src/data/table/encode.ts";
import { readArrow } from "../../src/formats/data/columnar/arrow.ts";
import { columnarKind } from "./files.ts";
import type { LabAnswer, LabColumn, LabList, LabRequest, Reading, Trained } from "./messages.ts";

const METRICS = ["ndcg@1", "ndcg@10", "map", "mrr"];
const HELD_OUT = 0.2; // share of lists for the second figure of each metric
const LEAST = 10; // lists for which there is one
const MOST_NAMES = 5000; // lists that can be chosen from

let data: Dataset | undefined;
let reading: Reading = {};
let model: Model | undefined;

const post = (answer: LabAnswer) => postMessage(answer);

addEventListener("message", async ({ data: request }: MessageEvent<LabRequest>) => {
  try {
    if (request.kind === "read") await read(request.name, new Uint8Array(request.content), request.reading);
    else if (request.kind === "train") post({ kind: "trained", ...trained(request.model, request.objective, request.seed) });
    else if (request.kind === "list") post({ kind: "list", ...listOf(data!, request.list) });
    else post({ kind: "scored", scores: [...scoreRows(model!, request.rows, { starts: [0, request.rows.length] })] });
  } catch (error) {
    const bug = !(error instanceof InputError);
    post({ kind: "failed", message: (error as Error).message, bug });
  }
});

async function read(name: string, content: Uint8Array, how: Reading): Promise<void> {
  const kind = columnarKind(content);
  if (kind === "parquet") {
    const { loadParquet, parquetColumns } = await import("./parquet.ts");
    await loadParquet();
    post({ kind: "columns", columns: parquetColumns(name, content) });
  } else if (kind === "arrow") post({ kind: "columns", columns: [...readArrow(name, content).columns] });
  const { ignore, categories, ...columns } = how;
  const found = parseData([{ name, content }], {
    ...columns,
    ...(ignore !== undefined && { ignore: ignore.split(",") }),
    ...(categories !== undefined && { categories: categories.split(",") }),
  });
  [data, reading, model] = [found.data, how, undefined];
  const { starts, labels, features, names, items } = found.data;
  const lists = starts.length - 1;
  post({
    ...{ kind: "read", ballots: items !== undefined, lists, items: labels.length, features: features.columns },
    listNames: Array.from({ length: Math.min(lists, MOST_NAMES) }, (_, q) => names.lists?.[q] ?? String(q + 1)),
    ...{ notices: found.notices, kernels: typeof SharedArrayBuffer === "function" },
  });
}

function trained(spec: string, cost: string, seed: number): Trained {
  const begun = performance.now();
  const how = { model: learner(spec), objective: objective(cost), seed };
  const most = how.model.rounds;
  const report =
    (what: string) =>
    ({ round, cost: now }: { round: number; cost: number }) => {
      if (round < 5 || round % 5 === 0) post({ kind: "round", what, round, cost: now, share: most && Math.min(1, round / most) });
    };
  const found = fit(data!, { ...how, onRound: report("Training") });
  model = found.model;
  const file = serializeModel({ model, training: { ...found.training, reading }, metrics: found.best.metrics });
  const metrics = data!.items ? [] : METRICS.map(metric);
  const own = metrics.length > 0 ? evaluate(model, data!, metrics).metrics : {};
  const lists = data!.starts.length - 1;
  let heldOut: Readonly<Record<string, number>> = {};
  if (metrics.length > 0 && lists >= LEAST) {
    const [train, test] = split(data!, [1 - HELD_OUT, HELD_OUT], seed);
    heldOut = evaluate(
      fit(train!, { ...how, onRound: report("Training without a fifth of the lists") }).model,
      test!,
      metrics,
    ).metrics;
  }
  return {
    ...{ file, description: model.describe(), notices: found.notices, seconds: (performance.now() - begun) / 1000 },
    metrics: metrics.map(({ spec: name }) => ({ name, training: own[name]!, heldOut: heldOut[name] })),
  };
}

/** A list with dense features, and the range of each feature over all data. */
function listOf({ starts, labels, features, names, base }: Dataset, q: number): LabList {
  const { columns } = features;
  const row = (r: number): number[] => {
    if (features.kind === "dense") return [...features.values.subarray(r * columns, (r + 1) * columns)];
    const values = new Array<number>(columns).fill(features.absent);
    for (let at = features.starts[r]!; at < features.starts[r + 1]!; at++) values[features.indices[at]!] = features.values[at]!;
    return values;
  };
  const ranges = Array.from({ length: columns }, () => ({ low: Infinity, high: -Infinity }));
  for (let r = 0; r < Math.min(features.rows, 20_000); r++)
    row(r).forEach((value, c) => {
      if (value < ranges[c]!.low) ranges[c]!.low = value;
      if (value > ranges[c]!.high) ranges[c]!.high = value;
    });
  return {
    columns: columnsOf(names, columns, base),
    rows: Array.from({ length: starts[q + 1]! - starts[q]! }, (_, p) => {
      const at = starts[q]! + p;
      return { id: names.entries?.[at] ?? String(p + 1), label: labels[at]!, values: row(at) };
    }),
    ranges,
  };
}

function columnsOf({ encoding, features }: Dataset["names"], count: number, base: number): LabColumn[] {
  if (!encoding)
    return Array.from({ length: count }, (_, at) => ({ name: features?.[at] ?? `feature ${at + base}`, kind: "number", at }));
  let next = 0;
  return encoding.flatMap((column): LabColumn[] => {
    const at = next;
    next += widthOf(column);
    if (column.kind === "set")
      return column.categories!.map((one, c) => ({ name: `${column.name}=${one}`, kind: "boolean", at: at + c }));
    return column.kind === "none" ? [] : [{ ...column, at }];
  });
}
