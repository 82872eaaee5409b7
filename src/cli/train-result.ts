/** What `tierwise train` prints about a training run. */
import type { ChainDiagnostics } from "../chain-diagnostics.ts";
import type { Fitted } from "../fit.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { roundsText } from "../stop-on.ts";
import { launchedProcesses } from "../teams/mpi.ts";
import type { Dataset, Learner, Objective } from "../types.ts";
import { definitionsText } from "./metric-definitions.ts";
import { descriptionText, figure, tableText } from "./output.ts";
import type { TrainingInput, TrainingOptions, TrainingSettings } from "./training-input.ts";

/** Options of the command. */
export interface TrainOptions extends TrainingOptions {
  readonly valid?: readonly string[];
  readonly holdOut?: string;
  readonly init?: string;
  readonly optimizer?: string;
  readonly out?: string;
  readonly report?: string;
  readonly history?: string;
  readonly processes?: string;
}

/** A finished training, and what it was given. */
export interface TrainResult {
  readonly input: TrainingInput<TrainOptions>;
  readonly settings: TrainingSettings;
  readonly model: Learner;
  readonly objective: Objective;
  readonly data: Dataset;
  readonly valid: Dataset | undefined;
  readonly fitted: Fitted;
  /** Of the Markov chains of the objective, where it samples. */
  readonly chains?: ChainDiagnostics;
  readonly file: ModelFile;
  readonly threads: number;
  readonly seconds: { readonly load: number; readonly train: number };
}

/** The result for --json. */
export function resultJson({
  input,
  settings,
  model,
  fitted,
  chains,
  file,
  threads,
  seconds,
}: TrainResult): Record<string, unknown> {
  const { objective, rounds, best, cost, data } = file.training;
  const variants = Object.fromEntries(settings.metrics.map(({ spec, variant }) => [spec, variant]));
  return {
    ...{ model: model.spec, objective, rounds, best },
    ...(fitted.stopOn !== undefined && { stopOn: fitted.stopOn, criterion: fitted.best.criterion }),
    ...{ cost, metrics: file.metrics },
    ...(fitted.likelihood !== undefined && { likelihood: fitted.likelihood }),
    ...(chains && { chains }),
    ...{ variants, seconds, data, seed: settings.seed, processes: launchedProcesses(), threads, out: input.options.out ?? null },
  };
}

/** The result for people. */
export function resultText(result: TrainResult): string {
  const { input, settings, valid, fitted } = result;
  const { out, report, history } = input.options;
  return [
    tableOf(result),
    ...(input.ballots ? [`\n${descriptionText(fitted.model.describe(), 10)}\n`] : []),
    ...(valid ? [definitionsText(settings.metrics)] : []),
    out ? `The model is in ${out}.` : "The model was not saved; use --out FILE to save it.",
    ...(report === undefined ? [] : [`The report is in ${report}.`]),
    ...(history === undefined ? [] : [`The history is in ${history}.`]),
  ].join("\n");
}

function tableOf({ fitted, file, chains, seconds, valid }: TrainResult): string {
  const { best, rounds, stopOn, likelihood } = fitted;
  const { model, objective } = file.training;
  const rows = [
    ["model", model],
    ["objective", objective],
    ["rounds", roundsText(best.round, rounds, stopOn)],
    ["cost", figure(best.cost)],
    ...(valid
      ? Object.entries({ ...best.metrics, ...criterionOf(stopOn, best.metrics, best.criterion) }).map(([name, value]) => [
          `valid ${name}`,
          figure(value),
        ])
      : []),
    ...(likelihood === undefined ? [] : [["valid log-likelihood", `${figure(likelihood)} a ballot`]]),
    ...(chains ? [["Markov chains", chainsText(chains)]] : []),
    ["seconds", `${seconds.load.toFixed(2)} to load, ${seconds.train.toFixed(2)} to train`],
  ];
  return tableText({ head: ["trained", ""], rows });
}

function chainsText({ rHat, effectivePerStep, trainingSteps }: ChainDiagnostics): string {
  const [median, least] = [effectivePerStep.median, effectivePerStep.min].map((value) => (value * trainingSteps).toFixed(2));
  return `R-hat ${rHat.median.toFixed(3)} (at most ${rHat.max.toFixed(3)}); ${trainingSteps} steps are worth ${median} independent draws (at least ${least})`;
}

/** The value that chooses the best round, by its name, where it is none of the metrics. */
export const criterionOf = (spec: string | undefined, metrics: Readonly<Record<string, number>>, value: number | undefined) =>
  spec === undefined || spec in metrics || value === undefined ? {} : { [spec]: value };

/** Results that a user should look into. */
export function* warnings(fitted: Fitted, model: Learner, objective: Objective): Generator<string> {
  if (costUnchanged(fitted)) yield `The cost was the same in all ${fitted.rounds} rounds: nothing was learned. ${UNCHANGED_HINT}`;
  if (model.id === "linear" && objective.likelihood && perfectlySeparated(fitted))
    yield "The lists are separated perfectly, so the weights grow without bound; try --model linear:l2=0.1.";
}

const UNCHANGED_HINT =
  "Either there are too few items for the minimum leaf size (try --model trees:min-items=2), or all labels of each list are equal.";

const costUnchanged = ({ history }: Fitted) =>
  history.length > 1 && history.every(({ cost }) => Math.abs(cost - history[0]!.cost) <= 1e-9 * Math.abs(cost));

/** A likelihood of order reaches zero only in the limit; a cost with a margin gets there with finite weights. */
const perfectlySeparated = ({ history }: Fitted) => history.length > 1 && history.at(-1)!.cost < 1e-6 * history[0]!.cost;
