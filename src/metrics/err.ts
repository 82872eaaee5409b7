/**
 * Expected reciprocal rank: a reader goes down the list and stops at an item with chance R; 1 / the place of the stop, expected.
 *
 *   ERR@k = sum over places p <= k of (1/p) R_p prod_{q < p} (1 - R_q),   R = (2^l - 1) / 2^gmax
 *
 * Chapelle et al. 2009, https://doi.org/10.1145/1645953.1646033. The highest grade gmax is an option and never taken from the data, since a
 * test set without the highest grade would then be measured by another rule. With stop=label the label itself is the chance R (CatBoost).
 * With norm=true the value is divided by that of the best order (nERR).
 */
import { InputError } from "../input-error.ts";
import { exp2, expm1 } from "../numeric/functions.ts";
import { choice, type Fields, flag, real } from "../part.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k } from "./shared/relevance.ts";
import { stops } from "./shared/stops.ts";
import type { TieGroups } from "./shared/ties.ts";

const gmax = real(4, "highest grade there can be", { above: 0, max: 1000, aliases: ["max-rel"] });
const stop = choice(["exp", "label"], "chance to stop at label l: (2^l - 1)/2^gmax, or l itself");
const norm = flag(false, "divide by the value of the best order");

/** Options of `err`. */
export interface ErrOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Highest grade there can be. A number above 0 and of at most 1000. Default: 4. */
  readonly gmax: number;
  /** Chance to stop at label l: (2^l - 1)/2^gmax, or l itself. Default: "exp". */
  readonly stop: "exp" | "label";
  /** Divide by the value of the best order. Default: false. */
  readonly norm: boolean;
}

const fields: Fields<ErrOptions> = { k, gmax, stop, norm };

/** Expected reciprocal rank; `err` on the command line. */
export const err = metricPart("err", "expected reciprocal rank", fields, (options, spec) => {
  const most = options.stop === "exp" ? options.gmax : 1;
  const out = options.stop === "exp" ? "set gmax= to the highest grade of the scale" : "stop=label needs labels of at most 1";
  const scale = exp2(-options.gmax);
  const chance = (label: number) => {
    if (label > most) throw new InputError(`${spec}: label ${label} is above ${most}; ${out}`);
    if (label <= 0) return 0;
    if (options.stop === "label") return label;
    return (Number.isInteger(label) ? exp2(label) - 1 : expm1(label * Math.LN2)) * scale;
  };
  return {
    description: `stop chance ${options.stop === "exp" ? `(2^l - 1)/2^${options.gmax}` : "l"}, ${cutoffText(options.k)}${
      options.norm ? ", divided by that of the best order" : ""
    }`,
    requires: "a label above 0",
    value(list, labels) {
      const chances = Float64Array.from(labels, chance);
      if (!chances.some((one) => one > 0)) return Number.NaN;
      const value = reached(list, chances, Math.min(options.k, list.ranked));
      return options.norm ? Math.min(1, value / best(chances, options.k)) : value;
    },
  };
});

function reached({ order, ends }: TieGroups, chances: Float64Array, depth: number): number {
  let value = 0;
  let still = 1; // chance that the reader comes this far
  for (let group = 0, from = 0; from < depth && still > 0; from = ends[group++]!) {
    const to = ends[group]!;
    if (to - from === 1) value += (still * chances[order[from]!]!) / (from + 1);
    else value += still * stops(order.subarray(from, to), chances, from, Math.min(depth, to) - from);
    for (let place = from; place < to; place++) still *= 1 - chances[order[place]!]!;
  }
  return value;
}

function best(chances: Float64Array, k: number): number {
  const sorted = chances.slice().sort();
  let value = 0;
  let still = 1;
  for (let place = 0; place < Math.min(k, sorted.length); place++) {
    const chance = sorted[sorted.length - 1 - place]!;
    value += (still * chance) / (place + 1);
    still *= 1 - chance;
  }
  return value;
}
