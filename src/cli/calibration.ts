/** `evaluate --calibration`: calibration of the predicted probabilities. */
import { type Calibration, calibrate } from "../calibrate.ts";
import type { Reliability } from "../statistics/index.ts";
import type { Dataset } from "../types.ts";
import { figure, tableText } from "./output.ts";
import { progress } from "./progress.ts";

export interface CalibrationAddition {
  readonly key: "calibration";
  readonly json: Calibration;
  readonly text: string;
}

export function calibration(scores: Float64Array, data: Dataset, quiet: boolean): CalibrationAddition {
  const bar = progress("Calibrating", quiet);
  const found = calibrate(scores, data, { progress: (fraction) => bar.at(fraction, "places of items") });
  bar.done();
  return { key: "calibration", json: found, text: textOf(found) };
}

const LIMITS = {
  certain: "the scores order these lists perfectly, so lower is always better",
  useless: "the scores are not informative for these lists, so higher is always better",
} as const;

function textOf({ temperature: { value, limit }, lists, before, after }: Calibration): string {
  const row = (what: string, of: (one: Calibration["before"]) => number) => [what, figure(of(before)), figure(of(after))];
  const head = [`calibration (${lists} lists of several tiers)`, "as it is", "with temperature"];
  const rows = [
    ["temperature", "1", figure(value)],
    row("log-likelihood of a list's tiers", (one) => one.likelihood),
    row("expected calibration error, pairs", (one) => one.pairs.error),
    row("expected calibration error, top tier", (one) => one.top.error),
  ];
  return [
    tableText({ head, rows }),
    ...(limit ? [`There is no best temperature: ${LIMITS[limit]}.`] : []),
    "",
    binsText("pairs: the higher score is better", after.pairs),
    "",
    binsText("top tier: an item is in it", after.top),
    "Bins are with temperature, fitted for each list on the other half of the lists; intervals by bootstrap over lists.",
  ].join("\n");
}

function binsText(what: string, { bins }: Reliability): string {
  const rows = bins.map(({ from, to, count, predicted, observed, low, high }) => [
    `${from.toFixed(2)} to ${to.toFixed(2)}`,
    ...[count, predicted, observed],
    Number.isNaN(low) ? "-" : `${figure(low)} to ${figure(high)}`,
  ]);
  return tableText({ head: [what, "count", "predicted", "observed", "95 % interval"], rows });
}
