/** `tierwise clicks`, and clicks in `evaluate` and `report`: what they print and write, and that they agree with the library. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { clickData, positionBias, readClicks, readData } from "../src/index.ts";
import { searchFolder, start, succeed, tierwise } from "./cli.ts";

const cwd = searchFolder();
const log = ["clicks", "clicks.csv.gz"];
const features = ["--features", "train.txt.gz"];

describe("tierwise clicks", () => {
  it("prints the bias curve of the library", async () => {
    const found = JSON.parse(await succeed([...log, "--json"], { cwd }));
    const bias = positionBias(await readClicks([join(cwd, "clicks.csv.gz")]));
    expect(found.method).toBe("harvest");
    expect(found.impressions).toBe(4000);
    expect(found.positions.map(({ propensity }: { propensity: number }) => propensity)).toEqual([...bias.propensities]);
    expect(found.positions.map(({ low }: { low: number }) => low)).toEqual([...bias.low!]);
  });

  it("the curve of the example is 1, 1/2, 1/3, ... up to chance", async () => {
    const { propensities, low, high } = positionBias(await readClicks([join(cwd, "clicks.csv.gz")]));
    expect(propensities.filter((_, k) => low![k]! <= 1 / (k + 1) && 1 / (k + 1) <= high![k]!).length).toBeGreaterThanOrEqual(7); // of 8
  });

  it.each(["query", "impression"] as const)("writes training data by %s that are read as the library makes them", async (by) => {
    await succeed([...log, ...features, "--out", "made.txt", "--by", by, "--quiet"], { cwd });
    const clicks = await readClicks([join(cwd, "clicks.csv.gz")]);
    const { data: rows } = await readData([join(cwd, "train.txt.gz")]);
    const wanted = clickData(clicks, rows, { bias: positionBias(clicks, { features: rows }), by }).data;
    const { data: found } = await readData([join(cwd, "made.txt")]);
    expect([...found.labels]).toEqual([...wanted.labels]);
    expect(found.itemWeights && [...found.itemWeights]).toEqual(wanted.itemWeights && [...wanted.itemWeights]);
    expect(found.features.values.length).toBe(wanted.features.values.length);
    expect(found.features.values.every((value, i) => Object.is(value, wanted.features.values[i]))).toBe(true);
    for (const name of ["made.txt", "made.txt.weight"]) rmSync(join(cwd, name), { force: true });
  });

  it("writes a table where features have names", async () => {
    writeFileSync(join(cwd, "few.csv"), "query,doc,position,clicked\nq,a,1,1\nq,b,2,0\nq,b,1,0\nq,a,2,1\n");
    writeFileSync(join(cwd, "items.csv"), 'qid,docid,price,"note, long"\nq,a,0.1,\nq,b,3,-2.5\n');
    await succeed(["clicks", "few.csv", "--features", "items.csv", "--out", "made.csv", "--quiet"], { cwd });
    const [a, b] = clickData(
      await readClicks([join(cwd, "few.csv")]),
      (await readData([join(cwd, "items.csv")], { labels: "optional" })).data,
      {
        bias: positionBias(await readClicks([join(cwd, "few.csv")])),
      },
    ).data.labels;
    expect(a).toBeGreaterThan(b!);
    expect(readFileSync(join(cwd, "made.csv"), "utf8")).toBe(
      `qid,docid,label,price,"note, long"\nq,a,${a},0.1,\nq,b,${b},3,-2.5\n`,
    );
    expect(existsSync(join(cwd, "made.csv.weight"))).toBe(false);
  });

  it("says how many documents have no features", async () => {
    writeFileSync(join(cwd, "items.csv"), "qid,docid,price\nq,a,1\nq,b,3\n");
    const noticesFor = async (more: string) => {
      writeFileSync(join(cwd, "few.csv"), `query,doc,position,clicked\nq,a,1,1\nq,b,2,0\nq,b,1,0\nq,a,2,1\n${more}`);
      return (await tierwise(["clicks", "few.csv", "--features", "items.csv", "--out", "made.csv"], { cwd })).err;
    };
    expect(await noticesFor("")).not.toContain("without features");
    expect(await noticesFor("q,c,1,0\n")).toContain("left out: 1 document of the log without features\n");
    expect(await noticesFor("q,c,1,0\nq,d,2,1\n")).toContain("left out: 2 documents of the log without features\n");
  });

  it("refuses to leave weights of earlier data beside new ones", async () => {
    writeFileSync(join(cwd, "stale.txt.weight"), "1\n");
    const { code, err } = await tierwise([...log, ...features, "--out", "stale.txt", "--quiet"], { cwd });
    expect({ code, err }).toEqual({
      code: 2,
      err: "tierwise: stale.txt.weight: this file would be read with stale.txt, which needs no weights; remove it\n",
    });
  });

  it.each<[readonly string[], string]>([
    [["--out", "x.txt"], "--out writes the features of the documents too; name their files with --features"],
    [["--bias", "em"], "--bias em needs features of the documents: --features FILES"],
    [["--bias", "magic"], '--bias: expected one of auto, harvest, cascade, em, pairwise, got "magic"'],
    [
      ["--min-dwell", "5"],
      'clicks.csv.gz:1: expected a column dwell or dwell_time or dwell_seconds, got "session, query, doc, position, clicked"; an option names another',
    ],
  ])("%j is refused", async (words, answer) => {
    expect(await tierwise([...log, ...words, "--quiet"], { cwd })).toMatchObject({
      code: 2,
      out: "",
      err: `tierwise: ${answer}\n`,
    });
  });
});

describe("tierwise train --clicks", () => {
  const words = ["--model", "trees:rounds=4", "--objective", "lambdarank", "--quiet"];
  const trees = (name: string) => JSON.parse(readFileSync(join(cwd, name), "utf8")).model;

  it("trains the model of tierwise clicks --out", async () => {
    await succeed([...log, ...features, "--out", "made.txt", "--quiet"], { cwd });
    await succeed(["train", "made.txt", ...words, "--out", "made.json"], { cwd });
    await succeed(["train", "train.txt.gz", "--clicks", "clicks.csv.gz", ...words, "--out", "direct.json"], { cwd });
    expect(trees("direct.json")).toEqual(trees("made.json"));
    rmSync(join(cwd, "made.txt"));
  });

  it("takes columns of the log that are called as those of the table, and logs from standard input", async () => {
    const table = "search,product,price\nq,a,1\nq,b,2\nr,a,1\nr,c,3\n";
    const clicks = "search,product,rank,clicked\nq,a,1,1\nq,b,2,0\nq,b,1,0\nq,a,2,1\nr,a,1,0\nr,c,2,1\nr,c,1,1\nr,a,2,0\n";
    writeFileSync(join(cwd, "products.csv"), table);
    writeFileSync(join(cwd, "log.csv"), clicks);
    const own = ["train", "products.csv", "--list", "search", "--item", "product", "--model", "linear:l2=1", "--quiet"];
    await succeed([...own, "--clicks", "log.csv", "--out", "a.json"], { cwd });
    expect(start([...own, "--clicks", "-", "--out", "b.json"], { cwd, input: clicks })).toMatchObject({ code: 0, err: "" });
    expect(trees("b.json")).toEqual(trees("a.json"));
  });

  it.each<[readonly string[], string]>([
    [["--bias", "em"], "--bias is about a log of clicks; name one with --clicks"],
    [
      ["--clicks", "clicks.csv.gz", "--model", "auto"],
      "--clicks: not with --model auto; write training data with tierwise clicks --out, and train on these",
    ],
    [
      ["--clicks", "clicks.csv.gz", "--two-round"],
      "--clicks: not with --two-round; write training data with tierwise clicks --out, and train on these",
    ],
    [["--clicks", "clicks.csv.gz", "--clip", "0"], '--clip: expected a number of at least 1, got "0"'],
  ])("%j is refused", async (more, answer) => {
    expect(await tierwise(["train", "train.txt.gz", ...more, "--quiet"], { cwd })).toMatchObject({
      code: 2,
      err: `tierwise: ${answer}\n`,
    });
  });
});

describe("tierwise evaluate --clicks", () => {
  beforeAll(() => succeed(["train", "test.txt.gz", "--out", "model.json", "--quiet"], { cwd }));
  const words = ["evaluate", "model.json", "train.txt.gz", "--clicks", "clicks.csv.gz"];

  it("estimates dcg with intervals, for each cutoff, of models and of runs", async () => {
    const { estimates, bias } = JSON.parse(await succeed([...words, "--metrics", "dcg@3,dcg@5", "--json"], { cwd }));
    expect(estimates.map(({ k }: { k: number }) => k)).toEqual([3, 5]);
    for (const { ips, doublyRobust, logged, difference } of estimates) {
      for (const { mean, low, high } of [ips, doublyRobust, logged, difference]) expect(low <= mean && mean <= high).toBe(true);
      expect(difference.mean).toBeCloseTo(doublyRobust.mean - logged.mean, 12);
    }
    expect(bias.method).toBe("harvest");
    const run = await succeed(["rank", "model.json", "train.txt.gz", "--quiet"], { cwd });
    writeFileSync(join(cwd, "model.run"), run);
    const again = await succeed(["evaluate", "model.run", ...words.slice(2), "--metrics", "dcg@3,dcg@5", "--json"], {
      cwd,
    });
    expect(JSON.parse(again).estimates[1].ips.mean).toBeCloseTo(estimates[1].ips.mean, 9);
  });

  it.each<[readonly string[], RegExp]>([
    [["--metrics", "ndcg@10"], /--metrics: clicks estimate dcg at a cutoff, such as dcg@10, got "ndcg@10"/],
    [["--ties"], /--ties is for judged lists/],
    [["--clip", "0"], /--clip: expected a number of at least 1, got "0"/],
  ])("%j is refused", async (more, answer) => {
    const { code, err } = await tierwise([...words, ...more, "--quiet"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(answer);
  });

  it("takes the columns of lists and items that the model knows for those of the log", async () => {
    const lists = ["a", "b", "c", "d"].flatMap((search, i) =>
      [1, 2, 3].map((page) => ({ search, page: `p${page}`, x: i + page })),
    );
    const table = lists.map(({ search, page, x }, row) => `${search},${page},${x},${row % 3}`);
    writeFileSync(join(cwd, "pages.csv"), `search,page,x,grade\n${table.join("\n")}\n`);
    const shown = (page: string, query: string) => lists.map(({ search, page: one }, row) => `${search},${one},${(row % 3) + 1},${Number(row % 2 === 0)}`).join("\n").replace(/^/, `${query},${page},position,clicked\n`); // biome-ignore format: one log
    writeFileSync(join(cwd, "named.csv"), `${shown("page", "search")}\n`);
    writeFileSync(join(cwd, "usual.csv"), `${shown("document", "query")}\n`);
    const roles = ["--qid", "search", "--id", "page", "--label", "grade"];
    await succeed(["train", "pages.csv", ...roles, "--model", "linear:l2=1", "--out", "pages.json", "--quiet"], { cwd });
    const evaluated = (name: string) => succeed(["evaluate", "pages.json", "pages.csv", "--clicks", name, "--bias", "em", "--json"], { cwd }); // biome-ignore format: one command
    expect(await evaluated("named.csv")).toBe(await evaluated("usual.csv"));
  });

  it("--bias without --clicks is refused", async () => {
    const { code, err } = await tierwise(["evaluate", "model.json", "train.txt.gz", "--bias", "em"], { cwd });
    expect({ code, err }).toEqual({ code: 2, err: "tierwise: --bias is about a log of clicks; name one with --clicks\n" });
  });

  it("a report draws the bias curve", async () => {
    await succeed(["report", "model.json", "--clicks", "clicks.csv.gz", "--out", "r.html", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "r.html"), "utf8")).toMatch(/Propensities by position: 1: 1; 2: 0\.4/);
  });
});
