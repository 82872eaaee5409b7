/**
 * The probability that all items of a tier come before the rest, by two methods that share nothing with the library's:
 *
 *   P = ∫_0^∞ e^-t Π_i (1 - e^(-r_i t)) dt,   r_i the worth of item i over that of all items below the tier
 *
 * by the trapezoid rule after t = exp(y - e^-y), under which the integrand falls double exponentially on both sides; and for few items by
 * inclusion and exclusion, P = Σ over subsets A of the tier of (-1)^|A| / (1 + Σ_A r).
 */
import { exp, type Fixed, fixed, ONE, over, times } from "./fixed.ts";

const STEP = 1 / 64; // at 1/32 the error grows to 1e-29 where one item is 10^11 times as strong as another
const [LEAST, MOST] = [-5.5, 5.75]; // beyond, t is below e^-240 or e^-t is

interface Node {
  readonly t: Fixed;
  /** e^-t dt/dy times the step. */
  readonly weight: Fixed;
}

let nodes: readonly Node[] | undefined;

function quadrature(): readonly Node[] {
  return Array.from({ length: Math.round((MOST - LEAST) / STEP) + 1 }, (_, i) => {
    const y = fixed(LEAST + i * STEP);
    const fall = exp(-y);
    const t = exp(y - fall);
    return { t, weight: times(times(exp(-t), times(t, ONE + fall)), fixed(STEP)) };
  });
}

/** By quadrature, to about 50 digits. */
export function tierProbability(rates: readonly Fixed[]): Fixed {
  nodes ??= quadrature();
  let total = 0n;
  for (const { t, weight } of nodes) {
    let product = weight;
    for (const rate of rates) product = times(product, ONE - exp(-times(rate, t)));
    total += product;
  }
  return total;
}

/** By inclusion and exclusion, which takes 2^n terms and loses the digits that cancel. */
export function tierProbabilityBySubsets(rates: readonly Fixed[]): Fixed {
  let total = 0n;
  for (let subset = 0; subset < 1 << rates.length; subset++) {
    let [mass, sign] = [ONE, 1n];
    rates.forEach((rate, i) => {
      if ((subset >> i) & 1) [mass, sign] = [mass + rate, -sign];
    });
    total += sign * over(ONE, mass);
  }
  return total;
}
