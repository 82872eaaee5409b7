import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import type { Random } from "../../types.ts";
import { isLikeTime, type TimeStart, timeForm, timeMark, timeOf, timeText } from "./times.ts";

const two = (value: number) => String(value).padStart(2, "0");

describe("times", () => {
  it("are hours, minutes and seconds, for all of a day and those beyond that are none", () => {
    for (let hours = 0; hours <= 25; hours++)
      for (let minutes = 0; minutes <= 61; minutes++)
        for (const seconds of [0, 1, 7, 30, 59, 60, 75]) {
          const wanted = minutes < 60 && seconds < 60 ? 3600 * hours + 60 * minutes + seconds : undefined;
          for (const first of [hours, two(hours)]) {
            const text = `${first}:${two(minutes)}:${two(seconds)}`;
            expect(`${text} ${timeOf(text)} ${timeForm(text)}`).toBe(
              `${text} ${wanted} ${wanted === undefined ? wanted : "all"}`,
            );
          }
        }
  });

  it("of two parts are hours and minutes or minutes and seconds, as is said, and nothing where it is not", () => {
    for (let first = 0; first <= 130; first++)
      for (let second = 0; second <= 61; second++) {
        const text = `${first}:${two(second)}`;
        const isTime = second < 60;
        expect(timeForm(text)).toBe(isTime ? "either" : undefined);
        expect(timeOf(text)).toBeUndefined();
        expect(timeOf(text, "hours")).toBe(isTime ? 3600 * first + 60 * second : undefined);
        expect(timeOf(text, "minutes")).toBe(isTime ? 60 * first + second : undefined);
      }
  });

  it("of two parts with a fraction are minutes and seconds, with AM or PM hours and minutes", () => {
    for (let hour = 0; hour <= 13; hour++)
      for (const [half, from] of [["AM", 0], ["PM", 12], ["am", 0], ["p.m.", 12]] as const) {
        const [text, isHour] = [`${hour}:05 ${half}`, hour >= 1 && hour <= 12];
        expect(timeOf(text)).toBe(isHour ? ((hour % 12) + from) * 3600 + 300 : undefined);
        expect(timeForm(text)).toBe(isHour ? "hours" : undefined);
        expect(timeOf(text, "minutes")).toBeUndefined();
      } // biome-ignore format: pairs
    expect(timeOf("12:05:07.5PM")).toBe(12 * 3600 + 307.5);
    for (const [text, seconds] of [
      ["1:23.456", 83.456],
      ["1:23,456", 83.456],
      ["75:00.5", 4500.5],
      ["-0:00.25", -0.25],
      ["+1:02.3", 62.3],
    ] as const) {
      // biome-ignore format: pairs
      expect(`${text} ${timeOf(text)} ${timeOf(text, "minutes")}`).toBe(`${text} ${seconds} ${seconds}`);
      expect(timeForm(text)).toBe("minutes");
      expect(timeOf(text, "hours")).toBeUndefined();
    }
  });

  it.each([
    ["0 days 00:01:30", 90],
    ["0 days 00:01:30.500000", 90.5],
    ["1 days 02:03:04.000000005", 93_784.000000005],
    ["-1 days +23:59:30", -30],
    ["3 days", 259_200],
    ["1 day 02:03:04", 93_784],
    ["-1 days -02:03:04", -93_784],
    ["1 day -00:00:01", 86_399],
    ["1 day, 2:03:04", 93_784],
    ["-1 day, 23:59:30", -30],
    ["1:32:10.5", 5530.5],
    ["1:32:10,25", 5530.25],
    ["100:00:00", 360_000],
    ["-838:59:59", -3_020_399],
    ["PT1M30S", 90],
    ["P0DT0H1M30.25S", 90.25],
    ["PT0,5H", 1800],
    ["P1DT2H3M4S", 93_784],
    ["P2W", 1_209_600],
    ["-PT1M", -60],
    ["PT-1M30S", -30],
    ["PT0S", 0],
  ])("%s is %d seconds", (text, seconds) => {
    expect(timeOf(text)).toBe(seconds);
    expect(timeForm(text)).toBe("all");
    for (const start of ["hours", "minutes"] as const) expect(timeOf(text, start)).toBe(seconds);
  });

  it.each([
    ...["", "1", "1:2", "1:234", ":30", "1:23:", "1:60", "1:23:60", "1:60:23", "1:23:75", "1.5:30", "1:23:4", "1:23.", "1:2:3:4"],
    ...[
      "P",
      "PT",
      "P1",
      "P1M",
      "P1Y",
      "PT1",
      "P1DT",
      "1 mon 2 days",
      "2 hours",
      "1 day 2:03",
      "1 day 02:03:60",
      "-1:23 PM",
      "14:05Z",
      "1:23 x",
    ],
    ...["12:5 AM", "days", "T14:05", "1:23 4", "--1:23", "1;23", "2024-01-01 14:05"],
  ])("%j is no time", (text) => {
    expect([timeForm(text), timeOf(text), timeOf(text, "hours"), timeOf(text, "minutes")]).toEqual(new Array(4).fill(undefined));
  });

  it("look like times before they are checked", () => {
    expect(["1:23:75", "1:75", "3:1", "-1:23:4"].map(isLikeTime)).toEqual([true, true, true, true]);
    expect(["DNF", "1", "a:1", "", "PT1M", "12:"].map(isLikeTime)).toEqual([false, false, false, false, false, false]);
    expect(["1:23.5", "1:02:03,5", "1 day 02:03:04.5", "1:23", "2,5", "1:75.5"].map(timeMark)).toEqual([".", ",", ".", undefined, undefined, undefined]); // biome-ignore format: marks
  });
});

/** The same seconds, with three decimals, as programs write them. */
const writers: Readonly<Record<string, (milliseconds: number) => string>> = {
  "three parts": (ms) => `${ms < 0 ? "-" : ""}${parts(ms).join(":")}`,
  minutes: (ms) => {
    const [hours, minutes, seconds] = parts(ms);
    return `${ms < 0 ? "-" : ""}${Number(hours) * 60 + Number(minutes)}:${seconds}`;
  },
  pandas: (ms) => {
    const days = Math.floor(ms / 86_400_000);
    return `${days} days ${days < 0 ? "+" : ""}${parts(ms - 86_400_000 * days).join(":")}`;
  },
  PostgreSQL: (ms) => {
    const days = Math.trunc(ms / 86_400_000);
    const sign = ms < 0 ? "-" : "";
    const time = parts(ms - 86_400_000 * days).join(":");
    return days === 0 ? `${sign}${time}` : `${days} ${Math.abs(days) === 1 ? "day" : "days"} ${sign}${time}`;
  },
  "ISO 8601": (ms) => {
    const [hours, minutes, seconds] = parts(ms);
    return `${ms < 0 ? "-" : ""}PT${Number(hours)}H${Number(minutes)}M${Number(seconds).toFixed(3)}S`;
  },
};

/** Hours, minutes and seconds without sign. */
function parts(milliseconds: number): [string, string, string] {
  const all = Math.abs(milliseconds);
  const [seconds, minutes] = [(all % 60_000) / 1000, Math.floor(all / 60_000)];
  return [two(Math.floor(minutes / 60)), two(minutes % 60), seconds.toFixed(3).padStart(6, "0")];
}

const drawn = (draw: Random) => Math.floor((draw() - 0.3) * 10 ** (1 + below(draw, 9)));

describe("random times", () => {
  it.each(Object.entries(writers))("are read as they were written: %s", (_, write) => {
    const draw = random(5, 1, 0);
    for (let i = 0; i < 2000; i++) {
      const ms = drawn(draw);
      const text = write(ms);
      expect(timeOf(text), text).toBe(ms / 1000);
    }
  });

  it("are written so that they are read back, and no longer than that needs", () => {
    const draw = random(6, 1, 0);
    for (let i = 0; i < 2000; i++) {
      const seconds = drawn(draw) / 1000;
      const text = timeText(seconds);
      expect(timeOf(text), text).toBe(seconds);
      expect(text).toMatch(/^-?\d\d+:[0-5]\d:[0-5]\d(\.\d*[1-9])?$/);
    }
    expect([0, -0, -1e-12, 59.9999, 3600, -90].map((seconds) => timeText(seconds))).toEqual(["00:00:00", "00:00:00", "00:00:00", "00:00:59.9999", "01:00:00", "-00:01:30"]); // biome-ignore format: texts
    expect([59.96, 3599.99, 0.04].map((seconds) => timeText(seconds, 1))).toEqual(["00:01:00", "01:00:00", "00:00:00"]);
  });

  it("in order are in order as seconds, whatever the start", () => {
    const draw = random(7, 1, 0);
    for (const start of ["hours", "minutes"] satisfies TimeStart[])
      for (let i = 0; i < 500; i++) {
        const [a, b] = [below(draw, 6000), below(draw, 6000)];
        const text = (n: number) => `${Math.floor(n / 60)}:${two(n % 60)}`;
        expect(Math.sign(timeOf(text(a), start)! - timeOf(text(b), start)!)).toBe(Math.sign(a - b));
      }
  });
});
