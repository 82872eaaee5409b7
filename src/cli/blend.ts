/** `tierwise blend`: one model that adds up the scores of others, with weights from validation data. */
import type { Command } from "commander";
import { type Blended, type BlendOptions, blend } from "../blend.ts";
import { evaluate } from "../evaluate.ts";
import { writeModel } from "../formats/models/files.ts";
import type { ModelFile } from "../formats/models/native.ts";
import { InputError, quote } from "../input-error.ts";
import { unionColumns } from "../models/blend.ts";
import type { Dataset, Metric } from "../types.ts";
import { checkFiles, FileOption } from "./files.ts";
import { checkReadable, load } from "./load.ts";
import { definitionsText } from "./metric-definitions.ts";
import {
  addCommonOptions,
  addReadingOptions,
  type Common,
  cacheOf,
  readingFromModel,
  remembered,
  unknownFeatures,
} from "./options.ts";
import { notice, print, printJson, tableText } from "./output.ts";
import { addTransformCode, metricsFrom, readModelWith } from "./own-code.ts";
import { applyConfigStrictly } from "./settings.ts";

interface Options extends Common {
  readonly valid?: readonly string[];
  readonly weights: string;
  readonly metrics: string;
  readonly out?: string;
  readonly transform?: string;
  readonly unknownFeatures?: string;
  readonly cache?: true;
  readonly cacheDir?: string;
}

export function blendCommand(program: Command): void {
  const command = program
    .command("blend")
    .summary("blend models into one")
    .description(
      "Writes one model whose score is a weighted sum of the scores of others, each divided by its deviation within lists. The weights make the tiers of the validation lists most likely; use lists that no model was trained on.",
    )
    .argument("<models...>", "model files, two or more")
    .addOption(
      new FileOption("--valid <files...>", "validation data, to which scores are scaled and weights fitted", "reads data"),
    )
    .option("--weights <weights>", "fit, equal, or a number of at least 0 for each model, separated by commas", "fit")
    .option("-m, --metrics <metrics>", "metrics of the validation data to show (tierwise list metrics)", "ndcg@10")
    .addOption(new FileOption("--out <file>", "model file to write", "writes"));
  addReadingOptions(addCommonOptions(addTransformCode(command))).action((models: string[]) => run(command, models));
}

async function run(command: Command, paths: readonly string[]): Promise<void> {
  applyConfigStrictly(command);
  checkFiles(command, { others: paths });
  const options = command.opts<Options>();
  const { valid, quiet = false } = options;
  if (paths.length < 2) throw new InputError(`blend: expected two model files or more, got ${paths.length}`);
  if (!valid) throw new InputError("blend: expected validation data; name them by --valid");
  const weights = weightsOf(options.weights, paths.length);
  const metrics = await metricsFrom(options.metrics);
  const files = await Promise.all(paths.map((path) => readModelWith(path, options)));
  await checkReadable(valid);
  const reading = sharedReading(paths, files, { ...options });
  const columns = unionColumns(files.map(({ model }) => model));
  const how = { reading, quiet, cache: cacheOf(options), ...unknownFeatures(options) };
  const data = await load(valid, { ...how, columns, training: { ...files[0]!.training, reading } });
  const blended = blend(files, data, { weights, metrics });
  const file = {
    model: blended.model,
    training: { ...blended.training, reading: remembered(reading) },
    metrics: blended.metrics,
  };
  if (options.out !== undefined) writeModel(options.out, file);

  const rows = rowsOf(paths, blended, data, metrics);
  if (options.json)
    return printJson({
      models: rows.slice(0, -1),
      ...{ cost: blended.cost, metrics: blended.metrics, lists: data.starts.length - 1, out: options.out ?? null },
    });
  const head = ["model", "weight", "share", "valid cost", ...metrics.map(({ spec }) => `valid ${spec}`)];
  const cells = rows.map(({ model, weight, share, cost, metrics: own }) => [
    ...[model, weight ?? "", share ?? "", cost],
    ...metrics.map(({ spec }) => own[spec]!),
  ]);
  print(`${tableText({ head, rows: cells })}\n${definitionsText(metrics)}`);
  if (!quiet && weights === "fit") notice("The weights were fitted to these lists, so use others to evaluate the blend.");
  if (options.out !== undefined) print(`The model is in ${options.out}.`);
}

interface Row {
  readonly model: string;
  readonly weight?: number;
  readonly share?: number;
  readonly cost: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** A row for each model, and one for the blend. */
function rowsOf(paths: readonly string[], blended: Blended, data: Dataset, metrics: readonly Metric[]): Row[] {
  const { weights, costs, cost, model } = blended;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return [
    ...paths.map((path, m) => ({
      ...{ model: path, weight: weights[m]!, share: weights[m]! / total, cost: costs[m]! },
      metrics: evaluate(model.members[m]!.model, data, metrics, { unknownFeatures: "ignore" }).metrics,
    })),
    { model: "blend", cost, metrics: blended.metrics },
  ];
}

function weightsOf(text: string, count: number): NonNullable<BlendOptions["weights"]> {
  if (text === "fit" || text === "equal") return text;
  const all = text.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one)));
  if (all.length !== count || !all.every((weight) => Number.isFinite(weight) && weight >= 0) || !all.some((weight) => weight > 0))
    throw new InputError(
      `--weights: expected fit, equal, or ${count} numbers of at least 0, one for each model and not all 0, got ${quote(text)}`,
    );
  return all;
}

/** How the data are read: as for the models, which must agree where no option says how. Models of other tools do not say. */
function sharedReading(paths: readonly string[], files: readonly ModelFile[], options: Readonly<Record<string, unknown>>) {
  const readings = files.map(({ training }, m) => readingFromModel(paths[m]!, training, options));
  const known = Array.from(files.keys()).filter((m) => files[m]!.training.reading !== undefined);
  const text = (m: number) => JSON.stringify(Object.entries(readings[m]!).sort());
  const other = known.find((m) => text(m) !== text(known[0]!));
  if (other !== undefined)
    throw new InputError(
      `blend: the data of ${paths[known[0]!]} and ${paths[other]} were read with different options; give the options of reading that hold for both`,
    );
  return readings[known[0] ?? 0]!;
}
