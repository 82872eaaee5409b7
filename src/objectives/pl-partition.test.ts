import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../../test/shared.ts";
import { random } from "../numeric/random.ts";
import { plPartition } from "./pl-partition.ts";

interface Golden {
  name: string;
  w: number[];
  tiers: number[][];
  logLikelihood: string;
  gradient: string[];
  hessianDiagonal: string[];
}

function check(golden: Golden, relative: number, absolute: number, precision: "double" | "single" = "double") {
  const n = golden.w.length;
  const labels = new Float32Array(n);
  golden.tiers.forEach((tier, t) => {
    for (const i of tier) labels[i] = golden.tiers.length - 1 - t;
  });
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  const cost = plPartition({ precision }).evaluate(Float64Array.from(golden.w), labels, { gradient, hessian }, random(1));
  const wanted = -Number(golden.logLikelihood);
  expect(Math.abs(cost - wanted) / Math.max(Math.abs(wanted), 1e-3), "cost").toBeLessThan(relative);
  for (let i = 0; i < n; i++) {
    for (const [ours, theirs, what] of [
      [gradient[i]!, -Number(golden.gradient[i]), "gradient"],
      [hessian[i]!, -Number(golden.hessianDiagonal[i]), "curvature"],
    ] as const) {
      expect(Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs)), `${what} of item ${i}`).toBeLessThan(absolute);
    }
  }
}

describe("50-digit reference values kept here", () => {
  const cases: Golden[] = JSON.parse(readFileSync(new URL("../../test/golden-tiers.json", import.meta.url), "utf8"));
  it.each(cases.map((golden) => [golden.name, golden] as const))("%s, double and single", (_, golden) => {
    check(golden, 1e-12, 1e-10);
    check(golden, 1e-5, 1e-5, "single");
  });
});

const file = sharedFile("golden/pl-partition.json");
describe.skipIf(!existsSync(file))("50-digit reference values", () => {
  const cases: Golden[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  for (const golden of cases) {
    it(`${golden.name}, double`, () => check(golden, 1e-12, 1e-10));
    it(`${golden.name}, single`, () => check(golden, 1e-5, 1e-5, "single"));
  }
});

it("takes the time of single precision where derivatives are rounded", () => {
  const draw = random(8);
  const n = 40;
  const scores = Float64Array.from({ length: n }, () => 6 * draw() - 3);
  const labels = Float32Array.from({ length: n }, () => Math.floor(3 * draw()));
  const derivatives = (precision: "double" | "single", rounded?: boolean) => {
    const [gradient, hessian] = [new Float64Array(n), new Float64Array(n)];
    const into = { gradient, hessian, ...(rounded !== undefined && { rounded }) };
    const cost = plPartition({ precision }).evaluate(scores, labels, into, random(1));
    return [cost, ...gradient, ...hessian];
  };
  expect(derivatives("double", true)).toEqual(derivatives("single"));
  expect(derivatives("double", false)).toEqual(derivatives("double"));
  expect(derivatives("double")).not.toEqual(derivatives("single"));
});

it("is the likelihood of tiers only as a whole: forward, of all tiers, in double precision", () => {
  expect(plPartition().likelihood).toBe("tiers");
  for (const options of [{ direction: "backward" }, { top: 3 }, { precision: "single" }] as const)
    expect(plPartition(options).likelihood, JSON.stringify(options)).toBe("other");
});
