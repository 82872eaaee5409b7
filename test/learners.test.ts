import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TrainPayload } from "../src/train.ts";
import type { Team } from "../src/types.ts";
import { randomCase, valuesOf } from "./random-cases.ts";

// Workers run the built JavaScript, so these tests do too.
const at = (path: string) => new URL(`../dist/src/${path}`, import.meta.url).href;
const { fitAs } = (await import(at("fit.js"))) as typeof import("../src/fit.ts");
const { runThreads } = (await import(at("teams/threads.js"))) as typeof import("../src/teams/threads.ts");
const { runSolo } = (await import(at("teams/solo.js"))) as typeof import("../src/teams/solo.ts");
const { usePoison } = (await import(at("numeric/stress.js"))) as typeof import("../src/numeric/stress.ts");
const { InputError } = (await import(at("input-error.js"))) as typeof import("../src/input-error.ts");
const { build } = (await import(at("data/build.js"))) as typeof import("../src/data/build.ts");
const { random } = (await import(at("numeric/random.js"))) as typeof import("../src/numeric/random.ts");
const { models, learner } = (await import(at("models/index.js"))) as typeof import("../src/models/index.ts");
const objectiveModule = (await import(at("objectives/index.js"))) as typeof import("../src/objectives/index.ts");
const metricModule = (await import(at("metrics/index.js"))) as typeof import("../src/metrics/index.ts");
const { optimizers } = (await import(at("optimizers/index.js"))) as typeof import("../src/optimizers/index.ts");
const { objectives } = objectiveModule;
const { metrics } = metricModule;

/** `TIERWISE_CASES` asks for more than npm test runs, `TIERWISE_SEED` for others; `TIERWISE_FIRST_CASE` is the first that runs. */
const LONG = process.env.TIERWISE_CASES !== undefined;
const CASES = Number(process.env.TIERWISE_CASES ?? 120);
const FIRST = Number(process.env.TIERWISE_FIRST_CASE ?? 0);
const SEED = Number(process.env.TIERWISE_SEED ?? 1);
const AT_ONCE = 240; // cases that one set of teams runs, one after another: starting threads takes longer than most cases
const MEETINGS = LONG ? 2000 : 100; // of a case that threads run: longer ones are for the long run

const parts = { optimizers, metrics };
const learners = models.filter(({ id }) => id !== "trees"); // trees are held against a slow grower elsewhere

/** Runs its cases, each calmly or under stress, and gives the files of the models as text. */
const program = `data:text/javascript,${encodeURIComponent(`
  import { run as fitted } from "${at("train-worker.js")}";
  import { usePlain } from "${at("numeric/kernels.js")}";
  import { usePoison } from "${at("numeric/stress.js")}";
  import { useJitter } from "${at("teams/jitter.js")}";
  export async function run(team, { jobs, plain, seed }) {
    if (plain) usePlain();
    const quiet = { ...team, post() {} };
    const files = [];
    for (const [i, { one, stress }] of jobs.entries()) {
      usePoison(stress);
      useJitter(stress ? seed + i : undefined, team.rank);
      const { saved, rounds } = await fitted(quiet, one);
      files.push(team.rank === 0 ? JSON.stringify({ saved, rounds }) : "");
    }
    return files;
  }`)}`;

/** JSON would write null for a number that is not finite. */
function refuse(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${key} of the model is ${value}`);
  return value;
}

type Outcome = { readonly file: string; readonly meetings: number } | { readonly mistake: string };

/** The model of a case without threads, or the one line that refuses it. Any other error is a defect. */
function alone({ transform: _, ...one }: TrainPayload): Outcome {
  let meetings = 0;
  const options = {
    ...one,
    ...{ init: undefined as never, model: learner(one.model), objective: objectiveModule.objective(String(one.objective)) },
    metrics: one.metrics.map((spec) => metricModule.metric(String(spec))),
  };
  try {
    return runSolo((team) => {
      const counted: Team = {
        ...team,
        parallelFor: (blocks, visit) => {
          meetings++;
          team.parallelFor(blocks, visit);
        },
        sum: (blocks, width, visit) => {
          meetings++;
          return team.sum(blocks, width, visit);
        },
      };
      const { model, rounds } = fitAs(counted, one.data, options);
      return { file: JSON.stringify({ saved: model.save(), rounds }, refuse), meetings };
    });
  } catch (error) {
    if (error instanceof InputError) return { mistake: error.message };
    throw error;
  }
}

/** Products and sums of such features leave the range of numbers, and then the cost says so. */
const huge = ({ data }: TrainPayload) => data.features.values.some((value) => Math.abs(value) > 1e20);

/** Adam with a short memory of squared gradients divides an old gradient by a new one, which may be any number of times smaller. */
const unstable = ({ model }: TrainPayload) => Number(/beta2=([^,)]*)/.exec(model)?.[1] ?? 1) < 0.9;

const DIVERGED = /the cost of round \d+ is (NaN|Infinity): the steps are too large/;

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const named = ({ model, objective, data }: TrainPayload, i: number) =>
  `case ${i}: ${model} under ${objective}, ${data.starts.length - 1} lists, ${data.labels.length} items, ${data.features.kind}`;

describe("random options on random data", () => {
  const draw = random(SEED, 0xca5e);
  const cases = Array.from({ length: CASES }, () => randomCase(draw, learners, objectives, parts));

  it("every option of every model, objective and optimizer has values to draw from", () => {
    for (const part of [...learners, ...objectives, ...optimizers, ...metrics])
      for (const [key, field] of Object.entries(part.fields))
        expect(new Set(valuesOf(key, field as never, draw, parts)).size, `${part.id}, ${key}`).toBeGreaterThan(1);
  });

  it("models are finite, and the same bytes for 1 to 4 threads, under stress, and without kernels", async () => {
    const runs = [
      { size: 1, plain: true, stress: false },
      { size: 1, plain: false, stress: true },
      ...[2, 3, 4].flatMap((size) => [false, true].map((stress) => ({ size, plain: false, stress }))),
    ];
    const counts = { trained: 0, refused: 0, compared: 0 };
    for (let from = FIRST; from < cases.length; from += AT_ONCE) {
      const jobs: { one: TrainPayload; name: string; file: string; run: (typeof runs)[number] }[] = [];
      for (const [i, one] of cases.slice(from, from + AT_ONCE).entries()) {
        const name = named(one, from + i);
        usePoison(false);
        const calm = attempt(name, () => alone(one));
        usePoison(true);
        const poisoned = attempt(name, () => alone(one));
        usePoison(false);
        expect(poisoned, name).toEqual(calm);
        if ("mistake" in calm) {
          const mistake = unstable(one) ? calm.mistake.replace(DIVERGED, "") : calm.mistake;
          expect(mistake, name).not.toMatch(huge(one) ? /\n|undefined|\[object/ : /\n|undefined|\[object|NaN|Infinity/);
          counts.refused++;
          continue;
        }
        counts.trained++;
        // Each case in three of the eight ways, so that all ways see cases of all kinds.
        if (calm.meetings <= MEETINGS)
          for (const shift of [0, 3, 5]) jobs.push({ one, name, file: calm.file, run: runs[(i + shift) % 8]! });
      }
      for (const size of [1, 2, 3, 4])
        for (const plain of size === 1 ? [true, false] : [false]) {
          const mine = jobs.filter(({ run }) => run.size === size && run.plain === plain);
          const sent = mine.map(({ one, run }) => ({ one, stress: run.stress }));
          const files = (await runThreads({ size, program, payload: { jobs: sent, plain, seed: SEED + from } })) as string[];
          counts.compared += files.length;
          for (const [i, file] of files.entries()) {
            const { name, run, file: expected } = mine[i]!;
            const way = `${name}, ${size} threads${plain ? ", plain" : ""}${run.stress ? ", stress" : ""}`;
            if (file !== expected) expect.soft(digest(file), way).toBe(digest(expected));
          }
        }
      if (LONG) console.log(`${Math.min(cases.length, from + AT_ONCE)} cases: ${JSON.stringify(counts)}`);
    }
    expect(counts.trained).toBeGreaterThan((CASES - FIRST) / 2);
    expect(counts.compared).toBeGreaterThan(CASES - FIRST);
  }, 36_000_000);

  it("networks of several learning rates: the best is saved by all threads before the next begins", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({
      list: Math.floor(i / 6),
      label: (i * 7) % 3,
      features: [(i % 5) - 2, 3 - (i % 7)],
    }));
    const model = "mlp:hidden=3,rate=0.01/0.1/0.001,batch=2,epochs=1,l2=1.5";
    const how = { model, objective: "rank-regress", metrics: ["ndcg@3"], seed: 365, patience: 0 };
    const one: TrainPayload = { ...how, data: build(rows), valid: build(rows.slice(0, 12)) };
    const calm = alone(one);
    if (!("file" in calm)) throw new Error(calm.mistake);
    const jobs = Array.from({ length: 30 }, () => ({ one, stress: false }));
    for (const size of [2, 3, 4]) {
      const files = (await runThreads({ size, program, payload: { jobs, plain: false, seed: 1 } })) as string[];
      expect(new Set(files.map(digest)), `${size} threads`).toEqual(new Set([digest(calm.file)]));
    }
  });
});

function attempt<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.stack : error}`);
  }
}
