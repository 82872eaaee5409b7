/** What the command line says: help, lists, examples, settings from files, and what it answers to misspelt words. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { examples } from "../src/cli/examples.ts";
import { dataFormats } from "../src/formats/data/formats.ts";
import { readerFields } from "../src/formats/data/read-options.ts";
import { metrics } from "../src/metrics/index.ts";
import { models } from "../src/models/index.ts";
import { objectives } from "../src/objectives/index.ts";
import { optimizers } from "../src/optimizers/index.ts";
import { type AnyPart, kebabCase, optionRows } from "../src/part.ts";
import { commands, folder, main, searchFolder, succeed, svmlight, tierwise } from "./cli.ts";

// Every option of the readers: --format is how rank writes, and two have a second name.
const otherNames: Readonly<Record<string, string>> = {
  ...{ format: "data-format", header: "no-header" },
  ...{ qid: "list, --qid", id: "item, --id" },
};
const reading = Object.keys(readerFields).map((key) => `--${otherNames[key] ?? kebabCase(key)}`);
const common = ["--json", "--quiet", "--config", "--unknown-features", "--cache", "--cache-dir", ...reading];
const options: Readonly<Record<string, readonly string[]>> = {
  train: [
    ...["--valid", "--init", "--model", "--objective", "--optimizer", "--metrics", "--patience", "--out", "--seed", "--threads"],
    ...["--report", "--history", "--checkpoint", "--checkpoint-every", "--resume", "--processes"],
    ...common,
  ],
  inspect: ["--test", ...common],
  evaluate: ["-m, --metrics", "-q, --per-list", "-c, --complete", "-l, --level", "--calibration", "--processes", ...common],
  rank: [
    ...["--top", "--format", "--tag", "--probabilities", "--within", "--temperature", "--pairs", "--exact", "--draws", "--seed"],
    ...["--processes"],
    ...common,
  ],
  report: ["-o, --out", "--train", "--against", "--history", "-m, --metrics", "--seed", ...common],
  show: ["--all", "--json", "--csv", "--plot", "--tree"],
  explain: ["--query", "--above", "--below", "--top", ...common],
  importance: ["-m, --metric", "--repeats", "--shuffle", "--query", "-q, --per-list", "--top", "--seed", ...common],
  "what-if": ["--set", "--query", "--item", "--top", ...common.map((one) => one.replace("--item, --id", "--id"))],
  blend: ["--valid", "--weights", "-m, --metrics", "--out", ...common],
  compare: [
    ...["-m, --metrics", "--data", "-c, --complete", "--baseline", "--changed", "--level", "--rounds", "--resamples", "--seed"],
    ...common,
  ],
  cv: [
    ...["--folds", "--no-valid", "--model", "--objective", "--optimizer", "-m, --metrics", "--patience", "--values", "--seed"],
    ...["--threads", "--processes", "--checkpoint", "--checkpoint-every", "--resume", ...common],
  ],
  tune: [
    ...["--valid", "--hold-out", "--folds", "--model", "--objective", "--search", "--trials", "--trials-file", "--top"],
    ...["-m, --metrics", "--patience", "--seed", "--threads", "--checkpoint", "--checkpoint-every", "--resume", ...common],
    "--processes",
  ],
  list: ["--json"],
};

describe("help", () => {
  const cwd = folder();

  it.each(Object.keys(options))("of %s names every option and every example", async (command) => {
    const { code, out, err } = await tierwise([command, "--help"], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const option of options[command]!) expect(out).toContain(`  ${option} `);
    for (const example of examples[command]!) expect(out).toContain(`  ${example}\n`);
  });

  it("names every command, and comes on standard error where none is given", async () => {
    const { out } = await tierwise(["--help"], { cwd });
    for (const command of Object.keys(options)) expect(out).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(await tierwise([], { cwd })).toEqual({ code: 2, out: "", err: out });
  });
});

describe("list", () => {
  const cwd = folder();

  it("names every part of every registry with its options, and every format", async () => {
    const out = await succeed(["list"], { cwd });
    const result = JSON.parse(await succeed(["list", "--json"], { cwd }));
    const registries: Readonly<Record<string, readonly AnyPart<unknown>[]>> = { objectives, models, metrics, optimizers };
    for (const [registry, parts] of Object.entries(registries)) {
      expect(result[registry].map(({ id }: { id: string }) => id)).toEqual(parts.map(({ id }) => id));
      for (const part of parts) {
        expect(out).toContain(`  ${part.id} `);
        for (const { option, start } of optionRows(part)) expect(out).toContain(` ${option}=${start} `);
      }
    }
    for (const { id, about } of dataFormats) expect(out).toMatch(new RegExp(`${id} +${about.slice(0, 10)}`));
  });
});

describe("every example of the help", () => {
  const cwd = searchFolder();
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tierwise"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, "tierwise"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

  /** What a shell prints for the line; a single command, for which no shell is needed, runs inside this process. */
  async function run(line: string): Promise<{ code: number | null; out: string; err: string }> {
    if (!/[|&<>]/.test(line)) return tierwise(line.split(" ").slice(1).map((word) => word.replaceAll("'", "")), { cwd }); // biome-ignore format: one call
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd, env, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr };
  }

  it.each(Object.values(examples).flat())("runs: %s", async (line) => {
    const { code, out, err } = await run(line);
    expect(code, err).toBe(0);
    expect(out).not.toBe("");
    if (line.includes("--json")) expect(() => JSON.parse(out)).not.toThrow();
  });

  it("a reader that has seen enough ends a command quietly", async () => {
    const line = "tierwise rank model.json train.txt.gz train.txt.gz train.txt.gz --format jsonl --quiet | head -n 1";
    const { stdout, stderr } = spawnSync("sh", ["-c", line], { cwd, env, encoding: "utf8" });
    expect(JSON.parse(stdout).items[0].rank).toBe(1);
    expect(stderr).toBe("");
    // Remarks that nobody reads do not stop the training.
    const train =
      "tierwise train train.txt.gz --optimizer 'lbfgs(iterations=3)' --out m.json 2>&1 >result.txt | true; cat result.txt";
    expect(spawnSync("sh", ["-c", train], { cwd, env, encoding: "utf8" }).stdout).toContain("The model is in m.json.");
  });
});

describe("settings from a file", () => {
  const cwd = folder({ "train.txt": svmlight(10), "test.txt": svmlight(5) });
  const config = (name: string, text: string) => {
    writeFileSync(join(cwd, name), text);
    return ["--config", name];
  };
  const train = (...args: string[]) => tierwise(["train", "train.txt", "--json", ...args], { cwd });

  it("are lines of key = value, under other tools' names too, each of which is said once", async () => {
    const lines =
      "# as LightGBM has them\nvalid = test.txt\r\nmetric = ndcg@3,map\nnum_threads=1\n\nlambda_l2 = 0.5  # strong\nseed = 3\n";
    const { code, out, err } = await train(...config("a.conf", lines));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      model: "linear:l2=0.5",
      seed: 3,
      threads: 1,
      metrics: { "ndcg@3": expect.any(Number), map: expect.any(Number) },
    });
    for (const message of [
      "metric is interpreted as --metrics",
      "num-threads is interpreted as --threads",
      "lambda-l2 is interpreted as l2 of the model linear",
    ])
      expect(err.split("\n").filter((line) => line === message)).toHaveLength(1);
  });

  it("are JSON, and the command line counts more than they", async () => {
    const text = JSON.stringify({
      objective: "pl-topk:k=2",
      seed: 3,
      threads: 1,
      valid: ["test.txt", "train.txt"],
      l2: 0.5,
      patience: 0,
      quiet: false,
    });
    const { code, out } = await train(...config("b.json", text), "--seed", "4", "--objective", "ranknet", "l2=0.25");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ model: "linear:l2=0.25", objective: "ranknet", seed: 4, threads: 1 });
    expect(JSON.parse((await train(...config("b.json", text))).out)).toMatchObject({
      model: "linear:l2=0.5",
      objective: "pl-topk:k=2",
      seed: 3,
    });
  });

  it("serve evaluate and rank too", async () => {
    await succeed(["train", "train.txt", "--out", "m.json", "--quiet"], { cwd });
    const result = await succeed(["evaluate", "m.json", "test.txt", ...config("e.conf", "metrics = mrr\njson = yes\n")], { cwd });
    expect(Object.keys(JSON.parse(result).metrics)).toEqual(["mrr"]);
    const run = await succeed(["rank", "m.json", "test.txt", ...config("r.conf", "top = 1\nformat = tsv\n")], { cwd });
    expect(run.trimEnd().split("\n")).toHaveLength(5);
  });

  it.each([
    ["an unknown key", "objectiv = ranknet", /there is no setting "objectiv"; .*/],
    ["a line that is no setting", "seed = 1\nranknet", /c\.conf:2: expected "key = value", got "ranknet"/],
    ["a key twice", "seed = 1\nseed = 2", /c\.conf:2: "seed" is set twice/],
    ["a key under two names", "metric = map\nmetrics = mrr", /metric and metrics are both --metrics; keep one of them/],
    ["a flag that is neither true nor false", "quiet = maybe", /quiet: expected true or false, got "maybe"/],
    ["a value out of range", "seed = -1", /--seed: expected a whole number of at least 0, got "-1"/],
    ["JSON cut off", '{"seed": 1', /c\.conf: expected a JSON object of settings \(.+\)/],
    [
      "an object as a value",
      '{"model": {"id": "linear"}}',
      /c\.conf: expected a text, a number, true, false or a list of these for "model", got .+/,
    ],
    ["null", '{"seed": null}', /c\.conf: expected a text, a number, true, false or a list of these for "seed", got "null"/],
    ["a list in a list", '{"metrics": [["err"]]}', /c\.conf: expected a text, .+ for "metrics", got "\[\[.+"/],
    [
      "what is nested without end",
      `{"metrics": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
      /c\.conf:1: brackets are nested more than 200 deep, .+/,
    ],
    ["a number as a file", '{"out": 5}', /c\.conf: expected the name of a file for "out", got "5"/],
    ["several files where one is written", '{"out": ["a", "b"]}', /c\.conf: expected the name of a file for "out", got .+/],
    ["true as a file, under another name", '{"output_model": true}', /c\.conf: expected the name of a file for .+, got "true"/],
    ["a text where a number is wanted", '{"seed": "two"}', /--seed: expected a whole number of at least 0, got "two"/],
    ["a list where a number is wanted", '{"seed": [1, 2]}', /--seed: expected a whole number of at least 0, got "1,2"/],
    ["the names of every object", '{"constructor": 1}', /there is no setting "constructor"; .+/],
    ["the name of its prototype", '{"__proto__": 1}', /there is no setting "--proto--"; .+|there is no setting "proto--"; .+/],
    ["a list of all", "[1, 2]", /c\.conf:1: expected "key = value", got "\[1, 2\]"/],
    ["another file of settings", "config = c.conf", /c\.conf: a file of settings cannot name another \(config\)/],
    ["bytes that are no text", "\u0000\u0001\u001b", /c\.conf:1: expected "key = value", got "\\u0000\\u0001\\u001b"/],
  ])("refuse %s", async (_, text, message) => {
    const { code, out, err } = await train(...config("c.conf", text));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^tierwise: ${message.source}\n$`));
  });
});

describe("every option of every command", () => {
  const cwd = folder();
  const all = commands.flatMap((command) => command.options.map((option) => ({ verb: command.name(), option })));
  const line = async (words: readonly string[]) => {
    const { code, out, err } = await tierwise(words, { cwd });
    expect({ code, out }, words.join(" ")).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^tierwise: .+\n$/);
    return err;
  };

  it("that takes a value asks for it, and takes one", async () => {
    for (const { verb, option } of all.filter((one) => one.option.required)) {
      expect(await line([verb, option.long!])).toContain(`option '${option.flags}' argument missing`);
      if (option.variadic || option.parseArg) continue; // these collect values
      expect(await line([verb, option.long!, "a", option.long!, "b"])).toBe(
        `tierwise: ${option.long} is given twice, as "a" and as "b"\n`,
      );
    }
  });

  it("is suggested for a near miss, and is told to belong to others where it does", async () => {
    const names = (verb: string) =>
      all.filter((one) => one.verb === verb).flatMap(({ option: { long, short } }) => [long!, short ?? long!]); // --item is short for --id
    for (const { verb, option } of all) {
      const near = `${option.long}x`;
      expect(await line([verb, "a", "b", near])).toContain(`unknown option '${near}' (Did you mean`);
    }
    const known = [...new Set(all.map(({ option }) => option.long!))];
    for (const verb of new Set(all.map((one) => one.verb)))
      for (const name of known.filter((one) => !names(verb).includes(one)))
        expect(await line([verb, "a", "b", name])).toMatch(/unknown option '.+'.*; it is an option of .+/);
  });
});

describe("a word that nobody knows", () => {
  const cwd = folder({ "train.txt": svmlight(5) });
  const t = ["train", "train.txt"];
  it.each<[words: string[], answer: RegExp]>([
    [["trian"], /unknown command 'trian' \(Did you mean train\?\)/],
    [["help", "trian"], /unknown command "trian"; did you mean train\? .*/],
    [["rank"], /rank: missing required argument 'model' \(tierwise rank --help\)/],
    [["train", "--valid", "a", "b"], /train: missing required argument 'files'; --valid consumes every file after it, .*/],
    [[...t, "--objectiv", "ranknet"], /unknown option '--objectiv' \(Did you mean --objective\?\)/],
    [[...t, "--objective", "rankent"], /no objective is called "rankent"; did you mean ranknet\? .*/],
    [[...t, "--objective", "pl-topk:k=0"], /objective pl-topk, option k: expected a whole number above 0, got "0"/],
    [[...t, "--objective", "pl-topk:kk=3"], /objective pl-topk has no option "kk"; did you mean k\? .*/],
    [[...t, "--model", "liner"], /no model is called "liner"; did you mean linear\? .*/],
    [[...t, "--model", "linear:l2=-1"], /model linear, option l2: expected a number of at least 0, got "-1"/],
    [[...t, "--model", "linear:l2"], /model linear: expected options as key=value, got "l2"/],
    [[...t, "--optimizer", "adm"], /no optimizer is called "adm"; did you mean adam\? .*/],
    [
      [...t, "--optimizer", "adam(rate=x)"],
      /optimizer adam, option rate: expected a number above 0 and of at most 1000, got "x"/,
    ],
    [[...t, "--metrics", "ngcd@10"], /no metric is called "ngcd"; did you mean ndcg\? .*/],
    [[...t, "--metrics", "ndcg@x"], /metric ndcg, option k: expected a whole number above 0 or "all", got "x"/],
    [[...t, "--metrics", "ndcg@10;gian=lin"], /metric ndcg has no option "gian"; did you mean gain\? .*/],
    [[...t, "l22=1"], /there is no setting "l22"; did you mean l2\? .*/],
    [[...t, "--model", "linear:l2=1", "l2=2"], /model linear: l2 is given twice, as 1 and as 2/],
    [[...t, "--folds", "3"], /--folds belongs to --model auto, and the model is linear; leave it out/],
    [["compare", "a.json", "--folds", "3"], /unknown option '--folds'.*; it is an option of train, cv, tune/],
    [["list", "--threads", "3"], /unknown option '--threads'; it is an option of train, cv, tune, serve, papers/],
    [["show", "a.json", "b.json"], /too many arguments for 'show'\. .+/],
    [[...t, "--seed"], /option '--seed <number>' argument missing/],
    [[...t, "--seed", "1", "--seed", "2"], /--seed is given twice, as "1" and as "2"/],
    [["cv", "train.txt", "-m", "err", "--metrics", "map"], /--metrics is given twice, as "err" and as "map"/],
    [[...t, "--config", ""], /--config: expected the name of a file, got an empty one/],
    [[...t, "--config", "none.conf"], /none\.conf: no such settings file/],
    [[...t, "--optimizer", ""], /.*expected the name of an optimizer, such as "auto", got ""/],
    [[...t, "--cache-dir", ""], /--cache-dir: expected the name of a folder, got an empty one/],
    [["rank", "m.json", "train.txt", "--draws", "x"], /--draws is an option of --probabilities, which is not given/],
    [["papers", "pl-partition", "--data", "train.txt"], /--data: there is not a folder "train\.txt"/],
    [["papers", "pl-partition", "--threads", "x"], /--threads: expected a whole number .+, got "x"/],
    [["list", "ndgc"], /there is nothing called "ndgc" to list; did you mean ndcg\? .*/],
  ])("%j is answered with the near miss", async (words, answer) => {
    const { code, out, err } = await tierwise(words, { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^tierwise: ${answer.source}\n$`));
  });

  it.each<[words: string[], answer: RegExp]>([
    [[...t, "--seed", "-1"], /--seed: expected a whole number of at least 0, got "-1"/],
    [[...t, "--seed", "1.5"], /--seed: expected a whole number of at least 0, got "1.5"/],
    [[...t, "--seed", "9007199254740992"], /--seed: expected a whole number from 0 to 9007199254740991, got "9007199254740992"/],
    [[...t, "--threads", "0"], /--threads: expected a whole number from 1 to \d+, got "0"/],
    [[...t, "--threads", "1025"], /--threads: expected a whole number from 1 to \d+, got "1025"/],
    [[...t, "--patience", "x"], /--patience: expected a whole number of at least 0, got "x"/],
    [[...t, "--absent", "nil"], /--absent: expected one of zero, missing, got "nil"/],
    [
      [...t, "--data-format", "xml"],
      /--data-format: expected one of auto, svmlight, csv, tsv, jsonl, parquet, arrow, qrels, preflib, orders, pairs, tiers, tier-table, ranks, xml-repository, arff, got "xml"/,
    ],
    [[...t, "--unknown-features", "x"], /--unknown-features: expected error or ignore, got "x"/],
  ])("%j is out of range", async (words, answer) => {
    const { code, out, err } = await tierwise(words, { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^tierwise: ${answer.source}\n$`));
  });

  it("is answered by evaluate and rank as well", async () => {
    await succeed(["train", "train.txt", "--out", "m.json", "--quiet"], { cwd });
    const answer = async (...words: string[]) =>
      (await tierwise([words[0]!, "m.json", "train.txt", ...words.slice(1)], { cwd })).err;
    expect(await answer("rank", "--format", "tecr")).toBe(
      'tierwise: --format: no format is called "tecr"; did you mean trec? (there are trec, qrels, tsv, csv, jsonl, parquet)\n',
    );
    expect(await answer("rank", "--top", "0")).toBe('tierwise: --top: expected a whole number of at least 1, got "0"\n');
    expect(await answer("rank", "--tag", "two words")).toBe('tierwise: --tag: expected a word without blanks, got "two words"\n');
    expect(await answer("evaluate", "-l", "x")).toBe('tierwise: --level: expected a number, got "x"\n');
    expect(await answer("evaluate", "-l", "2")).toMatch(
      /^tierwise: --level: none of the metrics .* uses binary relevance; .*\n$/,
    );
    expect(readFileSync(join(cwd, "m.json"), "utf8")).toContain("tierwise model");
  });
});
