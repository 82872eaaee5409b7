/** The commands that reproduce the model and its report. */

import { html } from "../markup.ts";
import type { Section } from "../page.ts";
import type { ReportOptions } from "../report-data.ts";

export function reproduce({ commands = [], version }: ReportOptions): Section {
  return {
    id: "again",
    title: "How to reproduce it",
    body: html`${commands.length > 0 ? html`<pre>${commands.map((one) => html`${one}\n`)}</pre>` : undefined}<p>${version === undefined ? undefined : `With tierwise ${version}. `}The same data, options and
seed give the same model to the last bit, on any machine and with any number of threads, and the same report.</p>`,
  };
}
