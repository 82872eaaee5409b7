/**
 * Logistic cost of each pair: Σ log(1 + exp(-(better - worse))), the Bradley-Terry likelihood of the pairs with different labels.
 * Burges et al. 2005, https://doi.org/10.1145/1102351.1102363
 */
import { logistic, softplus } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { pairwise } from "./shared/pairs.ts";

export const rankNet = part(
  "ranknet",
  "logistic cost of each pair",
  {},
  (_, text) =>
    pairwise(text, "exact", {
      cost: (margin) => softplus(-margin),
      slope: (margin) => -logistic(-margin),
      bend: (margin) => logistic(margin) * logistic(-margin),
    }),
  ["rank:pairwise", "rank_pairwise"],
);
