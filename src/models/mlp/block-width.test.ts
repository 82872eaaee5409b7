import { expect, it } from "vitest";
import { blockWidth } from "./labels.ts";

it("a block has a sixteenth of the items, in eights, from 32 to 512", () => {
  const widths = [0, 1, 512, 513, 640, 641, 1000, 4096, 8064, 8065, 8192, 1e6].map(blockWidth);
  expect(widths).toEqual([32, 32, 32, 40, 40, 48, 64, 256, 504, 512, 512, 512]);
});
