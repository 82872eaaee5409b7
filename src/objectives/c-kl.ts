/**
 * As kl, but with the gains divided by the list's ideal DCG instead of their sum: p_i = (2^y_i - 1) / DCG*, a measure that need not sum to
 * one, and cost = Σ p_i log(q_i / softmax(s)_i), q_i = p_i / Σ p. In expectation the best softmax is then proportional to the mean of the
 * normalized gains, whose order is that of the best NDCG. Ravikumar, Tewari, Yang 2011, On NDCG Consistency of Listwise Ranking Methods;
 * c-KLMART of Xia, Zhai, Wang.
 */
import { part } from "../part.ts";
import { divergence } from "./shared/divergence.ts";

/** KL divergence from the gains over ideal DCG; `c-kl` on the command line. */
export const cKl = part("c-kl", "KL divergence from the gains over ideal DCG", {}, (_, spec) =>
  divergence(spec, ({ ideal }) => ideal),
);
