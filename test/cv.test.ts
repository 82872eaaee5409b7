/** `tierwise cv` as a user runs it, and the layouts of folds that it knows. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldsFrom } from "../src/cli/fold-files.ts";
import type { Dataset } from "../src/types.ts";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

const lines = (...ids: string[]) => ids.map((id) => `1 qid:${id} 1:0.5 2:1\n0 qid:${id} 1:0.25\n`).join("");
const parts = Object.fromEntries([1, 2, 3, 4, 5].map((part) => [`S${part}.txt`, lines(`${part}a`, `${part}b`)]));

async function layout(path: string, valid = true): Promise<string[]> {
  const loading = { reading: {}, quiet: true };
  const { folds } = await foldsFrom([path], { parts: 5, seed: 1, valid, loading });
  const result: string[] = [];
  const ids = (data: Dataset | undefined) => data?.names.lists?.join(" ") ?? "-";
  for await (const { train, valid: validation, test } of folds) result.push(`${ids(train)} | ${ids(validation)} | ${ids(test)}`);
  return result;
}

describe("folds from files", () => {
  it("S1 to S5 are turned as LETOR does: three parts train, the next validates, the one after tests", async () => {
    expect(await layout(folder({ ...parts, "README.txt": "no part", "baselines.csv": "a,b" }))).toEqual([
      "1a 1b 2a 2b 3a 3b | 4a 4b | 5a 5b",
      "2a 2b 3a 3b 4a 4b | 5a 5b | 1a 1b",
      "3a 3b 4a 4b 5a 5b | 1a 1b | 2a 2b",
      "1a 1b 4a 4b 5a 5b | 2a 2b | 3a 3b",
      "1a 1b 2a 2b 5a 5b | 3a 3b | 4a 4b",
    ]);
  });

  it("without validation all other parts train", async () => {
    const [first] = await layout(folder(parts), false);
    expect(first).toBe("2a 2b 3a 3b 4a 4b 5a 5b | - | 1a 1b");
  });

  it("Fold1, Fold2, ... are taken as they are", async () => {
    const path = folder();
    for (const fold of [1, 2, 10]) {
      mkdirSync(join(path, `Fold${fold}`));
      for (const role of ["train", "vali", "test"])
        writeFileSync(join(path, `Fold${fold}`, `${role}.txt`), lines(`${role}${fold}`));
    }
    expect(await layout(path)).toEqual(["train1 | vali1 | test1", "train2 | vali2 | test2", "train10 | vali10 | test10"]);
    expect((await layout(path, false))[0]).toBe("train1 vali1 | - | test1");
    writeFileSync(join(path, "Fold2", "valid.txt"), lines("x"));
    await expect(layout(path)).rejects.toThrow(
      /Fold2: expected one file of valid data, such as vali\.txt, got (vali|valid)\.txt and/,
    );
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["a folder of something else", { "a.txt": lines("1") }, /expected folders Fold1, Fold2, .* or files of at least three parts/],
    [
      "two sets of parts",
      { ...parts, "T1.txt": "", "T2.txt": "", "T3.txt": "" },
      /several sets of parts, such as S1\.txt and T1\.txt/,
    ],
    ["a part twice", { ...parts, "S1.txt.gz": "" }, /part 1 exists twice, as S1\.txt and as S1\.txt\.gz/],
    ["a part that is missing", { "S1.txt": lines("1"), "S2.txt": lines("2"), "S4.txt": lines("4") }, /at least three parts/],
  ])("refuse %s", async (_, files, message) => {
    await expect(layout(folder(files))).rejects.toThrow(message);
  });
});

describe("cv", () => {
  const cwd = folder({ "data.txt": svmlight(30) });

  it("deals lists by the seed, and gives the same for any number of threads", async () => {
    const words = ["cv", "data.txt", "--folds", "3", "l2=0.5", "--json", "--quiet"];
    const [one, two] = [
      await succeed([...words, "--threads", "1"], { cwd }),
      await succeed([...words, "--threads", "2"], { cwd }),
    ];
    expect(two).toBe(one);
    const result = JSON.parse(one);
    expect(result).toMatchObject({ model: "linear:l2=0.5", objective: "pl-partition", seed: 1, lists: 30 });
    expect(result.folds).toHaveLength(3);
    const other = JSON.parse(await succeed([...words, "--seed", "2"], { cwd }));
    expect(other.folds[0].test).not.toEqual(result.folds[0].test);
  });

  it("keeps values that compare reads", async () => {
    for (const [name, objective] of [["a.values", "pl-partition"], ["b.values", "ranknet"]] as const) // biome-ignore format: pairs
      await succeed(["cv", "data.txt", "--objective", objective, "--values", name, "--quiet"], { cwd });
    expect(JSON.parse(readFileSync(join(cwd, "a.values"), "utf8"))).toMatchObject({ name: "linear under pl-partition" });
    const result = JSON.parse(await succeed(["compare", "a.values", "b.values", "--json"], { cwd }));
    expect(result).toMatchObject({ baseline: "a.values", lists: 30 });
  });

  it("prints a row for each fold and the mean with its error", async () => {
    const out = await succeed(["cv", "data.txt", "--folds", "4", "--quiet"], { cwd });
    expect(
      out.split("\n").filter((line) => /^[1-4] +15\/[78]\/[78] /.test(line) || /^[1-4] +1[56]\/[78]\/[78] /.test(line)),
    ).toHaveLength(4);
    expect(out).toMatch(/^mean .* 0\.\d{4} ± 0\.\d{4}$/m);
  });

  it.each<[string[], RegExp]>([
    [["data.txt", "--folds", "2"], /--folds: expected at least 3 parts, got 2/],
    [["data.txt", "--folds", "31"], /--folds: 30 lists are too few for 31 parts/],
    [[".", "data.txt"], /a folder of folds must be the only path, got 2 paths/],
    [["data.txt", "l22=1"], /there is no setting "l22"; did you mean l2\?/],
    [["data.txt", "--values", "no/where.values"], /no\/where\.values: cannot be written/],
  ])("refuses %j", async (words, message) => {
    const { code, out, err } = await tierwise(["cv", ...words, "--quiet"], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});
