/** Models of tables with dates, categories and names with blanks: what `show`, `convert` and `rank` say of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, succeed, tierwise } from "./cli.ts";

const sorts = ["red wine", "red_wine", "beer"];
const row = (q: number, i: number) => `q${q},i${i},${(q + i) % 3},${sorts[i % 3]},2024-03-0${1 + ((q * i) % 9)},${(q * i) % 7}`;
const rows = [1, 2, 3, 4, 5, 6].flatMap((q) => [1, 2, 3, 4, 5].map((i) => row(q, i)));
const table = `qid,id,label,sort,day,shelf life\n${rows.join("\n")}\n`;
const cwd = folder({ "a.csv": table, "short.csv": table.replace(/,[^,\n]*,[^,\n]*,[^,\n]*$/gm, "") });
await succeed(["train", "a.csv", "--model", "trees:rounds=5,min-items=1", "--out", "m.json", "--quiet"], { cwd });

it("show tells the first day of dates, and --quiet is taken", async () => {
  expect(await succeed(["show", "m.json", "--quiet"], { cwd })).toMatch(/^dates +day: days since 2024-03-01$/m);
});

it("LightGBM gets names without blanks, each once, and the file is checked by them", async () => {
  const { out } = await tierwise(["convert", "m.json", "m.txt", "--json"], { cwd });
  expect(JSON.parse(out).notes).toEqual([
    'blanks in names of features are underscores in the file, as LightGBM writes them, such as "sort=red_wine_2"',
    'dates are days since 2024-03-01 and parts of days ("day")',
    'a category is a feature for each of its names, 1 or 0, such as "sort=beer"',
  ]);
  expect(readFileSync(join(cwd, "m.txt"), "utf8")).toMatch(
    /^feature_names=sort=beer sort=red_wine_2 sort=red_wine day shelf_life$/m,
  );
  expect(await succeed(["convert", "--check", "m.txt"], { cwd })).toMatch(/^passed/);
});

it("a table without the columns of a model is told what it has, and of --items", async () => {
  expect((await tierwise(["rank", "m.json", "short.csv"], { cwd })).err).toContain(
    'the model needs the column "sort", which is not in the table; of the columns "qid", "id", "label" none is a feature (--items FILE adds the columns of a table of the items, --lists FILE those of the lists)',
  );
});

it("train and cv tell of features that all items of a list share, but not for trees", async () => {
  const users = [1, 2, 3, 4, 5, 6].flatMap((q) => [1, 2, 3, 4].map((i) => `q${q},${i % 3},${20 + q},${(q * i * i) % 11}`));
  const there = folder({ "users.csv": `qid,label,age,price\n${users.join("\n")}\n` });
  const notice = "feature age is the same for all items of each list, so in a weighted sum (linear) it changes no order; leave it out (--ignore age), or use trees or mlp"; // biome-ignore format: one text
  const train = ["train", "users.csv", "--out", "m.json", "--model"];
  expect((await tierwise([...train, "linear:l2=0.1"], { cwd: there })).err).toContain(notice);
  expect(await succeed(["show", "m.json"], { cwd: there })).toMatch(/^weights that are not 0 +1$/m);
  expect((await tierwise(["cv", "users.csv", "--folds", "3"], { cwd: there })).err).toContain(notice);
  expect((await tierwise([...train, "trees:rounds=2"], { cwd: there })).err).not.toContain("for all items");
  expect((await tierwise([...train, "linear", "--quiet"], { cwd: there })).err).toBe("");
});
