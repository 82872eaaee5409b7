import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { open } from "../../../test/page.ts";
import { type Battle, battles } from "../../data/battles.ts";
import { leaderboard } from "../../leaderboard.ts";
import { leaderboardDrift } from "../../leaderboard-drift.ts";
import { leaderboardFit } from "../../leaderboard-fit.ts";
import { leaderboardBySlice } from "../../leaderboard-slices.ts";
import { below, random } from "../../numeric/random.ts";
import type { Markup } from "../markup.ts";
import { plotter } from "../plotter.ts";
import { script, scriptHash } from "../script.ts";
import { driftSection } from "./drift-section.ts";
import { leaderboardReport } from "./leaderboard-report.ts";
import { matrix, shortNames } from "./matrix.ts";

const EVIL = `<img src=x onerror=alert(1)>"'&`;

function draw(names: readonly string[], covariates: boolean): Battle[] {
  const r = random(9);
  return Array.from({ length: 400 }, (_, at): Battle => {
    const i = below(r, names.length);
    const j = (i + 1 + below(r, names.length - 1)) % names.length;
    const winner = (["first", "second", "tie"] as const)[below(r, 3)]!;
    return { first: names[i]!, second: names[j]!, winner, slice: String(at % 3), ...(covariates && { covariates: [r()] }) };
  });
}

describe("the page of a leaderboard", () => {
  const data = battles(draw(["a", "b", EVIL], false));
  const all = async () =>
    leaderboardReport({
      ...{
        name: EVIL,
        board: leaderboard(data, { scale: "elo" }),
        data,
        fit: leaderboardFit(data),
        commands: [EVIL],
        version: "1",
      },
      ...{ slices: leaderboardBySlice(data), sliceName: EVIL, drift: leaderboardDrift(data, { step: 0.1 }) },
    });

  it("has all sections, and names are text", async () => {
    const text = await all();
    for (const id of ["standings", "matrix", "battles", "slices", "drift", "fit", "about"])
      expect(text).toContain(`<h2 id="${id}">`);
    expect(text).not.toContain("<img");
    expect(text).toContain("&#60;img src=x");
    expect(text.split("<script>")[0]).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("loads nothing, and only its own script runs", async () => {
    const text = await all();
    expect(scriptHash).toBe(`sha256-${createHash("sha256").update(script).digest("base64")}`);
    expect(text).toContain("default-src 'none'");
    expect(text).toContain(`script-src '${scriptHash}'`);
    expect(text.split("<script>")).toHaveLength(2);
    expect(text.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:|src="|@import|url\(/);
    expect(text).not.toMatch(/ on[a-z]+="/);
  });

  it("covariates and features of items have a section, and what is not given has none", async () => {
    const with_ = battles(draw(["a", "b", "c"], true), { covariates: ["x"] });
    const board = leaderboard(with_);
    const text = await leaderboardReport({ name: "n", board, data: with_, features: board.covariates });
    expect(text).toContain("feature of items");
    expect(text).toContain('<h2 id="covariates">');
    for (const id of ["slices", "drift", "fit"]) expect(text).not.toContain(`<h2 id="${id}">`);
  });

  it("changes in one direction are drawn beside the line of no change", async () => {
    const drift = leaderboardDrift(data, { step: 0.1 });
    const items = drift.items.map((item) => ({ ...item, change: 5, changeError: 0.1 }));
    const { body } = driftSection(await plotter(), { ...drift, items });
    const strips = [...open((body as Markup).markup).querySelectorAll("svg.strip")];
    expect(strips.map((one) => [...one.querySelectorAll("line[stroke-dasharray]")].length)).toEqual([1, 1, 1]);
  });

  it("cells of a large matrix are at least 14 pixels apart", async () => {
    const many = battles(draw(Array.from({ length: 30 }, (_, i) => `item ${i}`), false)); // biome-ignore format: one line
    const { body } = matrix(await plotter(), many, leaderboard(many));
    const cells = [
      ...open((body as Markup).markup)
        .querySelector("svg")!
        .querySelectorAll("rect"),
    ];
    const places = [...new Set(cells.map((cell) => Number(cell.getAttribute("x"))))].sort((a, b) => a - b);
    expect(Math.min(...places.slice(1).map((x, i) => x - places[i]!))).toBeGreaterThanOrEqual(14);
  });

  it("names cut short stay different", () => {
    expect(shortNames(["a".repeat(30), `${"a".repeat(30)}b`, "c"], 10)).toEqual(["aaaaa… 1", "aaaaa… 2", "c"]);
  });
});
