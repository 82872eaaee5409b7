/** A seeded sample of what `npm run soak` does at length, and tests of the program and of the precise arithmetic it compares with. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { derivatives, plPartition } from "../soak/precise/costs.ts";
import { exp, type Fixed, fixed, log, ONE, over, parse, sqrt, times, toNumber } from "../soak/precise/fixed.ts";
import { tierProbability, tierProbabilityBySubsets } from "../soak/precise/tier-probability.ts";
import { objectives } from "../src/objectives/index.ts";

// Threads run the built JavaScript, so these tests do too.
const built = new URL("../dist/soak/", import.meta.url).href;
const { checks, checkOf } = (await import(`${built}checks.js`)) as typeof import("../soak/checks.ts");
const { Soak } = (await import(`${built}run.js`)) as typeof import("../soak/run.ts");
const { defined } = (await import(`${built}checks/objectives.js`)) as typeof import("../soak/checks/objectives.ts");

const FEW: Readonly<Record<string, number>> = { learners: 8, trees: 8, objectives: 40, tiers: 12, metrics: 1000, readers: 16 };
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

describe("different ways to compute the same", () => {
  it.each(checks.map(({ id }) => id))("%s agree on random cases", async (id) => {
    const soak = new Soak(checkOf(id));
    try {
      expect(FEW[id], "cases of this check").toBeGreaterThan(0);
      expect(await soak.run(from(1_000_000, FEW[id]!))).toEqual([]);
    } finally {
      await soak.close();
    }
  });

  it("every objective with an exact cost has a definition to be compared with", () => {
    const exact = objectives.filter((part) => part({}).cost === "exact" && part({}).gradient === "exact").map(({ id }) => id);
    expect([...defined].sort()).toEqual(exact.sort());
  });
});

describe("the program", () => {
  const run = (...args: string[]) => {
    const main = fileURLToPath(new URL("../dist/soak/index.js", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
    return { status, out: stdout, err: stderr };
  };

  it("finds a case that fails, one that hangs and one that differs without kernels, by their numbers", async () => {
    const soak = new Soak(checkOf("self-test"), 2000);
    const failures = [...(await soak.run([1, 2, 3])), ...(await soak.run([4, 5, 6])), ...(await soak.run([7, 8]))];
    await soak.close();
    expect(failures.map(({ number, why }) => [number, why])).toEqual([
      [3, "a defect"],
      [5, "does not end"],
      [7, "kernels and plain code give different results"],
    ]);
  });

  it("prints how to run a failed case again, and ends with code 1", () => {
    const { status, out } = run("--only", "self-test", "--first", "3", "--cases", "1");
    expect([status, out.split("\n")[0]]).toEqual([1, "self-test, case 3 (--only self-test --first 3 --cases 1): a defect"]);
  });

  it("takes wrong arguments in one line", () => {
    expect(run("--only", "tree")).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^soak: no check is called "tree"; did you mean trees.*\n$/),
    });
    expect(run("--seconds", "x")).toMatchObject({ status: 2, err: 'soak: --seconds: expected a whole number, got "x"\n' });
    expect(run("--list").out.split("\n").length).toBe(checks.length + 1);
  });
});

/** Digits that two numbers share. */
const digits = (a: Fixed, b: Fixed) => (a === b ? 99 : -Math.log10(Math.abs(toNumber(over(a - b, b)))));

describe("numbers of 95 digits", () => {
  it("exp, log and sqrt have the digits of tables", () => {
    expect(
      digits(exp(ONE), parse("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138")),
    ).toBeGreaterThan(85);
    expect(
      digits(log(fixed(10)), parse("2.30258509299404568401799145468436420760110148862877297603332790096757260967735248023599")),
    ).toBeGreaterThan(85);
    expect(
      digits(sqrt(fixed(2)), parse("1.41421356237309504880168872420969807856967187537694807317667973799073247846210703885038")),
    ).toBeGreaterThan(85);
  });

  it("doubles survive, and exp and log are inverse over the range that scores have", () => {
    for (const x of [0, 1, -1.5, 0.1, 1e-20, -3e10, 2 ** 60]) expect(toNumber(fixed(x))).toBe(x);
    for (const x of [-40, -0.3, 1e-9, 7.25, 60]) expect(Math.abs(toNumber(log(exp(fixed(x))) - fixed(x)))).toBeLessThan(1e-70);
    expect(times(exp(fixed(3)), exp(fixed(-3))) - ONE).toBeLessThan(1n << 60n);
  });
});

describe("the probability of a tier by quadrature", () => {
  it("is that of inclusion and exclusion to 45 digits", () => {
    for (const rates of [[1], [0.5, 2], [1e-6, 3, 1e5], [4, 4, 4, 4, 4], [1e-3, 20, 0.5, 1, 2, 1e6]])
      expect(
        digits(tierProbability(rates.map(fixed)), tierProbabilityBySubsets(rates.map(fixed))),
        String(rates),
      ).toBeGreaterThan(45);
  });

  it("gives the golden values of pl-partition, with both derivatives", () => {
    interface Golden {
      readonly w: readonly number[];
      readonly tiers: readonly (readonly number[])[];
      readonly logLikelihood: string;
      readonly gradient: readonly string[];
      readonly hessianDiagonal: readonly string[];
    }
    const cases: Golden[] = JSON.parse(readFileSync(new URL("./golden-tiers.json", import.meta.url), "utf8"));
    for (const { w, tiers, logLikelihood, gradient, hessianDiagonal } of cases.filter((one) => one.w.length <= 8)) {
      const labels = w.map((_, i) => -tiers.findIndex((tier) => tier.includes(i)));
      const list = { scores: w.map(fixed), labels, weights: w.map(() => ONE) };
      const at = w.length - 1;
      const { cost, slope, curvature } = derivatives(plPartition(), list, at);
      expect(digits(-cost, parse(logLikelihood))).toBeGreaterThan(20);
      expect(digits(-slope, parse(gradient[at]!))).toBeGreaterThan(16);
      expect(digits(-curvature, parse(hessianDiagonal[at]!))).toBeGreaterThan(16);
    }
  });
});
