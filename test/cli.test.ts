/** The command line from training to ranking. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, main, type Ran, rows, searchFolder, start, succeed, svmlight, tierwise } from "./cli.ts";

describe("on the bundled example", () => {
  const cwd = searchFolder();
  const command = (out: string) =>
    ["train", "train.txt.gz", "--valid", "test.txt.gz", "--model", "linear", "--objective", "pl-partition"].concat([
      ...["--metrics", "ndcg@10", "--out", out, "--seed", "1", "--json"],
    ]);
  let trained: Ran;
  beforeAll(() => {
    trained = start(command("m.json"), { cwd });
  });

  it("train --json tells times, rounds and the metrics of the validation data", async () => {
    expect(trained.code).toBe(0);
    const result = JSON.parse(trained.out);
    expect(trained.out.trimEnd()).not.toContain("\n");
    expect(result.seconds.load).toBeGreaterThan(0);
    expect(result.seconds.train).toBeGreaterThan(0);
    expect(result.rounds).toBeGreaterThanOrEqual(result.best);
    expect(result.metrics).toEqual({ "ndcg@10": expect.any(Number) });
    expect(result.data).toMatchObject({ lists: 201, items: 3005, features: 300 });
    expect(result).toMatchObject({ model: "linear", objective: "pl-partition", seed: 1, out: "m.json" });
  });

  it("progress is plain lines where there is no terminal", async () => {
    const lines = trained.err.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^train\.txt\.gz: 3,005 rows in 201 lists \(sizes from train\.txt\.query\)/);
    expect(lines.find((line) => line.startsWith("[1]"))).toMatch(
      /^\[1\] valid ndcg@10 0\.\d{4} valid loss \d+\.\d{4} cost \d+\.\d{4}$/,
    );
    expect(trained.err).not.toContain("\r");
    expect(trained.err).not.toContain("\u001b");
  });

  it("says so where nothing was learned", async () => {
    const few = { cwd: folder({ "few.txt": svmlight(2) }) };
    const message = async (...words: string[]) =>
      (await tierwise(["train", "few.txt", "--model", "trees:rounds=3", ...words], few)).err;
    expect(await message()).toContain("The cost was the same in all 3 rounds: nothing was learned.");
    expect(await message()).toContain("(try --model trees:min-items=2)");
    expect(await message("min-items=2")).not.toContain("nothing was learned");
    expect(await message("--quiet")).toBe("");
  });

  it("says so where the lists are separated perfectly, and the advice helps", async () => {
    const apart = [1, 2]
      .map((list) => [3, 2, 1, 0].map((x) => `${x > 1 ? 1 : 0} qid:${list} 1:${x + list / 8}\n`).join(""))
      .join("");
    const clear = { cwd: folder({ "clear.txt": apart, "mixed.txt": apart.replace("0 qid:2", "2 qid:2") }) };
    const message = async (...words: string[]) => (await tierwise(["train", ...words], clear)).err;
    const remark = "separated perfectly, so the weights grow without bound; try --model linear:l2=0.1.";
    expect(await message("clear.txt")).toContain(remark);
    expect(await message("clear.txt", "--model", "linear:l2=0.1")).not.toContain(remark);
    expect(await message("clear.txt", "--objective", "ranksvm")).not.toContain(remark);
    expect(await message("mixed.txt")).not.toContain(remark);
    expect(await message("clear.txt", "--quiet")).toBe("");
  });

  it("the same command gives the same file to the byte, and nothing but the file", async () => {
    const before = readdirSync(cwd);
    start(command("again.json"), { cwd });
    expect(readFileSync(join(cwd, "again.json"))).toEqual(readFileSync(join(cwd, "m.json")));
    expect(readdirSync(cwd).filter((name) => !before.includes(name))).toEqual(["again.json"]);
  });

  it("--cache gives the same model and says what it did, for every command that reads", async () => {
    const notices = (ran: Ran) => ran.err.split("\n").filter((line) => line.includes("cache"));
    const dir = ["--cache-dir", "caches"];
    const first = await tierwise([...command("cached.json"), ...dir], { cwd });
    const again = await tierwise([...command("cached.json"), ...dir], { cwd });
    expect([first.code, again.code]).toEqual([0, 0]);
    for (const line of notices(first))
      expect(line).toMatch(/^the cache caches\/(train|test)\.txt\.gz\.[0-9a-f]{8}\.tierwise-cache was written$/);
    for (const line of notices(again)) expect(line).toMatch(/^read from the cache caches\//);
    expect([notices(first).length, notices(again).length]).toEqual([2, 2]);
    expect(readFileSync(join(cwd, "cached.json"))).toEqual(readFileSync(join(cwd, "m.json")));
    const plain = await tierwise(["evaluate", "m.json", "test.txt.gz"], { cwd });
    const cached = await tierwise(["evaluate", "m.json", "test.txt.gz", ...dir], { cwd });
    expect(cached.out).toBe(plain.out);
    expect(notices(cached)[0]).toContain("read from the cache");
    const ranked = await tierwise(["rank", "m.json", "test.txt.gz", ...dir], { cwd });
    expect(notices(ranked)[0]).toContain("was written with other reading options and was rewritten"); // labels are optional there
  });

  it("evaluate --json tells the metrics, and those of the validation data are as train told them", async () => {
    const result = JSON.parse(
      start(["evaluate", "m.json", "test.txt.gz", "--metrics", "ndcg@1,ndcg@10,err", "--json"], { cwd }).out,
    );
    expect(Object.keys(result.metrics)).toEqual(["ndcg@1", "ndcg@10", "err"]);
    expect(result).toMatchObject({ lists: 50, skipped: 0 });
    expect(result.metrics["ndcg@10"]).toBeCloseTo(JSON.parse(trained.out).metrics["ndcg@10"], 12);
    expect(result.details.err.variant).toMatch(/stop chance \(2\^l - 1\)\/2\^4/);
  });

  it("rank writes a TREC run, and the same as tsv and jsonl", async () => {
    const rank = (format: string) => succeed(["rank", "m.json", "test.txt.gz", "--top", "3", "--format", format], { cwd });
    const lines = (text: string) => text.trimEnd().split("\n");
    const trec = lines(await rank("trec")).map((line) => line.split(" "));
    const sizes = readFileSync(join(cwd, "test.txt.query"), "utf8").trim().split("\n").map(Number);
    expect(trec).toHaveLength(sizes.reduce((sum, size) => sum + Math.min(3, size), 0));
    for (const [at, [, q0, , place, score, tag]] of trec.entries()) {
      expect([q0, tag]).toEqual(["Q0", "tierwise"]);
      const before = trec[at - 1];
      const first = before?.[0] !== trec[at]![0];
      expect(Number(place)).toBe(first ? 1 : Number(before![3]) + 1);
      if (!first) expect(Number(score)).toBeLessThanOrEqual(Number(before![4]));
    }
    const columns = trec.map(([list, , id, place, score]) => [list, place, id, score]);
    expect(lines(await rank("tsv")).map((line) => line.split("\t"))).toEqual(columns);
    const json = lines(await rank("jsonl")).map((line) => JSON.parse(line) as Ranked);
    expect(json.flatMap(({ list, items }) => items.map(({ id, rank, score }) => [list, `${rank}`, id, `${score}`]))).toEqual(
      columns,
    );
  });

  interface Ranked {
    list: string;
    items: { id: string; rank: number; score: number; label: number }[];
  }

  it("ndcg@1 of evaluate is the gain of what rank puts first, over the best gain of its list", async () => {
    const json = (await succeed(["rank", "m.json", "test.txt.gz", "--json", "--quiet"], { cwd })).trimEnd().split("\n");
    const gains = json.map((line) => (JSON.parse(line) as Ranked).items.map(({ label }) => 2 ** label - 1));
    const result = gains.filter((list) => Math.max(...list) > 0).map((list) => list[0]! / Math.max(...list));
    const mean = result.reduce((sum, value) => sum + value, 0) / result.length;
    const { metrics } = JSON.parse(
      await succeed(["evaluate", "m.json", "test.txt.gz", "--metrics", "ndcg@1", "--json"], { cwd }),
    );
    expect(metrics["ndcg@1"]).toBeCloseTo(mean, 12);
  });

  it("show tells how the model was trained and what it reached", async () => {
    const text = await succeed(["show", "m.json"], { cwd });
    expect(text).toMatch(/^objective +pl-partition$/m);
    expect(text).toMatch(/^valid ndcg@10 +0\.\d{4}$/m);
    expect(text).toMatch(/^trained on +201 lists, 3,005 items$/m);
    const result = JSON.parse(await succeed(["show", "m.json", "--json"], { cwd }));
    expect(result.metrics).toEqual(JSON.parse(trained.out).metrics);
  });
});

describe("on small data", () => {
  const cwd = folder({ "train.txt": svmlight(40), "test.txt": svmlight(10), "old.json": "" });

  it("1, 2 and 3 threads give the same bytes, under an optimizer that draws at random too", async () => {
    for (const [name, optimizer] of Object.entries({ lbfgs: "lbfgs", adam: "adam(epochs=3)" })) {
      const files = new Set<string>();
      for (const threads of [1, 2, 3]) {
        const out = `${name}${threads}.json`;
        const how = ["--threads", `${threads}`, "--optimizer", optimizer, "--seed", "7"];
        await succeed(["train", "train.txt", "--valid", "test.txt", "--out", out, "--quiet", ...how], { cwd });
        files.add(readFileSync(join(cwd, out), "utf8"));
      }
      expect(files.size).toBe(1);
    }
  });

  it("a seed changes what is drawn at random, and the model file says which it was", async () => {
    const model = async (seed: string) => {
      await succeed(["train", "train.txt", "--optimizer", "adam(epochs=2)", "--seed", seed, "--out", "s.json", "--quiet"], {
        cwd,
      });
      return JSON.parse(readFileSync(join(cwd, "s.json"), "utf8"));
    };
    const a = await model("1");
    const b = await model("9007199254740991");
    expect([a.training.seed, b.training.seed]).toEqual([1, 9007199254740991]);
    expect(a.model).not.toEqual(b.model);
  });

  it("--quiet leaves standard error empty, also with settings from a file", async () => {
    writeFileSync(join(cwd, "quiet.conf"), "quiet = true\nnum_threads = 1\nlambda_l2 = 0.1\n");
    const loud = await tierwise(["train", "train.txt", "--out", "a.json"], { cwd });
    expect(loud.err).not.toBe("");
    for (const args of [
      ["train", "train.txt", "--valid", "test.txt", "--out", "a.json", "--quiet"],
      ["train", "train.txt", "--config", "quiet.conf"],
      ["evaluate", "a.json", "test.txt", "--quiet"],
      ["rank", "a.json", "test.txt", "--quiet"],
    ])
      expect(await tierwise(args, { cwd })).toMatchObject({ code: 0, err: "" });
  });

  it("an old model file is replaced, several files are read, and file names may hold blanks and any letters", async () => {
    writeFileSync(join(cwd, "größe 1.txt"), svmlight(10));
    const result = await succeed(["train", "train.txt", "größe 1.txt", "--out", "old.json", "--json"], { cwd });
    expect(JSON.parse(result).data.lists).toBe(50);
    expect(JSON.parse(readFileSync(join(cwd, "old.json"), "utf8")).format).toBe("tierwise model");
  });

  it("data come through a pipe as from a file", async () => {
    const plain = await succeed(["rank", "a.json", "test.txt"], { cwd });
    expect(start(["rank", "a.json", "-"], { cwd, input: svmlight(10) }).out).toBe(plain);
    expect(start(["rank", "a.json", "/dev/stdin"], { cwd, input: gzipSync(svmlight(10)) }).out).toBe(plain);
    const { stdout } = spawnSync(
      "sh",
      ["-c", `mkfifo pipe; cat test.txt > pipe & "$0" "$1" rank a.json pipe`, process.execPath, main],
      {
        cwd,
        encoding: "utf8",
      },
    );
    expect(stdout).toBe(plain);
  });

  it("lists without labels are ranked as with them, without a word about labels; rows that lack one among others are counted", async () => {
    const bare = svmlight(10).replace(/^\d /gm, "");
    writeFileSync(join(cwd, "bare.txt"), bare);
    const { out, err } = await tierwise(["rank", "a.json", "bare.txt"], { cwd });
    expect(out).toBe(await succeed(["rank", "a.json", "test.txt"], { cwd }));
    expect(err).not.toContain("label");
    writeFileSync(join(cwd, "some.txt"), svmlight(10).replace(/^\d /, ""));
    expect((await tierwise(["rank", "a.json", "some.txt"], { cwd })).err).toContain(
      "some.txt: 1 row without a label, taken as 0",
    );
  });

  it("inspect names the columns that are left out where no feature remains", async () => {
    const of = async (head: string) => {
      const rows = ["a,i1,text 1,1", "a,i2,text 2,0", "b,i3,text 3,1", "b,i4,text 4,0"];
      writeFileSync(join(cwd, "texts.csv"), `${[head, ...rows].join("\n")}\n`);
      const report = JSON.parse(await succeed(["inspect", "texts.csv", "--list", "q", "--label", "y", "--json", "--quiet"], { cwd })); // biome-ignore format: one line
      return report.warnings.map(({ kind, names }: { kind: string; names: readonly string[] }) => [kind, ...names]);
    };
    expect(await of("q,docid,note,y")).toEqual([["no features", "note"]]);
    expect(await of("q,title,note,y")).toEqual([["no features", "title", "note"]]);
  });

  it("a document id with blanks stays one column of a run", async () => {
    writeFileSync(join(cwd, "ids.txt"), "1 qid:a 1:1 # (first of all)\n0 qid:a 1:0 # second\n");
    const run = (await succeed(["rank", "a.json", "ids.txt", "--tag", "mine"], { cwd })).trimEnd().split("\n");
    expect(run.map((line) => line.split(" ").toSpliced(4, 1))).toEqual([
      ["a", "Q0", "(first_of_all)", "1", "mine"],
      ["a", "Q0", "second", "2", "mine"],
    ]);
  });

  it("training that begins at the minimum tells the metrics of where it began", async () => {
    writeFileSync(join(cwd, "tied.txt"), "1 qid:a 1:1\n0 qid:a 1:1\n");
    const result = JSON.parse(await succeed(["train", "tied.txt", "--valid", "tied.txt", "--metrics", "mrr", "--json"], { cwd }));
    // Both orders of the tied pair are as likely: (1 + 1/2) / 2.
    expect(result.metrics).toEqual({ mrr: 0.75 });
  });
});

describe("evaluate", () => {
  // By feature 1 the orders are: a: 0, 2, 1; b: 1, 0; c: nothing relevant.
  const data = "0 qid:a 1:3\n2 qid:a 1:2\n1 qid:a 1:1\n1 qid:b 1:2\n0 qid:b 1:1\n0 qid:c 1:2\n0 qid:c 1:1\n";
  const cwd = folder({ "teach.txt": "1 qid:a 1:1\n0 qid:a 1:0\n", "d.txt": data });
  beforeAll(async () => void (await succeed(["train", "teach.txt", "--out", "m.json", "--quiet"], { cwd })));
  const measured = async (...args: string[]) =>
    JSON.parse(await succeed(["evaluate", "m.json", "d.txt", "--json", ...args], { cwd }));

  it("-m names the metrics, and lists that cannot tell are left out and counted", async () => {
    const { metrics, lists, skipped } = await measured("-m", "mrr,P@1");
    expect({ metrics, lists, skipped }).toEqual({ metrics: { mrr: 3 / 4, "precision@1": 1 / 2 }, lists: 3, skipped: 1 });
  });

  it("-c counts lists that cannot tell as 0", async () => {
    const { metrics, skipped } = await measured("-m", "mrr", "-c");
    expect(metrics).toEqual({ "mrr;empty=0": expect.closeTo((1 / 2 + 1 + 0) / 3, 15) });
    expect(skipped).toBe(0);
  });

  it("-l raises the label that counts as relevant, where a metric does not say it itself", async () => {
    const { metrics, details } = await measured("-m", "mrr,map;rel=1.5,ndcg@1", "-l", "2");
    expect(Object.keys(metrics)).toEqual(["mrr;rel=2", "map;rel=1.5", "ndcg@1"]);
    expect(metrics["mrr;rel=2"]).toBe(1 / 2);
    expect(details["mrr;rel=2"].skipped).toBe(2);
  });

  it("-q tells every list's own values", async () => {
    const { perList } = await measured("-m", "mrr", "-q");
    expect(perList).toEqual([
      { list: "a", metrics: { mrr: 1 / 2 } },
      { list: "b", metrics: { mrr: 1 } },
      { list: "c", metrics: { mrr: null } },
    ]);
    const text = await succeed(["evaluate", "m.json", "d.txt", "-q", "-m", "mrr"], { cwd });
    expect(text).toMatch(/^a +0\.5000$/m);
    expect(text).toMatch(/^c +-$/m);
    expect(text).toMatch(/^mrr +0\.7500 +1\n3 lists\nmrr: relevant is label 1 or more/m);
  });
});

describe("tables", () => {
  const table = (lists: number) => {
    const lines = rows(lists).map(({ list, id, label, features }) => [label, ...features, list, id, "note, with comma"]);
    return [["grade", "alpha", "beta", "noise", "search", "doc", "remark"], ...lines]
      .map((cells) => cells.map((cell) => (/[",]/.test(`${cell}`) ? `"${cell}"` : cell)).join(",")).join("\n"); // biome-ignore format: a chain
  };
  const columns = ["--label", "grade", "--qid", "search", "--id", "doc", "--ignore", "remark,noise"];
  const cwd = folder({ "train.csv": table(40), "test.csv": table(10), "plain.txt": svmlight(10) });
  beforeAll(async () => void (await succeed(["train", "train.csv", "--out", "m.json", "--quiet", ...columns], { cwd })));

  it("the model knows its features by name", async () => {
    expect(JSON.parse(readFileSync(join(cwd, "m.json"), "utf8")).columns).toMatchObject({ count: 2, names: ["alpha", "beta"] });
    expect(await succeed(["show", "m.json"], { cwd })).toMatch(/^alpha +\d/m);
  });

  it("the model remembers what the columns are for", async () => {
    const result = JSON.parse(await succeed(["evaluate", "m.json", "test.csv", "--metrics", "ndcg", "--json"], { cwd }));
    expect(result.lists).toBe(10);
    expect(result.metrics.ndcg).toBeGreaterThan(0.9);
    const run = await succeed(["rank", "m.json", "test.csv", "--top", "1"], { cwd });
    expect(run.split("\n")[0]).toMatch(/^q1 Q0 d[1-6] 1 -?\d/);
  });

  it("--ignore given again leaves out more columns", async () => {
    const words = [...columns.slice(0, -1), "remark", "--ignore", "noise"];
    await succeed(["train", "train.csv", "--out", "again.json", "--quiet", ...words], { cwd });
    expect(readFileSync(join(cwd, "again.json"))).toEqual(readFileSync(join(cwd, "m.json")));
  });

  it("lists to rank may lack the columns of labels and what was ignored, and have theirs in another order", async () => {
    const reduced = rows(10).map(({ list, id, features }) => `${id},${features[1]},${list},${features[0]}`);
    writeFileSync(join(cwd, "bare.csv"), ["doc,beta,search,alpha", ...reduced].join("\n"));
    expect(await succeed(["rank", "m.json", "bare.csv"], { cwd })).toBe(await succeed(["rank", "m.json", "test.csv"], { cwd }));
  });

  it("what the command line says of columns counts more than what the model remembers", async () => {
    const renamed = readFileSync(join(cwd, "test.csv"), "utf8").replace("grade", "stars");
    writeFileSync(join(cwd, "renamed.csv"), renamed);
    expect((await tierwise(["evaluate", "m.json", "renamed.csv"], { cwd })).code).toBe(2);
    const args = ["--metrics", "ndcg", "--json"];
    const result = await succeed(["evaluate", "m.json", "renamed.csv", "--label", "stars", ...args], { cwd });
    expect(result).toBe(await succeed(["evaluate", "m.json", "test.csv", ...args], { cwd }));
  });

  it("numbered features are no features with names", async () => {
    expect(await tierwise(["evaluate", "m.json", "plain.txt"], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^tierwise: plain\.txt: the model knows its features by name, such as "alpha"/m),
    });
  });
});

describe("opinions", () => {
  const cwd = folder({
    "stars.csv": "user,item,stars\nann,a,2\nann,b,1\nben,a,4\nben,b,3\ncleo,b,3\ncleo,a,1\n",
    "zoe.csv": "user,item\nzoe,b\nzoe,a\nyan,b\n",
  });

  it("are ranked and evaluated under the names of their lists, and get no labels that they lack", async () => {
    const roles = ["--list", "user", "--item", "item", "--label", "stars"];
    await succeed(["train", "stars.csv", ...roles, "--model", "utilities:ghost=0.5", "--out", "m.json"], { cwd });
    const names = async (...words: string[]) =>
      (await succeed([...words, "--quiet"], { cwd })).match(/\b(ann|ben|cleo|zoe|yan)\b/g);
    expect(await names("evaluate", "m.json", "stars.csv", "--metrics", "kendall", "-q")).toEqual(["ann", "ben", "cleo"]);
    expect(await names("rank", "m.json", "zoe.csv", "--format", "csv")).toEqual(["zoe", "zoe", "yan"]);
    const json = await succeed(["rank", "m.json", "zoe.csv", "--json", "--quiet"], { cwd });
    expect(json).not.toContain("label");
    expect(await succeed(["rank", "m.json", "stars.csv", "--json", "--quiet"], { cwd })).toContain('"label":1');
    const { code, err } = await tierwise(["rank", "m.json", "zoe.csv", "--out", "o.qrels", "--quiet"], { cwd });
    expect([code, err]).toEqual([
      2,
      "tierwise: --format qrels: qrels hold labels, and the data have none; name their column with --label, or write a run (--format trec)\n",
    ]);
  });
});
