/** Objectives against their definitions in 95 digits: the cost of a random list, and its derivatives with respect to some of the scores. */

import { digestOf } from "../../fuzz/target.ts";
import { below } from "../../src/numeric/random.ts";
import { objective as find } from "../../src/objectives/index.ts";
import type { Random } from "../../src/types.ts";
import { type Check, each, Finding } from "../check.ts";
import * as costs from "../precise/costs.ts";
import { fixed, toNumber } from "../precise/fixed.ts";

const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;

interface Definition {
  readonly spec: string;
  readonly cost: costs.PreciseCost;
  /** Scores lie between this and its negative. Default: 30. */
  readonly reach?: number;
  /** Largest error of the cost, relative to its size. Default: 1e-13. */
  readonly accuracy?: number;
}

const directions = [
  ["", false],
  ["direction=backward", true],
] as const;
const specOf = (id: string, ...options: readonly string[]) => [id, options.filter(Boolean).join(",")].filter(Boolean).join(":");

/** An objective with random options, and its definition. */
const drawers: readonly ((draw: Random) => Definition)[] = [
  (draw) => {
    const [[word, backward], top] = [pick(draw, directions), pick(draw, [Infinity, Infinity, 1, 3])];
    const single = draw() < 0.2;
    const spec = specOf("pl-partition", top === Infinity ? "" : `top=${top}`, single ? "precision=single" : "", word);
    // Far-apart scores make probabilities of which too few of 95 digits are left for second differences.
    return { spec, cost: costs.plPartition(top, backward), reach: 10, ...(single && { accuracy: 1e-7 }) };
  },
  () => ({ spec: "pl-lb", cost: costs.plLb }),
  (draw) => {
    const [[word, backward], k] = [pick(draw, directions), 1 + below(draw, 8)];
    return { spec: specOf("pl-topk", `k=${k}`, word), cost: costs.plTopK(k, backward) };
  },
  (draw) => {
    const [word, backward] = pick(draw, directions);
    return { spec: specOf("listmle", word), cost: costs.plTopK(Infinity, backward) };
  },
  (draw) => {
    const [word, backward] = pick(draw, directions);
    return { spec: specOf("pmop-fd", word), cost: costs.pmopFd(backward) };
  },
  (draw) => {
    const potential = pick(draw, ["mean", "sum"] as const);
    const sizes = pick(draw, ["modeled", "given"] as const);
    const [word, backward] = pick(draw, directions);
    const words = `potential=${potential},sizes=${sizes}${word === "" ? "" : `,${word}`}`;
    return { spec: specOf("pmop-exact", words), cost: costs.pmopExact(potential, sizes, backward) };
  },
  (draw) => (draw() < 0.5 ? { spec: "ranknet", cost: costs.rankNet } : { spec: "ranknet:ties=half", cost: costs.rankNetHalf }),
  () => ({ spec: "ranksvm", cost: costs.rankSvm }),
  () => ({ spec: "rank-regress", cost: costs.rankRegress }),
  () => ({ spec: "davidson", cost: costs.davidson }),
  () => ({ spec: "rao-kupper", cost: costs.raoKupper }),
  (draw) => (draw() < 0.5 ? { spec: "softmax", cost: costs.softmax } : { spec: "softmax:target=exp", cost: costs.softmaxExp }),
  () => ({ spec: "attrank", cost: costs.attRank }),
  () => ({ spec: "kl", cost: costs.kl }),
  () => ({ spec: "c-kl", cost: costs.cKl }),
  () => ({ spec: "unique-softmax", cost: costs.uniqueSoftmax }),
  () => ({ spec: "cosine", cost: costs.cosine }),
  () => ({ spec: "c-cosine", cost: costs.cCosine }),
  () => ({ spec: "mart-1", cost: costs.mart1 }),
  () => ({ spec: "mart-2", cost: costs.mart2 }),
  () => ({ spec: "c-mart", cost: costs.cMart }),
  (draw) => {
    const temperature = pick(draw, [0.1, 0.5, 2]);
    return { spec: specOf("approx-ndcg", `temperature=${temperature}`), cost: costs.approxNdcg(temperature) };
  },
  (draw) => {
    const grades = pick(draw, [5, 6]);
    return { spec: specOf("mcrank", `grades=${grades}`), cost: costs.mcRank(grades) };
  },
];

/** Names of the objectives that have a definition here. */
export const defined: readonly string[] = [...new Set(drawers.map((drawer) => drawer(() => 0).spec.replace(/:.*/, "")))];

const SEEN = 3; // scores whose derivatives are compared

function check(draw: Random): string {
  const { spec, cost, reach = 30, accuracy = 1e-13 } = pick(draw, drawers)(draw);
  const objective = find(spec);
  const n = 2 + below(draw, draw() < 0.1 ? 25 : 7);
  const [grades, spread] = [pick(draw, [2, 2, 3, 5]), Math.min(reach, pick(draw, [0, 0.1, 1, 1, 3, 10, 30]))];
  const ragged = objective.outputs === 1 && draw() < 0.2; // labels that are no grades
  const labels = Float32Array.from({ length: n }, () => (ragged ? 4 * draw() - 1 : below(draw, grades)));
  const length = n * objective.outputs + objective.auxiliary.length;
  const scores = Float64Array.from({ length }, (_, i) =>
    i >= n * objective.outputs ? 2 * draw() - 1 : draw() < 0.2 && i > 0 ? 0.25 : spread * (2 * draw() - 1),
  );
  const weights = draw() < 0.5 ? undefined : Float32Array.from(labels, () => pick(draw, [0.5, 1, 2, 3 * draw() + 0.01]));
  const into = { gradient: new Float64Array(length).fill(Number.NaN), hessian: new Float64Array(length).fill(Number.NaN) };
  const found = objective.evaluate(scores, labels, into, draw, weights);
  const shown = () =>
    `${spec}, scores ${JSON.stringify([...scores])}, labels ${JSON.stringify([...labels])}, weights ${weights ? JSON.stringify([...weights]) : "none"}`;
  const compare = (what: string, got: number, wanted: number, most: number) => {
    if (!(Math.abs(got - wanted) <= most)) throw new Finding(`${shown()}: ${what} ${got} instead of ${wanted}`);
  };

  const silent = objective.ties !== "event" && new Set(labels).size === 1;
  const list = {
    scores: [...scores].map(fixed),
    labels: [...labels],
    weights: weights ? [...weights].map(fixed) : [...labels].map(() => fixed(1)),
  };
  const flat = spec.includes("cosine") && scores.every((score) => score === 0); // no angle
  const kinked = spec === "ranksvm"; // differences are not taken across the kink of a hinge: all of its scores are far from it, nearly always
  if (!silent && !flat) {
    const size = Math.max(1, ...(weights ?? [])) * n * (1 + spread) * 2 ** Math.max(0, ...labels);
    for (let k = 0; k < SEEN; k++) {
      const at = k === 0 ? length - 1 : below(draw, length);
      const wanted = costs.derivatives(cost, list, at);
      compare("cost", found, toNumber(wanted.cost), accuracy * (Math.abs(found) + size));
      compare(`slope ${at}`, into.gradient[at]!, toNumber(wanted.slope), 10 * accuracy * (1 + size));
      if (objective.hessian === "exact" && !kinked)
        compare(`curvature ${at}`, into.hessian[at]!, toNumber(wanted.curvature), 100 * accuracy * (1 + size));
    }
  } else if (silent && (found !== 0 || into.gradient.some((slope) => slope !== 0))) throw new Finding(`${shown()}: not silent`);
  return digestOf(spec, found, into.gradient, into.hessian);
}

export const objectives: Check = {
  id: "objectives",
  about: "cost and derivatives of objectives against their definitions in 95 digits",
  batch: 20,
  run: each((_, draw) => check(draw)),
};
