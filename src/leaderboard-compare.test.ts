import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../test/shared.ts";
import { type Battle, battles } from "./data/battles.ts";
import { readBattles } from "./formats/data/read-battles.ts";
import { compareBattleModels } from "./leaderboard-compare.ts";
import { parametersOf, rowsOfBattles } from "./leaderboard-rows.ts";
import { splitBattles } from "./leaderboard-split.ts";
import { fitLinearRows, linearRowsHessian } from "./models/utilities/linear-rows.ts";
import { cosine } from "./numeric/cosine.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, raoKupper } from "./objectives/index.ts";

/** Battles in which item k ties the more the higher k is. */
function draw(seed: number, rows: number, clusters = 0): Battle[] {
  const r = random(seed, 0xc3);
  return Array.from({ length: rows }, (): Battle => {
    const i = below(r, 5);
    const j = (i + 1 + below(r, 4)) % 5;
    const u = r();
    const tie = 0.08 * (i + j);
    return {
      ...{ first: `i${i}`, second: `i${j}`, winner: u < tie ? "tie" : r() < 0.5 + 0.05 * (i - j) ? "first" : "second" },
      ...(clusters > 0 && { cluster: `c${below(r, clusters)}` }),
    };
  });
}

describe("models of battles by held-out likelihood", () => {
  it("davidson and rao-kupper: the likelihood of parts under fits to the others, by gradient descent", () => {
    const data = battles(draw(1, 60));
    const found = compareBattleModels(data, { parts: 3, seed: 5 });
    const n = data.items.length;
    const chance = (kind: "davidson" | "rao-kupper", p: readonly number[], r: number) => {
      const [d, x] = [p[data.first[r]!]! - p[data.second[r]!]!, p[n]!];
      if (kind === "davidson") {
        const all = [Math.exp(d / 2), Math.exp(-d / 2), Math.exp(x)];
        return all[data.outcome[r]!]! / (all[0]! + all[1]! + all[2]!);
      }
      const theta = 1 + Math.exp(x);
      const [win, loss] = [1 / (1 + theta * Math.exp(-d)), 1 / (1 + theta * Math.exp(d))];
      return [win, loss, 1 - win - loss][data.outcome[r]!]!;
    };
    const split = splitBattles("test", data, 3, 5);
    for (const [m, kind] of (["davidson", "rao-kupper"] as const).entries()) {
      let sum = 0;
      for (const test of split) {
        const cost = (p: readonly number[]) =>
          data.counts.reduce((all, count, r) => all - (count - test[r]!) * Math.log(chance(kind, p, r)), 0) +
          p.reduce((all, one) => all + 0.125 * one * one, 0);
        let params = Array.from({ length: n + 1 }, () => 0);
        for (let step = 0; step < 1500; step++)
          params = params.map((value, i) => {
            const moved = (h: number) => cost(params.map((one, k) => (k === i ? one + h : one)));
            return value - (0.04 * (moved(1e-5) - moved(-1e-5))) / 2e-5;
          });
        test.forEach((count, r) => void (sum += count * Math.log(chance(kind, params, r))));
      }
      expect(found[m]!.model).toBe(kind);
      expect(found[m]!.logLikelihood).toBeCloseTo(sum / 60, 5);
    }
    expect(found[0]).toMatchObject({ difference: 0, low: 0, high: 0, parameters: 5 });
    expect(found[1]!.difference).toBeCloseTo(found[1]!.logLikelihood - found[0]!.logLikelihood, 12);
  });

  it("ties by item are found where there are some, with an interval above 0", () => {
    const found = compareBattleModels(battles(draw(2, 3000)));
    const by = new Map(found.map((one) => [one.model, one]));
    expect(by.get("davidson, ties by item")!.low).toBeGreaterThan(0);
    expect(by.get("rao-kupper, ties by item")!.low).toBeGreaterThan(0);
    expect(by.get("davidson, ties by item")!.parameters).toBe(4 + 5);
    expect(by.get("davidson, 2 tie factors")!.parameters).toBe(4 + 9);
  });

  it("without ties, with covariates and in time", () => {
    const rows = draw(3, 400).map((row, at) => ({ ...row, winner: row.winner === "tie" ? "first" : row.winner, slice: String(at % 4), covariates: [at % 3] }) as Battle); // biome-ignore format: one row
    const found = compareBattleModels(battles(rows, { covariates: ["x"] }), { time: true, parts: 2, periods: 4 });
    expect(found.map(({ model }) => model)).toEqual([
      ...["bradley-terry", "ranknet, no covariates", "bradley-terry, drift of 0.05", "bradley-terry, drift of 0.1"],
      ...["bradley-terry, drift of 0.2", "bradley-terry, drift of 0.4"],
    ]);
  });

  it("clusters stay together, and every battle is in one part", () => {
    const data = battles(draw(4, 200, 17));
    const split = splitBattles("test", data, 4, 1);
    data.counts.forEach((count, r) => {
      expect(split.map((part) => part[r]!).filter((one) => one > 0)).toEqual([count]);
      const own = split.findIndex((part) => part[r]! > 0);
      data.clusters!.forEach((cluster, s) => void (cluster === data.clusters![r] && expect(split[own]![s]).toBeGreaterThan(0)));
    });
    const plain = battles(draw(4, 500));
    const parts = splitBattles("test", plain, 4, 1);
    plain.counts.forEach((count, r) => void expect(parts.reduce((sum, part) => sum + part[r]!, 0)).toBe(count));
    expect(compareBattleModels(data, { parts: 4 })).toEqual(compareBattleModels(data, { parts: 4 }));
  });
});

describe("tie factors", () => {
  it("parameters that the battles determine are the rank of the second derivatives", () => {
    const data = battles(draw(5, 2000));
    for (const ties of ["one", "item", 1, 2, 3] as const) {
      const model = { objective: davidson(), ties };
      const rows = rowsOfBattles(data, model);
      const matrix = linearRowsHessian(rows, fitLinearRows(rows).params);
      expect(rank(matrix, rows.size)).toBe(parametersOf(data, model));
    }
  });

  const path = sharedFile("data/arena/chatbot-arena-2024-08-14.csv");
  const fixture = new URL("../test/fixtures/arena/tie-factors.json", import.meta.url);
  const other = existsSync(fixture) ? JSON.parse(readFileSync(fixture, "utf8")) : undefined;
  it.skipIf(!existsSync(path))(
    `davidson: mean losses of leaderbot ${other?.leaderbot} with factors on the arena`,
    async () => {
      const data = await readBattles([path]);
      const total = data.counts.reduce((sum, count) => sum + count, 0);
      for (const { model, factors, loss } of other.losses) {
        if (model !== "davidson") continue; // its Rao and Kupper has log θ by factors, ours log(θ - 1)
        const { cost } = fitLinearRows(rowsOfBattles(data, { objective: davidson(), ties: factors }));
        expect(cost / total).toBeLessThan(loss + 1e-9);
        expect(cost / total).toBeGreaterThan(loss - 1e-5); // where its optimizer stops
      }
    },
    60_000,
  );

  it("rao-kupper with factors is fitted too", () => {
    const rows = rowsOfBattles(battles(draw(6, 800)), { objective: raoKupper(), ties: 2 });
    const one = rowsOfBattles(battles(draw(6, 800)), { objective: raoKupper() });
    expect(fitLinearRows(rows).cost).toBeLessThan(fitLinearRows(one).cost - 5);
  });

  it("the cosine is that of Math within rounding", () => {
    for (let x = -20; x < 20; x += 0.01) expect(Math.abs(cosine(x) - Math.cos(x))).toBeLessThan(1e-14);
  });
});

function rank(matrix: Float64Array, n: number): number {
  const rows = Array.from({ length: n }, (_, i) => [...matrix.subarray(i * n, (i + 1) * n)]);
  let found = 0;
  for (let c = 0; c < n; c++) {
    const best = rows
      .slice(found)
      .reduce((top, row, i) => (Math.abs(row[c]!) > Math.abs(rows[top]![c]!) ? found + i : top), found);
    if (best >= n || Math.abs(rows[best]![c]!) < 1e-7 * matrix[0]!) continue;
    [rows[found], rows[best]] = [rows[best]!, rows[found]!];
    for (let i = found + 1; i < n; i++) {
      const factor = rows[i]![c]! / rows[found]![c]!;
      rows[i] = rows[i]!.map((value, k) => value - factor * rows[found]![k]!);
    }
    found++;
  }
  return found;
}

it.each<[string, () => unknown, RegExp]>([
  ["no battles", () => compareBattleModels([] as never), /^compareBattleModels: expected battles/],
  ["one part", () => compareBattleModels(battles(draw(1, 9)), { parts: 1 }), /option parts: expected/],
  [
    "more parts than clusters",
    () => compareBattleModels(battles(draw(1, 90, 3)), { parts: 5 }),
    /3 clusters are too few for 5 parts/,
  ],
  ["more parts than battles", () => compareBattleModels(battles(draw(1, 3)), { parts: 50 }), /too few battles for 50 parts/],
  ["no time", () => compareBattleModels(battles(draw(1, 9)), { time: true }), /expected battles with times as slices/],
  [
    "weights",
    () => compareBattleModels(battles([{ first: "a", second: "b", winner: "tie", weight: 2 }])),
    /weights have no likelihood to compare/,
  ],
  [
    "half battles",
    () => compareBattleModels(battles([{ first: "a", second: "b", winner: "tie", count: 2.5 }])),
    /counts must be whole numbers/,
  ],
])("%s is an error of one line", (_, call, message) => {
  expect(call).toThrow(message);
});
