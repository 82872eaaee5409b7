import { describe, expect, it } from "vitest";
import { contrast, over } from "../../test/page.ts";
import { DARK, LIGHT, VEIL } from "./theme.ts";

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
])("the %s theme", (_, { page, card, ink, faint, series }) => {
  it("has words of contrast 4.5 on all that lies behind them", () => {
    for (const ground of [page, card]) {
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(7);
      expect(contrast(faint, ground)).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(series[0]!, page)).toBeGreaterThanOrEqual(4.5); // links
    expect(contrast(ink, over(series[0]!, VEIL, page))).toBeGreaterThanOrEqual(4.5); // the fullest cell of a matrix
  });

  it("has lines and bars of contrast 3, and no two alike", () => {
    for (const colour of series) expect(contrast(colour, page), colour).toBeGreaterThanOrEqual(3);
    expect(new Set(series).size).toBe(series.length);
  });
});

describe("contrast", () => {
  it("is 21 between black and white, and 1 of a colour with itself", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 12);
    expect(contrast("#0072b2", "#0072b2")).toBe(1);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2); // the lightest grey that passes on white, as WCAG's texts have it
    expect(over("#000000", 0.5, "#ffffff")).toBe("#808080");
  });
});
