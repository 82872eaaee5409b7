/** Model and data. */
import { counted } from "../../counted.ts";
import { type DataSummary, summary } from "../../data/summary.ts";
import type { Training } from "../../formats/models/native.ts";
import { roundsText } from "../../stop-on.ts";
import type { Description } from "../../types.ts";
import { figure } from "../figure.ts";
import { html, type Markup, type Piece } from "../markup.ts";
import type { Section } from "../page.ts";
import type { ReportOptions } from "../report-data.ts";
import { factList, pageTable } from "../table.ts";

type Fact = readonly [name: string, what: Piece];

export function subject({ name, file, judged, train }: ReportOptions): Section {
  const description = file.model.describe();
  return {
    id: "subject",
    title: "Model and data",
    body: html`<div class="columns"><div><h3>The model</h3>${factList(modelFacts(name, description, file.training))}</div>
<div>${train ? [html`<h3>Training data</h3>`, dataFacts(train.name, summary(train.data))] : trainingFacts(file.training)}
${judged && judged.data !== train?.data ? [html`<h3>Judged on</h3>`, dataFacts(judged.name, summary(judged.data))] : undefined}</div></div>`,
  };
}

function modelFacts(name: string, { title, facts }: Description, training: Training): Fact[] {
  const { model, objective, seed, rounds, best, stopOn, cost } = training;
  return [
    ["name", name],
    ["kind", title],
    ["as written", html`<code>${model}</code>`],
    ["objective", html`<code>${objective}</code>`],
    ...Object.entries(facts).map(([fact, what]): Fact => [fact, typeof what === "number" ? figure(what) : what]),
    ...(rounds === undefined ? [] : [["rounds", roundsText(best, rounds, stopOn)] as Fact]),
    ...(cost === undefined ? [] : [["training cost", figure(cost)] as Fact]),
    ...(seed === undefined ? [] : [["seed", `${seed}`] as Fact]),
  ];
}

/** What the model file remembers of its training data, where these are not at hand. */
function trainingFacts({ data }: Training): Piece {
  if (!data) return html`<h3>Training data</h3><p class="note">The model file says nothing of its training data.</p>`;
  const facts = Object.entries(data).filter(([, what]) => typeof what === "number" || typeof what === "string");
  return [
    html`<h3>Training data</h3>`,
    factList(facts.map(([fact, what]): Fact => [words(fact), typeof what === "number" ? figure(what) : String(what)])),
    html`<p class="note">As the model file remembers them.</p>`,
  ];
}

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function dataFacts(name: string, description: DataSummary): Markup {
  const { lists, entries, features, storage, missing, labels, sizes, listsWithoutPositive } = description;
  const few = labels.length <= 8;
  return html`${factList([
    ["files", name],
    ["lists", `${figure(lists)}, of ${figure(sizes.least)} to ${figure(sizes.most)} items (median ${sizes.median})`],
    ["items", figure(entries)],
    ...(features > 0
      ? [["features", `${figure(features)}, ${storage}${missing > 0 ? `, ${counted(missing, "value")} missing` : ""}`] as Fact]
      : []),
    ...(few
      ? []
      : [["labels", `${labels.length} kinds from ${figure(labels[0]!.label)} to ${figure(labels.at(-1)!.label)}`] as Fact]),
    ["no label above 0", `in ${counted(listsWithoutPositive, "list")}`],
  ])}${few ? labelTable(name, labels, entries) : undefined}`;
}

function labelTable(name: string, labels: DataSummary["labels"], entries: number): Markup {
  const most = Math.max(...labels.map(({ count }) => count));
  return pageTable({
    caption: `Labels of ${name}`,
    head: ["label", "items", "share"],
    rows: [...labels].reverse().map(({ label, count }) => [
      label,
      count,
      {
        value: count / entries,
        shown: html`<span class="bar" style="width:${((80 * count) / most).toFixed(1)}px"></span> ${((100 * count) / entries).toFixed(1)} %`,
      },
    ]),
    sortable: false,
  });
}
