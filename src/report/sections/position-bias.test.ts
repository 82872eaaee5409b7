import { expect, it } from "vitest";
import type { Markup } from "../markup.ts";
import { plotter } from "../plotter.ts";
import { biasCurve } from "./position-bias.ts";

it("the section on position bias counts all clicks, and a page for each document at the first position", async () => {
  const numbers = { propensities: Float64Array.of(1, 0.5), shown: Float64Array.of(40, 30), clicks: Float64Array.of(8, 3) };
  const { body } = biasCurve(await plotter(), { method: "harvest", positions: ["1", "2"], ...numbers });
  expect((body as Markup).markup).toContain("from 11 clicks on 40 result pages");
});
