/**
 * Every option of trees at random: what the real grower makes is what a slow one makes that tries everything, whoever computes it.
 * TIERWISE_CASES says how many cases there are (10,000 take about ten minutes), TIERWISE_FIRST_CASE which is the first.
 */
import { afterAll, describe, expect, it } from "vitest";
import { trees } from "../src/models/trees/index.ts";
import { referenceBag } from "../src/models/trees/reference-bag.ts";
import { Heap } from "../src/numeric/heap.ts";
import { kernels, usePlain } from "../src/numeric/kernels.ts";
import type { SavedModel } from "../src/types.ts";
import { compareWithReference, learn } from "./compare-trees.ts";
import { type Case, inHeap, randomCase, writtenOut } from "./random-trees.ts";

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

const saved = new Map<number, SavedModel>(); // by case, as it came out first: with kernels, of one thread

function ofOneThread(number: number): SavedModel {
  const known = saved.get(number) ?? learn(randomCase(number)).model.save();
  saved.set(number, known);
  return known;
}

function likeSlow(one: Case): string | undefined {
  const { wrong, model } = compareWithReference(one);
  const file = model.save();
  const before = saved.get(one.number) ?? file;
  saved.set(one.number, before);
  return JSON.stringify(file) !== JSON.stringify(before) ? "another model than before" : wrong;
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
          ...{ data: inHeap(data, heap), model: trees(options).spec },
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
