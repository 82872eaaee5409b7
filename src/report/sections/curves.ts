/**
 * Learning curves: cost and validation metrics by round as recorded in training, and, for additive models, the main metric after each
 * number of rounds on the training and the evaluation data, which shows overfitting.
 */
import { evaluate } from "../../evaluate.ts";
import type { TrainingRound } from "../../fit.ts";
import type { Training } from "../../formats/models/native.ts";
import { stopOnText } from "../../stop-on.ts";
import type { Dataset, Metric, Model } from "../../types.ts";
import { figure } from "../figure.ts";
import { html, type Markup, type Piece } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import type { ReportOptions } from "../report-data.ts";
import { PAGE } from "../theme.ts";

const [FIRST, SECOND] = PAGE.series as [string, string];

export function curves(plotter: Plotter, options: ReportOptions): Section | undefined {
  const { history, file } = options;
  const grown = growth(plotter, options);
  const figures =
    history && history.length > 1 ? [costs(plotter, history), validationFigure(plotter, history, file.training)] : [];
  const none =
    history === undefined
      ? html`<p class="note">No history of the training is at hand: a model file does not keep it. <code>train --report</code> shows
it, and <code>train --history FILE</code> keeps it for <code>report --history FILE</code>.</p>`
      : history.length < 2
        ? html`<p class="note">Training took ${history.length === 1 ? "one round" : "no rounds"}, so there is no curve.</p>`
        : undefined;
  return { id: "curves", title: "Learning curves", body: html`${none}<div class="figures">${figures}${grown}</div>` };
}

function costs({ plot, figure: draw }: Plotter, history: readonly TrainingRound[]): Markup {
  const drawn = thin(history);
  return draw(
    {
      x: { label: "round" },
      y: { label: "cost", nice: true, grid: true },
      marks: [plot.lineY(drawn, { x: "round", y: "cost", stroke: FIRST, strokeWidth: 2 })],
    },
    {
      title: "Training cost",
      alt: `The training cost falls from ${figure(history[0]!.cost)} in round ${history[0]!.round} to ${figure(history.at(-1)!.cost)} in round ${history.at(-1)!.round}.`,
      caption: "Mean over the training lists, with regularisation. Lower is better.",
    },
  );
}

function validationFigure({ plot, figure: draw }: Plotter, history: readonly TrainingRound[], { best, stopOn }: Training): Piece {
  const names = Object.keys(history[0]!.metrics);
  if (names.length === 0)
    return html`<figure><h3>Validation</h3><p class="note">No validation data were used in training (<code>--valid</code> or
<code>--hold-out</code>).</p></figure>`;
  const points = thin(history).flatMap(({ round, metrics }) =>
    names.map((name) => ({ round, name, value: metrics[name]! })).filter(({ value }) => Number.isFinite(value)),
  );
  const first = history.map(({ metrics }) => metrics[names[0]!]!);
  return draw(
    {
      x: { label: "round" },
      y: { label: names.length === 1 ? names[0]! : "validation", nice: true, grid: true },
      color: { domain: names, range: names.map((_, i) => PAGE.series[i % PAGE.series.length]!) },
      marks: [
        ...(best ? [plot.ruleX([best], { stroke: "currentColor", strokeDasharray: "4 3" })] : []),
        plot.lineY(points, { x: "round", y: "value", stroke: "name", strokeWidth: 2 }),
      ],
    },
    {
      title: "Validation metrics",
      alt: `${names[0]} of the validation data by round, between ${figure(Math.min(...first))} and ${figure(Math.max(...first))}.`,
      caption: best
        ? `The dashed line is round ${best}, which was kept${stopOn === undefined ? "" : `: the best by ${stopOnText(stopOn)}`}.`
        : undefined,
      ...(names.length > 1 ? { legend: names.map((name, i) => [name, PAGE.series[i % PAGE.series.length]!] as const) } : {}),
    },
  );
}

/** The main metric after so many rounds, from the model itself. */
function growth({ plot, figure: draw }: Plotter, { file, judged, train, metrics }: ReportOptions): Markup | undefined {
  const { stages } = file.model;
  if (!stages || stages.count < 2 || !judged || judged.data.labelSpaceSize !== undefined) return undefined;
  const metric = metrics[0]!;
  const both = train && train.data !== judged.data;
  const sides = [
    { name: judged.name, data: judged.data, colour: FIRST, dash: false },
    ...(both ? [{ name: `${train.name} (training)`, data: train.data, colour: SECOND, dash: true }] : []),
  ];
  const work = sides.reduce((sum, { data }) => sum + data.labels.length, 0) * stages.count;
  const points = sides.flatMap(({ name, data, dash }) =>
    stops(stages.count, work).map((rounds) => ({ rounds, name, dash, value: at(stages.after(rounds), data, metric) })),
  );
  const last = points.filter(({ name, rounds }) => name === judged.name && rounds === stages.count)[0]!;
  return draw(
    {
      x: { label: "rounds" },
      y: { label: metric.spec, nice: true, grid: true },
      color: { domain: sides.map(({ name }) => name), range: sides.map(({ colour }) => colour) },
      marks: sides.map(({ name, dash }) =>
        plot.lineY(
          points.filter((point) => point.name === name),
          { x: "rounds", y: "value", stroke: "name", strokeWidth: 2, ...(dash ? { strokeDasharray: "6 4" } : {}) },
        ),
      ),
    },
    {
      title: `${metric.spec} after so many rounds`,
      alt: `${metric.spec} of the model's first rounds; with all ${stages.count} it is ${figure(last.value)} on ${judged.name}.`,
      caption: both
        ? "Computed from the model. Where the training curve rises and the other does not, the model overfits."
        : "Computed from the model. With the training data (--train) their curve would stand beside it.",
      legend: sides.map(({ name, colour }) => [name, colour] as const),
    },
  );
}

const at = (model: Model, data: Dataset, metric: Metric) => evaluate(model, data, [metric]).metrics[metric.spec]!;

const WORK = 4e7; // rows times trees that are walked for one stop, beyond which there are fewer

/** At which rounds to look: up to 40, closer at the beginning. */
function stops(count: number, work: number): number[] {
  const most = Math.max(5, Math.min(40, count, Math.floor((40 * WORK) / work)));
  const all = Array.from({ length: most }, (_, i) => Math.max(1, Math.round(count * ((i + 1) / most) ** 1.5)));
  return [...new Set(all)];
}

/** At most 300 rounds, the last among them. */
function thin(history: readonly TrainingRound[]): readonly TrainingRound[] {
  const step = Math.ceil(history.length / 300);
  return history.filter((_, i) => i % step === 0 || i === history.length - 1);
}
