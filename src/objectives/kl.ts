/**
 * Divergence of the softmax of the scores from the gains as a distribution: cost = Σ p_i log(p_i / softmax(s)_i), p_i = (2^y_i - 1) / Σ
 * (2^y - 1). KLMART of Xia, Zhai, Wang with boosted trees; Ravikumar, Tewari, Yang 2011, On NDCG Consistency of Listwise Ranking Methods.
 * Not consistent with NDCG, as c-kl is. A list without a label above 0 contributes nothing.
 */
import { part } from "../part.ts";
import { divergence } from "./shared/divergence.ts";

/** KL divergence of the scores' softmax from the gains; `kl` on the command line. */
export const kl = part("kl", "KL divergence of the scores' softmax from the gains", {}, (_, spec) =>
  divergence(spec, ({ sum }) => sum),
);
