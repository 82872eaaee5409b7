/**
 * Every learner but trees, with random options, objectives and data: the same bytes of the model file alone, by 1, 2 and 3 threads, with and
 * without kernels, under stress.
 */
import { digestOf } from "../../fuzz/target.ts";
import { fitAs } from "../../src/fit.ts";
import { InputError } from "../../src/input-error.ts";
import { metric, metrics } from "../../src/metrics/index.ts";
import { learner, models } from "../../src/models/index.ts";
import { random } from "../../src/numeric/random.ts";
import { usePoison } from "../../src/numeric/stress.ts";
import { objective, objectives } from "../../src/objectives/index.ts";
import { optimizers } from "../../src/optimizers/index.ts";
import { runSolo } from "../../src/teams/solo.ts";
import { runThreads } from "../../src/teams/threads.ts";
import type { TrainPayload } from "../../src/train.ts";
import type { Team } from "../../src/types.ts";
import { randomCase } from "../../test/random-cases.ts";
import { attempt, type Check, Finding, type Outcome } from "../check.ts";
import type { TrainCases } from "../programs/train-cases.ts";

/** The model of a case without threads and how often its threads would meet, or the one line that refuses it. */
export type Trained = { readonly file: string; readonly meetings: number } | { readonly mistake: string };

/** JSON would write null for a number that is not finite. */
function refuse(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Finding(`${key} of the model is ${value}`);
  return value;
}

/** Trains in this thread. Any error but an InputError is a defect. */
export function trainAlone({ transform: _, ...one }: TrainPayload): Trained {
  let meetings = 0;
  const options = {
    ...one,
    ...{ init: undefined as never, model: learner(one.model), objective: objective(String(one.objective)) },
    metrics: one.metrics.map((spec) => metric(String(spec))),
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

/** Whether a line that refuses a case is one that users can read. */
export function checkMistake(one: TrainPayload, mistake: string): void {
  const text = unstable(one) ? mistake.replace(DIVERGED, "") : mistake;
  if ((huge(one) ? /\n|undefined|\[object/ : /\n|undefined|\[object|NaN|Infinity/).test(text)) throw new Finding(mistake);
}

const MEETINGS = 2000; // of a case that threads run
const learners = models.filter(({ id }) => id !== "trees");
const caseOf = (number: number) => randomCase(random(number, 0x50a5), learners, objectives, { optimizers, metrics });

const nameOf = ({ model, objective, data }: TrainPayload) =>
  `${model} under ${objective}, ${data.starts.length - 1} lists, ${data.labels.length} items, ${data.features.kind}`;

function trainTwice(one: TrainPayload): Trained {
  usePoison(false);
  const calm = trainAlone(one);
  usePoison(true);
  const poisoned = trainAlone(one);
  usePoison(false);
  if (JSON.stringify(poisoned) !== JSON.stringify(calm)) throw new Finding("reads memory that it has not written");
  if ("mistake" in calm) checkMistake(one, calm.mistake);
  return calm;
}

async function run(numbers: readonly number[], plain: boolean): Promise<readonly Outcome[]> {
  const trained = new Map<number, Trained>();
  const outcomes: Outcome[] = [];
  for (const number of numbers)
    outcomes.push(
      await attempt(() => {
        const one = caseOf(number);
        const result = trainTwice(one);
        trained.set(number, result);
        return digestOf("file" in result ? result.file : result.mistake);
      }),
    );
  if (plain) return outcomes;
  const shared = numbers.filter((number) => {
    const result = trained.get(number);
    return result && "file" in result && result.meetings <= MEETINGS;
  });
  for (const size of [1, 2, 3]) {
    const jobs = shared.map((number) => ({ one: caseOf(number), stress: (number + size) % 3 === 0 }));
    const payload: TrainCases = { jobs, plain: size === 1, seed: numbers[0]! };
    const files = (await runThreads({
      size,
      program: new URL("../programs/train-cases.js", import.meta.url),
      payload,
    })) as string[];
    shared.forEach((number, i) => {
      if (files[i] === (trained.get(number) as { file: string }).file) return;
      outcomes[numbers.indexOf(number)] = { failure: `${nameOf(caseOf(number))}: another model by ${size} threads` };
    });
  }
  return outcomes.map((outcome, i) =>
    "failure" in outcome ? { failure: `${nameOf(caseOf(numbers[i]!))}: ${outcome.failure}` } : outcome,
  );
}

export const learnersCheck: Check = {
  id: "learners",
  about: "bytes of model files alone, by 1 to 3 threads, without kernels and under stress",
  batch: 60,
  run,
};
