/**
 * The distribution of ranks under Plackett-Luce, by its representation with exponential arrival times: item i arrives after an exponential
 * time with rate e^score, and its rank is one plus the number of earlier arrivals. At time t the others have arrived independently with
 * probabilities p_j = 1 - exp(-e^(w_j) t), so their number has a Poisson-binomial distribution, and
 *
 *   P(rank of i = r) = ∫ x_i e^(-x_i) PB_(others)(r - 1; p(s)) ds,   x_i = e^(w_i + s),  s = log t
 *
 * With s = v - e^-v (rates summing to 1) the integrand falls double-exponentially on the left too, and the trapezoid rule in v converges
 * exponentially: the number of arrivals is no narrower in s than 1.24 / √n (for equal rates, at four fifths of the arrivals), and a step
 * of 0.7 widths leaves e^-40. PB of all items costs n², and that of the others follows by taking one factor out, forwards where p is below
 * a half and backwards above, so that errors shrink. Absolute errors are below 1e-13; the whole is of order n^2.5.
 */
import { exp, expm1, log, logSumExp } from "./functions.ts";
import { descending } from "./order.ts";

const NEVER = 1e-20; // times below this have no weight, and probabilities below this no effect
const SURELY = 46; // e^-46 is 1e-20
const TRIM = 1e-26; // ends of a distribution below this are left out
const START = -3.75; // v - e^-v = -46
const CERTAIN = 92; // e^-92 is 1e-40: items farther apart never change places, whatever their number

/**
 * Scores over a temperature, none of which is more than `gap` above the next below it. What is that far apart stays certain, and what is
 * nearer keeps its distance, so that scores of any finite size become log-worths that can be computed with. Where nothing is too far apart
 * they are the plain quotients.
 */
export function logWorths(scores: Float64Array, temperature: number, gap: number): Float64Array {
  const order = descending(scores);
  const plain = scores.map((score) => score / temperature);
  const found = new Float64Array(scores.length);
  let limited = !plain.every(Number.isFinite);
  for (let p = 1; p < order.length; p++) {
    const apart = (scores[order[p - 1]!]! - scores[order[p]!]!) / temperature;
    if (!(apart <= gap)) limited = true;
    found[order[p]!] = found[order[p - 1]!]! - Math.min(gap, apart);
  }
  return limited ? found : plain;
}

/** P(rank of item i = r + 1) at i * n + r. */
export function rankDistribution(scores: Float64Array, finer = 1): Float64Array {
  const n = scores.length;
  const found = new Float64Array(n * n);
  if (n === 0) return found;
  const near = logWorths(scores, 1, CERTAIN);
  const mass = logSumExp(near);
  const w = near.map((score) => score - mass);
  const step = Math.min(0.15, 0.85 / Math.sqrt(n)) / finer;
  const ends = Float64Array.from(w).sort(); // the slowest first
  const last = log(SURELY) - ends[0]!;
  const [q, p, weight] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const racing = new Uint32Array(n); // neither surely arrived nor surely away
  const number = new Distribution(n);

  for (let k = 0; ; k++) {
    const v = START + k * step;
    if (v > last && v > 4) break;
    const back = exp(-v);
    const s = v - back;
    const width = step * (1 + back);
    let [count, before, some] = [0, 0, false];
    for (let i = 0; i < n; i++) {
      const x = w[i]! + s > 4 ? SURELY + 1 : exp(w[i]! + s); // e^4 is beyond
      weight[i] = 0;
      if (x > SURELY) before++;
      else if (x > NEVER) {
        q[i] = exp(-x);
        p[i] = -expm1(-x);
        weight[i] = width * x * q[i]!;
        racing[count++] = i;
        some ||= weight[i]! > NEVER;
      }
    }
    if (!some && v > 4) {
      // All started items have arrived: skip to the next start.
      const next = ends[n - before - 1];
      if (next === undefined) break;
      k = Math.max(k, Math.floor((log(NEVER) - next - START) / step));
      continue;
    }
    number.begin();
    for (let c = 0; c < count; c++) number.add(p[racing[c]!]!, q[racing[c]!]!);
    for (let c = 0; c < count; c++) {
      const i = racing[c]!;
      if (weight[i]! > NEVER) number.without(p[i]!, q[i]!, weight[i]!, found, i * n + before);
    }
  }
  for (let at = 0; at < found.length; at++) if (found[at]! < 0) found[at] = 0; // rounding
  return found;
}

/** How many of independent events happen: f[m] from `low` to `high`, its ends trimmed. */
class Distribution {
  private readonly f: Float64Array;
  private events = 0;
  private low = 0;
  private high = 0;

  constructor(most: number) {
    this.f = new Float64Array(most + 2);
  }

  begin(): void {
    this.f[0] = 1;
    this.events = this.low = this.high = 0;
  }

  /** One more event, of probability p = 1 - q. */
  add(p: number, q: number): void {
    const { f } = this;
    this.events++;
    f[this.high + 1] = f[this.high]! * p;
    for (let m = this.high; m > this.low; m--) f[m] = f[m]! * q + f[m - 1]! * p;
    f[this.low] = f[this.low]! * q;
    this.high++;
    while (f[this.high]! < TRIM) this.high--;
    while (f[this.low]! < TRIM) this.low++;
  }

  /** Adds `weight` times the distribution without one event of probability p to `into`, from `at`. */
  without(p: number, q: number, weight: number, into: Float64Array, at: number): void {
    const { f, low } = this;
    let other = 0; // of the number of the others, one place before, and one after where it goes backwards
    if (p <= 0.5) {
      const high = Math.min(this.high, this.events - 1);
      for (let m = low; m <= high; m++) into[at + m]! += weight * (other = (f[m]! - p * other) / q);
    } else {
      const end = Math.max(low, 1);
      for (let m = this.high; m >= end; m--) into[at + m - 1]! += weight * (other = (f[m]! - q * other) / p);
    }
  }
}
