/**
 * Every option of trees at random: what the real grower makes is what a slow one makes that tries everything, whoever computes it.
 * TIERWISE_CASES says how many cases there are (10,000 take about ten minutes), TIERWISE_FIRST_CASE which is the first.
 */
import { afterAll, describe, expect, it } from "vitest";
import { revive } from "../src/models/index.ts";
import { isTrees, trees } from "../src/models/trees/index.ts";
import { referenceBag } from "../src/models/trees/reference-bag.ts";
import type { Tree } from "../src/models/trees/tree.ts";
import { Heap } from "../src/numeric/heap.ts";
import { kernels, usePlain } from "../src/numeric/kernels.ts";
import { random } from "../src/numeric/random.ts";
import { runSolo } from "../src/teams/solo.ts";
import type { Dataset, Model, SavedModel } from "../src/types.ts";
import { type Case, difference, inHeap, randomCase, valuesOf, writtenOut } from "./random-trees.ts";

// Workers run the built JavaScript.
const built = (path: string) => new URL(`../dist/src/${path}`, import.meta.url).href;
const { runThreads } = (await import(built("teams/threads.js"))) as typeof import("../src/teams/threads.ts");
const { Heap: BuiltHeap } = (await import(built("numeric/heap.js"))) as typeof import("../src/numeric/heap.ts");

const CASES = Number(process.env.TIERWISE_CASES ?? 120);
const FIRST = Number(process.env.TIERWISE_FIRST_CASE ?? 1);
const KNOWN = [6799, 8369, 2157]; // that found something: leaves without a gradient left their bounds; a flat direction made a step too long
const numbers = [...KNOWN, ...Array.from({ length: CASES }, (_, i) => FIRST + i)];
const some = (fraction: number) => numbers.slice(0, Math.ceil(CASES * fraction));
const patience = 60_000 + 500 * CASES;

const heap = new Heap();
afterAll(() => heap.close());

interface Learned {
  readonly model: Model;
  readonly trees: readonly Tree[];
  readonly costs: readonly number[];
  readonly seen: Float64Array; // scores of the validation data
}

/** The trees of a model, or of the one inside that sees features within the list. */
function treesOf(model: Model): readonly Tree[] {
  const inner = model.derived ? revive(model.save().inner as SavedModel, model.derived.columns) : model;
  if (!isTrees(inner)) throw new Error("not trees");
  return inner.trees;
}

function learn(one: Case, changed: Partial<Case["options"]> = {}): Learned {
  const { objective, options, seed, watched: validation } = one;
  const costs: number[] = [];
  let seen = new Float64Array();
  const model = runSolo((team) =>
    trees({ ...options, ...changed }).learn(one.data, objective, {
      ...{ seed, team, validation },
      afterRound(_, report) {
        costs.push(report.cost);
        seen = report.scores().slice();
        return "improved";
      },
    }),
  );
  return { model, trees: treesOf(model), costs, seen };
}

const scoresOf = (model: Model, data: Dataset) => {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
};

/** Visits cases and gathers what is wrong with them, so that one failure does not hide the others. */
function visit(which: readonly number[], check: (one: Case) => string | undefined): void {
  const wrong: string[] = [];
  for (const number of which) {
    const mark = heap.mark();
    const given = randomCase(number);
    const one = { ...given, data: inHeap(given.data, heap) };
    let found: string | undefined;
    try {
      found = check(one);
    } catch (error) {
      found = (error as Error).stack;
    }
    heap.release(mark);
    if (found) wrong.push(`case ${number}, ${one.objective.spec}, ${trees(one.options).spec}: ${found}`);
  }
  expect(wrong.slice(0, 10), `${wrong.length} of ${which.length} cases`).toEqual([]);
}

/** Where the score moves against a constraint as one feature rises and the others stay. */
function against({ given: { monotone }, data, number }: Case, model: Model): string | undefined {
  const { columns, rows } = data.features;
  const values = valuesOf(data.features);
  const draw = random(number, 0x96d);
  for (let f = 0; f < columns; f++) {
    if (monotone[f] === 0) continue;
    const known = values.filter((value, i) => i % columns === f && !Number.isNaN(value));
    const line = Float32Array.from([-1e38, ...known, ...known.map((value) => value + 0.01), 1e38]).sort();
    for (let iteration = 0; iteration < 3 && rows > 0; iteration++) {
      const row = Math.floor(draw() * rows);
      // Its list once for each value, because scores may depend on the other items.
      const list = data.starts.findIndex((_, q) => row < data.starts[q + 1]!);
      const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
      const size = to - from;
      const grid = new Float32Array(line.length * size * columns);
      line.forEach((value, i) => {
        grid.set(values.subarray(from * columns, to * columns), i * size * columns);
        grid[(i * size + row - from) * columns + f] = value;
      });
      const all = scoresOf(model, {
        ...{ starts: Uint32Array.from({ length: line.length + 1 }, (_, i) => i * size), base: 1, names: {} },
        labels: new Float32Array(line.length * size),
        features: { kind: "dense", rows: line.length * size, columns, values: grid },
      });
      const scores = Float64Array.from(line, (_, i) => all[i * size + row - from]!);
      const at = scores.findIndex((score, i) => i > 0 && (score - scores[i - 1]!) * monotone[f]! < 0);
      if (at > 0) return `feature ${f + 1} at ${line[at]}: score ${scores[at]} after ${scores[at - 1]}`;
    }
  }
  return undefined;
}

const saved = new Map<number, SavedModel>(); // by case, as it came out first: with kernels, of one thread

function ofOneThread(number: number): SavedModel {
  const known = saved.get(number) ?? learn(randomCase(number)).model.save();
  saved.set(number, known);
  return known;
}

function likeSlow(one: Case): string | undefined {
  const plain = writtenOut(one);
  const slow = referenceBag(plain.data, plain.objective, plain.options, plain.given, plain.seed);
  const { model, trees: grown, costs, seen } = learn(one);
  const file = model.save();
  const before = saved.get(one.number) ?? file;
  saved.set(one.number, before);
  if (JSON.stringify(file) !== JSON.stringify(before)) return "another model than before";
  const off = costs.findIndex((cost, i) => Math.abs(cost - slow.costs[i + 1]!) > 1e-9 * (1 + Math.abs(cost)));
  return (
    difference(grown, slow.trees) ??
    (off >= 0 ? `cost ${costs[off]} instead of ${slow.costs[off + 1]} after round ${off + 1}` : undefined) ??
    (scoresOf(model, one.watched).every((score, i) => Object.is(score, seen[i]))
      ? undefined
      : "scores of the model are not those that were watched") ??
    against(one, model)
  );
}

describe("random options on random data", () => {
  it(
    "grow the trees that trying everything finds, bit for bit, and keep to constraints",
    () => {
      expect(kernels()).not.toBeNull();
      visit(numbers, likeSlow);
    },
    patience,
  );

  /**
   * With all lists seen, a tree lowers the quadratic model Σ G w + (H + l2) w² / 2 that its leaves are made for: at the root by the step that is
   * best for it, and by the gain of each cut, under constraints too. So its step is a way down, and a short step lowers the cost as far as
   * gradient and Hessian are those of the cost. Not so for newton-block under constraints, whose cuts are not chosen for the steps it takes.
   */
  it(
    "lower the cost in every round where derivatives are exact, lists all seen and steps short",
    () => {
      let tried = 0;
      visit(some(CASES > 1000 ? 1 : 0.5), (one) => {
        const { objective, options } = one;
        const exact = [objective.cost, objective.gradient, objective.hessian].every((kind) => kind === "exact");
        if (!exact || (options.leaf === "newton-block" && options.monotone !== "")) return undefined;
        tried++;
        const short = { learningRate: 1e-3, learningRateDecay: 0, listFraction: 1, rounds: 4, bag: 1 };
        const { costs } = learn(one, short);
        const plain = writtenOut(one);
        const first = referenceBag(plain.data, objective, { ...plain.options, rounds: 0 }, plain.given, one.seed).costs[0]!;
        const all = [first, ...costs];
        const up = all.findIndex((cost, i) => i > 0 && cost > all[i - 1]! + 1e-12 * (1 + Math.abs(cost)));
        return up > 0 ? `cost ${all[up]} after ${all[up - 1]} in round ${up}` : undefined;
      });
      expect(tried).toBeGreaterThan(0);
    },
    patience,
  );

  it.each([
    [2, undefined],
    [3, undefined],
    [4, undefined],
    [2, 1],
    [3, 2],
    [4, 3],
  ])(
    "give the same bytes on %i threads as on one, under stress %s",
    async (size, stress) => {
      const program = `data:text/javascript,${encodeURIComponent(`
        import { fitAs } from "${built("fit.js")}";
        import { learner } from "${built("models/index.js")}";
        import { objective } from "${built("objectives/index.js")}";
        export const run = (team, cases) => cases.map((one) =>
          fitAs(team, one.data, { model: learner(one.model), objective: objective(one.objective), seed: one.seed }).model.save());`)}`;
      const wrong: string[] = [];
      const which = some(CASES > 1000 ? 0.1 : 0.2);
      for (let from = 0; from < which.length; from += 100) {
        const heap = new BuiltHeap();
        const cases = which.slice(from, from + 100).map(randomCase);
        const payload = cases.map(({ data, objective, options, seed }) => ({
          ...{ data: inHeap(data, heap), model: trees(options).spec.replace(/(monotone|categorical)=([^,]*)/g, "$1=($2)") },
          ...{ objective: objective.spec, seed },
        }));
        const got = (await runThreads({ size, program, payload, ...(stress ? { stress } : {}) })) as SavedModel[];
        heap.close();
        cases.forEach(({ number, options, objective }, i) => {
          if (JSON.stringify(got[i]) !== JSON.stringify(ofOneThread(number)))
            wrong.push(`case ${number}, ${objective.spec}, ${trees(options).spec}`);
        });
      }
      expect(wrong.slice(0, 10), `${wrong.length} of ${which.length} cases`).toEqual([]);
    },
    patience,
  );

  // The last, because there is no way back.
  it(
    "grow the same trees without kernels",
    () => {
      usePlain();
      visit(some(CASES > 1000 ? 1 : 0.3), likeSlow);
    },
    patience,
  );
});
