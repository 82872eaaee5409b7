/** Generates a report on a model as one HTML page. */
import {
  check,
  checkData,
  checkOptions,
  type Kind,
  type Kinds,
  oneOf,
  required,
  seedNumber,
  someMetrics,
  someModel,
  someText,
  someTexts,
} from "../arguments.ts";
import { counted } from "../counted.ts";
import { align, alignKinds } from "../data/align.ts";
import { InputError } from "../input-error.ts";
import { figure, interval } from "./figure.ts";
import { html, type Piece } from "./markup.ts";
import { page, type Section } from "./page.ts";
import { plotter } from "./plotter.ts";
import { evaluateSystems, meanOf, type NamedData, type ReportData, type ReportOptions } from "./report-data.ts";
import { calibration } from "./sections/calibration.ts";
import { curves } from "./sections/curves.ts";
import { features, learned } from "./sections/features.ts";
import { lists } from "./sections/lists.ts";
import { biasCurve } from "./sections/position-bias.ts";
import { quality } from "./sections/quality.ts";
import { reproduce } from "./sections/reproduce.ts";
import { subject } from "./sections/subject.ts";
import { tiers } from "./sections/tiers.ts";
import { worths } from "./sections/worths.ts";

export type { NamedData, OtherModel, ReportOptions } from "./report-data.ts";

const named: Kind = {
  wanted: "{ name, data }",
  fits: (value) =>
    typeof value === "object" && value !== null && "data" in value && "name" in value && typeof value.name === "string",
};

const kinds: Kinds<ReportOptions> = {
  ...alignKinds,
  ...{ name: required(someText), judged: named, train: named, metrics: required(someMetrics) },
  file: {
    wanted: "a model file { model, training, metrics }, as readModel gives it",
    fits: (value) =>
      typeof value === "object" && value !== null && "model" in value && "training" in value && someModel.fits(value.model),
    required: true,
  },
  role: oneOf("test", "validation", "training"),
  history: { wanted: "an array of rounds", fits: Array.isArray },
  bias: {
    wanted: "what positionBias gives",
    fits: (value) => typeof value === "object" && value !== null && "propensities" in value && "positions" in value,
  },
  against: { wanted: "an array of { name, data, model }", fits: (value) => Array.isArray(value) && value.every(named.fits) },
  ...{ commands: someTexts, version: someText, seed: seedNumber },
};

/** Refuses wrong options, and fits data to the columns of the model (see `align`), which all sections then share. */
function prepared(given: ReportOptions): ReportOptions {
  checkOptions("report", given, kinds);
  const { file, judged, train, against = [], metrics, unknownFeatures } = given;
  if (metrics.length === 0) throw new InputError("report: expected at least one metric");
  const how = unknownFeatures ? { unknownFeatures } : {};
  const fitted = ({ name, data }: NamedData): NamedData => {
    checkData(`report, the data ${name}`, data);
    return { name, data: align(data, file.model.columns, how).data };
  };
  for (const { name, data, model } of against) {
    checkData(`report, the data of ${name}`, data);
    check(`report, the model ${name}`, model, someModel);
  }
  return { ...given, ...(judged && { judged: fitted(judged) }), ...(train && { train: fitted(train) }) };
}

/** A report on a model as an HTML page. Data are fitted to the columns of the model as `align` says. */
export async function report(given: ReportOptions): Promise<string> {
  const options = prepared(given);
  const { file, judged, name, version } = options;
  const plots = await plotter();
  const found = judged && evaluateSystems({ ...options, judged });
  const { estimates, tables } = file.model.describe();
  const what: Section = {
    id: "learned",
    title: "What it learned",
    body: tables.length > 0 ? learned({ file }) : html`<p class="note">This model has nothing to show.</p>`,
  };
  const sections: (Section | undefined)[] = [
    subject(options),
    ...(estimates ? [worths(file, estimates)] : []),
    ...(found ? [quality(plots, found), lists(plots, found)] : []),
    ...(estimates ? [] : found ? [features(plots, found), calibration(plots, found), tiers(plots, found)] : [what]),
    ...(options.bias ? [biasCurve(plots, options.bias)] : []),
    ...(estimates && !options.history ? [] : [curves(plots, options)]),
    reproduce(options),
  ];
  return page({
    title: `Report on ${name}`,
    lead: found ? lead(found) : html`${file.training.model} under ${file.training.objective}. No data were given to judge it on.`,
    sections: sections.filter((one) => one !== undefined),
    foot: html`Made by tierwise${version === undefined ? "" : ` ${version}`}. This page needs no network.`,
  });
}

/** The whole in a sentence or two. */
function lead(found: ReportData): Piece {
  const { file, main, systems, judged } = found;
  const [ours, ...others] = systems;
  const { mean, low, high, lists: measured } = meanOf(found, ours!, main);
  const { model, objective } = file.training;
  const rest = others.map(({ name, result }) => html`${name} ${figure(result.metrics[main.spec]!)}`);
  return html`<code>${model}</code> under <code>${objective}</code> reaches <strong>${main.spec} ${figure(mean)}</strong>${
    Number.isNaN(low) ? "" : ` (95 % interval ${interval(low, high)})`
  } over ${counted(measured, "list")} of ${judged.name}. ${rest.length > 0 ? html`For comparison: ${rest.flatMap((one, i) => (i === 0 ? [one] : [html`; `, one]))}.` : undefined}`;
}
