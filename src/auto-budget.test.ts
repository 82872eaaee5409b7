import { expect, it } from "vitest";
import { withinLimits } from "./auto-budget.ts";

const done = (...seconds: number[]) => seconds.map((one) => ({ cost: 1, seconds: one }));

it("the first trial runs however small the budget is", () => {
  expect(withinLimits({ budget: 1e-9 }, [], 1000)).toBe(true);
  expect(withinLimits({ trials: 1 }, [], 1)).toBe(true);
});

it("a number of trials is that number", () => {
  expect(withinLimits({ trials: 2 }, done(5), 1)).toBe(true);
  expect(withinLimits({ trials: 2 }, done(5, 5), 1)).toBe(false);
  expect(withinLimits({}, done(5, 5), 1)).toBe(true);
});

it("a trial begins only if it is expected to end in time, at the pace of those before", () => {
  expect(withinLimits({ budget: 10 }, done(5), 1)).toBe(true); // 5 + 5
  expect(withinLimits({ budget: 9.9 }, done(5), 1)).toBe(false);
  expect(withinLimits({ budget: 100 }, [{ cost: 2, seconds: 20 }], 7)).toBe(true); // 20 + 10 a unit * 7 = 90
  expect(withinLimits({ budget: 100 }, [{ cost: 2, seconds: 20 }], 8.1)).toBe(false);
  expect(
    withinLimits(
      { budget: 100 },
      [
        { cost: 2, seconds: 20 },
        { cost: 0.5, seconds: 30 },
      ],
      2.5,
    ),
  ).toBe(true); // 50 + 20 * 2.5
  expect(
    withinLimits(
      { budget: 100 },
      [
        { cost: 2, seconds: 20 },
        { cost: 0.5, seconds: 30 },
      ],
      2.6,
    ),
  ).toBe(false);
});

it("of both limits the first counts", () => {
  expect(withinLimits({ trials: 5, budget: 9 }, done(5), 1)).toBe(false);
  expect(withinLimits({ trials: 1, budget: 1000 }, done(5), 1)).toBe(false);
});

it("trials that took no time, as on a clock that stands still, allow others", () =>
  expect(withinLimits({ budget: 1 }, done(0, 0, 0), 1)).toBe(true));
