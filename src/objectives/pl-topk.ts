/**
 * The Plackett-Luce likelihood of one order, of its first k places: cost = Σ_{p <= k} (log Σ_{r >= p} e^w_r - w_p), items in the order of their
 * labels. `listmle` is the same over the whole list. Xia et al. 2008, Listwise Approach to Learning to Rank: Theory and Algorithm.
 *
 * Labels that tie have no order of their own: it is the given one, or a new random one at each evaluation. pl-partition needs neither.
 */
import { exp, log, logAdd } from "../numeric/functions.ts";
import { shuffle } from "../numeric/random.ts";
import { choice, type Fields, integer, part } from "../part.ts";
import type { Objective } from "../types.ts";
import { declare } from "./shared/declare.ts";
import { direction, inDirection } from "./shared/direction.ts";
import { scratch } from "./shared/scratch.ts";
import { tierFinder } from "./shared/tiers.ts";

const ties = choice(["order", "random"], "how equal labels are put in order: as given, or at random at each evaluation");

/** Options of `plTopK`. */
export interface PlTopKOptions {
  /** Number of ranks that count. A whole number above 0. Default: 10. */
  readonly k: number;
  /** How equal labels are put in order: as given, or at random at each evaluation. Default: "order". */
  readonly ties: "order" | "random";
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PlTopKOptions> = { k: integer(10, "number of ranks that count"), ties, direction };

/** Plackett-Luce likelihood of the first k ranks of one order; `pl-topk` on the command line. */
export const plTopK = part("pl-topk", "Plackett-Luce likelihood of the first k ranks of one order", fields, (options, spec) =>
  orderLikelihood(spec, options),
);

/** Options of `listMle`. */
export interface ListMleOptions {
  /** How equal labels are put in order: as given, or at random at each evaluation. Default: "order". */
  readonly ties: "order" | "random";
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const listMleFields: Fields<ListMleOptions> = { ties, direction };

/** The Plackett-Luce likelihood of one whole order: pl-topk over all places. */
export const listMle = part("listmle", "Plackett-Luce likelihood of one whole order", listMleFields, (options, spec) =>
  orderLikelihood(spec, { ...options, k: Infinity }),
);

function orderLikelihood(spec: string, { k, ties, direction }: PlTopKOptions): Objective {
  const find = tierFinder(direction);
  const masses = scratch();
  const sure = ties === "order" ? "exact" : "sampled";
  return declare(
    spec,
    { cost: sure, gradient: sure, hessian: "exact", ties: "order", likelihood: "other" },
    inDirection(direction, (scores, labels, into, random, weights) => {
      const { order, starts, count } = find(labels);
      if (ties === "random") for (let t = 0; t < count; t++) shuffle(order.subarray(starts[t]!, starts[t + 1]!), random);
      const n = order.length;

      // Logs throughout: the mass left after a strong favorite underflows otherwise.
      const left = masses(n); // log mass of places p and after
      for (let p = n - 1, mass = -Infinity; p >= 0; p--) left[p] = mass = logAdd(mass, scores[order[p]!]!);

      let cost = 0;
      let once = -Infinity; // log of the sum, over places filled so far, of weight / mass left
      let twice = -Infinity; // the same for weight / mass left squared
      for (let p = 0; p < n; p++) {
        const i = order[p]!;
        const weight = p < k ? (weights ? weights[i]! : 1) : 0;
        if (weight > 0) {
          cost += weight * (left[p]! - scores[i]!);
          once = logAdd(once, log(weight) - left[p]!);
          twice = logAdd(twice, log(weight) - 2 * left[p]!);
        }
        const drawn = exp(scores[i]! + once); // expected times item i is drawn
        into.gradient[i] = drawn - weight;
        if (into.hessian) into.hessian[i] = drawn - exp(2 * scores[i]! + twice);
      }
      return cost;
    }),
  );
}
