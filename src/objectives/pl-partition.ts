/**
 * The exact Plackett-Luce likelihood of tiers S_1 > ... > S_M, the order within a tier unknown:
 *
 *   cost = -Σ_{m < M} log P(S_m > R_m),   R_m all items below tier m
 *
 * Each stage is one integral, which numeric/tier-stage.ts takes to machine precision. An item of R_m enters through w_R = logsumexp over R_m,
 * with p_j = exp(w_j - w_R): gradient of log P is -G p_j and its second derivative (V + G) p_j² - G p_j, where G and V are slope and bend of
 * the stage. Summed over the stages above a tier, these are two numbers per tier, so that each item costs a single exponential in all.
 *
 * Ma et al., Learning-to-Rank with Partitioned Preference, AISTATS 2021. Their quadrature is a mid-point rule; ours follows from the
 * substitution u = exp(-e^s). Tiers of one item make this ListMLE; two items, RankNet.
 */
import { exp, log, logAdd, logistic, softplus } from "../numeric/functions.ts";
import { DOUBLE, SINGLE, type Stage, tierStage } from "../numeric/tier-stage.ts";
import { choice, part, whole } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { direction, facing } from "./shared/direction.ts";
import { room } from "./shared/room.ts";
import { tierFinder } from "./shared/tiers.ts";
import { tierWeight } from "./shared/weights.ts";

const fields = {
  top: whole(Infinity, "only tiers that begin within this many places count"),
  precision: choice(["double", "single"], "double: errors near 1e-12; single: near 1e-6, with half the nodes"),
  direction,
};

export const plPartition = part(
  "pl-partition",
  "exact Plackett-Luce likelihood of tiers",
  fields,
  ({ top, precision, direction }, text) => {
    const fine = precision === "double" ? DOUBLE : SINGLE;
    const find = tierFinder(direction);
    const [shares, margins, firsts, seconds, rests, peaks] = [room(), room(), room(), room(), room(), room()];

    return declare(
      text,
      {
        ...{ gradient: "exact", curvature: "exact", ties: "tier" },
        ...(direction === "forward" && { lowest: "mass" as const }),
      },
      facing(direction, (scores, labels, { gradient, curvature }, _, weights) => {
        const n = labels.length;
        const { order, starts, count } = find(labels);
        const share = shares(n); // e^(w - the greatest w of its tier), in tier order
        const below = rests(count); // log mass of the tiers after t
        const peak = peaks(count);

        below[count - 1] = -Infinity;
        for (let t = count - 1; t >= 0; t--) {
          const [from, to] = [starts[t]!, starts[t + 1]!];
          let greatest = -Infinity;
          for (let p = from; p < to; p++) greatest = Math.max(greatest, scores[order[p]!]!);
          let mass = 0;
          for (let p = from; p < to; p++) mass += share[p] = exp(scores[order[p]!]! - greatest);
          peak[t] = greatest;
          if (t > 0) below[t - 1] = logAdd(below[t]!, greatest + log(mass));
        }

        let cost = 0;
        let once = 0; // slopes of the stages so far, each times e^(rest - its own rest)
        let twice = 0; // the same for bend + slope, squared
        let rest = 0; // log mass below the last stage
        const [first, second] = [firsts(n), seconds(n)];
        for (let t = 0; t < count; t++) {
          const [from, to] = [starts[t]!, starts[t + 1]!];
          const counts = t < count - 1 && from < top;
          const weight = counts ? tierWeight(weights, order, from, to) : 0;
          let stage: Stage | undefined;
          if (counts) {
            const d = margins(to - from);
            for (let p = from; p < to; p++) d[p - from] = scores[order[p]!]! - below[t]!;
            stage = to - from === 1 ? single(d[0]!, first, second) : tierStage(d, to - from, fine, first, curvature && second);
            cost -= weight * stage.log;
          }

          // What this tier's own stage asks of its items, and what the stages above it ask.
          const ratio = t === 0 ? 0 : exp(peak[t]! - rest);
          const [push, turn] = [once * ratio, twice * ratio * ratio];
          for (let p = from; p < to; p++) {
            const i = order[p]!;
            const s = share[p]!;
            gradient[i] = push * s - (stage ? weight * first[p - from]! : 0);
            if (curvature) curvature[i] = push * s - turn * s * s - (stage ? weight * second[p - from]! : 0);
          }

          if (stage) {
            const shrink = t === 0 ? 0 : exp(below[t]! - rest);
            once = once * shrink + weight * stage.slope;
            twice = twice * shrink * shrink + weight * (stage.bend + stage.slope);
            rest = below[t]!;
          }
        }
        return cost;
      }),
    );
  },
);

const lone: Stage = { log: 0, slope: 0, bend: 0 };

/** A tier of one item has a closed form: P = 1 / (1 + e^-d). */
function single(d: number, first: Float64Array, second: Float64Array): Stage {
  lone.log = -softplus(-d);
  first[0] = lone.slope = logistic(-d);
  second[0] = lone.bend = -lone.slope * logistic(d);
  return lone;
}
