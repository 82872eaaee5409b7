/**
 * Options of `leaderboard` drawn at random, against a slow twin: every row has a dense design vector, costs are the formulas of the papers,
 * derivatives are differences of them, and matrices are inverted by elimination.
 */
import { describe, expect, it } from "vitest";
import { type Battle, battles } from "./data/battles.ts";
import { type Leaderboard, type LeaderboardOptions, leaderboard } from "./leaderboard.ts";
import { leaderboardBySlice } from "./leaderboard-slices.ts";
import { below, random } from "./numeric/random.ts";
import { davidson, rankNet, raoKupper } from "./objectives/index.ts";

type Kind = "bt" | "half" | "davidson" | "rao-kupper";

/** Minus the log of the probability that the first item wins, or that there is a tie, at margin d and tie parameter x. */
function costOf(kind: Kind, tie: boolean, d: number, x: number): number {
  const soft = (t: number) => Math.max(t, 0) + Math.log1p(Math.exp(-Math.abs(t)));
  if (kind === "bt") return tie ? 0 : soft(-d);
  if (kind === "half") return tie ? (soft(-d) + soft(d)) / 2 : soft(-d);
  if (kind === "davidson") {
    const sum = Math.exp(d / 2) + Math.exp(-d / 2) + Math.exp(x);
    return Math.log(sum) - (tie ? x : d / 2);
  }
  const theta = 1 + Math.exp(x);
  const chance = (margin: number) => 1 / (1 + theta * Math.exp(-margin));
  return -Math.log(tie ? (theta * theta - 1) * chance(d) * chance(-d) : chance(d));
}

/** The slope of f at 0 to fourth order. */
const slope = (f: (h: number) => number, h: number) => (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);

interface Row {
  /** Of the margin, with the tie parameter last. */
  readonly design: number[];
  readonly tie: boolean;
  readonly times: number;
  readonly weight: number;
  readonly cluster: string;
  readonly ghost: boolean;
}

/** Derivatives of a row's cost by margin and tie parameter. */
function derivatives(kind: Kind, { tie }: Row, d: number, x: number) {
  const first = (at: number, tieAt: number) => [
    slope((h) => costOf(kind, tie, at + h, tieAt), 1e-3),
    slope((h) => costOf(kind, tie, at, tieAt + h), 1e-3),
  ];
  const [byMargin, byTie] = first(d, x) as [number, number];
  const second = [0, 1].map((k) => [slope((h) => first(d + h, x)[k]!, 1e-2), slope((h) => first(d, x + h)[k]!, 1e-2)]);
  return { byMargin, byTie, second };
}

/** The inverse by elimination with pivots. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c; r < n; r++) if (Math.abs(work[r]![c]!) > Math.abs(work[best]![c]!)) best = r;
    [work[c], work[best]] = [work[best]!, work[c]!];
    const pivot = work[c]![c]!;
    work[c] = work[c]!.map((value) => value / pivot);
    for (let r = 0; r < n; r++) {
      const factor = work[r]![c]!;
      if (r !== c && factor !== 0) work[r] = work[r]!.map((value, k) => value - factor * work[c]![k]!);
    }
  }
  return work.map((row) => row.slice(n));
}

const times = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * b[k]![j]!, 0)));

interface Slow {
  readonly names: string[];
  /** Utilities that sum to zero, then coefficients, then the tie parameter. */
  readonly params: number[];
  readonly covariance: number[][];
  readonly cost: number;
  readonly leftOut: string[];
}

function slowly(given: readonly Battle[], kind: Kind, options: LeaderboardOptions, covariates: number): Slow {
  let rows = [...given];
  const leftOut: string[] = [];
  for (;;) {
    const counts = new Map<string, number>();
    for (const { first, second, count = 1 } of rows)
      for (const name of [first, second]) counts.set(name, (counts.get(name) ?? 0) + count);
    const rare = [...counts].filter(([, count]) => count < (options.minBattles ?? 0)).map(([name]) => name);
    if (rare.length === 0) break;
    leftOut.push(...rare);
    rows = rows.filter(({ first, second }) => !rare.includes(first) && !rare.includes(second));
  }
  const names = [...new Set(rows.flatMap(({ first, second }) => [first, second]))];
  const ghost = options.ghost ?? 0;
  const n = names.length + (ghost > 0 ? 1 : 0);
  const learned = (kind === "davidson" || kind === "rao-kupper") && rows.some(({ winner }) => winner === "tie");
  const size = n + covariates + (learned ? 1 : 0);
  const design = (up: number, down: number, x: readonly number[]) => {
    const vector = Array.from({ length: n + covariates }, () => 0);
    vector[up] = 1;
    vector[down] = -1;
    x.forEach((value, c) => void (vector[n + c] = value));
    return vector;
  };
  const table: Row[] = rows.map(({ first, second, winner, count = 1, weight = 1, cluster = "", covariates: x = [] }) => {
    const vector = design(names.indexOf(first), names.indexOf(second), x);
    const own = winner === "second" ? vector.map((value) => -value) : vector;
    return { design: own, tie: winner === "tie", times: count, weight, cluster, ghost: false };
  });
  if (ghost > 0)
    names.forEach((_, i) => {
      for (const [up, down] of [[i, n - 1], [n - 1, i]] as const) // biome-ignore format: one line
        table.push({ design: design(up, down, []), tie: false, times: ghost, weight: 1, cluster: "", ghost: true });
    });
  const NONE = -40; // the tie parameter where there are no ties
  const at = (params: readonly number[], row: Row) =>
    [row.design.reduce((sum, value, k) => sum + value * params[k]!, 0), learned ? params[size - 1]! : NONE] as const;
  const gradientOf = (row: Row, params: readonly number[]) => {
    const { byMargin, byTie } = derivatives(kind, row, ...at(params, row));
    return [...row.design.map((value) => value * byMargin), ...(learned ? [byTie] : [])];
  };
  const informationAt = (params: readonly number[]) => {
    const information = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
    for (const row of table) {
      const { second } = derivatives(kind, row, ...at(params, row));
      const both = [row.design.concat(learned ? [0] : []), row.design.map(() => 0).concat(learned ? [1] : [])];
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++)
          for (const a of [0, 1]) for (const b of [0, 1]) information[i]![j]! += row.times * row.weight * second[a]![b]! * both[a]![i]! * both[b]![j]!; // biome-ignore format: one line
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) information[i]![j]! += 1; // a common shift is free
    return information;
  };
  let params = Array.from({ length: size }, () => 0);
  const total = (p: readonly number[], own = false) =>
    table.reduce((sum, row) => sum + (own && row.ghost ? 0 : row.times * row.weight * costOf(kind, row.tie, ...at(p, row))), 0);
  for (let round = 0; round < 40; round++) {
    const gradient = Array.from({ length: size }, () => 0);
    for (const row of table) gradientOf(row, params).forEach((value, i) => void (gradient[i]! += row.times * row.weight * value));
    if (Math.max(...gradient.map(Math.abs)) < 1e-9) break;
    const step = times(inverted(informationAt(params)), gradient.map((value) => [value])).map(([value]) => value!); // biome-ignore format: one line
    let length = 1;
    const moved = () => params.map((value, i) => value - length * step[i]!);
    while (length > 1e-6 && !(total(moved()) <= total(params) + 1e-9)) length /= 2;
    params = moved();
  }
  const bread = inverted(informationAt(params));
  let all = bread;
  if (options.errors !== "information") {
    const sums = new Map<string, { sum: number[]; times: number }>();
    table.forEach((row, r) => {
      if (row.ghost) return; // a prior is no observation
      const clustered = options.errors === "clustered";
      const key = clustered ? row.cluster : String(r);
      const own = gradientOf(row, params).map((value) => value * row.weight * (clustered ? row.times : 1));
      const before = sums.get(key);
      sums.set(
        key,
        before ? { ...before, sum: before.sum.map((v, i) => v + own[i]!) } : { sum: own, times: clustered ? 1 : row.times },
      );
    });
    const factor = options.errors === "clustered" ? sums.size / (sums.size - 1) : 1;
    const middle = params.map((_, i) =>
      params.map((_, j) => factor * [...sums.values()].reduce((s, one) => s + one.times * one.sum[i]! * one.sum[j]!, 0)),
    );
    all = times(times(bread, middle), bread);
  }
  // Utilities relative to the mean of the items, without the ghost.
  const project = params.map((_, i) =>
    params.map((_, j) => (i === j ? 1 : 0) - (i < names.length && j < names.length ? 1 / names.length : 0)),
  );
  return {
    names,
    params: times(project, params.map((value) => [value])).map(([value]) => value!), // biome-ignore format: one line
    covariance: times(times(project, all), project),
    cost: total(params, true),
    leftOut,
  };
}

interface Case {
  readonly rows: Battle[];
  readonly kind: Kind;
  readonly options: LeaderboardOptions;
  readonly covariates: string[];
}

function draw(seed: number): Case {
  const r = random(seed, 0x0a1c);
  const pick = <T>(...from: readonly T[]) => from[below(r, from.length)]!;
  const [n, kind] = [2 + below(r, 5), pick<Kind>("bt", "half", "davidson", "rao-kupper")];
  const covariates = pick([], [], ["x"], ["x", "y"]);
  const ties = r() < 0.7 ? 0.3 : 0;
  const [weighted, counted] = [r() < 0.4, r() < 0.4];
  const rows = Array.from({ length: 30 * n }, (): Battle => {
    const i = below(r, n);
    const x = covariates.map(() => Math.round(40 * r() - 20) / 10);
    const winner = r() < ties ? "tie" : r() < 0.5 + 0.06 * ((x[0] ?? 0) + 1 - i / 2) ? "first" : "second";
    return {
      ...{ first: `i${i}`, second: `i${(i + 1 + below(r, n - 1)) % n}`, winner, cluster: `c${below(r, 12)}` },
      slice: pick("p", "q"),
      ...(weighted && { weight: pick(0.5, 1, 2) }),
      ...(counted && { count: 1 + below(r, 3) }),
      ...(covariates.length > 0 && { covariates: x }),
    };
  });
  if (r() < 0.3) rows.push({ ...rows[0]!, first: "rare", second: "i0", winner: "first" });
  const scale = pick("log", "elo");
  const options: LeaderboardOptions = {
    objective: { bt: rankNet(), half: rankNet({ ties: "half" }), davidson: davidson(), "rao-kupper": raoKupper() }[kind],
    ...{ errors: pick("information", "robust", "clustered"), minBattles: 5, scale, seed },
    ...(r() < 0.4 && { ghost: pick(0.25, 1) }),
    ...(r() < 0.5 && { level: pick(0.8, 0.9, 0.99) }),
    ...(r() < 0.5 && { anchor: pick(-3, 0, 1200) }),
    ...(r() < 0.4 && { anchorItem: "i1" }),
  };
  return { rows, kind, options, covariates };
}

const Z = { 0.8: 1.2815515655446004, 0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004 };

function compare(board: Leaderboard, slow: Slow, { options, covariates }: Case): void {
  const close = (a: number, b: number, what: string) =>
    expect(Math.abs(a - b), what).toBeLessThan(2e-6 * Math.max(1, Math.abs(b)));
  const factor = options.scale === "elo" ? 400 / Math.LN10 : 1;
  const base = options.anchor ?? (options.scale === "elo" ? 1000 : 0);
  const z = Z[(options.level ?? 0.95) as keyof typeof Z];
  const zero = options.anchorItem === undefined ? -1 : slow.names.indexOf(options.anchorItem);
  expect(board.items.map(({ name }) => name).sort()).toEqual([...slow.names].sort());
  expect([...board.leftOut].sort()).toEqual([...slow.leftOut].sort());
  for (const { name, rating, error, low, high } of board.items) {
    const i = slow.names.indexOf(name);
    const [c, p] = [slow.covariance, slow.params];
    const variance = zero < 0 ? c[i]![i]! : c[i]![i]! + c[zero]![zero]! - 2 * c[i]![zero]!;
    const [value, own] = [base + factor * (p[i]! - (zero < 0 ? 0 : p[zero]!)), factor * Math.sqrt(Math.max(0, variance))];
    close(rating, value, `rating of ${name}`);
    if (i !== zero) close(error, own, `error of ${name}`);
    close(low, value - z * error, `low of ${name}`);
    close(high, value + z * error, `high of ${name}`);
  }
  const others = slow.params.length - covariates.length - board.auxiliary.length;
  [...board.covariates, ...board.auxiliary].forEach(({ name, value, error }, e) => {
    close(value, slow.params[others + e]!, name);
    close(error, Math.sqrt(slow.covariance[others + e]![others + e]!), `error of ${name}`);
  });
  close(board.cost, slow.cost, "cost");
}

describe("random options against the slow twin", () => {
  it.each(Array.from({ length: 8 }, (_, block) => [block]))("block %i", (block) => {
    for (let seed = 6 * block + 1; seed <= 6 * block + 6; seed++) {
      const one = draw(seed);
      const data = battles(one.rows, { covariates: one.covariates });
      compare(leaderboard(data, one.options), slowly(one.rows, one.kind, one.options, one.covariates.length), one);
    }
  });

  it("slices: each is the twin's, and so is the likelihood ratio", () => {
    for (let seed = 101; seed <= 106; seed++) {
      const drawn = draw(seed);
      const { ghost: _, minBattles: __, ...options } = drawn.options;
      const one = {
        ...drawn,
        rows: drawn.rows.map(({ weight: _, ...row }) => row).filter(({ first }) => first !== "rare"),
        options,
      };
      const { slices, pooled, test } = leaderboardBySlice(battles(one.rows, { covariates: one.covariates }), options);
      const twins = slices.map(({ name, board }) => {
        const rows = one.rows.filter(({ slice }) => slice === name);
        const slow = slowly(rows, one.kind, options, one.covariates.length);
        compare(board, slow, { ...one, rows });
        return slow;
      });
      const whole = slowly(one.rows, one.kind, options, one.covariates.length);
      compare(pooled, whole, one);
      expect(test === undefined).toBe(one.kind === "half");
      if (test) expect(test.statistic).toBeCloseTo(2 * (whole.cost - twins.reduce((sum, { cost }) => sum + cost, 0)), 5);
    }
  });
});
