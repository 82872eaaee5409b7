/** The report of `tierwise train --report`, with the command that trains the same model again. */
import { metricNames } from "../metrics/index.ts";
import type { Objective } from "../types.ts";
import { commandText, readingWords } from "./command-text.ts";
import { shortFileNames } from "./file-names.ts";
import { isModulePath, pathAndOptions } from "./own-code.ts";
import { defaultMetrics, writeReport } from "./report.ts";
import type { TrainOptions, TrainResult } from "./train-result.ts";
import { versionOf } from "./version.ts";

/** Evaluated on the validation data, or else on the training data, which the report warns about. */
export async function writeTrainReport(path: string, result: TrainResult): Promise<void> {
  const { input, settings, data, valid, fitted, file } = result;
  const { files, options, quiet } = input;
  const { metrics, seed } = settings;
  const train = { name: shortFileNames(files), data };
  const held = options.valid ? shortFileNames(options.valid) : `${train.name}, held out`;
  const defaults = defaultMetrics(data);
  const wanted = valid ? [...metrics, ...defaults.filter(({ spec }) => metrics.every((one) => one.spec !== spec))] : defaults;
  const judged = valid
    ? { judged: { name: held, data: valid }, role: "validation" as const, train }
    : { judged: train, role: "training" as const };
  const commands = [commandText(trainWords(result))];
  const about = { name: options.out ?? file.training.model, history: fitted.history, commands, seed, version: versionOf() };
  await writeReport(path, { ...about, ...judged, file, metrics: wanted }, quiet);
}

/** The words of the command. */
function trainWords({ input, settings, model, objective, valid }: TrainResult): string[] {
  const { files, options, reading } = input;
  const own = metricNames(options.metrics).some(isModulePath);
  const metrics = own ? options.metrics : settings.metrics.map(({ spec }) => spec).join(",");
  return [
    ...["train", ...files, "--model", model.spec],
    ...(model.cost ? [] : ["--objective", ownPath(options.objective, objective)]),
    ...(valid ? ["--metrics", metrics] : []),
    ...["--seed", String(settings.seed), ...readingWords(reading), ...restOf(options)],
  ];
}

/** The objective as an argument that names it again. */
const ownPath = (given: string, objective: Objective) =>
  isModulePath(given) ? pathAndOptions(given.replace(/(\.[cm]?[jt]s)[:;].*$/, "$1"), objective) : objective.spec;

/** What else shapes a training, as words. */
const restOf = ({
  transform,
  valid,
  holdOut,
  init,
  stopOn,
  patience,
  unknownFeatures,
  out,
  report: page,
}: TrainOptions): string[] => [
  ...(valid ? ["--valid", ...valid] : []),
  ...Object.entries({
    "--transform": transform,
    "--hold-out": holdOut,
    "--init": init,
    "--stop-on": stopOn,
    "--patience": patience,
    "--out": out,
    "--report": page,
    "--unknown-features": unknownFeatures,
  }).flatMap(([option, value]) => (value === undefined ? [] : [option, value])),
];
