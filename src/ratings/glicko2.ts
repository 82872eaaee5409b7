/**
 * Glicko-2: a rating, its deviation and a volatility for each item, updated by the battles of a rating period together. Glickman 2013, Example of the
 * Glicko-2 system, http://www.glicko.net/glicko/glicko2.pdf, whose steps and letters the code follows. An item without battles in a
 * period keeps its rating, and its deviation grows, from its first battle on.
 */
import { exp, log } from "../numeric/functions.ts";
import { type Fields, integer, part, real } from "../part.ts";
import type { PeriodBattle, RatingSystem } from "./system.ts";

/** Options of `glicko2`. */
export interface Glicko2Options {
  /** Constraint of the change of volatility over time. A number above 0. Default: 0.5. */
  readonly tau: number;
  /** Rating of an item without battles. A number. Default: 1500. */
  readonly start: number;
  /** Rating deviation of an item without battles. A number above 0. Default: 350. */
  readonly deviation: number;
  /** Volatility of an item without battles. A number above 0. Default: 0.06. */
  readonly volatility: number;
  /** Battles of a rating period, where no column says when one ends. A whole number above 0. Default: 100. */
  readonly period: number;
}

const fields: Fields<Glicko2Options> = {
  tau: real(0.5, "constraint of the change of volatility over time", { above: 0 }),
  start: real(1500, "rating of an item without battles"),
  deviation: real(350, "rating deviation of an item without battles", { above: 0 }),
  volatility: real(0.06, "volatility of an item without battles", { above: 0 }),
  period: integer(100, "battles of a rating period, where no column says when one ends"),
};

const SCALE = 173.7178; // as in the paper
const PI2 = Math.PI * Math.PI;
const SCORES = [1, 0, 0.5];
const TOLERANCE = 1e-9;

const g = (phi: number) => 1 / Math.sqrt(1 + (3 * phi * phi) / PI2);
const logistic = (x: number) => 1 / (1 + exp(-x));

/** Step 5: the new volatility, by the Illinois variant of regula falsi. */
function newVolatility(phi: number, sigma: number, delta: number, v: number, tau: number): number {
  const a = log(sigma * sigma);
  const f = (x: number) => {
    const e = exp(x);
    const sum = phi * phi + v + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (tau * tau);
  };
  let A = a;
  let B: number;
  if (delta * delta > phi * phi + v) B = log(delta * delta - phi * phi - v);
  else {
    let k = 1;
    while (f(a - k * tau) < 0) k++;
    B = a - k * tau;
  }
  let [fA, fB] = [f(A), f(B)];
  for (let round = 0; round < 200 && Math.abs(B - A) > TOLERANCE; round++) {
    const C = A + ((A - B) * fA) / (fB - fA);
    const fC = f(C);
    if (fC * fB <= 0) {
      A = B;
      fA = fB;
    } else fA /= 2;
    B = C;
    fB = fC;
  }
  return exp(A / 2);
}

/** Glicko-2 ratings; `glicko2` on the command line. */
export const glicko2 = part("glicko2", "Glicko-2 ratings", fields, (options, spec): RatingSystem => {
  const { tau, start, deviation, volatility, period } = options;
  const mu = (item: ArrayLike<number>) => (item[0]! - start) / SCALE;
  return {
    ...{ id: "glicko2", spec, start: [start, deviation, volatility], updates: "period", period, most: 2 },
    endPeriod(items, battles) {
      const [variance, gain, played] = [0, 0, 0].map(() => new Float64Array(items.length)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const before = items.map((item) => ({ mu: mu(item), phi: item[1]! / SCALE }));
      const add = (i: number, j: number, score: number) => {
        const weight = g(before[j]!.phi);
        const expected = logistic(weight * (before[i]!.mu - before[j]!.mu));
        variance[i] = variance[i]! + weight * weight * expected * (1 - expected);
        gain[i] = gain[i]! + weight * (score - expected);
        played[i] = 1;
      };
      for (const [first, second, outcome] of battles as readonly PeriodBattle[]) {
        add(first, second, SCORES[outcome]!);
        add(second, first, 1 - SCORES[outcome]!);
      }
      items.forEach((item, i) => {
        const { mu: m, phi } = before[i]!;
        if (played[i] === 0) {
          item[1] = SCALE * Math.sqrt(phi * phi + item[2]! * item[2]!);
          return;
        }
        const v = 1 / variance[i]!;
        const sigma = newVolatility(phi, item[2]!, v * gain[i]!, v, tau);
        const wide = phi * phi + sigma * sigma;
        const after = 1 / Math.sqrt(1 / wide + 1 / v);
        item[0] = SCALE * (m + after * after * gain[i]!) + start;
        item[1] = SCALE * after;
        item[2] = sigma;
      });
    },
    value: (item) => ({ rating: item[0]!, error: item[1]! }),
    expect(first, second) {
      const spread = g(Math.sqrt(first[1]! ** 2 + second[1]! ** 2) / SCALE);
      const win = logistic(spread * (mu(first) - mu(second)));
      return { win, tie: 0, loss: 1 - win };
    },
  };
});
