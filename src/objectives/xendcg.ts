/**
 * Cross-entropy that bounds NDCG: -Σ φ_i log softmax(s)_i with φ_i = (2^l_i - γ_i) / Σ (2^l - γ), each γ drawn at random from [0, 1).
 * Bruch, An Alternative Cross Entropy Loss for Learning-to-Rank, WWW 2021 (arXiv 1911.09798).
 *
 * As LightGBM's rank_xendcg, what stands in for the gradient holds two further terms of a series towards the Newton direction; `terms=1` is
 * the plain gradient, which other learners than boosted trees want. Labels below 0 count as 0, and 1 - softmax is kept above 1e-15, without
 * which one dominant score makes LightGBM divide by zero.
 */
import { exp, log } from "../numeric/functions.ts";
import { type Fields, integer, part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { gain } from "./shared/gains.ts";
import { scratch } from "./shared/scratch.ts";

/** Options of `xeNdcg`. */
export interface XeNdcgOptions {
  /** Terms of the series in the gradient: 3 as LightGBM, 1 the plain gradient. A whole number from 1 to 3. Default: 3. */
  readonly terms: number;
}

const fields: Fields<XeNdcgOptions> = {
  terms: integer(3, "terms of the series in the gradient: 3 as LightGBM, 1 the plain gradient", { min: 1, max: 3 }),
};

/** Cross-entropy that bounds NDCG, as LightGBM's rank_xendcg; `xendcg` on the command line. */
export const xeNdcg = part(
  "xendcg",
  "cross-entropy that bounds NDCG, as LightGBM's rank_xendcg",
  fields,
  ({ terms }, spec) => {
    const [shares, parts] = [scratch(), scratch()];
    const gradient = terms === 1 ? "sampled" : "heuristic";
    return declare(
      spec,
      { cost: "sampled", gradient, hessian: "bound", ties: "value" },
      (scores, labels, into, random, weights) => {
        const n = labels.length;
        const [fraction, part] = [shares(n), parts(n)];
        let top = -Infinity;
        let sum = 0;
        for (let i = 0; i < n; i++) {
          top = Math.max(top, scores[i]!);
          sum += part[i] = gain(labels[i]!) + 1 - random();
        }
        let mass = 0;
        let total = 0; // of the weighted target
        for (let i = 0; i < n; i++) {
          mass += fraction[i] = exp(scores[i]! - top);
          total += part[i] = ((weights ? weights[i]! : 1) * part[i]!) / sum;
        }

        const level = top + log(mass);
        let cost = 0;
        let reach = 0; // Σ of the last term over 1 - fraction
        for (let i = 0; i < n; i++) {
          cost += part[i]! * (level - scores[i]!);
          fraction[i] = fraction[i]! / mass;
          const term = total * fraction[i]! - part[i]!;
          into.gradient[i] = term;
          if (into.hessian) into.hessian[i] = total * fraction[i]! * (1 - fraction[i]!);
          reach += part[i] = term / Math.max(1e-15, 1 - fraction[i]!);
        }
        for (let order = 1; order < terms; order++) {
          let next = 0;
          for (let i = 0; i < n; i++) {
            const term = fraction[i]! * (reach - part[i]!);
            into.gradient[i] = into.gradient[i]! + term;
            next += part[i] = term / Math.max(1e-15, 1 - fraction[i]!);
          }
          reach = next;
        }
        return cost;
      },
    );
  },
  ["rank_xendcg", "xe-ndcg"],
);
