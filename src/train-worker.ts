/** What each thread of `train` runs. Modules of the caller are imported before training begins, since training never awaits. */
import { STOPPED, StoppedByRequest, savedBy } from "./checkpoint-loop.ts";
import { fitAs } from "./fit.ts";
import type { OwnKinds } from "./members.ts";
import { metric } from "./metrics/index.ts";
import { learner, revive } from "./models/index.ts";
import { loadOwn } from "./modules.ts";
import { objective } from "./objectives/index.ts";
import type { Reference, TrainPayload, TrainWorkerResult } from "./train.ts";
import type { Team } from "./types.ts";

export async function run(team: Team, payload: TrainPayload & { data: never }): Promise<TrainWorkerResult | typeof STOPPED> {
  const { model, objective: cost, metrics, transform: own, init, plan, ...rest } = payload;
  const transform = own && (await loadOwn("train", "transform", own));
  const options = {
    ...rest,
    model: learner(model),
    objective: await resolve("objective", cost, objective),
    metrics: await Promise.all(metrics.map((one) => resolve("metric", one, metric))),
    ...(transform && { transform }),
    ...(init && { init: revive(init.saved, init.columns, transform ? [transform] : []) }),
    ...(plan && { keep: { plan, write: savedBy(plan, (bytes) => team.post(bytes)) } }),
  };
  const callbacks = { onRound: (round: unknown) => team.post(round), onProgress: (fraction: number) => team.post(fraction) };
  try {
    const { model: fitted, ...result } = fitAs(team, rest.data, { ...options, ...callbacks });
    return { ...result, saved: fitted.save(), columns: fitted.columns };
  } catch (error) {
    if (error instanceof StoppedByRequest) return STOPPED;
    throw error;
  }
}

/** What a reference stands for: by its spec, or from its module. */
const resolve = async <K extends keyof OwnKinds>(kind: K, reference: Reference, find: (spec: string) => OwnKinds[K]) =>
  typeof reference === "string" ? find(reference) : loadOwn("train", kind, reference);
