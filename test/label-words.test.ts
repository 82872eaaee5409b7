/** Words among labels on the command line: what a model remembers of them, and what the errors advise. */
import { expect, it } from "vitest";
import { folder, succeed, tierwise } from "./cli.ts";

const rows = (word: string) => `qid,label,x\na,0,1\na,1,2\na,${word},3\na,2,2\nb,0,1\nb,1,2\nb,${word},1\n`;

it("a model remembers which labels are last, until an order of all labels is given, and the other way round", async () => {
  const cwd = folder({ "a.csv": rows("DNF"), "numbers.csv": rows("-1") });
  const train = (...words: string[]) => succeed(["train", "a.csv", "--model", "linear:l2=1", "--out", "m.json", "--quiet", ...words], { cwd }); // biome-ignore format: one line
  const evaluate = (...words: string[]) => succeed(["evaluate", "m.json", ...words, "--metrics", "kendall", "--json", "--quiet"], { cwd }); // biome-ignore format: one line
  await train("--label-last", "DNF");
  const wanted = await evaluate("numbers.csv");
  expect(await evaluate("a.csv")).toBe(wanted);
  expect(await evaluate("a.csv", "--label-order", "2,1,0,DNF")).toBe(wanted);
  expect(await evaluate("a.csv", "--label-order", "DNF,2,1,0")).not.toBe(wanted);
  await train("--label-order", "2,1,0,DNF");
  expect(await evaluate("a.csv", "--label-last", "DNF")).toBe(wanted);
  expect(await evaluate("a.csv")).toBe(wanted);
});

it("a table of races is a leaderboard once the options that the error names are given", async () => {
  const races = "race,driver,place\nm,ann,1\nm,ben,DNF\nm,cleo,2\ns,ben,1\ns,ann,2\ns,cleo,DNS\ni,cleo,1\ni,ben,2\ni,ann,dsq\n";
  const cwd = folder({ "a.csv": races, "b.csv": races.replace("s,cleo,DNS\n", "").replace(/DNF|dsq/g, "9") });
  const train = (file: string, ...words: string[]) => ["train", file, "--list", "race", "--item", "driver", "--label", "place", "--lower-is-better", "--model", "utilities:ghost=0.5", "--out", "m.json", "--quiet", ...words]; // biome-ignore format: one line
  const { err } = await tierwise(train("a.csv"), { cwd });
  expect(err).toMatch(
    /^tierwise: a\.csv:3: .* got "DNF"; (--label-last DNF,dsq) puts .*, and (--label-missing DNS) leaves such rows out\n$/,
  );
  const [, last, missing] = /; (--label-last \S+) .* (--label-missing \S+) /.exec(err)!;
  const worths = async (...words: string[]) => {
    await succeed(train(...(words as [string])), { cwd });
    return succeed(["show", "m.json", "--csv"], { cwd });
  };
  expect(await worths("a.csv", ...last!.split(" "), ...missing!.split(" "))).toBe(await worths("b.csv"));
});

it("labels that are words are trained on in the order that the error suggests, and inspect shows the words", async () => {
  const words = ["poor", "excellent", "good", "fair", "good", "poor"];
  const table = (labels: readonly (string | number)[]) =>
    `qid,grade,x\n${labels.map((label, i) => `${i < 3 ? "a" : "b"},${label},${(7 * i) % 5}\n`).join("")}`;
  const numbers = words.map((word) => ["poor", "fair", "good", "excellent"].indexOf(word));
  const cwd = folder({ "words.csv": table(words), "numbers.csv": table(numbers), "letters.csv": table([..."BSASBA"]) });
  const train = (file: string, ...more: string[]) => ["train", file, "--label", "grade", "--model", "linear:l2=1", "--out", `${file}.json`, ...more]; // biome-ignore format: one line
  const { err } = await tierwise(train("words.csv"), { cwd });
  const [order] = /--label-order \S+(?=\n$)/.exec(err)!;
  const trained = await tierwise(train("words.csv", ...order.split(" ")), { cwd });
  expect(trained.err).toContain('words.csv: label "grade": "excellent" is the best label, "poor" the worst\n');
  await succeed(train("numbers.csv"), { cwd });
  const scores = (file: string) => succeed(["rank", `${file}.json`, file, "--quiet"], { cwd });
  expect(await scores("words.csv")).toBe(await scores("numbers.csv"));
  expect((await tierwise(["rank", "words.csv.json", "words.csv"], { cwd })).err).not.toContain("the best label");
  const inspect = (file: string, ...more: string[]) =>
    succeed(["inspect", file, "--label", "grade", ...more, "--quiet"], { cwd });
  expect(await inspect("words.csv", ...order.split(" "))).toContain(
    "\nlabels and their items, the best first: excellent (1), good (2), fair (1), poor (2)\n",
  );
  const json = JSON.parse(await inspect("words.csv", ...order.split(" "), "--json"));
  expect(json.labels).toEqual({ excellent: 1, good: 2, fair: 1, poor: 2 });
  expect(json.columns[1].order).toEqual(["excellent", "good", "fair", "poor"]);
  expect(await inspect("letters.csv")).toContain("the best first: S (2), A (2), B (2)\n");
  expect(await inspect("numbers.csv")).toContain("\nlabels and their items: 0 (2), 1 (1), 2 (2), 3 (1)\n");
  const tiers = await inspect("numbers.csv", "--label-order", "3,2,1,0", "--tiers", "ratings");
  expect(tiers).toContain("\nlabels and their items: 0 (2), 1 (1), 2 (2), 3 (1)\n");
});
