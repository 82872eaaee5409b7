/**
 * Pairs with ties by geometric mean: with margin d = s_i - s_j and ν = e^x >= 0,
 *
 *   P(i over j) = e^(d/2) / Z,   P(tie) = ν / Z,   Z = e^(d/2) + e^(-d/2) + ν
 *
 * x is learned with the model. Davidson 1970; Truyen et al., Appendix C (PairTies-D).
 */
import { exp, logAdd } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { type Outcome, tiedPairs } from "./shared/tied-pairs.ts";

const outcome: Outcome = { cost: 0, slope: 0, bend: 0, pull: 0, stiff: 0 };

export const davidson = part("davidson", "pairs with ties by geometric mean, whose weight is learned", {}, (_, text) =>
  tiedPairs(text, "log nu", 0, (x) => {
    const judge = (d: number, lead: number, tied: number) => {
      const level = logAdd(logAdd(d / 2, -d / 2), x); // log Z
      const [up, down, even] = [exp(d / 2 - level), exp(-d / 2 - level), exp(x - level)];
      const mean = (up - down) / 2;
      outcome.cost = level - lead * (d / 2) - tied * x;
      outcome.slope = mean - lead / 2;
      outcome.bend = (up + down) / 4 - mean * mean;
      outcome.pull = even - tied;
      outcome.stiff = even * (1 - even);
      return outcome;
    };
    return { win: (d) => judge(d, 1, 0), tie: (d) => judge(d, 0, 1) };
  }),
);
