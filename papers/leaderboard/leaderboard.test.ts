/** The pages of the leaderboard from given values of our systems and score files of other tools, without training. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DataSet, findSet, mq2008, ohsumed } from "../data-sets.ts";
import { foldDigest } from "../fold-digest.ts";
import type { Cell, Entry, Grid, Json, Lab, Shown, Values } from "../paper.ts";
import type { ScoreFile } from "../score-files.ts";
import { loadFold, type Outcome } from "../trial.ts";
import { leaderboard } from "./index.ts";

const home = mkdtempSync(join(tmpdir(), "tierwise-leaderboard-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Three lists in each part, of an irrelevant and a relevant item. */
const LISTS = 3;
for (const { id, files } of [mq2008, ohsumed]) {
  mkdirSync(join(home, id));
  files.forEach((file, part) => {
    const list = (q: number) => `0 qid:${part}${q} 1:${q}\n1 qid:${part}${q} 1:${part + 0.5}\n`;
    writeFileSync(join(home, file), [1, 2, 3].map(list).join(""));
  });
}

/** A tool that finds the relevant item in all lists, or in none. */
async function scores(set: DataSet, tool: string, right: boolean): Promise<ScoreFile> {
  const found = findSet(set, home)!;
  const folds = [];
  for (const fold of set.folds.keys()) {
    const lists = Array.from({ length: LISTS }, () => (right ? [1, 2] : [2, 1]));
    folds.push({ digest: foldDigest(await loadFold(found, fold)), rounds: 9, best: 5, seconds: 3, processor: 2.5, lists });
  }
  return { path: `${set.id}-${tool}`, tool, toolVersion: "1.0", objective: "x", settings: {}, data: set.id, folds };
}

/** What an exhibit shows where each of our systems has the same value on all lists. */
async function shown(exhibit: string, files: readonly ScoreFile[], ours: (settings: Cell["settings"]) => number): Promise<Shown> {
  const lab: Lab = {
    ...{ quick: false, threads: 1, scores: () => files },
    find: (set) => ([mq2008, ohsumed].includes(set) ? findSet(set, home) : undefined),
  };
  const plan = leaderboard.exhibits.find(({ id }) => id === exhibit)!.plan(lab);
  const values = new Map<Cell, Outcome>();
  for (const cell of plan.cells) {
    const metrics = ["ndcg@1", "ndcg@10", "err", "map"];
    const fill = <T>(value: T) => Object.fromEntries(metrics.map((metric) => [metric, value]));
    const one = ours(cell.settings);
    const made = { rounds: 1, best: 1, seconds: 1, processor: 0.5, metrics: fill(one), lists: fill([one, one, one]) };
    values.set(cell, cell.settings.kind === "scores" ? ((await cell.run()) as Outcome) : made);
  }
  const value: Values = <T extends Json>(cell: Cell<T>) => values.get(cell as unknown as Cell)! as unknown as T;
  return plan.show(value);
}

const grids = ({ blocks }: Shown): Grid[] => blocks.flatMap((block) => (block.kind === "table" ? [block.table] : []));
const plain = (entry: Entry) => (typeof entry === "object" && entry !== null ? entry.value : entry);
const rowsOf = (grid: Grid) => new Map(grid.rows.map(([name, ...rest]) => [name as string, rest.map(plain)]));

let files: ScoreFile[];
beforeAll(async () => {
  files = [await scores(mq2008, "Right", true), await scores(ohsumed, "Right", true), await scores(ohsumed, "Wrong", false)];
});

const ours = ({ model, objective }: Cell["settings"]) => (model === "trees" ? (objective === "yetirank" ? 0.75 : 0.875) : 0.7);
const log3 = Math.log2(3);

describe("the leaderboard", () => {
  it("has the other tools in the tables of the data sets that they have scores of, compared with LambdaMART", async () => {
    const [first, second] = grids(await shown("leaderboard", files, ours)).map(rowsOf) as [
      Map<string, unknown[]>,
      Map<string, unknown[]>,
    ];
    // ERR of a label 1 at rank 1 is (2^1 - 1) / 2^4; p is 2 of 2^15 assignments of signs, corrected for all rows.
    const right = (rows: Map<string, unknown[]>) => {
      const p = 2 ** -14 * (rows.size - 1);
      return ["Right 1.0 x", [1, 1, 1 / 16, 1, expect.closeTo(0.3, 9), `${p.toFixed(3)} ▲`, 2.5]] as const;
    };
    expect([...first][0]).toEqual(right(first));
    expect(first.has("Wrong 1.0 x")).toBe(false);
    expect([...second][0]).toEqual(right(second));
    const wrong = second.get("Wrong 1.0 x")!;
    expect(wrong.slice(0, 2)).toEqual([0, expect.closeTo(1 / log3, 6)]);
    expect(wrong[4]).toBeCloseTo(1 / log3 - 0.7, 6);
    expect([...second.keys()].at(-1)).toBe("Wrong 1.0 x");
  });

  it("has trees without options under two objectives, and yetirank with every model", async () => {
    const [first] = grids(await shown("leaderboard", [], ours)).map(rowsOf);
    expect(first!.get("trees (defaults)")![1]).toBe(0.875);
    expect(first!.get("trees (defaults) × yetirank")![1]).toBe(0.75);
    for (const name of ["linear", "trees", "mlp"]) expect(first!.get(`${name} × yetirank`)![1]).toBe(0.7);
  });

  it("ranks only systems that every data set has", async () => {
    const { findings } = await shown("leaderboard", files, ours);
    expect(findings[0]).toMatch(
      /have Right 1\.0 x \(1\.0\), trees \(defaults\) \(2\.0\), trees \(defaults\) × yetirank \(3\.0\)\.$/,
    );
    const none = await shown("leaderboard", [files[2]!], ours);
    expect(none.findings[0]).toMatch(/have trees \(defaults\) \(1\.0\)/);
  });
});

describe("trees beside other tools", () => {
  it("have their means on every data set, and the mean of these", async () => {
    const [means] = grids(await shown("tools", files.slice(0, 2), ours));
    expect(means!.head).toEqual(["system", "MQ2008", "OHSUMED", "mean", "MQ2008, s", "OHSUMED, s"]);
    expect([...rowsOf(means!)]).toEqual([
      ["Right 1.0 x", [1, 1, 1, 2.5, 2.5]],
      ["trees (defaults)", [0.875, 0.875, 0.875, 0.5, 0.5]],
      ["trees (defaults) × yetirank", [0.75, 0.75, 0.75, 0.5, 0.5]],
    ]);
  });

  it("are compared list by list, on each data set and on all lists, with p", async () => {
    const result = await shown("tools", files.slice(0, 2), ours);
    const [, compared] = grids(result);
    expect(compared!.head).toEqual(["other tool", "MQ2008 (15 lists)", "OHSUMED (15 lists)", "all lists (30 lists)"]);
    expect(compared!.rows).toEqual([["Right 1.0 x", ...Array(3).fill("−0.1250 (p <0.001)")]]);
    expect(result.findings[0]).toBe(
      "Mean NDCG@10 over 2 data sets: Right 1.0 x 1.0000, trees (defaults) 0.8750, trees (defaults) × yetirank 0.7500.",
    );
    expect(result.findings[1]).toMatch(/^trees \(defaults\) minus Right 1\.0 x, list by list: MQ2008 −0\.1250 \(p <0\.001\); /);
  });

  it("stand alone where there are no score files", async () => {
    const { findings } = await shown("tools", [], ours);
    expect(findings).toEqual([expect.stringMatching(/^There are no score files of other tools on these data; /)]);
  });

  it("refuse scores of data that are not compared", async () => {
    await expect(shown("tools", [{ ...files[0]!, data: "mq2009" }], ours)).rejects.toThrow(
      'mq2008-Right: scores of "mq2009", which is not compared; there are mq2008, ohsumed, mq2007-agg, search-folds',
    );
  });
});
