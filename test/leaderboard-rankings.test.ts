/** `tierwise leaderboard --rankings` with labels that are words or missing. */
import { expect, it } from "vitest";
import { folder, succeed, tierwise } from "./cli.ts";

/** Six races, in three of which the driver d has this word for a place. */
const races = (word: string) => {
  const places = ["1234", "4321", "2143", "213", "213", "312"].map((one) => [...one, word]);
  return `race,driver,place\n${places.map((of, q) => [..."abcd"].map((d, i) => `r${q},${d},${of[i]}\n`).join("")).join("")}`;
};
const table = ["--rankings", "--qid", "race", "--id", "driver", "--quiet", "--json"];

it("rows whose place is a word are left out by the option that the error names", async () => {
  const cwd = folder({ "a.csv": races("DNF"), "b.csv": races("").replace(/^.*,\n/gm, ""), "c.csv": races("") });
  const board = (file: string, ...more: string[]) => ["leaderboard", file, ...table, "--place", "place", ...more];
  expect((await tierwise(board("a.csv"), { cwd })).err).toBe(
    'tierwise: a.csv:17: column "place": expected a finite number, got "DNF"; if that means no label, --missing-values DNF leaves such rows out\n',
  );
  const without = await succeed(board("b.csv"), { cwd });
  expect(await succeed(board("a.csv", "--missing-values", "DNF"), { cwd })).toBe(without);
  expect((await tierwise(board("c.csv"), { cwd })).err).toMatch(/--missing-values "" leaves rows without one out\n$/);
  expect(await succeed(board("c.csv", "--missing-values", ""), { cwd })).toBe(without);
});

it("letters of tier lists have S as the best, whichever option names the column, and other words an order", async () => {
  const letters = { 1: "S", 2: "A", 3: "B", 4: "C" };
  const inLetters = races("4").replace(/[1-4]$/gm, (place) => letters[place as "1"]);
  const cwd = folder({ "numbers.csv": races("4"), "letters.csv": inLetters });
  const wanted = await succeed(["leaderboard", "numbers.csv", ...table, "--place", "place"], { cwd });
  for (const name of ["--place", "--label"])
    expect(await succeed(["leaderboard", "letters.csv", ...table, name, "place"], { cwd })).toBe(wanted);
  const backwards = ["leaderboard", "letters.csv", ...table, "--label", "place", "--label-order", "C,B,A,S"];
  expect(JSON.parse(await succeed(backwards, { cwd })).items[0].name).toBe("d");
});

it("--label-order and --missing-values are for tables of rankings", async () => {
  const cwd = folder({ "a.csv": "winner,loser\na,b\nb,a\n" });
  for (const name of ["label-order", "missing-values"]) {
    const { err } = await tierwise(["leaderboard", "a.csv", `--${name}`, "x"], { cwd });
    expect(err).toBe(`tierwise: --${name} means nothing without --rankings\n`);
  }
});
