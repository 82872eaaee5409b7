/** A leaderboard as one self-contained HTML page. */
import { counted } from "../../counted.ts";
import type { Battles } from "../../data/battles.ts";
import type { Leaderboard, LeaderboardParameter } from "../../leaderboard.ts";
import type { LeaderboardDrift } from "../../leaderboard-drift.ts";
import type { LeaderboardFit } from "../../leaderboard-fit.ts";
import type { SlicedLeaderboard } from "../../leaderboard-slices.ts";
import { rankText } from "../../models/utilities/model.ts";
import { figure } from "../figure.ts";
import { html, type Piece } from "../markup.ts";
import { page, type Section } from "../page.ts";
import { plotter } from "../plotter.ts";
import { factList, pageTable } from "../table.ts";
import { battlesSection } from "./battles.ts";
import { driftSection } from "./drift-section.ts";
import { fitSection } from "./fit-section.ts";
import { matrix } from "./matrix.ts";
import { parameterTable, standings } from "./standings.ts";

/** What a page about a leaderboard shows. */
export interface LeaderboardReportOptions {
  /** Name of the battles, such as that of their file. */
  readonly name: string;
  /** The leaderboard. */
  readonly board: Leaderboard;
  /** Its battles. */
  readonly data: Battles;
  /** Coefficients of features of items. Default: none. */
  readonly features?: readonly LeaderboardParameter[];
  /** How well the model fits. Default: not shown. */
  readonly fit?: LeaderboardFit;
  /** Leaderboards by slice. Default: not shown. */
  readonly slices?: SlicedLeaderboard;
  /** Name of the slices. Default: "slice". */
  readonly sliceName?: string;
  /** Ratings over time. Default: not shown. */
  readonly drift?: LeaderboardDrift;
  /** Commands that make the page. Default: not shown. */
  readonly commands?: readonly string[];
  /** Version of the program. Default: not shown. */
  readonly version?: string;
}

/** The page as text. */
export async function leaderboardReport(options: LeaderboardReportOptions): Promise<string> {
  const { name, board, data, fit, slices, drift, commands = [], version, features = [] } = options;
  const plots = await plotter();
  const parameters = [...board.covariates, ...features];
  const sections: (Section | undefined)[] = [
    standings(board),
    matrix(plots, data, board),
    battlesSection(plots, board, fit),
    parameters.length > 0 ? covariates(board, features) : undefined,
    slices && sliceSection(slices, options.sliceName ?? "slice"),
    drift && driftSection(plots, drift),
    fit && fitSection(plots, fit),
    about(board, commands),
  ];
  return page({
    title: `Leaderboard of ${name}`,
    lead: lead(board),
    sections: sections.filter((one) => one !== undefined),
    foot: html`Made by tierwise${version === undefined ? "" : ` ${version}`}. This page needs no network.`,
  });
}

function lead(board: Leaderboard): Piece {
  const { items, battles } = board;
  const rivals = items.filter(({ rankLow }) => rankLow === 1);
  const [first] = items;
  return html`${figure(battles)} battles of ${counted(items.length, "item")}. ${
    rivals.length === 1
      ? html`<strong>${first!.name}</strong> is first beyond chance.`
      : html`<strong>${first!.name}</strong> has the highest rating, but ${counted(rivals.length, "item")} may be first: ${rivals
          .slice(0, 6)
          .map((one) => one.name)
          .join(", ")}${rivals.length > 6 ? ", ..." : ""}.`
  }`;
}

function covariates({ covariates: own }: Leaderboard, features: readonly LeaderboardParameter[]): Section {
  return {
    id: "covariates",
    title: "Covariates",
    body: html`${own.length > 0 ? html`<p>A positive coefficient favors the first item of a battle where the covariate is positive. Estimates are in utilities.</p>${parameterTable("Coefficients of covariates", "covariate", own)}` : undefined}${
      features.length > 0
        ? html`<p>Coefficients of the features of items, towards which items with few battles are shrunk.</p>${parameterTable("Coefficients of features", "feature of items", features)}`
        : undefined
    }`,
  };
}

const SLICES = 12;

function sliceSection({ slices, pooled, test, untested }: SlicedLeaderboard, name: string): Section {
  const shown = slices.slice(0, SLICES);
  const digits = pooled.scale === "elo" ? 0 : 2;
  const by = shown.map(({ board }) => new Map(board.items.map((item) => [item.name, item])));
  const verdict = test
    ? html`<strong>The slices ${test.p < 0.05 ? "differ" : "do not differ beyond chance"}</strong>: likelihood ratio ${figure(test.statistic)}, ${test.df} degrees of freedom, p = ${figure(test.p)}.`
    : html`No test of whether the slices differ: ${untested}.`;
  return {
    id: "slices",
    title: `By ${name}`,
    body: html`<p>${verdict}</p>${pageTable({
      caption: `Ratings by ${name}`,
      head: ["item", ...shown.map((one) => html`${one.name}<small>${figure(one.board.battles)} battles</small>`)],
      rows: pooled.items.map((item) => [
        item.name,
        ...by.map((items) => {
          const own = items.get(item.name);
          return own
            ? {
                value: own.rating,
                shown: html`${own.rating.toFixed(digits)}<small>rank ${rankText(own.rankLow, own.rankHigh)}</small>`,
              }
            : { value: Number.NaN, shown: "-" };
        }),
      ]),
    })}${slices.length > SLICES ? html`<p class="note">The first ${SLICES} of ${slices.length}.</p>` : undefined}`,
  };
}

function about(board: Leaderboard, commands: readonly string[]): Section {
  const { objective, errors, level, cost, likelihood, parameters, ghost, auxiliary, resamples } = board;
  return {
    id: "about",
    title: "How it was made",
    body: html`${factList([
      ["objective", objective],
      [likelihood ? "log-likelihood" : "minus cost", figure(-cost)],
      ["parameters", figure(parameters)],
      ...auxiliary.map(({ name, value, error }) => [name, `${figure(value)} (standard error ${figure(error)})`] as const),
      ["standard errors", resamples ? `${errors}, ${figure(resamples.fitted)} resamples` : errors],
      ["level of intervals", `${figure(100 * level)} %`],
      ...(ghost > 0 ? [["prior", `ghost=${ghost}`] as const] : []),
    ])}${commands.length > 0 ? html`<pre>${commands.join("\n")}</pre>` : undefined}`,
  };
}
