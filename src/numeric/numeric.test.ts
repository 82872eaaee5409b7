import { describe, expect, it } from "vitest";
import { exp, exp2, expm1, log, log1p, logAdd, logistic, logSumExp, softplus } from "./functions.ts";
import { descending } from "./order.ts";
import { random, shuffle } from "./random.ts";

const close = (ours: number, theirs: number) => ours === theirs || Math.abs(ours - theirs) <= 4.5e-16 * Math.abs(theirs) + 1e-323;

describe("our own functions agree with the engine's to two units in the last place", () => {
  const draw = random(7);
  const spread = Array.from({ length: 20000 }, (_, i) => (draw() - 0.5) * 10 ** ((i % 22) - 18));
  const edges = [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    709.7,
    709.78,
    -708,
    -745,
    -720.5,
    1e-300,
    -1e-300,
    5e-324,
    710,
    -746,
    Infinity,
    -Infinity,
  ];
  for (const [name, ours, theirs] of [
    ["exp", exp, Math.exp],
    ["expm1", expm1, Math.expm1],
    ["log", (x: number) => log(Math.abs(x)), (x: number) => Math.log(Math.abs(x))],
    ["log1p", (x: number) => log1p(Math.abs(x)), (x: number) => Math.log1p(Math.abs(x))],
  ] as const) {
    it(name, () => {
      for (const x of [...spread, ...edges])
        if (!close(ours(x), theirs(x))) expect.fail(`${name}(${x}) = ${ours(x)}, engine ${theirs(x)}`);
    });
  }
  it("log1p below zero", () => {
    for (let x = -0.999; x < 0; x += 0.0007) expect(close(log1p(x), Math.log1p(x))).toBe(true);
    expect(log1p(-1)).toBe(-Infinity);
  });
  it("NaN passes through", () => {
    for (const f of [exp, expm1, log, log1p]) expect(f(Number.NaN)).toBeNaN();
  });
  it("powers of two are exact", () => {
    for (let x = -1021; x < 1024; x++) expect(exp2(x)).toBe(2 ** x);
  });
});

describe("log sums", () => {
  it("stay finite far from zero", () => {
    expect(logSumExp(Float64Array.of(1000, 1000))).toBeCloseTo(1000 + Math.LN2, 12);
    expect(logSumExp(Float64Array.of(-1000, -1001))).toBeCloseTo(-1000 + Math.log1p(Math.exp(-1)), 12);
    expect(logSumExp(new Float64Array(0))).toBe(-Infinity);
  });
  it("two at a time agree with all at once", () => {
    expect(logAdd(-Infinity, 3)).toBe(3);
    expect(logAdd(-Infinity, -Infinity)).toBe(-Infinity);
    expect(logAdd(2, 5)).toBeCloseTo(logSumExp(Float64Array.of(2, 5)), 14);
  });
  it("logistic is the slope of softplus", () => {
    for (const x of [-800, -20, -1, 0, 1, 20, 800]) {
      expect(Number.isFinite(softplus(x))).toBe(true);
      expect((softplus(x + 1e-6) - softplus(x - 1e-6)) / 2e-6).toBeCloseTo(logistic(x), 6);
    }
  });
});

describe("order", () => {
  it("ties keep their position, in short lists and long ones", () => {
    expect([...descending(Float64Array.of(1, 3, 3, 2, 3))]).toEqual([1, 2, 4, 3, 0]);
    const long = Float64Array.from({ length: 500 }, (_, i) => i % 7);
    const places = descending(long);
    for (let i = 1; i < 500; i++) {
      const [a, b] = [places[i - 1]!, places[i]!];
      expect(long[a]! > long[b]! || (long[a] === long[b] && a < b)).toBe(true);
    }
  });
});

describe("random", () => {
  it("the same keys give the same numbers, other keys others", () => {
    expect(random(1, 2)()).toBe(random(1, 2)());
    const firsts = [random(1, 2)(), random(2, 1)(), random(1)(), random(1, 2, 0)(), random(2 ** 40)(), random(0)()];
    expect(new Set(firsts).size).toBe(firsts.length);
  });
  it("the numbers of an implementation in Python, also of keys beyond 32 bits", () => {
    const three = (...keys: number[]) => Array.from({ length: 3 }, random(...keys));
    expect(three()).toEqual([0.8693487869084355, 0.6502531103978171, 0.005756610596520884]);
    expect(three(1)).toEqual([0.8231791022783157, 0.9621211524218226, 0.7275201690364317]);
    expect(three(2 ** 40 + 3)).toEqual([0.26065809076576574, 0.5488493232118973, 0.8418823386683043]);
    expect(three(123456789, 0, 7)).toEqual([0.872730567022794, 0.014087661325396739, 0.4341388280931995]);
  });
  it("is uniform: mean and variance of 100,000 draws within four standard errors", () => {
    const draw = random(3);
    let sum = 0;
    let squares = 0;
    const n = 100_000;
    for (let i = 0; i < n; i++) {
      const u = draw();
      sum += u;
      squares += u * u;
    }
    expect(Math.abs(sum / n - 1 / 2)).toBeLessThan(4 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(squares / n - 1 / 3)).toBeLessThan(4 * Math.sqrt(4 / 45 / n));
  });
  it("shuffling keeps the elements", () => {
    expect([...shuffle(Uint32Array.of(1, 2, 3, 4, 5), random(9))].sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
