import { describe, expect, it } from "vitest";
import { dataset } from "../../data/dataset.ts";
import { evaluate } from "../../evaluate.ts";
import { fit } from "../../fit.ts";
import { inspect } from "../../inspect.ts";
import { ndcg } from "../../metrics/index.ts";
import { linear } from "../../models/linear/index.ts";
import { plPartition } from "../../objectives/index.ts";
import { rank } from "../../rank.ts";
import type { Dataset } from "../../types.ts";
import { whatIf } from "../../what-if.ts";
import { parseModel, serializeModel } from "../models/native.ts";
import { parseData } from "./parse.ts";
import type { ColumnSummary } from "./table-list.ts";
import { rowsText } from "./write-rows.ts";

type Row = Readonly<Record<string, unknown>>;
const lines = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const read = (content: string, options: object = {}, name = content.startsWith("{") ? "t.jsonl" : "t.csv") => parseData([{ name, content: `${content}\n` }], options); // biome-ignore format: one call
const matrix = ({ features }: Dataset) =>
  Array.from({ length: features.rows }, (_, row) => [...features.values.slice(row * features.columns, (row + 1) * features.columns)]); // biome-ignore format: one matrix

const NA = Number.NaN;
const ROWS: readonly Row[] = [
  { qid: "a", label: 2, tags: ["new", "sale"], x: 1 },
  { qid: "a", label: 0, tags: [], x: 2 },
  { qid: "a", label: 1, tags: ["on sale", "new", "new"], x: 3 },
  { qid: "b", label: 0, tags: null, x: 4 },
  { qid: "b", label: 2, tags: ["sale", null, " new "], x: 5 },
  { qid: "b", label: 1, x: 6 },
  { qid: "b", label: 0, tags: ["on sale"], x: 7 },
];
const VALUES = [[1, 0, 1, 1], [0, 0, 0, 2], [1, 1, 0, 3], [NA, NA, NA, 4], [1, 0, 1, 5], [NA, NA, NA, 6], [0, 1, 0, 7]]; // biome-ignore format: rows
const CSV = `qid,label,tags,x\na,2,"{new,sale}",1\na,0,{},2\na,1,"{""on sale"",new,new}",3\nb,0,,4\nb,2,"{sale,NULL,"" new ""}",5\nb,1,NULL,6\nb,0,"{""on sale""}",7`;
const PYTHON = `qid,label,tags,x\na,2,"['new', 'sale']",1\na,0,[],2\na,1,"['on sale', 'new', 'new']",3\nb,0,,4\nb,2,"['sale', None, ' new ']",5\nb,1,nan,6\nb,0,['on sale'],7`;
const ENCODING = [
  { name: "tags", kind: "set", categories: ["new", "on sale", "sale"] },
  { name: "x", kind: "number" },
];

describe("arrays of texts", () => {
  it("are a feature for each text, missing where the array is, and 0 where it is empty", () => {
    for (const content of [lines(ROWS), CSV, PYTHON]) {
      const { data, notices } = read(content);
      expect(data.names.features).toEqual(["tags=new", "tags=on sale", "tags=sale", "x"]);
      expect(data.names.encoding).toEqual(ENCODING);
      expect(matrix(data)).toEqual(VALUES);
      expect(notices).toContain('column "tags": arrays of texts, as 3 features (new, "on sale", sale)');
    }
  });

  it("of data to score have the features of the model; other texts are counted, and one alone is an array of one", () => {
    const scorer = { encoding: read(lines(ROWS)).data.names.encoding };
    const rows = [
      { qid: "q", tags: ["eco", "sale", "x"], x: 1 },
      { qid: "q", tags: [], x: 1 },
      { qid: "q", tags: ["x", "eco", "y", "new"], x: 1 },
    ];
    const csv = 'qid,tags,x\nq,"{eco,sale,x}",1\nq,{},1\nq,"[""x"",""eco"",""y"",""new""]",1';
    for (const content of [lines(rows), csv]) {
      const { data, notices } = read(content, { labels: "optional", scorer });
      expect(matrix(data)).toEqual([[0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 0, 1]]); // biome-ignore format: rows
      expect(notices.join("\n")).toContain('column "tags": 5 elements ("eco", "x", "y", ...) of arrays that the model does not know, left out'); // biome-ignore format: one line
    }
    const alone = [{ qid: "q", tags: "sale", x: 1 }, { qid: "q", tags: 7, x: 1 }]; // biome-ignore format: rows
    for (const content of [lines(alone), lines(alone.slice(0, 1)), "qid,tags,x\nq,sale,1\nq,7,1"])
      expect(matrix(read(content, { labels: "optional", scorer }).data)[0]).toEqual([0, 0, 1, 1]);
    for (const content of [lines([{ qid: "q", tags: [], x: 1 }]), lines([{ qid: "q", tags: null, x: 1 }]), "qid,tags,x\nq,{},1"])
      expect(read(content, { labels: "optional", scorer }).data.features.columns).toBe(4);
  });

  it("stay texts where other rows have numbers, one text or nothing, whichever comes first", () => {
    const rows: Row[] = [
      ...Array.from({ length: 4 }, (_, i) => ({ qid: "a", label: i % 3, tags: [1, 2] })),
      { qid: "a", label: 1, tags: "b" },
      ...Array.from({ length: 4 }, (_, i) => ({ qid: "b", label: i % 2, tags: ["b", 1, true] })),
      { qid: "b", label: 2, tags: [null] },
    ];
    for (const ordered of [rows, [...rows].reverse()]) {
      const { data } = read(lines(ordered));
      expect(data.names.features).toEqual(["tags=1", "tags=2", "tags=b", "tags=true"]);
      const ofA = matrix(data).slice(data.names.lists![0] === "a" ? 0 : 5).slice(0, 5); // biome-ignore format: one chain
      expect(new Set(ofA.map(String))).toEqual(new Set(["1,1,0,0", "0,0,1,0"]));
    }
  });

  it("are left out where they are many, or the same in all rows, with a notice; --categories keeps them", () => {
    const many = Array.from({ length: 40 }, (_, i) => ({ qid: `q${i % 4}`, label: i % 3, x: i, tags: [`t${i}`, `u${i % 35}`], same: ["a", "b"], none: [] })); // biome-ignore format: one row
    const { data, notices } = read(lines(many));
    expect(data.names.features).toEqual(["x"]);
    expect(notices).toEqual(
      expect.arrayContaining([
        'column "tags" is left out: arrays with 75 different texts among 80; --categories tags makes each a feature',
        'column "same" is left out: the same array in all rows',
        'column "none" is left out: arrays without an element in all rows',
      ]),
    );
    expect(read(lines(many), { categories: ["tags", "same"] }).data.names.features).toHaveLength(75 + 2 + 1);
    const few = many.map((row, i) => ({ ...row, tags: [`t${i % 9}`, "a"] }));
    expect(read(lines(few)).data.features.columns).toBe(11);
    expect(read(lines(few), { maxCategories: 9 }).notices.join()).toContain("arrays with 10 different texts among 80");
    expect(read(lines(few), { missingValues: ["a"] }).data.names.features).not.toContain("tags=a");
  });

  it("are no arrays of numbers, which are read by place, with a notice where their lengths differ", () => {
    const rows = (length: (i: number) => number) => Array.from({ length: 6 }, (_, i) => ({ qid: "a", label: i % 3, v: Array.from({ length: length(i) }, (__, k) => i + k / 2) })); // biome-ignore format: one row
    const fixed = read(lines(rows(() => 2)));
    expect(fixed.data.names.features).toEqual(["v.0", "v.1"]);
    expect(fixed.notices).toHaveLength(1);
    const loose = read(lines(rows((i) => i % 4)));
    expect(loose.data.names.features).toEqual(["v.0", "v.1", "v.2"]);
    expect(loose.notices).toContain('t.jsonl: column "v": arrays of 1 to 3 numbers are read by place, from "v.0" on; if they are codes, write them as texts, which become a feature each'); // biome-ignore format: one line
  });

  it("and null in the place of an object or array are no column of their own", () => {
    const rows = [
      { qid: "a", label: 1, item: null, v: null, w: [] },
      { qid: "a", label: 0, item: { price: 3 }, v: [1, 2], w: [1] },
      { qid: "a", label: 2, item: {}, v: [], w: [] },
    ];
    expect(read(lines(rows)).data.names.features).toEqual(["item.price", "v.0", "v.1", "w.0"]);
  });

  const train = () => {
    const data = read(lines(ROWS)).data;
    return { data, ...fit(data, { model: linear({ l2: 0.1 }), objective: plPartition() }) };
  };

  it("stay in the model file, and rank objects like files", () => {
    const { data, model, training } = train();
    const again = parseModel(serializeModel({ model, training, metrics: {} })).model;
    expect(again.columns.encoding).toEqual(ENCODING);
    const scores = (items: readonly Row[]) => rank(again, items).map(({ item, score }) => [(item as Row).x, score]);
    const own = ROWS.slice(0, 3);
    const expected = [...rank(model, data)][0]!.items.map(({ id, score }) => [Number(id), score]); // biome-ignore format: one chain
    expect(scores(own)).toEqual(expected);
    expect(scores(own.map((row) => ({ ...row, tags: new Set(row.tags as string[]) })))).toEqual(expected);
    expect(scores(own.map((row) => ({ ...row, tags: JSON.stringify(row.tags) })))).toEqual(expected);
    expect(scores([{ x: 1, tags: ["sale", "eco", null] }])).toEqual(scores([{ x: 1, tags: "sale" }]));
    expect(() => rank(again, [{ x: 1, tags: { a: 1 } }])).toThrow('item 1, feature "tags": expected an array of texts, got an object with the keys "a"'); // biome-ignore format: one line
    expect(() => rank(again, [{ x: 1, tags: [["a"]] }])).toThrow('item 1, feature "tags": expected an array of texts, got one with an array of 1'); // biome-ignore format: one line
    expect(() => rank(again, [{ x: 1 }])).toThrow('item 1 lacks the feature "tags"');
  });

  it("of rows in memory are the same, by their own texts or those of a model", () => {
    const { data, model } = train();
    const roles = { list: "qid", label: "label" } as const;
    const rows = ROWS as readonly { qid: string; label: number }[];
    const mine = dataset(rows, roles);
    expect(mine).toEqual({ ...data, names: { ...mine.names } });
    expect(mine.names).toMatchObject({ features: data.names.features, encoding: ENCODING });
    const test = [{ qid: "t", label: 1, tags: ["eco", "new"], x: 1 }, { qid: "t", label: 0, tags: null, x: 1 }]; // biome-ignore format: rows
    const own = dataset(test, { ...roles, encoding: model.columns.encoding! });
    expect(matrix(own)).toEqual([[1, 0, 0, 1], [NA, NA, NA, 1]]); // biome-ignore format: rows
    expect(evaluate(model, own, [ndcg()]).lists).toBe(1);
    expect(() => evaluate(model, dataset(test, roles), [ndcg()])).toThrow("dataset(rows, { encoding: model.columns.encoding, ... })"); // biome-ignore format: one line
  });

  it("of rows in memory may be refused in one line", () => {
    const of = (...tags: readonly unknown[]) => () => dataset(tags.map((one, i) => ({ q: 1, label: i, tags: one })), { list: "q", label: "label" }); // biome-ignore format: one call
    expect(of(["a"], 3)).toThrow('dataset, row 2: expected an array of texts in column "tags" as in the rows before, got 3');
    expect(of(3, ["a"])).toThrow('dataset, row 2: expected a number in column "tags" as in the rows before, got an array');
    expect(of([1, 2])).toThrow('dataset, row 1: expected a number in column "tags", got an array');
    expect(of(Array.from({ length: 65 }, (_, i) => `t${i}`))).toThrow('the arrays in column "tags" have 65 different texts, and at most 64 become features'); // biome-ignore format: one line
    expect(of([], []).call(undefined).names.encoding).toEqual([{ name: "tags", kind: "none" }]);
    const options = { list: "q", label: "label" } as const;
    expect(() => dataset([{ q: 1, label: 1 }], { ...options, encoding: 5 as never })).toThrow("dataset, option encoding: expected model.columns.encoding of a model, got 5"); // biome-ignore format: one line
    expect(() => dataset([{ q: 1, label: 1 }], { ...options, encoding: [], features: ["label"] })).toThrow("dataset: the options encoding and features both say what the features are; give one of them"); // biome-ignore format: one line
    expect(() => dataset([{ q: 1, label: 1 }], { ...options, encoding: [{ name: "x", kind: "number" }] })).toThrow('dataset, row 1 lacks the feature "x"'); // biome-ignore format: one line
  });

  it("are refused as labels by what they are", () => {
    const content = lines(ROWS.slice(0, 3).map(({ label, tags, ...row }) => ({ ...row, label: tags })));
    expect(() => read(content)).toThrow('t.jsonl:1: column "label": expected a finite number, got "[\\"new\\",\\"sale\\"]"; "[\\"new\\",\\"sale\\"]" looks like a set of labels: write such data as'); // biome-ignore format: one line
  });

  it("can be set in what-if, written as a table, and looked at", () => {
    const { data, model } = train();
    const scores = (set: string | readonly string[]) => whatIf(model, data, 0, [{ feature: "tags", set }]).map(({ after }) => after.score); // biome-ignore format: one chain
    expect(scores(["sale"])).toEqual(scores("{sale}"));
    expect(scores(["sale"])).toEqual(scores("sale"));
    expect(scores(["sale", "new"])).not.toEqual(scores("sale"));
    expect(() => scores(["sal"])).toThrow('the arrays of column "tags" have no "sal"; did you mean sale?');
    const { rows } = rowsText(data);
    expect(rows.split("\n").slice(0, 5)).toEqual(["qid,docid,label,tags,x", 'a,1,2,"[""new"",""sale""]",1', "a,2,0,[],2", 'a,3,1,"[""new"",""on sale""]",3', "b,1,0,,4"]); // biome-ignore format: lines
    expect(matrix(read(rows, { id: "docid" }).data)).toEqual(VALUES);
    const { describe: columns } = read(lines(ROWS)) as { describe?: () => readonly ColumnSummary[] };
    expect(columns!().find(({ column }) => column === "tags")).toEqual({ column: "tags", role: "feature", kind: "set", distinct: 3, missing: 2, example: '["new","sale"]' }); // biome-ignore format: one line
    expect(inspect(data).features).toBe(4);
  });
});
