/** Mistakes of the user: each is told in one line that names the file and the line, ends with 2, and leaves every file as it was. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, main, succeed, svmlight, tierwise } from "./cli.ts";

const good = svmlight(5);
const packed = gzipSync(good);

const cwd = folder({
  "good.txt": good,
  "empty.txt": "",
  "comments.txt": "# nothing\n\n# here\n",
  "cut.txt.gz": packed.subarray(0, packed.length / 2),
  "damaged.txt.gz": packed.map((byte, i) => (i > 30 && i < 60 ? byte ^ 0xff : byte)),
  "no-label.txt": "1 qid:1 1:0.5\nqid:1 1:0.25\n",
  "word-label.txt": "1 qid:1 1:0.5\ngood qid:1 1:0.25\n",
  "no-qid.txt": "1 1:0.5\n0 1:0.25\n",
  "inf.txt": "1 qid:1 1:0.5\n0 qid:1 1:0.5\n0 qid:1 1:-inf\n",
  "huge.txt": "1 qid:1 1:1e39\n",
  "nan-label.txt": "nan qid:1 1:0.5\n",
  "zero.txt": "1 qid:1 1:0.5\n0 qid:1 0:0.25 1:1\n",
  "beyond.txt": "1 qid:1 1:0.5\n0 qid:1 2147483648:0.25\n",
  "negative.txt": "1 qid:1 -1:0.5\n",
  "twice.txt": "1 qid:1 1:0.5 2:1\n0 qid:1 1:0.25 2:1 1:0.5\n",
  "groups.txt": "1 1:0.5\n0 1:0.25\n0 1:0.125\n",
  "groups.txt.query": "2\n2\n",
  "names.txt": "1 1:0.5\n0 1:0.25\n0 1:0.125\n",
  "names.txt.group": "a\na\n",
  "weights.txt": "1 qid:1 1:0.5\n0 qid:1 1:0.25\n0 qid:1 1:0.125\n",
  "weights.txt.weight": "1\n1\n",
  "table.csv": "grade,qid,alpha\n1,a,0.5\n0,a,0.25\n",
  "bare.txt": "1 qid:1\n0 qid:1\n",
  "ballots.orders": "a > b > c\nb > c > a\nc > a > b\n",
  "cities.csv": "city,clicked,hotel\nRome,1,Aria\n",
  "ragged.csv": "label,qid,alpha\n1,a,0.5\n0,a\n",
  "word.csv": "label,qid,alpha\n1,a,0.5\nhigh,a,1\n",
  "inf.csv": "label,qid,alpha\n1,a,0.5\n0,a,inf\n",
  "wider.txt": `${good}1 qid:q9 1:0.5 4:1\n`,
  "out.json": "old",
});
mkdirSync(join(cwd, "folder"));

/** Names and contents of all files, so that nothing changes unseen. */
const everything = () =>
  readdirSync(cwd, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => [name, statSync(join(cwd, name)).isFile() ? readFileSync(join(cwd, name), "latin1") : "folder"]);

async function refuses(words: readonly string[], answer: RegExp): Promise<void> {
  const before = everything();
  const { code, out, err } = await tierwise(words, { cwd });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(new RegExp(`^tierwise: ${answer.source}\n$`));
  expect(everything()).toEqual(before);
}

beforeAll(async () => {
  await succeed(["train", "good.txt", "--out", "m.json", "--quiet"], { cwd });
  await succeed(["train", "table.csv", "--out", "named.json", "--quiet"], { cwd });
  const text = readFileSync(join(cwd, "m.json"), "utf8");
  writeFileSync(join(cwd, "half.json"), text.slice(0, text.length / 2));
  writeFileSync(join(cwd, "later.json"), text.replace('"version": 1', '"version": 99'));
  writeFileSync(join(cwd, "short.json"), text.replace('"count": 3', '"count": 4'));
  writeFileSync(join(cwd, "reading.json"), text.replace('"reading": {}', '"reading": {"absent": "nil"}'));
});

describe("data", () => {
  it.each<[file: string, answer: RegExp, ...more: string[]]>([
    ["missing.txt", /missing\.txt: there is no such file/],
    ["good.txt/inside", /good\.txt\/inside: there is no such file/],
    ["", /expected the name of a data file, got an empty one/],
    ["folder", /folder: the folder has no data files; .+/],
    ["empty.txt", /empty\.txt: the file is empty/],
    ["comments.txt", /comments\.txt: no rows, only blank lines and comments/],
    ["cut.txt.gz", /cut\.txt\.gz: the gzip data end unexpectedly; the file is truncated/],
    ["damaged.txt.gz", /damaged\.txt\.gz: the gzip data are damaged/],
    ["no-label.txt", /no-label\.txt:2: expected "label qid:id number:value \.\.\.", got "qid:1 1:0\.25" \(no label\)/],
    ["word-label.txt", /word-label\.txt:2: expected the label as a finite number, got "good"/],
    ["no-qid.txt", /no-qid\.txt: no qid and no no-qid\.txt\.query or \.group beside it; .+/],
    ["inf.txt", /inf\.txt:3: expected the value of feature 1 as a finite number, got "-inf"/],
    ["huge.txt", /huge\.txt:1: the value of feature 1 "1e39" is too large for a 32-bit float/],
    ["nan-label.txt", /nan-label\.txt:1: expected the label as a finite number, got "nan"/],
    ["zero.txt", /zero\.txt:2: feature number 0, but features are numbered from 1; --index-base 0 .+/],
    ["beyond.txt", /beyond\.txt:2: expected a feature number up to 2147483647, got "2147483648:0\.25"/],
    ["negative.txt", /negative\.txt:1: expected number:value, got "-1:0\.5"/],
    ["twice.txt", /twice\.txt:2: feature 1 is given twice/],
    ["groups.txt", /groups\.txt\.query: the sizes add up to 4, but groups\.txt has 3 rows/],
    ["names.txt", /names\.txt\.group: 2 names of lists, but names\.txt has 3 rows/],
    ["weights.txt", /weights\.txt\.weight: 2 weights, but weights\.txt has 1 list and 3 rows/],
    ["table.csv", /table\.csv:1: no column is called "grades" \(--label\); did you mean grade\? .+/, "--label", "grades"],
    ["table.csv", /table\.csv:1: no column is called "query" \(--qid\); .+/, "--qid", "query"],
    ["table.csv", /table\.csv:1: no column is called "beta" \(--ignore\); .+/, "--ignore", "beta"],
    ["ragged.csv", /ragged\.csv:3: expected 3 cells as in the header, got 2/],
    [
      "word.csv",
      /word\.csv:3: column "label": expected a finite number, got "high"; if labels are words, give all of them in order, the best first: --label-order BEST,\.\.\.,WORST \(the labels are "1", "high"\)/,
    ],
    ["inf.csv", /inf\.csv:3: column "alpha": expected a finite number, got "inf".*/],
  ])("%s", async (file, answer, ...more) => {
    await refuses(["train", file, "--out", "out.json", ...more], answer);
    const model = file.endsWith(".csv") ? "named.json" : "m.json";
    if (more.length === 0 && file !== "no-label.txt") await refuses(["evaluate", model, file], answer);
  });

  it.each([
    ["linear", "table.csv", "--ignore", "alpha"],
    ["trees", "table.csv", "--ignore", "alpha"],
    ["mlp", "table.csv", "--ignore", "alpha"],
    ["linear", "bare.txt"],
    ["linear", "ballots.orders"],
  ])("%s cannot learn from %s without features", async (model, ...words) => {
    const before = everything();
    const { code, out, err } = await tierwise(["train", ...words, "--model", model, "--out", "out.json"], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^tierwise: the model ${model} learns from features, and the data have none; .+\n$`, "m"));
    expect(everything()).toEqual(before);
  });

  it("validation data are looked for before the training data are read", async () => {
    await refuses(["train", "good.txt", "--valid", "missing.txt", "--out", "out.json"], /missing\.txt: there is no such file/);
  });
});

describe("models", () => {
  it.each<[file: string, answer: RegExp]>([
    ["missing.json", /missing\.json: there is no such model file/],
    ["good.txt/inside", /good\.txt\/inside: there is no such model file/],
    ["folder", /folder: expected a model file, got a directory/],
    ["empty.txt", /empty\.txt: expected a model file, but it is empty/],
    ["good.txt", /good\.txt: expected a model file, but this is not JSON; give the model first, then the data/],
    ["half.json", /half\.json:\d+: invalid JSON in the model file, which may be truncated/],
    [
      "later.json",
      /later\.json: the model file has version 99, written by a later version of tierwise; this one reads up to \d+, so update it/,
    ],
    ["short.json", /short\.json: the model file is damaged: .+/],
  ])("%s", async (file, answer) => {
    await refuses(["show", file], answer);
    await refuses(["evaluate", file, "good.txt"], answer);
    await refuses(["rank", file, "good.txt"], answer);
  });

  it("reading options that are none", async () => {
    const answer = /reading\.json: the model file is damaged: read, option absent: expected one of zero, missing, got "nil"/;
    await refuses(["rank", "reading.json", "good.txt"], answer);
  });

  it("a table for a model that numbers its features is told so before its cells, and before what else it lacks", async () => {
    const answer = (file: string) =>
      new RegExp(`${file}\\.csv:1: the model knows its features by number, but the columns of a table have names; .+`);
    for (const file of ["word", "cities"]) {
      await refuses(["rank", "m.json", `${file}.csv`], answer(file));
      await refuses(["evaluate", "m.json", `${file}.csv`], answer(file));
    }
  });

  it("a column that only the model asks for is said to come from it", async () => {
    const home = folder({
      "train.csv": "clicked,qid,alpha\n1,a,0.5\n0,a,0.25\n",
      "test.csv": "stars,qid,alpha\n1,a,0.5\n0,a,0.25\n",
    });
    await succeed(["train", "train.csv", "--label", "clicked", "--out", "m.json", "--quiet"], { cwd: home });
    const message = async (...more: string[]) => (await tierwise(["evaluate", "m.json", "test.csv", ...more], { cwd: home })).err;
    expect(await message()).toBe(
      'tierwise: test.csv:1: no column is called "clicked" (--label, which the model was trained with); there are stars, qid, alpha\n',
    );
    expect(await message("--label", "grade")).toMatch(/no column is called "grade" \(--label\); .+/);
  });

  it("features that the model does not know", async () => {
    const answer =
      /wider\.txt(:\d+)?: the model does not know feature 4 of the data \(it knows 1 to 3\); --unknown-features ignore .+/;
    await refuses(["evaluate", "m.json", "wider.txt"], answer);
    await refuses(["rank", "m.json", "wider.txt"], answer);
    const { code, err } = await tierwise(["rank", "m.json", "wider.txt", "--unknown-features", "ignore"], { cwd });
    expect(code).toBe(0);
    expect(err).toContain("feature 4 of the data dropped: the model does not know it\n");
  });
});

describe("output", () => {
  it.each<[out: string, answer: RegExp]>([
    ["missing/m.json", /missing\/m\.json: cannot be written: no such folder: .+\/missing/],
    ["good.txt/m.json", /good\.txt\/m\.json: cannot be written, .+\/good\.txt is not a folder/],
    ["folder", /folder: expected a file to write to, got a directory/],
    ["new/", /new\/: expected a file to write to, got a directory/],
    ["", /expected the name of a file to write to, got an empty one/],
    ["x".repeat(300), /x+: cannot be opened \(ENAMETOOLONG\)/],
  ])("%j is refused before the data are read", async (out, answer) => {
    await refuses(["train", "inf.txt", "--out", out], answer);
  });

  it("a link stays a link to the model, and a device stays a device", async () => {
    const home = folder({ "good.txt": good, "real.json": "old" });
    symlinkSync("real.json", join(home, "link.json"));
    await succeed(["train", "good.txt", "--out", "link.json", "--quiet"], { cwd: home });
    expect(readdirSync(home).sort()).toEqual(["good.txt", "link.json", "real.json"]);
    expect(readFileSync(join(home, "real.json"))).toEqual(readFileSync(join(cwd, "m.json")));
    const shell = (line: string) => spawnSync("sh", ["-c", line, process.execPath, main], { cwd: home, encoding: "utf8" });
    const { stdout } = shell('"$0" "$1" train good.txt --out /dev/stdout --quiet --json | cat');
    expect(stdout).toContain('"format": "tierwise model"');
    expect(shell('mkfifo pipe; cat pipe > copy.json & "$0" "$1" train good.txt --out pipe --quiet; wait').status).toBe(0);
    expect(readFileSync(join(home, "copy.json"))).toEqual(readFileSync(join(cwd, "m.json")));
    expect(statSync(join(home, "pipe")).isFIFO()).toBe(true);
  });
});

describe("training that runs away", () => {
  it("is told, and no model is written", async () => {
    const before = everything();
    const words = ["train", "good.txt", "--model", "linear:l2=1000", "--optimizer", "sgd(rate=1000)", "--out", "out.json"];
    const { code, err } = await tierwise(words, { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^tierwise: linear:.+ under pl-partition: the cost of round \d+ is (NaN|-?Infinity): the steps are too large; .+$/m,
    );
    expect(everything()).toEqual(before);
  });
});
