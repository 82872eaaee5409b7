import { expect, it } from "vitest";
import { secondsOf } from "./seconds.ts";

it.each([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
])("times in %s are numbers times %s seconds", (unit, seconds) => {
  for (const number of [1, 2, 10, 90, 0.5, 1.25]) {
    expect(secondsOf(`${number}${unit}`)).toBe(number * seconds);
    expect(secondsOf(` ${number} ${unit}\n`)).toBe(number * seconds);
  }
});

it("other texts are no times", () => {
  for (const text of ["", "s", "1", "0s", "0.0h", "-1s", "+1s", "1d", "1S", "1.s", ".5s", "1e3s", "1,5s", "1m30s", "1ss", `${"9".repeat(400)}s`])
    expect(secondsOf(text), text).toBeUndefined();
}); // biome-ignore format: texts
