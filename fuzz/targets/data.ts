/**
 * Readers of data files. A file must be read alike whole and in pieces of any length, by one thread and by several, and survive the cache;
 * and the data must not be larger than the file allows. Generated tables and SVMlight files must be read as the numbers they were made of.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NeedsColumns } from "../../src/formats/data/csv-direct.ts";
import { type DatasetReaderOptions, datasetReader } from "../../src/formats/data/dataset-reader.ts";
import { type DataFormatId, formatIds } from "../../src/formats/data/formats.ts";
import { parseData } from "../../src/formats/data/parse.ts";
import { readData } from "../../src/formats/data/read.ts";
import { readOptions } from "../../src/formats/data/read-options.ts";
import { deserialize, type SerializedArray, serialize } from "../../src/formats/data/serialize.ts";
import { needsColumns } from "../../src/formats/data/side-table.ts";
import { below, random } from "../../src/numeric/random.ts";
import type { Dataset, Random } from "../../src/types.ts";
import { arrowSamples, parquetSamples } from "../columnar-samples.ts";
import { contentOf } from "../content.ts";
import { type Answer, answerOf, digestOf, Finding, seedOf, type Target } from "../target.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Rows that are read alike under all options. */
const PLAIN = "2 qid:1 1:0.5 3:-1e-3 # a\n0 qid:1 2:.25\n1 qid:2 1:7 12:1\n0 qid:2 2:3\n";

/** Small valid files by format. */
const samples: Readonly<Record<DataFormatId, readonly (string | Uint8Array)[]>> = {
  svmlight: [
    "2 qid:10 1:0.5 3:-1e-3 #docid = GX1\n0 qid:10 2:.25 # second\r\n\n# note\n1.5 qid:x7 1:NULL 12:1\n0 qid:x7 2:3\n",
    "1:0.5 qid:1 0:1 1:2\n0:2 qid:1 1:3\n1 qid:2 5:1e10\n0 qid:2\n",
  ],
  csv: [
    'label,qid,"x, ""y""",id,z\n1,a,0.5,"d,1",NA\r\n0,a,1e3,"d\n2",\n\n2,b,-.5,"",7\n0,b,1,q,2\n',
    "query;rating;a;b\n1;3;0.5;1\n1;0;;2\n2;1;3;4\n2;0;5;6\n",
    "sep=;\n# note\nlabel;qid;color;on;day;x\n1;a;red;yes;2024-01-02;0,5\n0;a;blue;no;;NA\n2;b;red;yes;2024-02-03 04:05 UTC;tba\n1;b;blue;no;2024-02-29;7\n",
    "label;qid;docid;day;x\n1;a;1.5E+18;13/04/2024;#NV\n0;a;7;1/4/2024 5:05 PM;1,5\n;;;;\n2;b;7;02-04-2024;2\n1;b;7;0000-00-00;nein\n",
    "label,qid,lap,at,gap\n1:02.3,a,59.8,14:05,+5.4\n58,a,1:02.30,09:30,0\n1:40:00,b,PT1M30S,2:05 PM,-1 days +23:59:30\n",
    `label,qid,tags,meta,v\n1,a,"{new,""on sale""}","{""w"":7.9,""t"":[""a""]}","[1,2]"\n0,a,{},{},"{3,4.5}"\n2,b,"['new', 'x']","{""w"":null}",\n1,b,,,[]\n`,
    "user,item,stars\nann,x,DNF\nann,y,1\nann,z,DNS\nben,x,2\nben,z,\n",
    "user,item,stars\nann,x,3\nann,y,1\nben,x,2\nben,z,2\n",
    "query,docid,tier,x\n1,a,S,1\n1,b,B,2\n2,a,F,3\n2,b,A,4\n",
    "|label|qid|t\n0|1|a|true\n1|0|a|false\n2|\\N|b|t\n",
  ],
  tsv: ["label\tqid\tx\ty\n1\ta\t0.5\t2\n0\ta\t1\t3\n2\tb\t\t4\n1\tb\t7\t1e2\n"],
  jsonl: [
    '{"qid":"a","label":1,"x":0.5,"y":{"z":2,"w":[1,null]}}\n{"label":0,"qid":"a","x":-1e3}\n\n{"qid":"b","label":2,"docid":9007199254740993}\r\n',
    '{"query":1,"rating":0,"a":true}\n{"query":1,"rating":3,"a":null}\n',
    '{"qid":"a","label":1,"tags":["new","sale"],"v":[1,2]}\n{"qid":"a","label":0,"tags":[],"v":[]}\n{"qid":"b","label":2,"tags":"new","v":[3]}\n{"qid":"b","label":1,"tags":[1,null],"v":null}\n',
    '{"qid":{"0":"a","1":"a"},"label":{"0":1,"1":0},"x":{"0":{"y":1},"1":null}}\n',
    '{"columns":["qid","label","x"],"index":[0,1],"data":[["a",1,2],["a",0,3]]}\n',
    '{"schema":{"fields":[],"primaryKey":["index"]},"data":[{"index":0,"qid":"a","label":1,"x":2},{"index":1,"qid":"a","label":0}]}',
    '[{"qid":"a","label":1,"x":{"y":"]},\\""}},\n {"qid":"a","label":0,"docid":12345678901234567890}]\n',
  ],
  parquet: parquetSamples,
  arrow: arrowSamples,
  qrels: ["101 0 doc1 2\n101 0 doc2 0\n102 0 doc1 1\n102 0 doc7 0\n"],
  preflib: [
    "# FILE NAME: a.toc\n# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 5\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n" +
      "# ALTERNATIVE NAME 3: C\n# ALTERNATIVE NAME 4: D\n3: 1,{2,3},4\n2: {1,4},2\n",
    "3\n1,a\n2,b\n3,c\n7,7,2\n4,1,2,3\n3,{1,2},3\n",
  ],
  orders: ["12: A > B = C > D\nB > A\n3: C = D > A\n# note\nD > C > B > A\n"],
  pairs: [
    "model_a,model_b,winner\nred,blue,model_a\nblue,green,model_b\ngreen,red,tie\nred,blue,tie (bothbad)\n",
    "winner,loser,tie,count\na,b,0,3\nb,c,1,2\nc,a,0,1\n",
    "winner,loser,judge\nred,blue,ann\nblue,green,ann\nred,green,bob\n",
  ],
  tiers: ['[["a", ["b", "c"]], {"S": ["a"], "A": ["b", "d"]}, ["d", "a"]]\n', '[[["x","y"],"z"]]'],
  "tier-table": [
    'ballot,item,tier,count\n1,a,1,2\n1,b,2,2\n2,b,1,1\n1,c,2,2\n2,"c, d",3,1\n',
    "voter;item;tier\nu;x;1\nu;y;1\nu;z;4\n",
    "voter;item;tier\nu;x;1\nu;y;DNF\nu;z;DNS\n",
    "voter;item;tier\nu;x;S\nu;y;A\nu;z;F\n",
  ],
  ranks: ["1 qid:1 1:1 2:3 #docid = a\n0 qid:1 1:2 2:1 #docid = b\n2 qid:1 1:3 2:NULL #docid = c\n"],
  "xml-repository": ["3 4 5\n0,2 0:1.5 3:2\n4 1:1\n1,3 2:0.5 3:1e-2\n"],
  arff: [
    "@relation 'a: -C 2'\n@attribute l1 {0,1}\n@attribute l2 {0,1}\n@attribute x numeric\n@data\n1,0,2.5\n0,1,1\n{0 1, 2 3}\n",
  ],
};

const words =
  "qid:1 qid: 1:1 2147483647:1 0:1 NULL NA nan inf # @data @attribute @relation {0,1} label qid query id winner loser model_a model_b tie count voter " +
  "NUMBER ALTERNATIVES: ALTERNATIVE NAME > = { } [ ] , ; \t \n \r \" '' 0 Q0 sep=; \u2028 \u0000 \ud83d\ude00";

/** Of 100,000 and more: dense rows of as many columns, if asked for, take the memory that they take. */
const hasLargeNumbers = (bytes: Uint8Array) => /\d{6}/.test(Buffer.from(bytes).toString("latin1"));

/** Options under which an input is read; they depend on its bytes. */
function optionsFor(format: DataFormatId | "auto", bytes: Uint8Array, draw: Random): DatasetReaderOptions {
  const chance = (p: number) => draw() < p;
  return {
    ...readOptions({
      format,
      indexBase: chance(0.3) ? "auto" : chance(0.2) ? 0 : 1,
      ...(chance(0.2) && { absent: "missing" }),
      ...(chance(0.2) && { absentItems: "last" }),
      ...(chance(0.1) && { header: false }),
      ...(chance(0.1) && (chance(0.5) ? { lowerIsBetter: true } : { higherIsBetter: true })),
      ...(chance(0.1) && { label: "tier" }),
      ...(chance(0.1) && { labelLast: ["DNF", "0"] }),
      ...(chance(0.1) && { labelMissing: chance(0.5) ? ["NA"] : ["DNS", "1"] }),
      ...(chance(0.1) && { ballots: chance(0.5) ? "always" : "never" }),
      ...(chance(0.1) && { skipLines: chance(0.5) ? 1 : 3 }),
      ...(chance(0.1) && { separator: chance(0.5) ? "tab" : "|" }),
      ...(chance(0.1) && { missingValues: ["tba", "7"] }),
      ...(chance(0.05) && { dateColumns: [chance(0.5) ? "day" : chance(0.5) ? "day:dmy" : "day:mdy"] }),
      ...(chance(0.05) && { timeColumns: [chance(0.5) ? "lap" : chance(0.5) ? "lap:hours" : "at:minutes"] }),
      ...(chance(0.1) && { tiers: format === "pairs" ? "pairs" : chance(0.5) ? "clicks" : "ratings" }),
    }),
    ...(chance(0.3) && { labels: "optional" }),
    ...(chance(0.2) && { columns: true }),
    ...(chance(0.2) && { storage: chance(0.5) && !hasLargeNumbers(bytes) ? "dense" : "sparse" }),
  };
}

/** Reads a file in pieces that end at the given places, as columns where it is a table with words. */
function read(bytes: Uint8Array, name: string, options: DatasetReaderOptions, cuts: readonly number[]): Answer {
  try {
    return readOnce(bytes, name, { ...options, columns: options.columns || needsColumns(options, undefined) }, cuts);
  } catch (error) {
    if (!(error instanceof NeedsColumns)) throw error;
    return readOnce(bytes, name, { ...options, columns: true }, cuts);
  }
}

function readOnce(bytes: Uint8Array, name: string, options: DatasetReaderOptions, cuts: readonly number[]): Answer {
  const reader = datasetReader(options);
  try {
    return answerOf(() => {
      const parser = reader.open(name, bytes.subarray(0, 1 << 16), bytes.length);
      const ends = [...cuts, bytes.length].sort((a, b) => a - b);
      ends.forEach((end, i) => {
        parser.push(bytes.slice(i === 0 ? 0 : ends[i - 1], end));
      });
      reader.close();
      const { data, notices } = reader.finish();
      if (options.storage !== "dense" && options.absentItems !== "last") checkSize(data, bytes.length);
      const digest = contentOf(data);
      if (contentOf(throughCache(data)) !== digest) throw new Finding("the cache changes the data");
      return { digest: digestOf(digest, notices.join("\n")), shape: notices.join(" ").replace(/[\d.,]+|"[^"]*"/g, "0").slice(0, 120) }; // biome-ignore format: one object
    });
  } finally {
    reader.drop();
  }
}

/** Memory must be in proportion to the bytes of the file. */
function checkSize({ features, labels, starts, names }: Dataset, bytes: number): void {
  const { length } = features.values;
  if (length > (names.encoding ? 64 : 3) * bytes + 64) throw new Finding(`${length} values from ${bytes} bytes`);
  if (labels.length > bytes) throw new Finding(`${labels.length} rows from ${bytes} bytes`);
  if (starts.at(-1) !== labels.length) throw new Finding("the lists do not end where the rows end");
}

function throughCache(data: Dataset): Dataset {
  const { plain, arrays } = serialize(data);
  const copies = arrays.map((one: SerializedArray) => one.array.slice());
  return deserialize(JSON.parse(JSON.stringify(plain)), copies) as Dataset;
}

const PARALLEL = 256; // one of so many inputs is read by threads, which take long to start
const SEGMENT = 8; // bytes that a thread reads at a time
const BEFORE = 256 * SEGMENT; // bytes of a file that one thread reads alone
const AFTER = 3 * 64 * SEGMENT; // and bytes that must follow for three threads

/** The input between enough valid rows that several threads read it. */
function surrounded(bytes: Uint8Array, sample: Uint8Array): Uint8Array {
  const copies = (length: number) => Array.from({ length: Math.ceil(length / sample.length) }, () => sample);
  return Buffer.concat([...copies(BEFORE + SEGMENT), bytes, encode("\n"), ...copies(AFTER)]);
}

async function readFile(path: string, options: DatasetReaderOptions, threads: number): Promise<Answer> {
  try {
    const { data } = await readData([path], { ...options, threads, segment: SEGMENT });
    return { outcome: "read", digest: contentOf(data), shape: "" };
  } catch (error) {
    return answerOf(() => {
      throw error;
    });
  }
}

/** Errors need not be the same, since threads may meet another one first. */
async function compareThreads(bytes: Uint8Array, name: string, options: DatasetReaderOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tierwise-fuzz-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const [alone, together] = [await readFile(path, options, 1), await readFile(path, options, 3)];
    if (alone.outcome !== together.outcome || (alone.outcome === "read" && alone.digest !== together.digest))
      throw new Finding("read otherwise by several threads");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function target(id: DataFormatId | "auto"): Target {
  const own = id === "auto" ? Object.values(samples).flat() : samples[id];
  const name = id === "auto" ? "file" : `file.${id === "svmlight" ? "txt" : id}`;
  return {
    id: id === "auto" ? "data" : `data-${id}`,
    seeds: () => own.map((one) => (typeof one === "string" ? encode(one) : one)),
    words: words.split(" "),
    ...((id === "csv" || id === "tsv" || id === "svmlight") && { generated: (draw: Random) => generated(id, draw) }),
    async run(bytes) {
      const draw = random(seedOf(bytes));
      const options = optionsFor(id, bytes, draw);
      const whole = read(bytes, name, options, []);
      const cuts = Array.from({ length: 1 + below(draw, 4) }, () => below(draw, bytes.length + 1));
      const pieces = read(bytes, name, options, cuts);
      if (pieces.digest !== whole.digest) throw new Finding(`read otherwise in pieces that end at ${cuts.join(", ")}`);
      if (seedOf(bytes) % PARALLEL === 0)
        await compareThreads(id === "svmlight" ? surrounded(bytes, encode(PLAIN)) : bytes, name, options);
      return whole;
    },
  };
}

/** One of the ways to write a number. */
function spelled(value: number, draw: Random): string {
  const [how, size] = [below(draw, 5), Math.abs(value)];
  if (how === 0) return value.toExponential();
  if (how === 1 && size > 1e-3 && size < 1e15) return value.toFixed(20 + below(draw, 3));
  if (how === 2 && Number.isInteger(value) && size < 1e6) return `${value}.0`;
  if (how === 3) return String(value).replace(/^(-?)0\./, "$1.");
  return String(value);
}

/** Numbers of many sizes, as files have them. */
function someNumber(draw: Random): number {
  const how = below(draw, 5);
  if (how === 0) return below(draw, 20) - 5;
  if (how === 1) return Math.round(1e4 * draw()) / 1e3;
  if (how === 2) return Math.fround((2 * draw() - 1) * 10 ** (60 * draw() - 30));
  if (how === 3) return (2 * draw() - 1) * 10 ** (20 * draw() - 10);
  return draw();
}

interface Row {
  readonly list: number;
  readonly label: string;
  /** Empty: missing. */
  readonly values: readonly string[];
}

const svmlightText = (rows: readonly Row[]) =>
  rows
    .map(({ list, label, values }, i) => {
      const tokens = values.map((value, c) => (value === "" ? `${c + 1}:NULL` : `${c + 1}:${value}`));
      return `${[label, `qid:${list}`, ...tokens].join(" ")}${i % 3 === 0 ? ` # doc ${i}` : ""}\n`;
    })
    .join("");

const tableText = (rows: readonly Row[], separator: string, columns: number, draw: Random) => {
  const quoted = (cell: string) => (draw() < 0.1 ? `"${cell}"` : cell);
  const header = ["label", "qid", ...Array.from({ length: columns }, (_, c) => `x${c}`)];
  const lines = rows.map(({ list, label, values }) => [label, String(list), ...values].map(quoted).join(separator));
  return `${[header.join(separator), ...lines].join(draw() < 0.3 ? "\r\n" : "\n")}${draw() < 0.5 ? "\n" : ""}`;
};

/** Reads a file of known numbers: labels and values must be those, as float32, list by list. */
function generated(id: "csv" | "tsv" | "svmlight", draw: Random): Uint8Array {
  const columns = 1 + below(draw, 6);
  const rows: Row[] = Array.from({ length: 1 + below(draw, 12) }, () => ({
    list: below(draw, 3),
    label: spelled(draw() < 0.8 ? below(draw, 4) : someNumber(draw), draw),
    values: Array.from({ length: columns }, () => (draw() < 0.2 ? "" : spelled(someNumber(draw), draw))),
  }));
  const separator = id === "tsv" ? "\t" : draw() < 0.3 ? ";" : ",";
  const bytes = encode(id === "svmlight" ? svmlightText(rows) : tableText(rows, separator, columns, draw));
  const found = parseData([{ name: `file.${id === "svmlight" ? "txt" : id}`, content: bytes }], { storage: "dense" }).data;
  const order = [...new Set(rows.map(({ list }) => list))].flatMap((list) => rows.filter((row) => row.list === list));
  const float = (text: string) => (text === "" ? Number.NaN : Math.fround(Number(text)));
  const wanted = { labels: order.map(({ label }) => float(label)), values: order.flatMap(({ values }) => values.map(float)) };
  const same = (a: ArrayLike<number>, b: readonly number[]) =>
    a.length === b.length && b.every((value, i) => Object.is(a[i], value));
  if (!same(found.labels, wanted.labels)) throw new Finding(`labels ${[...found.labels]}, and not ${wanted.labels}`, bytes);
  if (!same(found.features.values, wanted.values))
    throw new Finding(`values ${[...found.features.values]}, and not ${wanted.values}`, bytes);
  return bytes;
}

export const dataTargets: readonly Target[] = [...formatIds, "auto" as const].map(target);
