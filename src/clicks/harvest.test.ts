import { expect, it } from "vitest";
import { harvest } from "./harvest.ts";

it("finds the maximum also where a whole Newton step goes too far", () => {
  // One document was shown 10,000 times as often at the first position and clicked 200 times at the second, another as often at both and clicked
  // 160 times at the first. With x the log of the second propensity, the smoothed likelihood is greatest where its slope is 0.
  const { logs } = harvest(
    {
      ...{ positions: 2, starts: Uint32Array.of(0, 2, 4), query: Uint32Array.of(0, 0), document: Uint32Array.of(0, 1) },
      position: Uint32Array.of(0, 1, 0, 1),
      shown: Float64Array.of(2e6, 200, 200, 200),
      clicked: Float64Array.of(0, 200, 160, 0),
      entryOf: new Uint32Array(0),
    },
    1,
  )!;
  const odds = Math.exp(logs[1]!);
  expect((200 * 1e4) / (1e4 + odds) - (160 * odds) / (1 + odds) - logs[1]!).toBeCloseTo(0, 6);
});
