/**
 * Pairs with ties by geometric mean: with margin d = s_i - s_j and ν = e^x >= 0,
 *
 *   P(i over j) = e^(d/2) / Z,   P(tie) = ν / Z,   Z = e^(d/2) + e^(-d/2) + ν
 *
 * x is learned with the model. Davidson 1970; Truyen et al., Appendix C (PairTies-D).
 */
import { exp, log } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { outcomeTerm } from "./shared/pair-term.ts";
import { tiedPairs } from "./shared/tied-pairs.ts";

const outcome = outcomeTerm();

/** Pairs with ties by geometric mean, whose weight is learned; `davidson` on the command line. */
export const davidson = part("davidson", "pairs with ties by geometric mean, whose weight is learned", {}, (_, spec) =>
  tiedPairs(spec, "log nu", 0, (x) => {
    const outcomeOf = (d: number, lead: number, tied: number) => {
      const half = d / 2;
      const most = Math.max(half, -half, x); // one of the three exponentials is then 1
      const up = half === most ? 1 : exp(half - most);
      const down = -half === most ? 1 : exp(-half - most);
      const even = x === most ? 1 : exp(x - most);
      const sum = up + down + even;
      const mean = (up - down) / (2 * sum);
      const tie = even / sum;
      outcome.cost = most + log(sum) - lead * half - tied * x;
      outcome.slope = mean - lead / 2;
      outcome.curvature = (up + down) / (4 * sum) - mean * mean;
      outcome.slopeX = tie - tied;
      outcome.curvatureX = tie * (1 - tie);
      outcome.mixed = -mean * tie;
      return outcome;
    };
    return { win: (d) => outcomeOf(d, 1, 0), tie: (d) => outcomeOf(d, 0, 1) };
  }),
);
