/** What is simulated, by the definitions in the head of simulate.ts. */
import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { simulateClicks } from "./simulate.ts";

/** Three lists, of 4, 2 and 3 documents, with the names of their places. */
const labels = [[0, 2, 1, 0], [1, 0], [0, 0, 0]]; // biome-ignore format: lists
const data = build(
  labels.flatMap((list, q) => list.map((label, i) => ({ list: `q${q}`, id: `${q}${i}`, label, features: [0] }))),
);
const scores = Float64Array.of(0.1, 0.4, 0.2, 0.3, -1, 2, 5, 7, 6);
const best = [[1, 3, 2, 0], [5, 4], [7, 8, 6]]; // biome-ignore format: items of the data, by score

/** The pages of a log, as items of the data, with their clicks. */
function pagesOf({ log }: ReturnType<typeof simulateClicks>) {
  return Array.from({ length: log.starts.length - 1 }, (_, i) => {
    const [from, to] = [log.starts[i]!, log.starts[i + 1]!];
    return {
      query: log.query[i]!,
      shown: [...log.document.subarray(from, to)],
      places: [...log.position.subarray(from, to)],
      clicked: [...log.clicked.subarray(from, to)],
    };
  });
}

const share = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;
/** A share of n is within four standard errors of its probability. */
function expectShare(values: readonly boolean[], p: number) {
  expect(values.length).toBeGreaterThan(100);
  expect(Math.abs(share(values) - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / values.length) + 1e-9);
}

describe("simulated pages", () => {
  it("without a temperature show the documents of a list by score, cut at the depth", () => {
    for (const depth of [1, 2, 3, 10]) {
      const pages = pagesOf(simulateClicks(data, scores, { impressions: 300, temperature: 0, depth }));
      for (const { query, shown, places } of pages) {
        expect(shown).toEqual(best[query]!.slice(0, depth));
        expect(places).toEqual([...shown.keys()]);
      }
      for (const q of [0, 1, 2]) expectShare(pages.map(({ query }) => query === q), 1 / 3); // biome-ignore format: one line
    }
  });

  it("with a temperature are drawn by Plackett and Luce: each place goes to one of the rest by its share of e^(score / temperature)", () => {
    for (const temperature of [0.2, 1, 3]) {
      const pages = pagesOf(simulateClicks(data, scores, { impressions: 6000, temperature, seed: 4 }));
      const weight = (i: number) => Math.exp(scores[i]! / temperature);
      for (const items of [
        [0, 1, 2, 3],
        [4, 5],
        [6, 7, 8],
      ]) {
        // biome-ignore format: lists
        const own = pages.filter(({ shown }) => items.includes(shown[0]!));
        const all = items.reduce((sum, i) => sum + weight(i), 0);
        for (const i of items) expectShare(own.map(({ shown }) => shown[0] === i), weight(i) / all); // biome-ignore format: one line
        const [first, second] = items as [number, number];
        const then = own.filter(({ shown }) => shown[0] === first);
        if (then.length > 100) expectShare(then.map(({ shown }) => shown[1] === second), weight(second) / (all - weight(first))); // biome-ignore format: one line
      }
    }
  });
});

describe("simulated clicks", () => {
  // With noise 0.2 and the highest label 2: labels 0, 1 and 2 attract 0.2, 0.2 + 0.8 / 3 and 1.
  const attraction = [0.2, 1, 0.2 + 0.8 / 3, 0.2, 0.2 + 0.8 / 3, 0.2, 0.2, 0.2, 0.2];

  it("by position have the chance 1 / place^strength times that of the document", () => {
    const found = simulateClicks(data, scores, { impressions: 9000, noise: 0.2, strength: 0.7, temperature: 0.5, seed: 2 });
    for (const [i, value] of attraction.entries()) expect(found.attraction[i]).toBeCloseTo(value, 12);
    for (const [k, value] of found.examination.entries()) expect(value).toBeCloseTo((k + 1) ** -0.7, 12);
    const pages = pagesOf(found);
    for (const item of attraction.keys())
      for (let k = 0; k < 4; k++) {
        const clicks = pages.flatMap(({ shown, clicked }) => (shown[k] === item ? [clicked[k] === 1] : []));
        if (clicks.length > 100) expectShare(clicks, attraction[item]! * (k + 1) ** -0.7);
      }
  });

  it("from the top on need every step before them", () => {
    const [proceed, afterClick] = [0.8, 0.3];
    const how = { model: "cascade", noise: 0.2, temperature: 0, proceed, afterClick, seed: 3 } as const;
    const found = simulateClicks(data, scores, { impressions: 12_000, ...how });
    const pages = pagesOf(found);
    const seen: number[][] = [[], [], [], []];
    for (const [q, items] of best.entries()) {
      let chance = 1;
      for (const [k, item] of items.entries()) {
        seen[k]!.push(chance);
        const own = pages.filter(({ query }) => query === q);
        expectShare(own.map(({ clicked }) => clicked[k] === 1), chance * attraction[item]!); // biome-ignore format: one line
        chance *= attraction[item]! * afterClick + (1 - attraction[item]!) * proceed;
      }
    }
    // The mean chance of a place over the pages that have it; the three lists are drawn alike.
    for (const [k, chances] of seen.entries())
      expect(found.examination[k]).toBeCloseTo(chances.reduce((sum, one) => sum + one, 0) / chances.length, 1);
  });

  it("without noise never hit a document of label 0, and lists of label 0 alone attract by noise", () => {
    const { log, attraction: found } = simulateClicks(data, scores, { impressions: 2000, noise: 0, strength: 0 });
    expect([...found]).toEqual([0, 1, 1 / 3, 0, 1 / 3, 0, 0, 0, 0].map((value) => expect.closeTo(value, 14)));
    for (let e = 0; e < log.document.length; e++) if (data.labels[log.document[e]!] === 0) expect(log.clicked[e]).toBe(0);
    for (let e = 0; e < log.document.length; e++) if (data.labels[log.document[e]!] === 2) expect(log.clicked[e]).toBe(1);
    const none = build([0, 1].map((i) => ({ list: "q", id: String(i), label: 0, features: [0] })));
    expect([...simulateClicks(none, Float64Array.of(1, 2), { impressions: 5, noise: 0.3 }).attraction]).toEqual([0.3, 0.3]);
  });
});
