import { describe, expect, it } from "vitest";
import { compareInterleaved, type InterleavedImpression, interleave, interleaveMethods } from "./interleave.ts";
import { parseInterleavingLog } from "./interleaving-log.ts";
import { below, random } from "./numeric/random.ts";
import type { Random } from "./types.ts";

const coins = (...heads: readonly boolean[]) => {
  let at = 0;
  return () => (heads[at++ % heads.length] ? 0.25 : 0.75);
};

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => permutations(items.filter((one) => one !== first)).map((rest) => [first, ...rest]));

const shuffled = (n: number, draw: Random) =>
  Array.from({ length: n }, (_, item) => ({ item, key: draw() }))
    .sort((x, y) => x.key - y.key)
    .map(({ item }) => item);

describe("interleave", () => {
  it("drafts teams: each picks its best item that is left, in the order of the coins", () => {
    // A first: A takes 0, B takes 2; then B first: B takes 1, A takes 3.
    const { items, credit } = interleave([0, 1, 2, 3], [2, 1, 0, 3], { random: coins(true, false) });
    expect(Array.from(items)).toEqual([0, 2, 1, 3]);
    expect(Array.from(credit)).toEqual([1, 0, 0, 1]);
  });

  it.each(interleaveMethods)("%s shows each item once, and gives half the credit to equal rankings on average", (method) => {
    const draw = random(3);
    let [sum, places] = [0, 0];
    for (let time = 0; time < 2000; time++) {
      const { items, credit } = interleave([0, 1, 2, 3, 4], [0, 1, 2, 3, 4], { method, random: draw, top: 3 });
      expect(new Set(items).size).toBe(3);
      for (const one of credit) {
        sum += one;
        places++;
      }
    }
    expect(Math.abs(sum / places - 0.5)).toBeLessThan(0.03); // more than 4 standard errors of 6,000 coins
  });

  it("draws first places as the definition says", () => {
    // P(item 0 first) = (P_A + P_B) / 2 with weights 1, 1/8, 1/27 by rank: A ranks it first, B last.
    const weights = [1, 1 / 8, 1 / 27];
    const total = weights.reduce((a, b) => a + b);
    const draw = random(5);
    let [first, credit] = [0, Number.NaN];
    const times = 20_000;
    for (let time = 0; time < times; time++) {
      const shown = interleave([0, 1, 2], [2, 1, 0], { method: "probabilistic", random: draw, top: 1 });
      if (shown.items[0] !== 0) continue;
      first++;
      credit = shown.credit[0]!;
    }
    const p = (weights[0]! + weights[2]!) / total / 2;
    expect(Math.abs(first / times - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / times));
    expect(credit).toBeCloseTo(weights[0]! / (weights[0]! + weights[2]!), 12);
  });

  it("team-draft shows what teams pick by turns, for random rankings and all coins", () => {
    const draw = random(11);
    for (let time = 0; time < 40; time++) {
      const n = 1 + below(draw, 6);
      const [a, b, top] = [shuffled(n, draw), shuffled(n, draw), 1 + below(draw, n)];
      for (let bits = 0; bits < 8; bits++) {
        const heads = [0, 1, 2].map((c) => ((bits >> c) & 1) === 1);
        const picks: [item: number, byA: number][] = [];
        for (let round = 0; picks.length < top; round++)
          for (const byA of heads[round] ? [true, false] : [false, true]) {
            const item = (byA ? a : b).find((one) => !picks.some(([taken]) => taken === one));
            if (item !== undefined && picks.length < top) picks.push([item, byA ? 1 : 0]);
          }
        const { items, credit } = interleave(a, b, { random: coins(...heads), top });
        expect([...items]).toEqual(picks.map(([item]) => item));
        expect([...credit]).toEqual(picks.map(([, byA]) => byA));
      }
    }
  });

  it("probabilistic shows each ranking as often as the definition says, with Bayes' credit", () => {
    const draw = random(12);
    const [a, b, times] = [[0, 1, 2, 3], [3, 0, 2, 1], 20_000]; // biome-ignore format: two rankings
    const chanceOf = (order: readonly number[], left: readonly number[], item: number) => {
      const weight = (one: number) => 1 / (order.indexOf(one) + 1) ** 3;
      return weight(item) / left.reduce((sum, one) => sum + weight(one), 0);
    };
    const seen = new Map<string, { count: number; credit: readonly number[] }>();
    for (let time = 0; time < times; time++) {
      const { items, credit } = interleave(a, b, { method: "probabilistic", random: draw });
      const before = seen.get(items.join());
      if (before) expect([...credit]).toEqual(before.credit);
      seen.set(items.join(), { count: (before?.count ?? 0) + 1, credit: [...credit] });
    }
    let sum = 0;
    for (const order of permutations([0, 1, 2, 3])) {
      let p = 1;
      const credit = order.map((item, place) => {
        const [byA, byB] = [a, b].map((ranking) => chanceOf(ranking, order.slice(place), item));
        p *= (byA! + byB!) / 2;
        return byA! / (byA! + byB!);
      });
      sum += p;
      const found = seen.get(order.join());
      expect(Math.abs((found?.count ?? 0) / times - p)).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / times) + 1 / times);
      found?.credit.forEach((one, place) => void expect(one).toBeCloseTo(credit[place]!, 12));
    }
    expect(sum).toBeCloseTo(1, 12);
  });

  it.each([
    [[[0, 0], [0, 1], { random: Math.random }], /the ranking of A should have each of the items/],
    [[[0, 1], [0], { random: Math.random }], /rankings of the same items, got 2 and 1/],
    [["x", [0], { random: Math.random }], /the ranking of A: expected an array/],
    [[[0], [0], {}], /random/],
    [[[0], [0], { random: Math.random, method: "x" }], /option method/],
    [[[0], [0], { random: Math.random, top: 0 }], /option top/],
  ])("refuses %j", (words, message) => {
    expect(() => interleave(...(words as unknown as Parameters<typeof interleave>))).toThrow(message);
  });
});

/** Impressions of users who click each item shown with a probability that depends on the item. */
function simulate(
  method: "team-draft" | "probabilistic",
  a: number[],
  b: number[],
  click: readonly number[],
  times: number,
  seed: number,
) {
  const draw = random(seed);
  return Array.from({ length: times }, (): InterleavedImpression => {
    const { items, credit } = interleave(a, b, { method, random: draw, top: 4 });
    return { credit, clicks: Array.from(items.keys()).filter((place) => draw() < click[items[place]!]!) };
  });
}

describe("compareInterleaved", () => {
  const [best, worst] = [
    [0, 1, 2, 3, 4, 5],
    [5, 4, 3, 2, 1, 0],
  ];
  it.each(interleaveMethods)("%s finds the better model, and by about as much the other way round", (method) => {
    const click = [0.5, 0.4, 0.3, 0.2, 0.1, 0.05];
    const one = compareInterleaved(simulate(method, best!, worst!, click, 400, 1));
    const other = compareInterleaved(simulate(method, worst!, best!, click, 400, 1));
    expect(one.preference.low).toBeGreaterThan(0);
    expect(one.test.p).toBeLessThan(0.001);
    expect(other.preference.high).toBeLessThan(0);
    expect(Math.abs(one.preference.mean + other.preference.mean)).toBeLessThan(0.2);
    expect(one.wins.a + one.wins.ties + one.wins.b).toBe(one.clicked);
  });

  it.each(interleaveMethods)("%s rejects no more than it should where clicks do not depend on the models", (method) => {
    const click = [0.3, 0.3, 0.3, 0.3, 0.3, 0.3];
    const times = 60;
    let [rejected, covered] = [0, 0];
    for (let time = 0; time < times; time++) {
      const { test, preference } = compareInterleaved(simulate(method, best!, [3, 1, 5, 0, 2, 4], click, 60, 100 + time), {
        seed: time,
      });
      if (test.p < 0.05) rejected++;
      if (preference.low <= 0 && preference.high >= 0) covered++;
    }
    expect(rejected).toBeLessThanOrEqual(9); // P(more than 9 of 60 at 5 %) is below 0.001
    expect(covered).toBeGreaterThanOrEqual(48); // the same for intervals that cover 93 %
  });

  it("counts outcomes as enumerated by hand", () => {
    const found = compareInterleaved([
      { credit: [1, 0, 1], clicks: [0, 2, 2] }, // A
      { credit: [1, 0], clicks: [0, 1] }, // a tie
      { credit: [1, 0], clicks: [] }, // says nothing
      { credit: [0.75, 0.5], clicks: [0, 1] }, // P(two for A) - P(two for B) = 0.375 - 0.125
    ]);
    expect(found).toMatchObject({ impressions: 4, clicked: 3, wins: { a: 2, ties: 1, b: 0 } });
    expect(found.preference.mean).toBeCloseTo((1 + 0 + 0.25) / 3, 12);
  });

  it("is the mean over all who may have contributed what was clicked, for random credit", () => {
    const draw = random(13);
    for (let time = 0; time < 100; time++) {
      const credit = Array.from({ length: 1 + below(draw, 7) }, () => [0, 1, 0.5, draw()][below(draw, 4)]!);
      const clicks = Array.from({ length: 1 + below(draw, 6) }, () => below(draw, credit.length));
      const places = [...new Set(clicks)];
      let mean = 0;
      for (let owners = 0; owners < 1 << places.length; owners++) {
        let [p, lead] = [1, 0];
        places.forEach((place, i) => {
          const byA = ((owners >> i) & 1) === 1;
          p *= byA ? credit[place]! : 1 - credit[place]!;
          lead += byA ? 1 : -1;
        });
        mean += p * Math.sign(lead);
      }
      expect(compareInterleaved([{ credit, clicks }]).preference.mean).toBeCloseTo(mean, 12);
    }
  });

  it("refuses clicks on places that were not shown, and wrong options", () => {
    expect(() => compareInterleaved([{ credit: [1], clicks: [1] }])).toThrow(/impression 1: there is no credit/);
    expect(() => compareInterleaved(3 as never)).toThrow(/iterable of impressions/);
    expect(() => compareInterleaved([], { level: 2 })).toThrow(/option level/);
  });
});

describe("parseInterleavingLog", () => {
  const line = (entry: object) => `${JSON.stringify(entry)}\n`;
  const shown = { impression: "1", a: "x", b: "y", items: ["p", "q"], credit: [1, 0] };
  it("joins clicks with impressions, in any order and from several files", () => {
    const log = parseInterleavingLog([
      { path: "b", text: line({ click: "q", impression: "1" }) + line({ click: "q", impression: "9" }) },
      {
        path: "a",
        text: `\n${line(shown)}${line({ ...shown, impression: "2", items: [0, 1] })}${line({ click: 0, impression: "2" })}`,
      },
    ]);
    expect(log.strayClicks).toBe(1);
    expect(log.pairs).toMatchObject([{ a: "x", b: "y", impressions: [{ clicks: [1] }, { clicks: [0] }] }]);
  });

  it("finds items by ids that are numbers, with all their digits", () => {
    const text = `{"impression":"1","a":"x","b":"y","items":["7","12345678901234567","12345678901234568"],"credit":[1,0,1]}
      {"click":12345678901234568,"impression":"1"}\n{"click":7,"impression":"1"}`;
    expect(parseInterleavingLog([{ path: "log", text }]).pairs).toMatchObject([{ impressions: [{ clicks: [2, 0] }] }]);
  });

  it.each([
    ["{", /log:1: expected a line of JSON/],
    ["3\n", /log:1: expected a JSON object/],
    [line({ click: 1 }), /expected the id of an impression/],
    [line(shown) + line(shown), /log:2: the impression "1" occurs twice/],
    [line({ ...shown, a: 1 }), /names of both models/],
    [line({ ...shown, credit: [2, 0] }), /numbers from 0 to 1/],
    [line({ ...shown, items: ["p"] }), /a list of 2/],
    [line(shown) + line({ click: "z", impression: "1" }), /log:2: the item "z" is not among/],
  ])("refuses %j", (text, message) => {
    expect(() => parseInterleavingLog([{ path: "log", text }])).toThrow(message);
  });
});
