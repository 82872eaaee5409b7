/** `--tiers`: tiers made from clicks, ratings and pairs when a command reads its data. */
import { beforeAll, describe, expect, it } from "vitest";
import { folder, succeed, tierwise } from "./cli.ts";

const clicks = [
  ...["query,doc,clicked,a", "p,d1,0,0.1", "p,d2,1,0.9", "p,d3,0,0.2", "p,d4,1,0.8", "p,d5,0,0.3"],
  ...["q,e1,1,0.7", "q,e2,0,0.4", "q,e3,1,0.6", "q,e4,0,0.5", "r,f1,0,0.2", "r,f2,0,0.3"],
].join("\n");
const ratings = "query,doc,stars,a\np,d1,5,0.9\np,d2,4,0.6\np,d3,2,0.3\np,d4,,0.5\nq,e1,3,0.2\nq,e2,4,0.8\nq,e3,1,0.1\n";
const pairs = "judge,winner,loser\nu,a,b\nu,b,c\nv,b,a\nv,a,c\nw,c,a\nw,a,b\n";
const circle = "judge,winner,loser\nu,a,b\nu,b,c\nu,c,a\nv,c,b\nv,b,a\n";

const cwd = folder({ "clicks.csv": clicks, "ratings.csv": ratings, "pairs.csv": pairs, "circle.csv": circle });
const shown = ["--label", "clicked", "--id", "doc"];
const rated = ["--label", "stars", "--id", "doc"];
const trained = async (...words: string[]) => {
  const { code, out, err } = await tierwise(["train", ...words, "--json"], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return { ...JSON.parse(out), err };
};

describe("clicks", () => {
  it("teach the clicked and the skipped items; what comes after the last click is left out, and lists without a click", async () => {
    const { data, err } = await trained("clicks.csv", ...shown, "--tiers", "clicks");
    // p: d1 and d3 are skipped, d2 and d4 clicked; q: e2 is skipped, e1 and e3 clicked. d5, e4 and all of r are left out.
    expect(data).toMatchObject({ lists: 2, items: 7, labels: { "0": 3, "1": 4 } });
    expect(err).toContain("tiers from clicks: 4 rows left out (below the last click), among them all rows of 1 list\n");
  });

  it("put unseen items between with unseen=between", async () => {
    const { data } = await trained("clicks.csv", ...shown, "--tiers", "clicks:unseen=between");
    expect(data).toMatchObject({ lists: 2, items: 9, labels: { "0": 3, "1": 2, "2": 4 } });
  });

  it("are remembered by the model: evaluate reads the same tiers, and rank keeps every row", async () => {
    await succeed(["train", "clicks.csv", ...shown, "--tiers", "clicks", "--out", "m.json", "--quiet"], { cwd });
    const { lists } = JSON.parse(await succeed(["evaluate", "m.json", "clicks.csv", "-m", "map", "--json"], { cwd }));
    expect(lists).toBe(2);
    expect((await succeed(["rank", "m.json", "clicks.csv", "--quiet"], { cwd })).trimEnd().split("\n")).toHaveLength(11);
  });
});

describe("ratings", () => {
  it("form tiers of equal ratings, without the rows that have none", async () => {
    const { data, err } = await trained("ratings.csv", ...rated, "--tiers", "ratings");
    expect(data).toMatchObject({ lists: 2, items: 6, labels: { "1": 1, "2": 1, "3": 1, "4": 2, "5": 1 } });
    expect(err).toContain("tiers from ratings: 1 row left out (without a rating)\n");
  });

  it("are cut by thresholds", async () => {
    const { data } = await trained("ratings.csv", ...rated, "--tiers", "ratings:cuts=3/4");
    expect(data).toMatchObject({ labels: { "0": 2, "1": 1, "2": 3 } });
  });
});

describe("pairs", () => {
  beforeAll(() => succeed(["train", "pairs.csv", "--tiers", "pairs", "--out", "voters.json", "--quiet"], { cwd }));

  it("of each voter become one ballot: u says a > b > c, v b > a > c, w c > a > b", async () => {
    const { facts } = JSON.parse(await succeed(["show", "voters.json", "--json"], { cwd }));
    expect(facts).toMatchObject({ items: 3, ballots: 3 });
    const alone = JSON.parse(await succeed(["train", "pairs.csv", "--json", "--quiet"], { cwd }));
    expect(alone.data.lists).toBeGreaterThan(3); // without the option each pair is a ballot
  });

  it("in a circle are refused, or broken where that is asked for", async () => {
    const { code, err } = await tierwise(["train", "circle.csv", "--tiers", "pairs"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^tierwise: circle\.csv.*: .*(circle|cycle).*\n$/);
    const { data } = await trained("circle.csv", "--tiers", "pairs:cycles=break", "--model", "utilities:ghost=0.5");
    expect(data.lists).toBe(2);
  });
});

it.each<[words: string[], answer: RegExp]>([
  [["clicks.csv", ...shown, "--tiers", "click"], /no source of tiers is called "click"; did you mean clicks\? .*/],
  [
    ["clicks.csv", ...shown, "--tiers", "clicks:unseen=above"],
    /source of tiers clicks, option unseen: expected one of .*, got "above"/,
  ],
  [
    ["ratings.csv", ...rated, "--tiers", "ratings:cuts=4/3"],
    /source of tiers ratings, option cuts: expected ascending numbers .*, got "4\/3"/,
  ],
  [["pairs.csv", "--tiers", "clicks"], /pairs\.csv.*clicks.*/],
  [["clicks.csv", ...shown, "--tiers", "pairs"], /clicks\.csv.*pairs.*/],
])("%j is refused in one line", async (words, answer) => {
  const { code, out, err } = await tierwise(["train", ...words], { cwd });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(new RegExp(`^tierwise: ${answer.source}\n$`));
});
