import { describe, expect, it } from "vitest";
import { withDates } from "./leaderboard-diagnostics.ts";

const periods = (...times: readonly (readonly [from: string, to: string])[]) => times.map(([from, to]) => ({ from, to, battles: 3 })); // biome-ignore format: one line

describe("the names of periods", () => {
  it("are days where times are seconds, milliseconds or microseconds since 1970", () => {
    const wanted = periods(["2023-03-28", "2023-03-29"], ["2023-03-30", "2023-04-30"]);
    for (const zeros of ["", "000", "000000"])
      expect(withDates(periods([`1680000000${zeros}`, `1680100000${zeros}`], [`1680150000${zeros}`, `1682850000${zeros}`]))).toEqual(wanted); // biome-ignore format: one claim
    expect(withDates(periods(["1680000000.0000", "1680100000.5000"], ["1680150000.0000", "1682850000.0000"]))).toEqual(wanted);
  });
  it("have the time of day where two periods begin on the same day", () => {
    expect(withDates(periods(["1680000000", "1680003600"], ["1680007200", "1680090000"]))).toEqual(
      periods(["2023-03-28 10:40", "2023-03-28 11:40"], ["2023-03-28 12:40", "2023-03-29 11:40"]),
    );
  });
  it("are as they are written where some time is none since 1970, such as a round or a date", () => {
    for (const names of [periods(["1", "4"], ["5", "9"]), periods(["2024", "2024"], ["1680000000", "1680000000"]), periods(["2024-01-02", "2024-02-02"])]) // biome-ignore format: one line
      expect(withDates(names)).toEqual(names);
  });
});
