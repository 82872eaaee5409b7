/**
 * Pairs with ties by a threshold: with margin d = s_i - s_j and θ >= 1,
 *
 *   P(i over j) = 1 / (1 + θ e^-d),   P(tie) = (θ² - 1) / ((1 + θ e^-d)(1 + θ e^d))
 *
 * θ = 1 + e^x keeps its bound while x is learned with the model. Rao and Kupper 1967; Truyen et al., Appendix C (PairTies-RK).
 */
import { exp, logAdd, logistic, softplus } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { type Outcome, tiedPairs } from "./shared/tied-pairs.ts";

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
        const miss = logistic(threshold - d);
        const bend = miss * logistic(d - threshold);
        outcome.cost = softplus(threshold - d);
        outcome.slope = -miss;
        outcome.bend = bend;
        outcome.pull = miss * rise;
        outcome.stiff = bend * rise * rise + miss * turn;
        return outcome;
      },
      tie(d) {
        const [one, other] = [logistic(threshold - d), logistic(threshold + d)];
        const bend = one * logistic(d - threshold) + other * logistic(-d - threshold);
        outcome.cost = softplus(threshold - d) + softplus(threshold + d) - base;
        outcome.slope = other - one;
        outcome.bend = bend;
        outcome.pull = (one + other) * rise - 1 - part;
        outcome.stiff = bend * rise * rise + (one + other) * turn - part * (1 - part);
        return outcome;
      },
    };
  }),
);
