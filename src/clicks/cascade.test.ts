import { expect, it } from "vitest";
import { below, random } from "../numeric/random.ts";
import { cascade } from "./cascade.ts";
import { type ClickLog, clickLog } from "./click-log.ts";
import { exposuresOf } from "./exposures.ts";

/** Pages of up to five of six documents of three queries, in any order, with clicks that fall with the position. */
function drawn(seed: number, impressions: number): ClickLog {
  const draw = random(seed, 0xca5c);
  return clickLog(
    Array.from({ length: impressions }, (_, impression) => {
      const query = below(draw, 3);
      const keys = Array.from({ length: 6 }, () => draw());
      const documents = [0, 1, 2, 3, 4, 5].sort((a, b) => keys[a]! - keys[b]!).slice(0, 2 + below(draw, 4));
      return documents.map((document, at) => {
        const clicked = draw() < (0.2 + 0.1 * document) * 0.8 ** at;
        return { query, document, position: at + 1, clicked, impression };
      });
    }).flat(),
  );
}

interface Page {
  readonly relevance: readonly number[];
  readonly clicked: readonly boolean[];
}

/** By the number of documents that were read, from 1 to all: the probability of that and of the clicks. */
function byDepth({ relevance, clicked }: Page, proceed: number, afterClick: number): number[] {
  const goesOn = (e: number) => (clicked[e] ? afterClick : proceed);
  return clicked.map((_, last) => {
    if (clicked.some((one, e) => one && e > last)) return 0;
    let chance = last + 1 < clicked.length ? 1 - goesOn(last) : 1;
    for (let e = 0; e <= last; e++) chance *= (clicked[e] ? relevance[e]! : 1 - relevance[e]!) * (e < last ? goesOn(e) : 1);
    return chance;
  });
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** The probability that each document was read, given the clicks on the page. */
function examined(page: Page, proceed: number, afterClick: number): number[] {
  const chances = byDepth(page, proceed, afterClick);
  return chances.map((_, e) => sum(chances.slice(e)) / sum(chances));
}

/** Expectation and maximization by enumerating how far each user read, until nothing changes. */
function slowCascade(log: ClickLog) {
  const { entryOf, query } = exposuresOf(log);
  const pages = Array.from(log.query, (_, i) => Array.from(entryOf.keys()).slice(log.starts[i], log.starts[i + 1]));
  const all = sum([...log.clicked]);
  let relevance = Array.from(query, () => all / entryOf.length);
  let [proceed, afterClick] = [0.9, 0.5];
  const pageOf = (entries: readonly number[]): Page => ({
    relevance: entries.map((e) => relevance[entryOf[e]!]!),
    clicked: entries.map((e) => log.clicked[e] === 1),
  });
  for (let change = 1; change > 1e-9; ) {
    const reads = pages.flatMap((entries) => examined(pageOf(entries), proceed, afterClick));
    const steps = pages.flatMap((entries) => entries.slice(0, -1)); // documents with another below
    const rate = (clicked: number) => {
      const those = steps.filter((e) => log.clicked[e] === clicked);
      return sum(those.map((e) => reads[e + 1]!)) / sum(those.map((e) => reads[e]!));
    };
    const mean = all / sum(reads);
    relevance = relevance.map((_, d) => {
      const own = reads.map((_, e) => e).filter((e) => entryOf[e] === d);
      return (sum(own.map((e) => log.clicked[e]!)) + 0.1 * mean) / (sum(own.map((e) => reads[e]!)) + 0.1);
    });
    change = Math.abs(rate(0) - proceed) + Math.abs(rate(1) - afterClick);
    [proceed, afterClick] = [rate(0), rate(1)];
  }
  // Given the clicks above alone: of the page that ends there, how likely its last document was read.
  const propensities = pages.flatMap((entries) =>
    entries.map((_, e) => {
      const above = pageOf(entries.slice(0, e + 1));
      const either = [false, true].map((last) => byDepth({ ...above, clicked: [...above.clicked.slice(0, e), last] }, proceed, afterClick));
      return sum(either.map((chances) => chances[e]!)) / sum(either.flat());
    }),
  ); // biome-ignore format: one expression
  const reads = pages.map((entries) => examined(pageOf(entries), proceed, afterClick));
  const curve = log.positions.map((_, k) => {
    const there = reads.flatMap((page) => (k < page.length ? [page[k]!] : []));
    return sum(there) / there.length;
  });
  return { proceed, afterClick, propensities, examined: curve };
}

it.each([1, 2, 3, 4])("the model of random pages is that of enumerating how far each user read (seed %s)", (seed) => {
  const log = drawn(seed, 24);
  const found = cascade(log, exposuresOf(log));
  const wanted = slowCascade(log);
  expect(found.proceed).toBeCloseTo(wanted.proceed, 3);
  expect(found.afterClick).toBeCloseTo(wanted.afterClick, 3);
  wanted.examined.forEach((one, k) => void expect(found.examined[k], `position ${k + 1}`).toBeCloseTo(one, 3));
  wanted.propensities.forEach((one, e) => void expect(found.propensities[e], `entry ${e}`).toBeCloseTo(one, 3));
});

it("a log with one click above other documents has the rate of that click", () => {
  const page = (impression: number, ...clicked: readonly number[]) =>
    clicked.map((one, at) => ({ query: 0, document: (impression + at) % 2, position: at + 1, clicked: one === 1, impression }));
  const log = clickLog([page(0, 1, 0), page(1, 0, 0), page(2, 0, 1), page(3, 0, 1)].flat());
  const found = cascade(log, exposuresOf(log));
  const wanted = slowCascade(log);
  expect(wanted.afterClick).toBeLessThan(0.9);
  expect(found.afterClick).toBeCloseTo(wanted.afterClick, 3);
  expect(found.proceed).toBeCloseTo(wanted.proceed, 3);
});
