/**
 * One free utility for each item of a catalogue, for data without features: ballots, races, results of pairs, tier lists. The probability
 * that an item is placed first among all is its worth, e^w / Σ e^w. Only differences of utilities count; they sum to zero, or a reference
 * item has 0.
 *
 * Under the tier likelihood, and under any objective whose gradient is exact, the fit is Newton's method to the last digits, and comes with
 * standard errors from the observed information. Before it, the data are checked for whether a best fit exists. Optimizers that walk
 * through the lists in batches are for streams: they stop after so many passes, exist or not, and give no standard errors.
 */
import { Mistake, quote } from "../mistake.ts";
import { Heap } from "../numeric/heap.ts";
import { auto, differences, optimizers } from "../optimizers/index.ts";
import { choice, guess, member, part, real, words } from "../part.ts";
import type { Bend, Dataset, Learner, Model, Objective, Optimizer, Problem, Run } from "../types.ts";
import { pose, type Shape, solve } from "./shared/descend.ts";
import { requireConnected } from "./utilities/connected.ts";
import { withGhost } from "./utilities/ghost.ts";
import { utilitiesModel } from "./utilities/model.ts";
import { stagesOf } from "./utilities/stages.ts";
import { tierProblem, type WholeBend } from "./utilities/tier-problem.ts";
import { covarianceOf, type Uncertainty, uncertaintyOf } from "./utilities/uncertainty.ts";

const fields = {
  ghost: real(0, "prior: wins and losses of each item against a ghost item", { least: 0, aliases: ["npseudo"] }),
  l2: real(0, "prior: weight of the squared utilities in the mean cost", { least: 0, aliases: ["ridge", "lambda"] }),
  reference: words("", "item whose utility is 0; without one, utilities sum to zero"),
  errors: choice(["auto", "yes", "no"], "standard errors and rank intervals; auto: up to 500 items"),
  optimizer: member(
    optimizers,
    "optimizer",
    auto(),
    "how utilities are found; auto: newton, or adam for sampled gradients",
    "minimise",
  ),
};

const MANY = 500; // items: beyond, the matrix of second derivatives takes seconds
const DENSE = 3e7; // numbers in the matrices of all tiers: beyond, differences of gradients serve instead

export const utilities = part(
  "utilities",
  "a free utility for each item, for ballots and results of pairs",
  fields,
  (options, text): Learner => ({
    id: "utilities",
    text,
    featureless: true,
    converges: (objective) => isExact(objective, options.optimizer),
    learn(data, objective, run) {
      const heap = new Heap();
      try {
        return learn(options, data, objective, run, heap);
      } finally {
        heap.close();
      }
    },
  }),
);

const isExact = ({ gradient }: Objective, { streams }: Optimizer) => gradient === "exact" && !streams;

interface Options {
  readonly ghost: number;
  readonly l2: number;
  readonly reference: string;
  readonly errors: "auto" | "yes" | "no";
  readonly optimizer: Optimizer;
}

function learn(options: Options, data: Dataset, objective: Objective, run: Run, heap: Heap): Model {
  const { ghost, l2, reference, errors, optimizer } = options;
  const names = namesOf(data, objective);
  const items = names.length;
  const anchor = reference === "" ? -1 : names.indexOf(reference);
  if (anchor < 0 && reference !== "")
    throw new Mistake(
      `utilities, option reference: no item is called ${quote(reference)}; ${guess(reference, names.slice(0, 50))}`,
    );
  const whole = ghost > 0 ? withGhost(data, items, ghost) : data;
  const size = ghost > 0 ? items + 1 : items;
  const exact = isExact(objective, optimizer);
  const stages = stagesOf(whole, size);
  if (exact && l2 === 0) requireConnected(whole, stages, objective);

  const tiers = exact && objective.likelihood === "tiers" && !data.itemWeights && stages.squareSum <= DENSE;
  const shape = oneEach(size);
  const problem = tiers
    ? tierProblem(stages, run.team, l2)
    : withDifferences(pose(whole, objective, run, shape, l2, heap), exact);
  const { params, extras } = solve(problem, whole, objective, run, shape, { optimizer }, heap);

  const found = Float64Array.from([...params, ...Object.values(extras)]);
  const gradient = new Float64Array(found.length);
  const mean = exact ? problem.evaluate(found, gradient, 0) : Number.NaN;
  const wanted = exact && (errors === "yes" || (errors === "auto" && items <= MANY));
  const sure = wanted ? uncertain(problem.bend!(found), found, stages.total, items, objective, run) : undefined;
  const plain = exact && ghost === 0 && l2 === 0;
  const cost = plain ? mean * stages.total : costOf(data, objective, run, found, items, heap);
  return utilitiesModel({
    names,
    utilities: centred(params, items, anchor),
    reference: anchor,
    extras,
    ballots: total(data),
    cost,
    likelihood: objective.likelihood !== undefined,
    free: items - 1 + objective.extras.length,
    prior: [...(ghost > 0 ? [`ghost=${ghost}`] : []), ...(l2 > 0 ? [`l2=${l2}`] : [])].join(", ") || "none",
    steepest: exact ? stages.total * gradient.reduce((most, one) => Math.max(most, Math.abs(one)), 0) : Number.NaN,
    ...(sure && { sure }),
  });
}

function namesOf({ items, names, starts }: Dataset, { outputs, id }: Objective): readonly string[] {
  if (!items)
    throw new Mistake("utilities learns from ballots over items that recur, and these data have none; choose another model");
  if (outputs !== 1)
    throw new Mistake(`utilities gives one number per item, and ${id} wants ${outputs}; choose another objective`);
  if (starts.length < 2) throw new Mistake("there is no ballot to learn from");
  return (
    names.items ?? Array.from({ length: items.reduce((most, item) => Math.max(most, item), 0) + 1 }, (_, i) => String(i + 1))
  );
}

/** The number of an entry's item is the number of its utility. */
const oneEach = (size: number): Shape => ({
  size,
  penalised: size,
  score(params, { starts, items }, q, into) {
    for (let at = starts[q]!, p = 0; at < starts[q + 1]!; at++, p++) into[p] = params[items![at]!]!;
  },
  pull({ starts, items }, q, gradient, into) {
    for (let at = starts[q]!, p = 0; at < starts[q + 1]!; at++, p++) into[items![at]!] = into[items![at]!]! + gradient[p]!;
  },
});

const withDifferences = (problem: Problem, exact: boolean): Problem =>
  exact ? { ...problem, bend: (params) => differences(problem, params) } : problem;

function uncertain(
  bend: Bend,
  found: Float64Array,
  total: number,
  items: number,
  { extras }: Objective,
  run: Run,
): Uncertainty | undefined {
  const size = found.length;
  const matrix = "matrix" in bend ? (bend as WholeBend).matrix() : columns(bend, size);
  for (let i = 0; i < matrix.length; i++) matrix[i] = matrix[i]! * total;
  const sure = covarianceOf(matrix, size, items, extras.length);
  return sure && uncertaintyOf(found.slice(0, items), sure.covariance, sure.extras, run.seed);
}

/** The whole matrix, one product for each column. */
function columns({ times }: Bend, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  const unit = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    unit[i] = 1;
    times(unit, matrix.subarray(i * size, (i + 1) * size));
    unit[i] = 0;
  }
  for (let i = 0; i < size; i++)
    for (let j = 0; j < i; j++) matrix[i * size + j] = matrix[j * size + i] = (matrix[i * size + j]! + matrix[j * size + i]!) / 2;
  return matrix;
}

function centred(params: Float64Array, items: number, anchor: number): Float64Array {
  const own = params.slice(0, items);
  const zero = anchor >= 0 ? own[anchor]! : own.reduce((sum, value) => sum + value, 0) / items;
  return own.map((value) => value - zero);
}

const total = ({ starts, listWeights }: Dataset) =>
  listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) : starts.length - 1;

/** The total cost of the data alone, without any prior. */
function costOf(data: Dataset, objective: Objective, run: Run, found: Float64Array, items: number, heap: Heap): number {
  const extras = found.subarray(found.length - objective.extras.length);
  const params = Float64Array.from([...found.subarray(0, items), ...extras]);
  const problem = pose(data, objective, run, oneEach(items), 0, heap);
  return problem.evaluate(params, new Float64Array(params.length), 0) * total(data);
}
