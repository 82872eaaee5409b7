/**
 * Pairs with ties by a threshold: with margin d = s_i - s_j and θ >= 1,
 *
 *   P(i over j) = 1 / (1 + θ e^-d),   P(tie) = (θ² - 1) / ((1 + θ e^-d)(1 + θ e^d))
 *
 * θ = 1 + e^x keeps its bound while x is learned with the model. Rao and Kupper 1967; Truyen et al., Appendix C (PairTies-RK).
 */
import { exp, log1p, logAdd, logistic, softplus } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { outcomeTerm } from "./shared/pair-term.ts";
import { tiedPairs } from "./shared/tied-pairs.ts";

/** log(1 + e^t), its slope and its curvature, from one exponential. */
interface Softplus {
  value: number;
  slope: number;
  curvature: number;
}

const one: Softplus = { value: 0.5, slope: 0.5, curvature: 0.5 };
const other: Softplus = { value: 0.5, slope: 0.5, curvature: 0.5 };

function softplusAt(t: number, into: Softplus): Softplus {
  const e = exp(t > 0 ? -t : t);
  const inverse = 1 / (1 + e);
  into.value = Math.max(t, 0) + log1p(e);
  into.slope = t > 0 ? inverse : e * inverse;
  into.curvature = e * inverse * inverse;
  return into;
}

const outcome = outcomeTerm();

/** Pairs with ties by a threshold, which is learned; `rao-kupper` on the command line. */
export const raoKupper = part("rao-kupper", "pairs with ties by a threshold, which is learned", {}, (_, spec) =>
  tiedPairs(spec, "log(theta - 1)", 0, (x) => {
    const threshold = softplus(x); // log θ
    const slopeOfThreshold = logistic(x); // its slope
    const curvatureOfThreshold = slopeOfThreshold * (1 - slopeOfThreshold);
    const base = x + logAdd(Math.LN2, x); // log(θ² - 1)
    const part = x > 700 ? 1 : exp(x) / (2 + exp(x)); // slope of log(2 + e^x)
    return {
      win(d) {
        const { value, slope, curvature } = softplusAt(threshold - d, one);
        outcome.cost = value;
        outcome.slope = -slope;
        outcome.curvature = curvature;
        outcome.slopeX = slope * slopeOfThreshold;
        outcome.curvatureX = curvature * slopeOfThreshold * slopeOfThreshold + slope * curvatureOfThreshold;
        outcome.mixed = -curvature * slopeOfThreshold;
        return outcome;
      },
      tie(d) {
        const [near, far] = [softplusAt(threshold - d, one), softplusAt(threshold + d, other)];
        const [miss, curvature] = [near.slope + far.slope, near.curvature + far.curvature];
        outcome.cost = near.value + far.value - base;
        outcome.slope = far.slope - near.slope;
        outcome.curvature = curvature;
        outcome.slopeX = miss * slopeOfThreshold - 1 - part;
        outcome.curvatureX = curvature * slopeOfThreshold * slopeOfThreshold + miss * curvatureOfThreshold - part * (1 - part);
        outcome.mixed = (far.curvature - near.curvature) * slopeOfThreshold;
        return outcome;
      },
    };
  }),
);
