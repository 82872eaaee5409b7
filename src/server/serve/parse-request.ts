/** A request to rank, JSON or compact, as lists and as data for any model. Everything that is wrong with it is an `InputError` that names the field. */
import { Compile, type Validator } from "typebox/compile";
import type { UnknownFeatures } from "../../data/align.ts";
import { namedList } from "../../data/items.ts";
import { decodeRankBody, floatsOver } from "../../formats/rank-body.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { isUtilities } from "../../models/index.ts";
import type { Columns, Dataset, Model } from "../../types.ts";
import { HttpError } from "../http/http-error.ts";
import { type Cell, type FeatureObject, rowReader } from "./item-rows.ts";
import { withIdTexts } from "./request-ids.ts";
import { CompactHead, RankRequest } from "./schemas.ts";
import { type UnknownNames, unknownFeature } from "./unknown-names.ts";

/** A list of a request. */
export interface RequestedList {
  readonly id?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Number of items. */
  readonly rows: number;
}

/** What the answer should hold. */
export type Wishes = Pick<RankRequest, "top" | "scores" | "probabilities" | "explain" | "unknown">;

export interface ParsedRequest {
  readonly lists: readonly RequestedList[];
  /** Whether the request had one list rather than `lists`. */
  readonly single: boolean;
  readonly rows: number;
  readonly wishes: Wishes;
  /** The lists as data with the columns of a model. What it does not know is noted in `unknown`, or ignored without it. */
  dataFor(served: ServedModel, unknown?: UnknownNames): Dataset;
}

export interface ServedModel {
  readonly model: Model;
  /** Value of numbered features that an item leaves out. */
  readonly absent: number;
}

/** Limits on the rows of one request. */
export interface RowLimits {
  readonly rows: number;
  /** The same for requests that want probabilities or explanations, which take longer. */
  readonly detailedRows: number;
}

let validators: { readonly json: Validator; readonly head: Validator } | undefined;

function checked<T>(which: "json" | "head", value: unknown): T {
  validators ??= { json: Compile(RankRequest), head: Compile(CompactHead) };
  const validator = validators[which];
  if (validator.Check(value)) return value as T;
  const errors = validator.Errors(value);
  const deepest = errors.reduce((best, one) => (depth(one.instancePath) > depth(best.instancePath) ? one : best), errors[0]!);
  throw new InputError(`${fieldName(deepest.instancePath)}: ${problemOf(errors, deepest, which, value)}`);
}

/** What is wrong with a value: of one that may be several things, all that it may be. */
function problemOf(
  errors: readonly { instancePath: string; keyword: string; message: string }[],
  deepest: { instancePath: string; message: string },
  which: "json" | "head",
  value: unknown,
) {
  const here = errors.filter(({ instancePath }) => instancePath === deepest.instancePath);
  if (here.some(({ keyword }) => keyword === "boolean")) return "there is no such field";
  if (deepest.instancePath === "" && (typeof value !== "object" || value === null || Array.isArray(value)))
    return `expected an object such as ${which === "json" ? '{"items": [...]}' : '{"columns": 3, "rows": 2}'}, got ${describeValue(value)}`;
  const types = [
    ...new Set(here.flatMap(({ keyword, message }) => (keyword === "type" ? [message.replace(/^must be /, "")] : []))),
  ];
  return types.length > 1 ? `must be ${types.join(" or ")}` : deepest.message;
}

const depth = (path: string) => path.split("/").length;

/** "/lists/0/items" as "lists[0].items". */
const fieldName = (path: string) =>
  path === ""
    ? "the request"
    : path
        .slice(1)
        .split("/")
        .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : `${i > 0 ? "." : ""}${part}`))
        .join("");

export function parseJson(body: Uint8Array, limits: RowLimits): ParsedRequest {
  let [value, text]: [unknown, string] = [undefined, ""];
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch (error) {
    const at = /position \d+/.exec((error as Error).message)?.[0];
    throw new HttpError(400, "invalid_json", `the body is not valid JSON in UTF-8${at ? ` (${at})` : ""}`);
  }
  const request = checked<RankRequest>("json", value);
  const single = request.lists === undefined;
  if (!single && (request.items ?? request.document ?? request.id ?? request.ids) !== undefined)
    throw new InputError("the request has lists, so items, document, id and ids belong into each of them");
  const given = request.lists ?? [request];
  const whereOf = (q: number) => (single ? "" : `lists[${q}].`);
  const named = withIdTexts(given, text, whereOf);
  const lists = given.map((list, q): RequestedList => {
    const where = whereOf(q);
    if ((list.items === undefined) === (list.document === undefined))
      throw new InputError(`${where}items: expected the items of a list, or document for a model that ranks labels`);
    return checkIds({ ...named[q]!, rows: list.items?.length ?? 1 }, where);
  });
  const rows = checkRows(lists, request, limits);
  return {
    ...{ lists, single, rows, wishes: request },
    dataFor: (served, unknown) => jsonData(given, { single, rows, served, unknown, unknownFeatures: request.unknown }),
  };
}

function checkIds(list: RequestedList, where: string): RequestedList {
  if (list.ids !== undefined && list.ids.length !== list.rows)
    throw new InputError(
      `${where}ids: expected ${list.rows} ${list.rows === 1 ? "id" : "ids"}, one for each item, got ${list.ids.length}`,
    );
  return list;
}

function checkRows(lists: readonly RequestedList[], { probabilities, explain }: Wishes, limits: RowLimits): number {
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  const detailed = Boolean(probabilities) || Boolean(explain);
  const most = detailed ? Math.min(limits.detailedRows, limits.rows) : limits.rows;
  if (rows > most || lists.length > most)
    throw new HttpError(
      ...[413, "too_many_rows" as string],
      `the request has ${lists.length > rows ? `${lists.length} lists` : `${rows} items`}, and the limit is ${most}${detailed ? " for requests with probabilities or explain" : ""}`,
    );
  return rows;
}

type JsonList = Pick<RankRequest, "items" | "document">;

interface JsonDataOptions {
  readonly single: boolean;
  readonly rows: number;
  readonly served: ServedModel;
  /** What the request says of features that the model does not know. */
  readonly unknownFeatures: UnknownFeatures | undefined;
  readonly unknown: UnknownNames | undefined;
}

function jsonData(lists: readonly JsonList[], { single, rows, served, unknownFeatures, unknown }: JsonDataOptions): Dataset {
  const { model, absent } = served;
  const { columns } = model;
  const where = (q: number) => (single ? "" : `lists[${q}].`);
  if (isUtilities(model)) return concatNamed(lists.map((list, q) => itemNames(list, where(q))));
  const reader = rowReader({ columns, absent, unknown, unknownFeatures: unknown ? unknownFeatures : "ignore" });
  const values = new Float32Array(rows * columns.count);
  const starts = new Uint32Array(lists.length + 1);
  let row = 0;
  lists.forEach(({ items, document }, q) => {
    if (model.labelSpace) {
      if (!document)
        throw new InputError(`${where(q)}items: the model ranks labels, so a list is a document: give its features as document`);
      reader.write(document as FeatureObject, values, row++ * columns.count, `${where(q)}document`);
      starts[q + 1] = starts[q]!; // a list owns the labels that are known to be relevant: none
      return;
    }
    if (!items) throw new InputError(`${where(q)}document: the model ranks items, not labels: give items`);
    items.forEach((item, i) => {
      if (typeof item === "string")
        throw new InputError(
          `${where(q)}items[${i}]: expected features, got the name ${quote(item)}; only models of utilities know items by name`,
        );
      reader.write(item as FeatureObject | Cell[], values, row++ * columns.count, `${where(q)}items[${i}]`);
    });
    starts[q + 1] = row;
  });
  reader.finish(single ? (model.labelSpace ? "document" : "items") : "lists");
  return dataOf(model, starts, values, rows);
}

function itemNames({ items }: JsonList, where: string): string[] {
  return (items ?? []).map((item, i) => {
    if (typeof item === "string") return item;
    throw new InputError(`${where}items[${i}]: the model knows its items by name, so an item must be a text`);
  });
}

/** Lists of named items as one set of data, in which a name stands once. */
function concatNamed(lists: readonly (readonly string[])[]): Dataset {
  const all = lists.flat();
  const names = [...new Set(all)];
  const numbers = new Map(names.map((name, i) => [name, i]));
  const starts = new Uint32Array(lists.length + 1);
  lists.forEach((list, q) => void (starts[q + 1] = starts[q]! + list.length));
  return { ...namedList(all), starts, items: Uint32Array.from(all, (name) => numbers.get(name)!), names: { items: names } };
}

function dataOf(model: Model, starts: Uint32Array, values: Float32Array, rows: number): Dataset {
  const { count, base, names, encoding } = model.columns;
  return {
    ...{ starts, labels: new Float32Array(starts.at(-1)!), base },
    features: { kind: "dense", rows, columns: count, values },
    names: { ...(names && { features: names }), ...(encoding && { encoding }) },
    ...(model.labelSpace && { labelSpaceSize: model.labelSpace.count, items: new Uint32Array(0) }),
  };
}

export function parseCompact(body: Uint8Array, limits: RowLimits): ParsedRequest {
  const { head: given, text, numbers } = decodeRankBody(body);
  const head = checked<CompactHead>("head", given);
  const single = head.lists === undefined;
  if (single === (head.rows === undefined))
    throw new InputError("rows: expected the rows of the only list, or lists with rows each");
  if (!single && (head.id ?? head.ids) !== undefined)
    throw new InputError("the request has lists, so id and ids belong into each of them");
  const heads = head.lists ?? [{ id: head.id, ids: head.ids, rows: head.rows! }];
  const whereOf = (q: number) => (single ? "" : `lists[${q}].`);
  const named = withIdTexts(heads, text, whereOf);
  const lists = heads.map(({ rows }, q) => checkIds({ ...named[q]!, rows }, whereOf(q)));
  const rows = checkRows(lists, head, limits);
  const { columns, features } = head;
  if (numbers.length !== 4 * rows * columns)
    throw new InputError(
      `the compact body: ${rows} rows of ${columns} float32 numbers are ${4 * rows * columns} bytes, got ${numbers.length}`,
    );
  if (features && features.length !== columns)
    throw new InputError(
      `features: expected ${columns} ${columns === 1 ? "name" : "names"}, one for each column, got ${features.length}`,
    );
  const values = floatsOver(numbers);
  const infinite = cleared(values);
  if (infinite >= 0)
    throw new InputError(`the compact body: row ${Math.floor(infinite / columns)}, column ${infinite % columns} is infinite`);
  const starts = new Uint32Array(lists.length + 1);
  lists.forEach((list, q) => void (starts[q + 1] = starts[q]! + list.rows));
  return {
    ...{ lists, single, rows, wishes: head },
    dataFor({ model, absent }, unknown) {
      if (isUtilities(model)) throw new InputError("the model knows its items by name: send them as JSON");
      const many = model.labelSpace ? lists.findIndex((list) => list.rows !== 1) : -1;
      if (many >= 0)
        throw new InputError(
          `${single ? "" : `lists[${many}].`}rows: the model ranks labels, so a list is a document: expected 1 row, got ${lists[many]!.rows}`,
        );
      const how = { unknown, unknownFeatures: unknown ? head.unknown : "ignore" } as const;
      const fitted = fittedColumns(values, { rows, width: columns, features, absent }, model.columns, how);
      return dataOf(model, model.labelSpace ? new Uint32Array(lists.length + 1) : starts, fitted, rows);
    },
  };
}

const [SIGN, INFINITE] = [0x8000_0000 | 0, 0x7f80_0000]; // as bits of float32

/** Makes every -0 a 0. The place of the first infinite number, or -1. Looks at bits: many requests spend as long here as in a small model. */
function cleared(values: Float32Array): number {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) {
    const one = bits[i]!;
    if (one === SIGN) bits[i] = 0;
    else if ((one & 0x7fff_ffff) === INFINITE) return i;
  }
  return -1;
}

interface CompactColumns {
  readonly rows: number;
  /** Columns of the request, and their names if it has some. */
  readonly width: number;
  readonly features: readonly string[] | undefined;
  readonly absent: number;
}

/** Columns of a compact request at the places that they have in the model: by name where they have names, else as they are. */
function fittedColumns(
  values: Float32Array,
  { rows, width, features, absent }: CompactColumns,
  columns: Columns,
  { unknown, unknownFeatures }: Pick<JsonDataOptions, "unknown" | "unknownFeatures">,
): Float32Array {
  const { count, names, base } = columns;
  if (!features) {
    if (width !== count) throw new InputError(`columns: the model has ${count} features, got ${width}`);
    return values;
  }
  const wanted = names ?? Array.from({ length: count }, (_, c) => String(base + c));
  if (features.length === count && features.every((name, c) => name === wanted[c])) return values;
  const places = new Map(wanted.map((name, c) => [name, c]));
  const targets = features.map((name) => places.get(name));
  const others = features.filter((_, c) => targets[c] === undefined);
  if (others.length > 0 && (unknownFeatures === "error" || (unknownFeatures === undefined && !names)))
    throw unknownFeature("features", others[0]!, columns);
  if (others.length > 0 && unknownFeatures === undefined) {
    const given = new Set(features);
    unknown?.features(others, width - others.length, (name) => given.has(name), "features");
    const seen = new Uint8Array(count);
    for (const place of targets) if (place !== undefined) seen[place] = 1;
    unknown?.finish(seen, "features");
  }
  const fitted = new Float32Array(rows * count).fill(names ? Number.NaN : absent);
  for (let row = 0; row < rows; row++)
    for (let c = 0; c < width; c++) {
      const to = targets[c];
      if (to !== undefined) fitted[row * count + to] = values[row * width + c]!;
    }
  return fitted;
}
