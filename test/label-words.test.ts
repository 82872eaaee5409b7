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
