/**
 * Every metric keeps the laws of testing/metric-laws.ts, and those here of the options that all metrics share. Each has its definition written
 * down for one order of labels, without regard to ties or speed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runLaw } from "../testing/laws.ts";
import { metricClaims, metricLaws } from "../testing/metric-laws.ts";
import { kendall, metric, metricList, metrics, spearman } from "./index.ts";

/** Labels from the top place to the last, and the first k places that count. */
type Twin = (placed: readonly number[]) => number;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const exponential = (label: number) => (label > 0 ? 2 ** label - 1 : 0);
const linear = (label: number) => Math.max(0, label);
const log2 = (rank: number) => 1 / Math.log2(1 + rank);
const letor = (rank: number) => (rank < 2 ? 1 : 1 / Math.log2(rank));
const down = (placed: readonly number[]) => [...placed].sort((a, b) => b - a);

const dcgTwin =
  (k: number, gain = exponential, discount = log2) =>
  (placed: readonly number[]) =>
    sum(placed.slice(0, k).map((label, i) => gain(label) * discount(i + 1)));
const ndcgTwin = (k: number, gain = exponential, discount = log2): Twin => {
  const dcg = dcgTwin(k, gain, discount);
  return (placed) => dcg(placed) / dcg(down(placed)); // 0 / 0 is NaN: is undefined
};
const unlessEmpty =
  (fallback: Twin): Twin =>
  (placed) =>
    placed.some((label) => label > 0) ? fallback(placed) : Number.NaN;
const errTwin = (k: number, chance: (label: number) => number) => (placed: readonly number[]) =>
  sum(
    placed.slice(0, k).map((label, i) => {
      const reach = placed.slice(0, i).reduce((product, above) => product * (1 - chance(above)), 1);
      return (reach * chance(label)) / (i + 1);
    }),
  );
const sixteenth = (label: number) => exponential(label) / 16;

const flags = (placed: readonly number[], rel: number) => placed.map((label) => (label >= rel ? 1 : 0));
const binary =
  (rel: number, value: (hit: readonly number[], relevant: number) => number): Twin =>
  (placed) => {
    const hit = flags(placed, rel);
    return sum(hit) === 0 ? Number.NaN : value(hit, sum(hit));
  };
const precisionsAt = (hit: readonly number[], k: number) =>
  sum(hit.slice(0, k).map((one, i) => (one * sum(hit.slice(0, i + 1))) / (i + 1)));

const signs = (a: readonly number[], b: readonly number[]) => {
  let both = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++) {
      const [x, y] = [Math.sign(a[i]! - a[j]!), Math.sign(b[i]! - b[j]!)];
      both += x * y;
      first += x * x;
      second += y * y;
    }
  return second === 0 ? Number.NaN : first === 0 ? 0 : both / Math.sqrt(first * second);
};
const meanRanks = (values: readonly number[]) =>
  values.map(
    (value) => values.filter((other) => other > value).length + (values.filter((other) => other === value).length + 1) / 2,
  );
const pearson = (a: readonly number[], b: readonly number[]) => {
  const [ma, mb] = [sum(a) / a.length, sum(b) / b.length];
  const [va, vb] = [sum(a.map((x) => (x - ma) ** 2)), sum(b.map((y) => (y - mb) ** 2))];
  return !(vb > 0) ? Number.NaN : va === 0 ? 0 : sum(a.map((x, i) => (x - ma) * (b[i]! - mb))) / Math.sqrt(va * vb);
};
const fromTop = (placed: readonly number[]) => placed.map((_, i) => -i);

// Metrics of propensities: every item relevant in 9 of 100 lists, A 0.55 and B 1.5, so that each is worth the same.
const seldom = { lists: 100, count: 9 };
const worth = 1 + (Math.log(100) - 1) * 2.5 ** 0.55 * 10.5 ** -0.55;

interface Case {
  readonly text: string;
  readonly twin: Twin;
  readonly least?: number; // -1 for correlations, whose tied scores have a definition and a test of their own
  readonly most?: number; // what the ideal order of any list reaches, where that is always the same
  readonly ceiling?: number;
  readonly byLabel?: true; // a higher label may stand in the way of a better value, so best and worst go by label alone
  readonly label?: (label: number) => number; // brings labels into the range that the metric takes
}

const cases: readonly Case[] = [
  { text: "ndcg", twin: ndcgTwin(Infinity), most: 1 },
  { text: "ndcg@1", twin: ndcgTwin(1), most: 1 },
  { text: "ndcg@3", twin: ndcgTwin(3), most: 1 },
  { text: "ndcg@10", twin: ndcgTwin(10), most: 1 },
  { text: "ndcg@4;gain=lin", twin: ndcgTwin(4, linear), most: 1 },
  {
    text: "ndcg@4;short=0",
    twin: (placed) => (placed.length < 4 && placed.some((label) => label > 0) ? 0 : ndcgTwin(4)(placed)),
  },
  { text: "ndcg@4;discount=letor", twin: ndcgTwin(4, exponential, letor), most: 1 },
  { text: "ndcg;gain=lin;discount=place", twin: ndcgTwin(Infinity, linear, (rank) => 1 / rank), most: 1 },
  { text: "dcg@2", twin: unlessEmpty(dcgTwin(2)), ceiling: Infinity },
  { text: "dcg;gain=lin", twin: unlessEmpty(dcgTwin(Infinity, linear)), ceiling: Infinity },
  { text: "err", twin: unlessEmpty(errTwin(Infinity, sixteenth)) },
  { text: "err@3", twin: unlessEmpty(errTwin(3, sixteenth)) },
  { text: "err@2;gmax=6.5", twin: unlessEmpty(errTwin(2, (label) => exponential(label) / 2 ** 6.5)) },
  { text: "err;stop=label", twin: unlessEmpty(errTwin(Infinity, linear)), label: (label) => Math.min(1, label / 3) },
  {
    text: "err@3;norm=true",
    twin: (placed) => errTwin(3, sixteenth)(placed) / errTwin(3, sixteenth)(down(placed)),
    most: 1,
  },
  { text: "map", twin: binary(1, (hit, relevant) => precisionsAt(hit, Infinity) / relevant), most: 1 },
  { text: "map@3", twin: binary(1, (hit, relevant) => precisionsAt(hit, 3) / Math.min(3, relevant)), most: 1 },
  { text: "map@3;rel=2;divisor=all", twin: binary(2, (hit, relevant) => precisionsAt(hit, 3) / relevant) },
  {
    text: "map@3;divisor=found",
    twin: binary(1, (hit) => precisionsAt(hit, 3) / Math.max(1, sum(hit.slice(0, 3)))),
    byLabel: true,
  },
  { text: "mrr", twin: binary(1, (hit) => 1 / (hit.indexOf(1) + 1)), most: 1 },
  {
    text: "mrr@2;first=best",
    twin: unlessEmpty((placed) => (placed.indexOf(Math.max(...placed)) < 2 ? 1 / (placed.indexOf(Math.max(...placed)) + 1) : 0)),
    most: 1,
  },
  { text: "mrr@2", twin: binary(1, (hit) => (hit.indexOf(1) < 2 ? 1 / (hit.indexOf(1) + 1) : 0)), most: 1 },
  { text: "precision", twin: binary(1, (hit) => sum(hit) / hit.length) },
  { text: "precision@3", twin: binary(1, (hit) => sum(hit.slice(0, 3)) / 3) },
  {
    text: "precision@4;rel=0.5;divisor=min",
    twin: binary(0.5, (hit) => sum(hit.slice(0, 4)) / Math.min(4, hit.length)),
  },
  { text: "recall@2", twin: binary(1, (hit, relevant) => sum(hit.slice(0, 2)) / relevant) },
  { text: "recall@2;divisor=min", twin: binary(1, (hit, relevant) => sum(hit.slice(0, 2)) / Math.min(2, relevant)), most: 1 },
  { text: "recall", twin: binary(1, () => 1), most: 1 },
  { text: "psp@3", twin: binary(1, (hit) => worth * sum(hit.slice(0, 3))), ceiling: Infinity },
  {
    text: "psndcg@3",
    twin: binary(1, (hit) => {
      const discounted = (places: readonly number[]) => sum(places.slice(0, 3).map((one, i) => one * log2(i + 1)));
      return (worth * discounted(hit)) / discounted(down(hit));
    }),
    ceiling: Infinity,
  },
  {
    text: "tier-accuracy",
    twin: (placed) =>
      new Set(placed).size < 2 ? Number.NaN : sum(placed.map((label, p) => (label === down(placed)[p] ? 1 : 0))) / placed.length,
    most: 1,
  },
  { text: "kendall", twin: (placed) => signs(fromTop(placed), placed), least: -1 },
  { text: "spearman", twin: (placed) => pearson(meanRanks(fromTop(placed)), meanRanks(placed)), least: -1 },
];

interface Item {
  readonly score: number;
  readonly label: number;
}

const LABELS = [-2, -0.5, 0, 0, 0.25, 0.5, 1, 1, 1.5, 2, 3, 4];
const label = fc.constantFrom(...LABELS);
const item = fc.record({ score: fc.constantFrom(-1, 0, 0.5, 7), label });
const short = fc.array(item, { maxLength: 6 });
const long = fc.array(fc.record({ score: fc.integer({ min: 0, max: 30 }), label }), { maxLength: 60 });

const measured = (text: string, items: readonly Item[], ids?: readonly string[]) =>
  metric(text).measure(
    Float64Array.from(items, ({ score }) => score),
    Float32Array.from(items, ({ label }) => label),
    ids,
    { lists: seldom.lists, counts: new Uint32Array(items.length).fill(seldom.count) },
  );

/** Every order that the scores allow. */
function orders(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  const top = Math.max(...items.map(({ score }) => score));
  return items.flatMap((first, i) =>
    first.score === top ? orders(items.filter((_, j) => j !== i)).map((rest) => [first, ...rest]) : [],
  );
}

function close(ours: number, theirs: number): void {
  const far = Math.abs(ours - theirs) > 1e-12 * Math.max(1, Math.abs(theirs));
  if (Number.isNaN(ours) !== Number.isNaN(theirs) || far) expect.fail(`${ours} instead of ${theirs}`);
}
const and = (text: string, option: string) => `${text};${option}`;

const adapted =
  ({ label: adapt = (label: number) => label }: Case) =>
  (items: readonly Item[]) =>
    items.map(({ score, label }) => ({ score, label: Math.fround(adapt(label)) }));

/** Metrics of the order alone; those of scores have laws in tiers.test.ts. */
const ofOrder = metrics.filter(({ fields }) => "ties" in fields);

describe("100,000 tied items, one in a hundred relevant", () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ score: 0, label: i % 100 === 0 ? 1 + (i % 3) : 0 }));
  it.each(ofOrder.map(({ id }) => id))("%s", (id) => {
    const values = ["worst", "expected", "best"].map((rule) => measured(and(id, `ties=${rule}`), items));
    for (const value of values) expect(Number.isFinite(value)).toBe(true);
    expect(values[0]).toBeLessThanOrEqual(values[1]! + 1e-12);
    expect(values[1]).toBeLessThanOrEqual(values[2]! + 1e-12);
  });
});

describe.each(cases)("$text", (one) => {
  const { text, twin: fallback, least = 0, most, ceiling = 1, label: adapt = (label: number) => label } = one;
  const fitted = adapted(one);
  const values = (items: readonly Item[]) => orders(items).map((order) => fallback(order.map(({ label }) => label)));

  const claims = metricClaims({
    range: [least, ceiling],
    // Correlations with tied scores have a definition and a test of their own.
    ...(least === 0 && { definition: fallback }),
    labels: LABELS.map((label) => Math.fround(adapt(label))),
  });
  for (const law of metricLaws)
    it.skipIf(!law.applies(metric(text), claims))(law.name, () => runLaw("metric", law, metric(text), claims));

  it.skipIf(most === undefined)("reaches the same value for every ideal order", () => {
    fc.assert(
      fc.property(long.map(fitted), (items) => {
        const ideal = measured(text, items.map(({ label }) => ({ score: label, label }))); // biome-ignore format: one call
        if (!Number.isNaN(ideal)) close(ideal, most!);
      }),
    );
  });

  it("states its text and its variant", () => {
    expect(metric(text).spec).toBe(text);
    expect(metric(text).variant.split(", ").length).toBeGreaterThanOrEqual(3);
  });

  it("has truly the best and the worst value of tied scores", () => {
    fc.assert(
      fc.property(short.map(fitted), (items) => {
        const settled = (sign: number) => [...items].sort((a, b) => b.score - a.score || sign * (b.label - a.label));
        const [high, low] = one.byLabel
          ? [settled(1), settled(-1)].map((order) => fallback(order.map(({ label }) => label)))
          : [Math.max(...values(items)), Math.min(...values(items))];
        close(measured(and(text, "ties=best"), items), high!);
        close(measured(and(text, "ties=worst"), items), low!);
      }),
    );
  });

  it("keeps tied items as they came, or by descending id, where asked to", () => {
    fc.assert(
      fc.property(long.map(fitted), (items) => {
        const stable = [...items].sort((a, b) => b.score - a.score);
        close(measured(and(text, "ties=order"), items), fallback(stable.map(({ label }) => label)));
        const ids = items.map((_, i) => `doc${100 + i}`);
        const lastFirst = [...items].reverse().sort((a, b) => b.score - a.score);
        close(measured(and(text, "ties=docno"), items, ids), fallback(lastFirst.map(({ label }) => label)));
      }),
    );
  });

  it("lies in its range, is NaN only where it is undefined, and is then what `empty` says", () => {
    fc.assert(
      fc.property(long.map(fitted), (items) => {
        const value = measured(text, items);
        const blind = Number.isNaN(fallback(items.map(({ label }) => label)));
        expect(Number.isNaN(value)).toBe(blind);
        expect(measured(and(text, "empty=0"), items)).toBe(blind ? 0 : value);
        expect(measured(and(text, "empty=1"), items)).toBe(blind ? 1 : value);
        if (!blind) expect(value >= least && value <= ceiling).toBe(true);
      }),
    );
  });

  it("takes empty lists, single items and scores without bounds", () => {
    expect(measured(text, [])).toBeNaN();
    const single = [{ score: 3, label: adapt(2) }];
    close(measured(text, single), fallback([Math.fround(adapt(2))]));
    const far = [
      { score: Infinity, label: adapt(0) },
      { score: 1e300, label: adapt(2) },
      { score: -1e300, label: adapt(1) },
    ];
    close(measured(text, far), fallback(far.map(({ label }) => Math.fround(label))));
  });

  it("refuses what is no list of scores and labels", () => {
    const one = metric(text);
    expect(() => one.measure(Float64Array.of(1), Float32Array.of(1, 0))).toThrow(/a score for each of 2 labels, got 1/);
    expect(() => one.measure(Float64Array.of(1, Number.NaN), Float32Array.of(1, 0))).toThrow(/score of item 2/);
    expect(() => one.measure(Float64Array.of(1, 2), Float32Array.of(1, Infinity))).toThrow(/finite labels, got Infinity/);
    expect(() => metric(and(text, "ties=docno")).measure(Float64Array.of(1), Float32Array.of(1))).toThrow(/needs document ids/);
  });
});

it("every metric is tested here", () => {
  expect(new Set(cases.map(({ text }) => metric(text).id))).toEqual(new Set(ofOrder.map(({ id }) => id)));
  expect(metrics.length - ofOrder.length).toBe(2);
  expect(metricList(cases.map(({ text }) => text).join(",")).map(({ spec }) => spec)).toEqual(cases.map(({ text }) => text));
});

describe("correlations with tied scores", () => {
  const columns = (items: readonly Item[]) => [items.map(({ score }) => score), items.map(({ label }) => label)] as const;
  it("kendall is tau-b over all pairs", () => {
    fc.assert(fc.property(long, (items) => close(kendall().measure(...arrays(items)), signs(...columns(items)))));
  });
  it("spearman is the correlation of mean ranks", () => {
    fc.assert(
      fc.property(long, (items) => {
        const [scores, labels] = columns(items);
        close(spearman().measure(...arrays(items)), pearson(meanRanks(scores), meanRanks(labels)));
      }),
    );
  });
});

const arrays = (items: readonly Item[]) =>
  [Float64Array.from(items, ({ score }) => score), Float32Array.from(items, ({ label }) => label)] as const;
