/** The leaderboard of utilities: a caterpillar of estimates with their intervals, and the table of worths. */
import { counted } from "../../counted.ts";
import type { ModelFile } from "../../formats/models/native.ts";
import type { Estimate } from "../../types.ts";
import { caterpillar } from "../caterpillar.ts";
import { html, raw } from "../markup.ts";
import type { Section } from "../page.ts";
import { framed, withTitle } from "../plotter.ts";
import { PAGE } from "../theme.ts";
import { learned } from "./features.ts";

const DRAWN = 60;

export function worths(file: ModelFile, estimates: readonly Estimate[]): Section {
  const alt = `Utilities with 95 % intervals, best first: ${estimates
    .slice(0, 10)
    .map(({ name, value, rank }) => `${name} ${value.toFixed(2)} (rank ${rank})`)
    .join(", ")}${estimates.length > 10 ? ` and ${counted(estimates.length - 10, "other")}` : ""}.`;
  const longest = Math.max(...estimates.slice(0, DRAWN).map(({ name }) => Math.min(36, name.length)), 4);
  const drawn = caterpillar(estimates, {
    title: "",
    axis: "utility (log-worth)",
    most: DRAWN,
    palette: PAGE,
    across: Math.max(180, 360 - 7 * longest),
  });
  return {
    id: "worths",
    title: "Worths of the items",
    body: html`<p>The worth of an item is the probability that it is placed first among all; its logarithm is the utility.</p>
${framed(raw(withTitle(drawn.trim(), alt)), { alt })}${learned({ file })}`,
  };
}
