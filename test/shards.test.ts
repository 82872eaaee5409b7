/** Several processes, each with some of the lists, learn what one learns from all of them. Threads take the place of processes here. */
import { expect, it } from "vitest";
import type { TrainPayload } from "../src/train.ts";
import { below, randomCase } from "./random-cases.ts";

const built = (path: string) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { runThreads } = (await built("src/teams/threads.js")) as typeof import("../src/teams/threads.ts");
const { runSolo } = (await built("src/teams/solo.js")) as typeof import("../src/teams/solo.ts");
const { fitAs } = (await built("src/fit.js")) as typeof import("../src/fit.ts");
const { random } = (await built("src/numeric/random.js")) as typeof import("../src/numeric/random.ts");
const { InputError } = (await built("src/input-error.js")) as typeof import("../src/input-error.ts");
const { learner, models } = (await built("src/models/index.js")) as typeof import("../src/models/index.ts");
const { objective, objectives } = (await built("src/objectives/index.js")) as typeof import("../src/objectives/index.ts");
const { metric, metrics } = (await built("src/metrics/index.js")) as typeof import("../src/metrics/index.ts");
const { optimizers } = (await built("src/optimizers/index.js")) as typeof import("../src/optimizers/index.ts");

const CASES = Number(process.env.TIERWISE_CASES ?? 60);
const SEED = Number(process.env.TIERWISE_SEED ?? 17);
const PROCESSES = 3;

/** What one process learns; undefined where the case is refused. */
function alone({ transform: _, init: __, ...one }: TrainPayload): string | undefined {
  try {
    return runSolo((team) => {
      const { model, rounds } = fitAs(team, one.data, {
        ...one,
        ...{ model: learner(one.model), objective: objective(String(one.objective)) },
        metrics: one.metrics.map((spec) => metric(String(spec))),
      });
      return JSON.stringify({ saved: model.save(), rounds });
    });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

it("three processes with any share of the lists write the model of one", async () => {
  const draw = random(SEED, 0x5a4d);
  const able = models.filter(({ id }) => ["trees", "linear", "utilities"].includes(id));
  const jobs: { one: TrainPayload; cuts: number[]; validCuts: number[] }[] = [];
  const expected: string[] = [];
  for (let i = 0; jobs.length < CASES && i < 20 * CASES; i++) {
    const { init: _, ...one } = randomCase(draw, able, objectives, { objectives, optimizers, metrics } as never) as TrainPayload;
    const own = learner(one.model);
    if (!own.supportsProcesses || one.data.labelSpaceSize !== undefined) continue;
    if (one.data.items && !own.featureless) continue;
    const file = alone(one);
    if (file === undefined) continue;
    const cutsOf = (lists: number) => [0, ...[below(draw, lists + 1), below(draw, lists + 1)].sort((a, b) => a - b)];
    jobs.push({ one, cuts: cutsOf(one.data.starts.length - 1), validCuts: cutsOf((one.valid?.starts.length ?? 1) - 1) });
    expected.push(file);
  }
  expect(jobs.length).toBe(CASES);
  const program = new URL("../dist/soak/programs/train-shards.js", import.meta.url);
  const files = (await runThreads({ size: PROCESSES, program, payload: { jobs }, results: "all" })) as string[][];
  for (const [i, { one, cuts }] of jobs.entries())
    for (let process = 0; process < PROCESSES; process++)
      expect(
        files[process]![i] === expected[i],
        `case ${i}, process ${process}, lists from ${cuts}: ${one.model} under ${one.objective}`,
      ).toBe(true);
}, 600_000);
