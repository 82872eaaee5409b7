/** Trainings that continue from any checkpoint give the same model and history, on any number of threads. */
import { describe, expect, it } from "vitest";
import type { TrainPayload } from "../src/train.ts";
import { randomCase } from "./random-cases.ts";

// Workers run the built JavaScript, so these tests do too.
const at = (path: string) => new URL(`../dist/src/${path}`, import.meta.url).href;
const { fitAs } = (await import(at("fit.js"))) as typeof import("../src/fit.ts");
const { runThreads } = (await import(at("teams/threads.js"))) as typeof import("../src/teams/threads.ts");
const { runSolo } = (await import(at("teams/solo.js"))) as typeof import("../src/teams/solo.ts");
const { InputError } = (await import(at("input-error.js"))) as typeof import("../src/input-error.ts");
const { random } = (await import(at("numeric/random.js"))) as typeof import("../src/numeric/random.ts");
const { models, learner } = (await import(at("models/index.js"))) as typeof import("../src/models/index.ts");
const { objectives, objective } = (await import(at("objectives/index.js"))) as typeof import("../src/objectives/index.ts");
const { metrics, metric } = (await import(at("metrics/index.js"))) as typeof import("../src/metrics/index.ts");
const { optimizers } = (await import(at("optimizers/index.js"))) as typeof import("../src/optimizers/index.ts");

const LONG = process.env.TIERWISE_CASES !== undefined;
const CASES = Number(process.env.TIERWISE_CASES ?? 60);
const FIRST = Number(process.env.TIERWISE_FIRST_CASE ?? 0);
const SEED = Number(process.env.TIERWISE_SEED ?? 1);
const MOST = LONG ? 40 : 6; // checkpoints of a case that are continued from
const ALWAYS = { identity: {}, seconds: 1e-9, rounds: 1 }; // a checkpoint wherever there can be one

/** Bytes and rounds of a training, which writes a checkpoint wherever it can, and its checkpoints. */
interface Trained {
  readonly file: string;
  readonly checkpoints: readonly Uint8Array[];
}

function trained({ transform: _, init: __, ...one }: TrainPayload, keeps: boolean, restored?: Uint8Array): Trained {
  const checkpoints: Uint8Array[] = [];
  const options = {
    ...{ ...one, model: learner(one.model), objective: objective(String(one.objective)) },
    metrics: one.metrics.map((spec) => metric(String(spec))),
    ...(keeps && {
      keep: { plan: { ...ALWAYS, ...(restored && { restored }) }, write: (bytes: Uint8Array) => checkpoints.push(bytes) },
    }),
  };
  return runSolo((team) => {
    const { model, history, best } = fitAs(team, one.data, options);
    return { file: JSON.stringify({ saved: model.save(), history, best }), checkpoints };
  });
}

/** Some of them, from the first to the last. */
const some = <T>(all: readonly T[]): T[] => all.filter((_, i) => i === all.length - 1 || i % Math.ceil(all.length / MOST) === 0);

/** Runs jobs on a team: whole trainings that keep checkpoints, or such that continue from one. */
const program = `data:text/javascript,${encodeURIComponent(`
  import { run as fitted } from "${at("train-worker.js")}";
  import { usePoison } from "${at("numeric/stress.js")}";
  import { useJitter } from "${at("teams/jitter.js")}";
  export async function run(team, { jobs, stress }) {
    usePoison(stress);
    useJitter(stress ? 7 : undefined, team.rank);
    const done = [];
    for (const one of jobs) {
      const checkpoints = [];
      const post = (message) => message instanceof Uint8Array && team.rank === 0 && checkpoints.push(message);
      const { saved, history, best } = await fitted({ ...team, post }, one);
      done.push({ file: team.rank === 0 ? JSON.stringify({ saved, history, best }) : "", checkpoints });
    }
    return done;
  }`)}`;

const named = ({ model, objective: cost, data }: TrainPayload, i: number) =>
  `case ${i}: ${model} under ${cost}, ${data.starts.length - 1} lists, ${data.features.kind}`;

describe("random trainings", () => {
  const draw = random(SEED, 0xc4ec);
  const cases = Array.from({ length: CASES }, () => randomCase(draw, models, objectives, { optimizers, metrics }));

  it("continue from any of their checkpoints to the same bytes, on 1, 2 and 3 threads", async () => {
    const counts = { trained: 0, refused: 0, checkpoints: 0, continued: 0 };
    const models = new Set<string>();
    const kept: { name: string; one: TrainPayload; file: string; checkpoints: readonly Uint8Array[] }[] = [];
    for (const [i, one] of cases.entries()) {
      if (i < FIRST) continue;
      const name = named(one, i);
      let plain: Trained;
      try {
        plain = trained(one, false);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        counts.refused++;
        continue;
      }
      const { file, checkpoints } = trained(one, true);
      expect(file, name).toBe(plain.file);
      counts.trained++;
      counts.checkpoints += checkpoints.length;
      for (const bytes of some(checkpoints)) {
        expect(trained(one, true, bytes).file, name).toBe(file);
        counts.continued++;
      }
      if (checkpoints.length > 0) models.add(one.model.split(":")[0]!);
      if (checkpoints.length > 0 && checkpoints.length < (LONG ? 2000 : 60)) kept.push({ name, one, file, checkpoints });
    }
    // Checkpoints of one thread are continued by several, and those of several by others.
    let from = kept.map(({ checkpoints }) => checkpoints);
    for (const [size, stress] of [
      [2, false],
      [3, true],
    ] as const) {
      const whole = kept.map(({ one }) => ({ ...one, plan: ALWAYS }));
      const resumed = kept.map(({ one }, k) => ({
        ...one,
        plan: { ...ALWAYS, restored: from[k]![Math.floor(from[k]!.length / 2)]! },
      }));
      const payload = { jobs: [...whole, ...resumed], stress };
      const done = (await runThreads({ size, program, payload })) as Trained[];
      done.forEach(({ file }, j) => {
        const { name, file: expected } = kept[j % kept.length]!;
        if (file !== expected)
          expect.soft(file, `${name}, ${size} threads, ${j < kept.length ? "whole" : "continued"}`).toBe(expected);
      });
      for (const [k, { name, checkpoints }] of kept.entries())
        expect(
          done[k]!.checkpoints.map((bytes) => Buffer.from(bytes).toString("base64").length),
          name,
        ).toEqual(checkpoints.map((bytes) => Buffer.from(bytes).toString("base64").length));
      from = kept.map((_, k) => done[k]!.checkpoints);
    }
    if (LONG) console.log(JSON.stringify(counts));
    expect(counts.continued).toBeGreaterThan((CASES - FIRST) / 2);
    expect([...models].sort()).toEqual([
      "coordinate-ascent",
      "label-tree",
      "leml",
      "linear",
      "mlp",
      "sleec",
      "trees",
      "utilities",
    ]);
  }, 36_000_000);
});
