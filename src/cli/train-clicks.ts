/** `tierwise train --clicks`: the data are features of documents, and their labels come from a log of clicks without position bias. */
import type { Command } from "commander";
import { CLIP, clickData } from "../click-data.ts";
import { counted } from "../counted.ts";
import { InputError } from "../input-error.ts";
import { processContext } from "../teams/processes.ts";
import type { Dataset } from "../types.ts";
import { isAuto } from "./auto.ts";
import {
  addBiasOption,
  addClipOption,
  type BiasFlags,
  biasMethod,
  biasOf,
  checkNoClicks,
  columnsLike,
  loadClicks,
  numberOption,
} from "./click-input.ts";
import { FileOption } from "./files.ts";
import type { LoadOptions } from "./load.ts";
import { notice } from "./output.ts";

export interface TrainClicksFlags extends BiasFlags {
  readonly clicks?: readonly string[];
}

export const addTrainClicks = (command: Command): Command =>
  addClipOption(
    addBiasOption(
      command.addOption(
        new FileOption(
          "--clicks <logs...>",
          "logs of clicks on the documents of the data, which give the labels, without position bias (see tierwise clicks)",
          "reads",
        ),
      ),
    ),
    CLIP,
  );

/** Refuses what does not go together, before anything is read. */
export function checkTrainClicks(
  options: TrainClicksFlags & { readonly model: string; readonly twoRound?: boolean },
  ballots: boolean,
): void {
  if (!options.clicks) {
    checkNoClicks(options);
    return;
  }
  biasMethod(options.bias);
  numberOption("clip", options.clip, 1);
  const instead = "write training data with tierwise clicks --out, and train on these";
  if (isAuto(options.model)) throw new InputError(`--clicks: not with --model auto; ${instead}`);
  if (options.twoRound) throw new InputError(`--clicks: not with --two-round; ${instead}`);
  if (processContext()) throw new InputError(`--clicks: not with several processes; ${instead}`);
  if (ballots) throw new InputError("--clicks: expected data with a row of features for each document, got ballots");
}

/** The data with labels from the logs. */
export async function labelsFromClicks(
  data: Dataset,
  logs: readonly string[],
  options: TrainClicksFlags,
  { reading, quiet }: Pick<LoadOptions, "reading" | "quiet">,
): Promise<Dataset> {
  const log = await loadClicks(logs, {}, quiet, columnsLike(reading));
  const bias = biasOf(log, options, data.features.columns > 0 ? data : undefined, 0.95);
  const clip = numberOption("clip", options.clip, 1) ?? CLIP;
  const found = clickData(log, data, { bias, clip });
  if (!quiet) {
    const curve = bias.propensities
      .slice(0, 10)
      .reduce((text, p, k) => `${text}${k ? ", " : ""}${bias.positions[k]}: ${p.toFixed(2)}`, "");
    notice(`position bias by ${bias.method}: ${curve}${bias.positions.length > 10 ? ", ..." : ""}`);
    if (found.unknown > 0) notice(`left out: ${counted(found.unknown, "document")} of the log without features`);
  }
  return found.data;
}
