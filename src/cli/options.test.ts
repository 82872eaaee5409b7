import { expect, it } from "vitest";
import { heldOutShare } from "./options.ts";

it("a share that is held out is a fraction or a percentage between 0 and 1", () => {
  expect(["0.25", "25%", " 12.5 % "].map(heldOutShare)).toEqual([0.25, 0.25, 0.125]);
  for (const text of ["0%", "100%", "%", "25", "x%", "2 5%", ""])
    expect(() => heldOutShare(text)).toThrow(`such as 0.25 or 25%, got ${JSON.stringify(text)}`);
});
