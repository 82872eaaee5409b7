/**
 * What value and gradient of each objective cost per list, as ratios to `softmax` in the same run, and how that grows with the list.
 *
 *   npm run bench objectives [names ...]
 *
 * Lists: typical ones of learning to rank (120 items, grades as skewed as in MSLR-WEB), and N = 1,000, 10,000 and 100,000 items of which 500 lie
 * in three upper tiers. Objectives alternate, and the best of several rounds counts, since other work on the machine can only slow one down.
 * Objectives over all pairs with ties are left out where a list would take minutes.
 */
import { random } from "../src/numeric/random.ts";
import { objective, objectives } from "../src/objectives/index.ts";
import type { Objective, Random } from "../src/types.ts";

interface Setting {
  readonly name: string;
  readonly labels: readonly Float32Array[]; // of each list
}

interface Contestant {
  readonly given: Objective;
  readonly scores: readonly Float64Array[];
  readonly gradient: Float64Array;
  repeats: number;
  spent: number; // milliseconds so far
  best: number; // microseconds per list
}

const MSLR = [0.52, 0.84, 0.97, 0.99]; // shares of grades 0, 0 to 1, ... in MSLR-WEB30K
const UPPER = [50, 150, 300]; // items in the three upper tiers
const ROUNDS = 60;
const ROUND_TIME = 0.7; // milliseconds that one run should at least take: short, so that some runs are undisturbed on a busy machine
const PATIENCE = 2_000; // milliseconds that one evaluation may take
const BUDGET = 600; // milliseconds that one objective may take in all rounds after the second

function settings(r: Random): Setting[] {
  const grade = () => {
    const at = r();
    return MSLR.filter((fraction) => at >= fraction).length;
  };
  const ltr = Array.from({ length: 20 }, () => Float32Array.from({ length: 120 }, grade));
  const long = [1e3, 1e4, 1e5].map((n) => {
    const labels = new Float32Array(n);
    let from = 0;
    UPPER.forEach((size, tier) => {
      labels.fill(UPPER.length - tier, from, from + size);
      from += size;
    });
    return { name: `N=${n}`, labels: [labels] };
  });
  return [{ name: "LTR", labels: ltr }, ...long];
}

function enter(given: Objective, { labels }: Setting, r: Random): Contestant {
  const scores = labels.map((list) => {
    const size = list.length * given.outputs;
    return Float64Array.from({ length: size + given.auxiliary.length }, (_, i) =>
      i < size ? 4 * r() - 2 : given.auxiliary[i - size]!.initial,
    );
  });
  return {
    given,
    scores,
    gradient: new Float64Array(Math.max(...scores.map(({ length }) => length))),
    repeats: 1,
    spent: 0,
    best: Infinity,
  };
}

/** One run: all lists, `repeats` times. Returns milliseconds. */
function iteration({ given, scores, gradient, repeats }: Contestant, { labels }: Setting, r: Random): number {
  const views = scores.map(({ length }) => ({ gradient: gradient.subarray(0, length) }));
  const start = performance.now();
  for (let k = 0; k < repeats; k++) labels.forEach((list, q) => void given.evaluate(scores[q]!, list, views[q]!, r));
  return performance.now() - start;
}

function race(all: readonly Objective[], setting: Setting, r: Random): Contestant[] {
  const pairs = (setting.labels[0]!.length ** 2 / 2) * 1e-4; // milliseconds, roughly, of an objective over all pairs with ties
  const contestants = all.filter((given) => given.ties !== "event" || pairs < PATIENCE).map((given) => enter(given, setting, r));
  for (const one of contestants) {
    let spent = iteration(one, setting, r); // compiles it, too
    while (spent < ROUND_TIME && one.repeats < 1 << 16) {
      one.repeats *= 2;
      spent = iteration(one, setting, r);
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of contestants) {
      if (round > 1 && one.spent > BUDGET) continue;
      const spent = iteration(one, setting, r);
      one.spent += spent;
      one.best = Math.min(one.best, (1000 * spent) / one.repeats / setting.labels.length);
    }
  }
  return contestants;
}

const r = random(1);
const chosen = process.argv.slice(2).map(objective);
const all = chosen.length > 0 ? chosen : [...objectives.map((part) => part()), objective("pl-partition:precision=single")];
if (!all.some(({ spec }) => spec === "softmax")) all.push(objective("softmax"));

const times = new Map<string, Map<string, number>>();
const columns = settings(r);
for (const setting of columns) {
  console.error(`${setting.name} ...`);
  times.set(setting.name, new Map(race(all, setting, r).map(({ given, best }) => [given.spec, best])));
}

const time = (text: string, setting: string) => times.get(setting)!.get(text) ?? Number.NaN;
const digits = (value: number) => (Number.isNaN(value) ? "-" : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const wide = Math.max(...all.map(({ spec }) => spec.length));
const row = (cells: readonly string[]) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(wide) : cell.padStart(10))).join(" "));

console.log(
  "Microseconds per list for value and gradient, the ratio to softmax, and the growth from N=10000 to N=100000 (10 is linear)",
);
row(["objective", ...columns.flatMap(({ name }) => [name, "ratio"]), "growth"]);
for (const { spec } of all) {
  const cells = columns.flatMap(({ name }) => [digits(time(spec, name)), digits(time(spec, name) / time("softmax", name))]);
  row([spec, ...cells, digits(time(spec, "N=100000") / time(spec, "N=10000"))]);
}

const claim = (what: string, value: number, most: number) => {
  if (!Number.isNaN(value)) console.log(`${value <= most ? "holds" : "FAILS"}: ${what}: ${digits(value)} (at most ${most})`);
};
claim("pl-partition over pl-lb at N=100000", time("pl-partition", "N=100000") / time("pl-lb", "N=100000"), 1.5);
claim("pl-partition over softmax on LTR lists", time("pl-partition", "LTR") / time("softmax", "LTR"), 6);
claim("pl-partition, growth for ten times the items", time("pl-partition", "N=100000") / time("pl-partition", "N=10000"), 15);
