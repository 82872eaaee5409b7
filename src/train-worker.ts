/** The worker program of `train`. */
import { fitAs } from "./fit.ts";
import { metric } from "./metrics/index.ts";
import { learner, revive } from "./models/index.ts";
import { objective } from "./objectives/index.ts";
import type { TrainPayload, TrainWorkerResult } from "./train.ts";
import type { Team } from "./types.ts";

export function run(
  team: Team,
  { model, objective: cost, metrics, init, ...rest }: TrainPayload & { data: never },
): TrainWorkerResult {
  const options = { ...rest, model: learner(model), objective: objective(cost), metrics: metrics.map(metric) };
  const begin = init ? { init: revive(init.saved, init.columns) } : {};
  const callbacks = { onRound: (round: unknown) => team.post(round), onProgress: (fraction: number) => team.post(fraction) };
  const { model: fitted, ...result } = fitAs(team, rest.data, { ...options, ...begin, ...callbacks });
  return { ...result, saved: fitted.save(), columns: fitted.columns };
}
