/**
 * Pairs with ties by a threshold: with margin d = s_i - s_j and θ >= 1,
 *
 *   P(i over j) = 1 / (1 + θ e^-d),   P(tie) = (θ² - 1) / ((1 + θ e^-d)(1 + θ e^d))
 *
 * θ = 1 + e^x keeps its bound while x is learned with the model. Rao and Kupper 1967; Truyen et al., Appendix C (PairTies-RK).
 */
import { exp, log1p, logAdd, logistic, softplus } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { type Outcome, tiedPairs } from "./shared/tied-pairs.ts";

/** log(1 + e^t), its slope and its bend, from one exponential. */
interface Bow {
  soft: number;
  miss: number;
  bend: number;
}

const one: Bow = { soft: 0.5, miss: 0.5, bend: 0.5 };
const other: Bow = { soft: 0.5, miss: 0.5, bend: 0.5 };

function bow(t: number, into: Bow): Bow {
  const e = exp(t > 0 ? -t : t);
  const share = 1 / (1 + e);
  into.soft = Math.max(t, 0) + log1p(e);
  into.miss = t > 0 ? share : e * share;
  into.bend = e * share * share;
  return into;
}

const outcome: Outcome = { cost: 0, slope: 0, bend: 0, pull: 0, stiff: 0 };

export const raoKupper = part("rao-kupper", "pairs with ties by a threshold, which is learned", {}, (_, text) =>
  tiedPairs(text, "log(theta - 1)", 0, (x) => {
    const threshold = softplus(x); // log θ
    const rise = logistic(x); // its slope
    const turn = rise * (1 - rise);
    const base = x + logAdd(Math.LN2, x); // log(θ² - 1)
    const part = x > 700 ? 1 : exp(x) / (2 + exp(x)); // slope of log(2 + e^x)
    return {
      win(d) {
        const { soft, miss, bend } = bow(threshold - d, one);
        outcome.cost = soft;
        outcome.slope = -miss;
        outcome.bend = bend;
        outcome.pull = miss * rise;
        outcome.stiff = bend * rise * rise + miss * turn;
        return outcome;
      },
      tie(d) {
        const [near, far] = [bow(threshold - d, one), bow(threshold + d, other)];
        const [miss, bend] = [near.miss + far.miss, near.bend + far.bend];
        outcome.cost = near.soft + far.soft - base;
        outcome.slope = far.miss - near.miss;
        outcome.bend = bend;
        outcome.pull = miss * rise - 1 - part;
        outcome.stiff = bend * rise * rise + miss * turn - part * (1 - part);
        return outcome;
      },
    };
  }),
);
