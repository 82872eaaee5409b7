/**
 * Trees trained on bins that were made while reading are those trained on values, to the byte: formats, missing values, categories, sparse data
 * and options at random, rows beyond the sample of edges, threads, checkpoints and the command line. What needs values is refused.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { ReadOptions } from "../src/formats/data/read-options.ts";
import type { TreesOptions } from "../src/models/trees/options.ts";
import type { Dataset, Random } from "../src/types.ts";
import { succeed, tierwise } from "./cli.ts";

// Threads run the built JavaScript, so these tests do too.
const built = (path: string) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const library = (await built("index.js")) as typeof import("../src/index.ts");
const { random } = (await built("numeric/random.js")) as typeof import("../src/numeric/random.ts");
const { bytesInUse, Heap } = (await built("numeric/heap.js")) as typeof import("../src/numeric/heap.ts");
const { evaluate, fit, linear, ndcg, readBinned, readData, serializeModel, summary, train, trees } = library;

const cwd = mkdtempSync(join(tmpdir(), "tierwise-two-round-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const CASES = Number(process.env.TIERWISE_CASES ?? 25);

interface Shape {
  readonly table: boolean;
  readonly gzip: boolean;
  readonly leftOut: number; // share of cells
  readonly missing: number;
  readonly scattered: boolean;
  readonly comments: boolean;
  readonly weighted: boolean;
  readonly titles: number; // lines above the header
}

const FEATURES = 6;

/** A value of a feature: few different ones, many, or mostly 0. */
function valueText(feature: number, draw: Random): string {
  if (feature % 3 === 0) return String(Math.floor(5 * draw()));
  return feature % 3 === 1 ? (20 * draw() - 10).toFixed(3) : draw() < 0.8 ? "0" : draw().toFixed(2);
}

function textOf(shape: Shape, rows: number, draw: Random): string {
  const names = Array.from({ length: FEATURES }, (_, f) => `x${f + 1}`);
  const titles = new Array<string>(shape.titles).fill('A "title,');
  const lines = shape.table ? [...titles, ["qid", "label", ...(shape.weighted ? ["w"] : []), ...names].join(",")] : [];
  for (let row = 0; row < rows; row++) {
    const list = shape.scattered ? Math.floor((draw() * rows) / 10) : Math.floor(row / 10);
    const [label, weight] = [Math.floor(4 * draw()), 1 + (list % 3)];
    const values = names.map((_, f) => (draw() < shape.leftOut ? "" : draw() < shape.missing ? "NULL" : valueText(f, draw)));
    if (shape.comments && !shape.table && draw() < 0.1) lines.push("# a comment", "");
    if (shape.table) lines.push([list, label, ...(shape.weighted ? [weight] : []), ...values].join(","));
    else {
      const cells = values.flatMap((value, f) => (value === "" ? [] : [`${f + 1}:${value}`]));
      lines.push([`${label}${shape.weighted ? `:${weight}` : ""}`, `qid:${list}`, ...cells].join(" "));
    }
  }
  return `${lines.join("\n")}${draw() < 0.5 ? "\n" : ""}`;
}

let files = 0;
function write(shape: Shape, rows: number, draw: Random): string {
  const path = join(cwd, `${files++}.${shape.table ? "csv" : "txt"}${shape.gzip ? ".gz" : ""}`);
  const text = textOf(shape, rows, draw);
  writeFileSync(path, shape.gzip ? gzipSync(text) : text);
  return path;
}

const chance = (draw: Random, share: number) => draw() < share;

/** A shape of data, how they are read, and trees. */
function drawCase(draw: Random) {
  const table = chance(draw, 0.4);
  const shape: Shape = {
    ...{ table, gzip: chance(draw, 0.2), leftOut: chance(draw, 0.5) ? draw() : 0, missing: chance(draw, 0.4) ? 0.05 : 0 },
    ...{ scattered: chance(draw, 0.3), comments: chance(draw, 0.3), weighted: chance(draw, 0.3) },
    titles: table && chance(draw, 0.3) ? 2 : 0,
  };
  const reading: Partial<ReadOptions> = table
    ? { skipLines: shape.titles, ...(shape.weighted && { weight: "w" }) }
    : { absent: chance(draw, 0.5) ? "missing" : "zero", indexBase: chance(draw, 0.2) ? 0 : 1 };
  const name = (feature: number) => (table ? `x${feature}` : String(feature));
  const options: Partial<TreesOptions> = {
    ...{ rounds: 3, leaves: 2 + Math.floor(10 * draw()), learningRate: 0.3, minItems: 1 + Math.floor(5 * draw()) },
    ...(chance(draw, 0.4) && { maxBins: 2 + Math.floor(20 * draw()) }),
    ...(chance(draw, 0.3) ? { categorical: `(${name(1)},${name(4)})` } : chance(draw, 0.3) ? { shape: "symmetric" } : {}),
    ...(chance(draw, 0.3) && { bag: 2 }),
  };
  return { shape, reading, options };
}

/** What training gives: model, metrics of all rounds, and the record. */
const bytesOf = ({ history, ...fitted }: ReturnType<typeof fit>) => serializeModel(fitted) + JSON.stringify(history);

describe("bins made while reading give the same model as values", () => {
  it.each(Array.from({ length: CASES }, (_, i) => i))("case %i", async (number) => {
    const draw = random(number, 0x2b1);
    const { shape, reading, options } = drawCase(draw);
    const paths = Array.from({ length: chance(draw, 0.4) ? 2 : 1 }, () => write(shape, 40 + Math.floor(200 * draw()), draw));
    const valid = write({ ...shape, missing: chance(draw, 0.5) ? 0.1 : 0, gzip: false }, 60, draw);
    const model = trees(options);
    const [values, held] = [(await readData(paths, reading)).data, (await readData([valid], reading)).data];
    const binned = await readBinned(paths, { ...reading, model });
    const like = (await readBinned([valid], { ...reading, like: binned.data })).data;
    const how = { model, metrics: [ndcg({ k: 5 })], seed: number };
    const wanted = bytesOf(fit(values, { ...how, valid: held }));
    expect(bytesOf(fit(binned.data, { ...how, valid: like }))).toBe(wanted);
    expect(bytesOf(fit(binned.data, { ...how, valid: held }))).toBe(wanted); // validation data may have values
  });

  it("where rows are more than the sample of edges, with values missing outside of it, for any number of threads", async () => {
    const draw = random(3);
    const line = (row: number) =>
      `${row % 4} qid:${Math.floor(row / 50)} 1:${(9 * draw()).toFixed(4)} 2:${row === 77_777 ? "NULL" : Math.floor(300 * draw())} 3:${row % 5}`;
    const lines = Array.from({ length: 130_000 }, (_, row) => line(row));
    const [plain, commented] = [join(cwd, "many.txt"), join(cwd, "commented.txt")];
    writeFileSync(plain, `${lines.join("\n")}\n`);
    writeFileSync(commented, `# rows\n${lines.join("\n")}\n`); // lines are not rows, so the sample is taken again
    const model = trees({ rounds: 2, leaves: 8, learningRate: 0.5 });
    const wanted = bytesOf(fit((await readData([plain])).data, { model }));
    for (const path of [plain, commented])
      for (const threads of [1, 3]) {
        const progress: number[] = [];
        const { data } = await readBinned([path], {
          model,
          threads,
          segment: 65_536,
          progress: (read, all) => progress.push(read / all),
        });
        expect(bytesOf(fit(data, { model }))).toBe(wanted);
        expect(progress.at(-1)).toBe(1);
        if (threads === 3) expect(bytesOf(await train(data, { model, threads: 2 }))).toBe(wanted);
      }
  }, 180_000);

  it("continues from checkpoints", async () => {
    const path = write(drawCase(random(5)).shape, 300, random(6));
    const model = trees({ rounds: 6, leaves: 4, learningRate: 0.3, minItems: 2 });
    const { data } = await readBinned([path], { model });
    let saved: Uint8Array[] = [];
    const store = {
      ...{ where: "memory", load: () => saved },
      save: (_: string, bytes: Uint8Array) => void (saved = [...saved, bytes].slice(-1)),
      remove() {},
    };
    const wanted = bytesOf(fit(data, { model }));
    const kept: Uint8Array[][] = [];
    fit(data, { model, checkpoint: { store, rounds: 1 }, onRound: () => kept.push(saved) });
    saved = kept[3]!;
    const rounds: number[] = [];
    expect(bytesOf(fit(data, { model, checkpoint: { store, rounds: 1 }, onRound: ({ round }) => rounds.push(round) }))).toBe(
      wanted,
    );
    expect(rounds[0]).toBeGreaterThan(1);
  });
});

describe("data with bins", () => {
  const model = trees({ rounds: 2, minItems: 2 });
  const simple: Shape = {
    table: false,
    gzip: false,
    leftOut: 0,
    missing: 0,
    scattered: false,
    comments: false,
    weighted: false,
    titles: 0,
  };
  const path = write(simple, 100, random(1));
  const read = async () => (await readBinned([path], { model })).data;

  it("take one byte for each value or less, in memory of the heap that is given", async () => {
    const heap = new Heap();
    const before = bytesInUse();
    const { data } = await readBinned([path], { model, heap });
    const { features } = data;
    expect(features.kind === "dense" && features.binned!.bins.length).toBeLessThanOrEqual(100 * 8);
    expect(features.values.length).toBe(0);
    heap.close();
    expect(bytesInUse()).toBeLessThanOrEqual(before);
  });

  it("are refused where values are needed", async () => {
    const data = await read();
    const values = (await readData([path])).data;
    const fitted = fit(values, { model });
    expect(() => summary(data)).toThrow(/summary: the data were read with readBinned, which keeps only the bins/);
    expect(() => evaluate(fitted.model, data, [ndcg()])).toThrow(/read with readBinned/);
    expect(() => fit(data, { model: linear() })).toThrow(/the model linear needs the values of features/);
    expect(() => fit(data, { model, init: fitted.model })).toThrow(/training cannot go on from a model on data of readBinned/);
    expect(() => fit(values, { model, valid: data })).toThrow(/read both in the same way/);
    expect(() => fit(data, { model: trees({ rounds: 2, minItems: 2, withinList: "z" }) })).toThrow(/within-list: z is computed/);
    const transform = { id: "same", spec: "same", fit: () => 0, apply: (_: unknown, one: Dataset) => one };
    expect(() => fit(data, { model, transform })).toThrow(/a transform needs the values of features/);
  });

  it("are refused by trees that cut values in another way, and as validation data of others", async () => {
    const data = await read();
    expect(() => fit(data, { model: trees({ rounds: 2, minItems: 2, maxBins: 9 }) })).toThrow(
      /the bins were made for max-bins=255, and these trees have max-bins=9/,
    );
    expect(() => fit(data, { model: trees({ rounds: 2, minItems: 1 }) })).toThrow(/made for min-items=2, .+ min-items=1/);
    expect(() => fit(data, { model: trees({ rounds: 2, minItems: 2, categorical: "(1)" }) })).toThrow(/categorical/);
    const other = (await readBinned([write(simple, 50, random(2))], { model })).data;
    expect(() => fit(data, { model, valid: other })).toThrow(/are not those of the training data/);
  });

  it("validation data may have fewer columns, others in a table, and unknown ones where these are ignored", async () => {
    const [all, some] = [join(cwd, "all.csv"), join(cwd, "some.csv")];
    const row = (i: number) => [Math.floor(i / 5), i % 3, (i * 7) % 11, (i * 5) % 13];
    const table = (head: string, cells: (row: number[]) => unknown[]) =>
      `${head}\n${Array.from({ length: 60 }, (_, i) => cells(row(i)).join(",")).join("\n")}\n`;
    writeFileSync(
      all,
      table("qid,label,a,b", (one) => one),
    );
    writeFileSync(
      some,
      table("b,z,qid,a,label", ([q, l, a, b]) => [b, 1, q, a, l]),
    );
    const { data } = await readBinned([all], { model });
    await expect(readBinned([some], { like: data, unknownFeatures: "error" })).rejects.toThrow(
      /some\.csv:1: the model does not know the column "z"/,
    );
    const { data: valid, notices } = await readBinned([some], { like: data });
    expect(notices.at(-1)).toMatch(/some\.csv: the column "z" is ignored/);
    const how = { model, metrics: [ndcg()] };
    const values = (await readData([all])).data;
    expect(bytesOf(fit(data, { ...how, valid }))).toBe(bytesOf(fit(values, { ...how, valid: values })));
  });

  it("wrong arguments of readBinned are refused", async () => {
    const refused = (paths: unknown, options: unknown, message: RegExp) =>
      expect(readBinned(paths as never, options as never)).rejects.toThrow(message);
    await refused("a.txt", { model }, /readBinned: expected an array of paths, got the text "a.txt"; put it in brackets/);
    await refused([path], undefined, /readBinned: expected options as an object/);
    await refused([path], {}, /expected either the option model, .+ or the option like/);
    await refused([path], { model: 3 }, /readBinned, option model: expected a learner/);
    await refused([path], { model: linear() }, /the model linear needs the values of features/);
    await refused([path], { model: trees({ withinList: "rank" }) }, /within-list: rank is computed from values/);
    await refused([path], { like: (await readData([path])).data }, /option like: expected data of readBinned/);
    await refused([path], { model, threads: 0 }, /option threads/);
    await refused([path], { model, memory: "x" }, /option memory/);
    await refused([path], { model, labelMissing: ["0"] }, /the option labelMissing leaves out rows after reading/);
    await refused([path], { model, tiers: "clicks" }, /the option tiers leaves out rows after reading/);
    await refused([path], { model, nonsense: 1 }, /nonsense/);
    await refused(["-"], { model }, /a pipe can be read only once/);
    await refused([join(cwd, "none.txt")], { model }, /none.txt: /);
    await refused([], { model }, /expected at least one data file/);
    const ballots = join(cwd, "a.orders");
    writeFileSync(ballots, "a > b\n");
    await refused([ballots], { model }, /reading in two rounds keeps the bins of features/);
  });
});

describe("train --two-round", () => {
  const words = ["--model", "trees:rounds=3,leaves=4,min-items=2", "--quiet"];
  const text = (rows: number) =>
    Array.from({ length: rows }, (_, i) => `${i % 3} qid:${Math.floor(i / 6)} 1:${(i * 7) % 11} 2:${(i * 5) % 13}\n`).join("");
  writeFileSync(join(cwd, "t.txt"), text(90));
  writeFileSync(join(cwd, "v.txt"), text(30));

  it("writes the same model file, with validation data and checkpoints", async () => {
    const common = ["train", "t.txt", "--valid", "v.txt", ...words];
    await succeed([...common, "--out", "values.json"], { cwd });
    await succeed([...common, "--two-round", "--checkpoint", "state", "--checkpoint-every", "1", "--out", "bins.json"], { cwd });
    expect(readFileSync(join(cwd, "bins.json"))).toEqual(readFileSync(join(cwd, "values.json")));
  });

  it.each([
    [["--model", "linear"], /--two-round keeps only the bins of features, and the model linear needs their values/],
    [["--hold-out", "0.3"], /--hold-out cannot be combined with it/],
    [["--model", "auto"], /auto tries models that need the values/],
    [["--init", "values.json"], /--init cannot be combined/],
    [["--cache"], /--cache cannot be combined/],
    [["--tiers", "clicks"], /--tiers cannot be combined/],
    [["--model", "trees:within-list=z"], /within-list: z is computed from values/],
  ])("%s is refused in one line", async (more, message) => {
    const rest = more.includes("--model") ? ["--quiet"] : words;
    const { code, err } = await tierwise(["train", "t.txt", ...rest, "--two-round", ...more], { cwd });
    expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
    expect(err).toMatch(message);
  });
});
