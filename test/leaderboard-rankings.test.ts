/** `tierwise leaderboard --rankings` with labels that are words or missing, and with tables as other programs write them. */
import { readdirSync } from "node:fs";
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
    'tierwise: a.csv:17: column "place": expected a finite number, got "DNF"; --label-last DNF puts such rows below all others of their list, and --missing-values DNF leaves such rows out\n',
  );
  const without = await succeed(board("b.csv"), { cwd });
  expect(await succeed(board("a.csv", "--missing-values", "DNF"), { cwd })).toBe(without);
  expect((await tierwise(board("c.csv"), { cwd })).err).toMatch(
    /--missing-values "" leaves rows without one out, --label-last NA puts them below all others of their list\n$/,
  );
  expect(await succeed(board("c.csv", "--missing-values", ""), { cwd })).toBe(without);
});

it("--label-last puts rows below all others of their ranking, whichever end is the best", async () => {
  const cwd = folder({ "a.csv": races("DNF"), "b.csv": races("9"), "c.csv": races("-9"), "d.csv": races("0:59:59") });
  const board = (file: string, ...more: string[]) => ["leaderboard", file, ...table, ...more];
  const last = await succeed(board("b.csv", "--place", "place"), { cwd });
  expect(await succeed(board("a.csv", "--place", "place", "--label-last", "DNF"), { cwd })).toBe(last);
  expect(await succeed(board("b.csv", "--place", "place", "--label-last", "9.0"), { cwd })).toBe(last);
  const lowest = await succeed(board("c.csv", "--label", "place"), { cwd });
  expect(await succeed(board("a.csv", "--label", "place", "--label-last", "DNF"), { cwd })).toBe(lowest);
  expect(lowest).not.toBe(last);
  const both = ["--place", "place", "--label-last", "DNF"];
  expect((await tierwise(board("a.csv", ...both, "--label-order", "1,2,3,4"), { cwd })).err).toMatch(/put its words at the end/);
  expect((await tierwise(board("a.csv", ...both, "--missing-values", "DNF"), { cwd })).err).toMatch(/both name "DNF"/);
});

it("finishing times are places", async () => {
  const times = races("59:59").replace(/,(\d)$/gm, (_, place) => `,${place}:0${place}.5`);
  const cwd = folder({ "a.csv": races("9"), "b.csv": times, "c.csv": times.replaceAll("59:59", "1:00:00") });
  const board = (file: string, ...more: string[]) => ["leaderboard", file, ...table, "--place", "place", ...more];
  const wanted = await succeed(board("a.csv"), { cwd });
  expect(await succeed(board("b.csv"), { cwd })).toBe(wanted);
  expect(await succeed(board("c.csv", "--time-columns", "place:minutes"), { cwd })).toBe(wanted);
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

it("an index that pandas or R writes is left out, in any form of separated text", async () => {
  const plain = races("4");
  const [header, ...lines] = plain.trimEnd().split("\n") as [string, ...string[]];
  const indexed = (first: string) => `${first}${header}\n${lines.map((line, i) => `${i},${line}\n`).join("")}`;
  const quoted = indexed('"",').replace(/^\d+/gm, '"$&"');
  const cwd = folder({
    ...{
      "plain.csv": plain,
      "pandas.csv": indexed(","),
      "again.csv": indexed("Unnamed: 0,"),
      "index.csv": indexed("__index_level_0__,"),
    },
    ...{ "write.csv": quoted, "write.csv2.csv": quoted.replaceAll(",", ";"), "write.table.csv": indexed("") },
    ...{
      "excel.csv": `sep=;\n${plain.replaceAll(",", ";")}`,
      "commented.csv": `# races\n${plain}`,
      "bars.csv": plain.replaceAll(",", "|"),
    },
    "blanks.csv": indexed("").replace(header, '"race" "driver" "place"').replaceAll(",", " "),
  });
  const board = (file: string) => succeed(["leaderboard", file, ...table, "--place", "place"], { cwd });
  const wanted = await board("plain.csv");
  for (const file of readdirSync(cwd)) expect(await board(file), file).toBe(wanted);
});

it("a label whose name is one of places or times comes with a notice", async () => {
  const cwd = folder({ "a.csv": races("4").replace("place", "lap_time"), "b.csv": races("4").replace("place", "Puesto") });
  const err = async (file: string, ...more: string[]) =>
    (await tierwise(["leaderboard", file, "--rankings", "--qid", "race", "--id", "driver", ...more], { cwd })).err;
  expect(await err("a.csv", "--label", "lap_time")).toContain('label "lap_time": the highest number is taken as the best; if the lowest is the best, name it with --place lap_time\n'); // biome-ignore format: one line
  expect(await err("b.csv", "--label", "Puesto")).toContain("if 1 is the best, name it with --place Puesto\n");
  expect(await err("a.csv", "--place", "lap_time")).not.toContain("taken as the best");
});

it("--label-order, --label-last, --missing-values and --time-columns are for tables of rankings", async () => {
  const cwd = folder({ "a.csv": "winner,loser\na,b\nb,a\n" });
  for (const name of ["label-order", "label-last", "missing-values", "time-columns"]) {
    const { err } = await tierwise(["leaderboard", "a.csv", `--${name}`, "x"], { cwd });
    expect(err).toBe(`tierwise: --${name} means nothing without --rankings\n`);
  }
});
