import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../test/shared.ts";
import { type Battle, battles, selectBattles } from "./data/battles.ts";
import { battleReader } from "./formats/data/battles-parser.ts";
import { readBattles } from "./formats/data/read-battles.ts";
import { type Leaderboard, leaderboard } from "./leaderboard.ts";
import { leaderboardChanges } from "./leaderboard-changes.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";
import { normalQuantile } from "./numeric/normal.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, plPartition, rankNet, raoKupper } from "./objectives/index.ts";

const other = JSON.parse(readFileSync(new URL("../test/fixtures/arena/other-tools.json", import.meta.url), "utf8"));

/** Battles of four items with ties, in two slices, by twelve voters. */
function draw(seed: number, rows = 300): Battle[] {
  const r = random(seed);
  return Array.from({ length: rows }, () => {
    const i = below(r, 4);
    const j = (i + 1 + below(r, 3)) % 4;
    const u = r() * 2.5;
    const winner = u < 1 + 0.2 * (j - i) ? "first" : u < 2 ? "second" : "tie";
    return {
      ...{ first: `item ${i}`, second: `item ${j}`, winner, slice: r() < 0.5 ? "x" : "y", cluster: `voter ${below(r, 12)}` },
      count: 1 + below(r, 2),
    };
  });
}

/** Without counts, so that battles are independent. */
const once = (rows: readonly Battle[]) => rows.map(({ count: _, ...row }) => row);

const ratings = (board: Leaderboard) => new Map(board.items.map((item) => [item.name, item]));

describe("leaderboard", () => {
  it("two items: the difference is the log of the odds, its variance 1/wins + 1/losses", () => {
    const data = battles([
      { first: "a", second: "b", winner: "first", count: 6 },
      { first: "b", second: "a", winner: "first", count: 3 },
    ]);
    const { items, objective, cost } = leaderboard(data, { anchorItem: "b" });
    expect(objective).toBe("ranknet");
    expect(items[0]!.rating).toBeCloseTo(Math.LN2, 10);
    expect(items[0]!.error).toBeCloseTo(Math.sqrt(1 / 6 + 1 / 3), 8);
    expect([items[1]!.rating, items[1]!.error]).toEqual([0, 0]);
    expect(cost).toBeCloseTo(-6 * Math.log(2 / 3) - 3 * Math.log(1 / 3), 10);
    expect(items[0]).toMatchObject({ battles: 9, wins: 6, losses: 3, ties: 0 });
  });

  it("Elo: ten to one is 400 points, whatever the anchor", () => {
    const data = battles([
      { first: "a", second: "b", winner: "first", count: 10 },
      { first: "a", second: "b", winner: "second", count: 1 },
    ]);
    const at = (options: object) => leaderboard(data, { scale: "elo", ...options }).items.map(({ rating }) => rating);
    expect(at({})[0]).toBeCloseTo(1200, 6);
    expect(at({})[1]).toBeCloseTo(800, 6);
    expect(at({ anchor: 1500, anchorItem: "b" })[0]).toBeCloseTo(1900, 6);
  });

  it("a tie as half a win: three ties are one and a half wins of each", () => {
    const ties = battles([
      { first: "a", second: "b", winner: "tie", count: 3 },
      { first: "a", second: "b", winner: "first", count: 2 },
    ]);
    const { items, likelihood } = leaderboard(ties, { objective: rankNet({ ties: "half" }), anchorItem: "b" });
    expect(items[0]!.rating).toBeCloseTo(Math.log(3.5 / 1.5), 10);
    expect(likelihood).toBe(false);
  });

  it.each([
    ["ranknet", rankNet()],
    ["half", rankNet({ ties: "half" })],
    ["davidson", davidson()],
    ["rao-kupper", raoKupper()],
  ] as const)("robust and clustered errors are the sandwich of gradients by differences: %s", (_, objective) => {
    const data = battles(draw(5, 120));
    const n = data.items.length;
    for (const errors of ["robust", "clustered"] as const) {
      const board = leaderboard(data, { objective, errors });
      const index = data.items.map((name) => board.items.findIndex((item) => item.name === name));
      const found = Float64Array.from([...index.map((i) => board.utilities[i]!), ...board.auxiliary.map(({ value }) => value)]);
      const size = found.length;
      const cost = (at: Float64Array, rows: readonly number[], times: (r: number) => number) =>
        rows.reduce((sum, r) => {
          const outcomes = objective.pairs!.at(at.subarray(n));
          const margin = at[data.first[r]!]! - at[data.second[r]!]!;
          const term = data.outcome[r] === 2 ? outcomes.tie?.(margin) : outcomes.win(data.outcome[r] === 0 ? margin : -margin);
          return sum + times(r) * (term?.cost ?? 0);
        }, 0);
      const moved = (i: number, h: number, j = 0, g = 0) => found.map((x, k) => x + (k === i ? h : 0) + (k === j ? g : 0));
      const all = [...data.first.keys()];
      const counts = (r: number) => data.counts[r]!;
      const h = 1e-4;
      const hessian = Array.from({ length: size }, (_, i) =>
        Array.from(
          { length: size },
          (_, j) =>
            (cost(moved(i, h, j, h), all, counts) -
              cost(moved(i, h, j, -h), all, counts) -
              cost(moved(i, -h, j, h), all, counts) +
              cost(moved(i, -h, j, -h), all, counts)) /
              (4 * h * h) +
            (i < n && j < n ? 10 : 0),
        ),
      );
      const groups =
        errors === "robust"
          ? all.map((r) => [r])
          : [...new Set(data.clusters)].map((c) => all.filter((r) => data.clusters![r] === c));
      const middle = Array.from({ length: size }, () => new Float64Array(size));
      for (const group of groups) {
        const one = errors === "robust" ? () => 1 : counts;
        const gradient = found.map((_, i) => (cost(moved(i, h), group, one) - cost(moved(i, -h), group, one)) / (2 * h));
        const factor = errors === "robust" ? counts(group[0]!) : groups.length / (groups.length - 1);
        for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) middle[i]![j]! += factor * gradient[i]! * gradient[j]!;
      }
      const bread = gaussJordan(hessian);
      const times = (a: number[][], b: ArrayLike<number>[]) =>
        a.map((row) => Array.from({ length: size }, (_, j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));
      const sandwich = times(times(bread, middle), bread);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const difference = sandwich[i]![i]! + sandwich[j]![j]! - 2 * sandwich[i]![j]!;
          const [a, b] = [index[i]!, index[j]!];
          const ours = board.covariance[a * n + a]! + board.covariance[b * n + b]! - 2 * board.covariance[a * n + b]!;
          expect(ours).toBeCloseTo(difference, 4);
        }
      }
      board.auxiliary.forEach(({ error }, e) => void expect(error).toBeCloseTo(Math.sqrt(sandwich[n + e]![n + e]!), 4));
    }
  });

  it("weights: a weight of 2 has the ratings of two battles, and robust errors of one", () => {
    const rows = draw(8, 200).map(({ cluster: _, slice: __, ...row }) => row);
    const [doubled, twice] = [
      battles(rows.map((row) => ({ ...row, weight: 2 }))),
      battles(rows.map((row) => ({ ...row, count: 2 * row.count! }))),
    ];
    const [plain, a, b] = [battles(rows), doubled, twice].map((data) => leaderboard(data, { errors: "robust" })) as [
      Leaderboard,
      Leaderboard,
      Leaderboard,
    ];
    a.items.forEach((item, i) => {
      expect(item.rating).toBeCloseTo(b.items[i]!.rating, 10);
      expect(item.error).toBeCloseTo(plain.items[i]!.error, 10);
      expect(item.error / b.items[i]!.error).toBeCloseTo(Math.SQRT2, 8);
    });
  });

  it("items with too few battles are left out, and then those that have too few without them", () => {
    const data = battles([
      { first: "a", second: "b", winner: "first", count: 5 },
      { first: "b", second: "a", winner: "first", count: 5 },
      { first: "c", second: "a", winner: "tie", count: 2 },
      { first: "c", second: "d", winner: "tie", count: 2 },
    ]);
    const { items, leftOut } = leaderboard(data, { minBattles: 4 });
    expect(items.map(({ name }) => name).sort()).toEqual(["a", "b"]);
    expect(leftOut).toEqual(["d", "c"]);
  });

  it("the bootstrap is the same for the same seed, reports progress, and has errors near those of the information", () => {
    const data = battles(draw(3, 600));
    const shares: number[] = [];
    const options = { errors: "bootstrap", resamples: 200, seed: 4 } as const;
    const board = leaderboard(data, { ...options, onProgress: (share) => void shares.push(share) });
    expect(leaderboard(data, options)).toEqual(board);
    expect(leaderboard(data, { ...options, seed: 5 }).items).not.toEqual(board.items);
    expect(shares.length).toBe(200);
    expect(shares.at(-1)).toBe(1);
    expect(board.resamples).toEqual({ fitted: 200, failed: 0 });
    const plain = ratings(leaderboard(data, { errors: "information" }));
    for (const { name, error } of board.items) expect(error / plain.get(name)!.error).toBeGreaterThan(0.8);
    for (const { name, error } of board.items) expect(error / plain.get(name)!.error).toBeLessThan(1.25);
  });

  it.each<[string, () => unknown, RegExp]>([
    ["no battles", () => leaderboard(battles([])), /^leaderboard: there are no battles$/],
    [
      "data of another kind",
      () => leaderboard([] as never),
      /^leaderboard: expected battles, as battles or readBattles give them, got/,
    ],
    [
      "a column that is too short",
      () => leaderboard({ ...battles(draw(1)), outcome: battles(draw(1)).outcome.slice(1) }),
      /^leaderboard: the battles do not hold together: their columns differ in length$/,
    ],
    ...(
      [
        ["first", Uint32Array.of(9)],
        ["second", Uint32Array.of(4e9)],
        ["outcome", Uint8Array.of(3)],
        ["counts", Float64Array.of(-1)],
        ["counts", Float64Array.of(Number.NaN)],
        ["slices", Uint32Array.of(1)],
        ["clusters", Uint32Array.of(2)],
      ] as const
    ).map(([name, column]): [string, () => unknown, RegExp] => [
      `a number of nothing as ${name}`,
      () => leaderboard({ ...battles([{ first: "a", second: "b", winner: "first", slice: "s", cluster: "c" }]), [name]: column }),
      /^leaderboard: the battles do not hold together: row 1 has a number of no item, outcome, slice or cluster, or a count below 0$/,
    ]),
    [
      "an objective of lists",
      () => leaderboard(battles(draw(1)), { objective: plPartition() }),
      /option objective: expected an objective of pairs/,
    ],
    [
      "an item that is not there",
      () => leaderboard(battles(draw(1)), { anchorItem: "itm 1" }),
      /option anchorItem: no item is called "itm 1"; did you mean item 1\?/,
    ],
    [
      "clusters that are not there",
      () => leaderboard(battles([{ first: "a", second: "b", winner: "tie" }]), { errors: "clustered" }),
      /need battles with clusters/,
    ],
    [
      "an item that never lost",
      () => leaderboard(battles([{ first: "a", second: "b", winner: "first" }])),
      /does not exist, because of 1 item never (above|below)/,
    ],
    [
      "too many battles wanted",
      () => leaderboard(battles(draw(1)), { minBattles: 1e6 }),
      /no two items have 1000000 battles each/,
    ],
    [
      "fractions of battles",
      () => leaderboard(battles(draw(1).map((row) => ({ ...row, count: 1.5 }))), { errors: "bootstrap" }),
      /counts must be whole numbers/,
    ],
    [
      "a covariate that is a constant of an item",
      () => leaderboard(covaried((a, b) => (a === 0 ? 1 : b === 0 ? -1 : 0))),
      /the covariates depend on each other or on the items/,
    ],
    [
      "a covariate that determines the winner",
      () => leaderboard(covaried((_a, _b, won) => (won ? 1 : -1))),
      /the covariates separate the outcomes perfectly/,
    ],
    ["a battle against itself", () => battles([{ first: "a", second: "a", winner: "tie" }]), /^battle 1: "a" battles itself$/],
    [
      "a winner that is none",
      () => battles([{ first: "a", second: "b", winner: "a" as never }]),
      /^battle 1: expected "first", "second" or "tie"/,
    ],
    [
      "some clusters",
      () =>
        battles([
          { first: "a", second: "b", winner: "tie", cluster: "x" },
          { first: "a", second: "b", winner: "tie" },
        ]),
      /1 of 2 battles have a cluster/,
    ],
    [
      "covariates without names",
      () => battles([{ first: "a", second: "b", winner: "tie", covariates: [1] }]),
      /^battle 1: expected 0 covariates/,
    ],
    [
      "slices that are not there",
      () => leaderboardBySlice(battles([{ first: "a", second: "b", winner: "tie" }])),
      /expected battles with slices/,
    ],
    [
      "too many items",
      () =>
        leaderboard(
          battles(Array.from({ length: 4001 }, (_, i) => ({ first: `i${i}`, second: `i${(i + 1) % 4001}`, winner: "tie" }))),
        ),
      /^leaderboard: 4001 items are too many for intervals/,
    ],
    ["boards that are none", () => leaderboardChanges({} as never, {} as never), /expected a leaderboard/],
  ])("%s is an error of one line", (_, call, message) => {
    expect(call).toThrow(message);
  });
});

/** Battles with one covariate, a function of the items and of whether the first won. */
function covaried(x: (a: number, b: number, won: boolean) => number) {
  const r = random(6);
  return battles(
    Array.from({ length: 200 }, () => {
      const i = below(r, 3);
      const j = (i + 1 + below(r, 2)) % 3;
      const won = r() < 0.5;
      return { first: `i${i}`, second: `i${j}`, winner: won ? "first" : ("second" as const), covariates: [x(i, j, won)] };
    }) as Battle[],
    { covariates: ["x"] },
  );
}

function gaussJordan(given: readonly (readonly number[])[]): number[][] {
  const n = given.length;
  const rows = given.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    const best = rows.slice(c).reduce((top, row, i) => (Math.abs(row[c]!) > Math.abs(rows[top]![c]!) ? c + i : top), c);
    [rows[c], rows[best]] = [rows[best]!, rows[c]!];
    const pivot = rows[c]![c]!;
    rows[c] = rows[c]!.map((x) => x / pivot);
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const factor = rows[i]![c]!;
      rows[i] = rows[i]!.map((x, k) => x - factor * rows[c]![k]!);
    }
  }
  return rows.map((row) => row.slice(n));
}

describe("covariates", () => {
  const { rows, coefficients, errors, logLikelihood } = other.covariates;
  const data = battles(
    rows.map(([first, second, winner, ...covariates]: [string, string, string, number, number]) => ({
      ...{ first, second, winner: winner === "model_a" ? "first" : "second", covariates },
    })),
    { covariates: ["x", "y"] },
  );

  it(`are those of scikit-learn ${other.versions["scikit-learn"]}'s unpenalised logistic regression, with their errors`, () => {
    const board = leaderboard(data, { anchorItem: "item 0", objective: rankNet() });
    const by = ratings(board);
    for (let i = 1; i < 6; i++) {
      expect(by.get(`item ${i}`)!.rating).toBeCloseTo(coefficients[i - 1], 7);
      expect(by.get(`item ${i}`)!.error).toBeCloseTo(errors[i - 1], 7);
    }
    board.covariates.forEach(({ value, error, low, high }, c) => {
      expect(value).toBeCloseTo(coefficients[5 + c], 7);
      expect(error).toBeCloseTo(errors[5 + c], 7);
      expect(high - low).toBeCloseTo(2 * normalQuantile(0.975) * error, 10);
    });
    expect(-board.cost).toBeCloseTo(logLikelihood, 7);
  });

  it("a turned battle has the opposite covariates", () => {
    const turned = battles(
      rows.map(([first, second, winner, x, y]: [string, string, string, number, number], i: number) =>
        i % 2 === 0
          ? { first, second, winner: winner === "model_a" ? "first" : "second", covariates: [x, y] }
          : { first: second, second: first, winner: winner === "model_a" ? "second" : "first", covariates: [-x, -y] },
      ),
      { covariates: ["x", "y"] },
    );
    const [a, b] = [leaderboard(data), leaderboard(turned)];
    a.covariates.forEach(({ value }, c) => void expect(value).toBeCloseTo(b.covariates[c]!.value, 9));
    a.items.forEach(({ rating }, i) => void expect(rating).toBeCloseTo(b.items[i]!.rating, 9));
  });
});

const file = sharedFile("data/arena/chatbot-arena-2024-08-14.csv");
describe.skipIf(!file || !existsSync(file))("the Chatbot Arena of 14 August 2024", async () => {
  const data = file && existsSync(file) ? await readBattles([file]) : battles([]);

  it(`Bradley-Terry with ties as half wins: ratings and intervals of arena-rank ${other.versions["arena-rank"]} within 0.5 points`, () => {
    const { names, default: usual, "hessian_reg=1e-9": exact } = other["arena-rank"];
    for (const [errorRidge, wanted] of [
      [1e-5, usual],
      [0, exact],
    ] as const) {
      const by = ratings(leaderboard(data, { objective: rankNet({ ties: "half" }), errors: "robust", scale: "elo", errorRidge }));
      names.forEach((name: string, i: number) => {
        const { rating, low, high } = by.get(name)!;
        expect(Math.abs(rating - wanted.ratings[i])).toBeLessThan(0.5);
        expect(Math.abs(low - wanted.rating_lower[i])).toBeLessThan(0.5);
        expect(Math.abs(high - wanted.rating_upper[i])).toBeLessThan(0.5);
      });
    }
  });

  it(`the order of evalica ${other.versions.evalica}'s Bradley-Terry`, () => {
    const board = leaderboard(data, { objective: rankNet({ ties: "half" }) });
    expect(board.items.map(({ name }) => name)).toEqual(other.evalica.order);
  });

  it.each([
    ["davidson", davidson()],
    ["rao-kupper", raoKupper()],
  ] as const)(`%s: the mean loss of leaderbot ${other.versions.leaderbot}`, (name, objective) => {
    const { cost, battles: count } = leaderboard(data, { objective });
    expect(count).toBe(1_670_250);
    expect(cost / count).toBeCloseTo(other.leaderbot[name], 10);
  });
});

describe("slices", () => {
  it("one leaderboard for each, that of its battles alone", () => {
    const data = battles(draw(2));
    const { slices, pooled } = leaderboardBySlice(data);
    slices.forEach(({ name, board }, s) => {
      expect(name).toBe(data.sliceNames![s]);
      expect(board).toEqual(
        leaderboard(
          selectBattles(data, (r) => data.slices![r] === s),
          { objective: davidson() },
        ),
      );
    });
    expect(pooled.battles).toBe(slices[0]!.board.battles + slices[1]!.board.battles);
  });

  it("the test is the likelihood ratio: twice the gain, three utilities and the weight of ties more", () => {
    const { slices, pooled, test } = leaderboardBySlice(battles(draw(2)));
    expect(test!.statistic).toBeCloseTo(2 * (pooled.cost - slices[0]!.board.cost - slices[1]!.board.cost), 8);
    expect(test!.df).toBe(4);
  });

  it("p-values of slices that do not differ are uniform, and of slices that differ small", () => {
    let small = 0;
    for (let seed = 1; seed <= 60; seed++) if (leaderboardBySlice(battles(once(draw(seed, 160)))).test!.p < 0.1) small++;
    expect(small).toBeGreaterThan(1); // 6 of 60 are expected, with a standard deviation of 2.3
    expect(small).toBeLessThan(15);
    const turned = draw(1, 400).map((row) => (row.slice === "x" ? row : { ...row, first: row.second, second: row.first }));
    expect(leaderboardBySlice(battles(turned)).test!.p).toBeLessThan(1e-4);
  });

  it.each([
    [{ ghost: 0.5 }, "a likelihood ratio test needs a fit without a prior"],
    [{ objective: rankNet({ ties: "half" }) }, "the cost of ranknet:ties=half is no likelihood"],
  ])("no test where none is defined: %j", (options, reason) => {
    const { test, untested } = leaderboardBySlice(battles(draw(2)), options);
    expect([test, untested]).toEqual([undefined, reason]);
  });
});

describe("changes", () => {
  it("nobody moved where nothing changed, and those who changed places did", () => {
    const board = (seed: number, names: (name: string) => string = (name) => name) =>
      leaderboard(battles(draw(seed, 800).map((row) => ({ ...row, first: names(row.first), second: names(row.second) }))), {
        errors: "information",
      });
    const same = leaderboardChanges(board(1), board(2));
    expect(leaderboardChanges(board(1), board(2), { threshold: 0.05 })).toEqual(same);
    expect(() => leaderboardChanges(board(1), board(2), { threshold: 0 })).toThrow(
      "option threshold: expected a number above 0, got 0",
    );
    expect(same.test.p).toBeGreaterThan(0.01);
    expect(same.items.filter(({ moved }) => moved)).toEqual([]);
    expect(same.test.df).toBe(3);
    const swap = (name: string) => (name === "item 0" ? "item 3" : name === "item 3" ? "item 0" : name);
    const swapped = leaderboardChanges(board(1), board(2, swap));
    expect(
      swapped.items
        .filter(({ moved }) => moved)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["item 0", "item 3"]);
    expect(swapped.test.p).toBeLessThan(1e-6);
    expect(swapped.items.reduce((sum, { change }) => sum + change, 0)).toBeCloseTo(0, 10);
  });

  it("two items: the change is the difference of the log-odds, with the sum of their variances", () => {
    const board = (wins: number, losses: number) =>
      leaderboard(
        battles([
          { first: "a", second: "b", winner: "first", count: wins },
          { first: "a", second: "b", winner: "second", count: losses },
        ]),
      );
    const { items, test } = leaderboardChanges(board(8, 4), board(5, 10));
    const change = Math.log(5 / 10) - Math.log(8 / 4);
    const variance = 1 / 8 + 1 / 4 + 1 / 5 + 1 / 10;
    const a = items.find(({ name }) => name === "a")!;
    expect(a.change).toBeCloseTo(change / 2, 8);
    expect(a.error).toBeCloseTo(Math.sqrt(variance) / 2, 8);
    expect(test.statistic).toBeCloseTo((change * change) / variance, 7);
  });
});

describe("tables of battles", () => {
  const read = (text: string, options = {}) => {
    const reader = battleReader(options);
    const sink = reader.open("x.csv");
    sink.push(new TextEncoder().encode(text));
    sink.end();
    return reader.finish();
  };

  it("are what battles() makes of the same rows, with quotes, counts and columns of choice", () => {
    const text =
      'model_a,model_b,winner,judge,lang,count,len\n"a, b",c,model_a,u,en,2,0.5\nc,"a, b",tie (bothbad),v,de,,-1\r\nc,d,d,u,en,1,1e1\n\n';
    const options = { cluster: "judge", by: "lang", covariates: ["len"] };
    const rows = [
      { first: "a, b", second: "c", winner: "first", cluster: "u", slice: "en", count: 2, covariates: [0.5] },
      { first: "c", second: "a, b", winner: "tie", cluster: "v", slice: "de", covariates: [-1] },
      { first: "c", second: "d", winner: "second", cluster: "u", slice: "en", covariates: [10] },
    ] as const;
    expect(read(text, options)).toEqual(battles(rows, { covariates: ["len"] }));
    expect(read("winner;loser;tie\na;b;no\nb;a;yes\na;b;\n")).toEqual(
      battles([
        { first: "a", second: "b", winner: "first", count: 2 },
        { first: "b", second: "a", winner: "tie" },
      ]),
    );
  });

  it.each([
    ["model_a,model_b,winner\na,b,c\n", {}, 'x.csv:2: expected model_a, model_b or tie in the column winner, got "c"'],
    ["model_a,model_b,winner\na,b\n", {}, "x.csv:2: expected 3 cells as in the header, got 2"],
    ["model_a,model_b,winner,n\na,b,tie,x\n", { covariates: ["n"] }, 'x.csv:2: expected a number in the column n, got "x"'],
    ["model_a,model_b,winner,n\na,b,tie,0\n", { weight: "n" }, 'x.csv:2: expected a weight above 0 in the column n, got "0"'],
    ["model_a,model_b,winner,count\na,b,tie,-1\n", {}, 'x.csv:2: expected a count of at least 0 in the column count, got "-1"'],
    ["model_a,model_b,winner,judge\na,b,tie,\n", { cluster: "judge" }, "x.csv:2: the column judge is empty"],
    [
      "model_a,model_b,winner,judge\na,b,tie,\n",
      { cluster: "jugde" },
      'x.csv:1: there is no column "jugde"; did you mean judge?',
    ],
    ["model_a,winner\na,b\n", {}, "x.csv:1: expected the columns winner and loser, or model_a, model_b and winner"],
    ["model_a,model_b,winner\n", {}, "x.csv: no battles"],
    [
      "model_a,model_b,winner\na,a,tie\na,b,\n",
      {},
      'x.csv: no battles; 2 rows left out: 1 of an item against itself (first x.csv:2: "a"), 1 without a winner (first x.csv:3)',
    ],
    ["winner,loser\na,b\n,b\n", {}, "x.csv:3: the column winner is empty"],
  ])("a bad one is an error with its line: %j", (text, options, message) => {
    expect(() => read(text, options)).toThrow(message);
  });
});
