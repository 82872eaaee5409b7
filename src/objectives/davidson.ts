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
    const sum = (d: number, wins: number, losses: number, ties: number) => {
      const half = d / 2;
      const most = Math.max(half, -half, x); // one of the three exponentials is then 1
      const up = half === most ? 1 : exp(half - most);
      const down = -half === most ? 1 : exp(-half - most);
      const even = x === most ? 1 : exp(x - most);
      const z = up + down + even;
      const mean = (up - down) / (2 * z);
      const tie = even / z;
      const [all, lead] = [wins + losses + ties, wins - losses];
      outcome.cost = all * (most + log(z)) - lead * half - ties * x;
      outcome.slope = all * mean - lead / 2;
      outcome.curvature = all * ((up + down) / (4 * z) - mean * mean);
      outcome.slopeX = all * tie - ties;
      outcome.curvatureX = all * (tie * (1 - tie));
      outcome.mixed = -all * mean * tie;
      return outcome;
    };
    return { win: (d) => sum(d, 1, 0, 0), tie: (d) => sum(d, 0, 0, 1), sum };
  }),
);
