/**
 * One free utility for each item of a set, for data without features: ballots, races, results of pairs, tier lists. The probability
 * that an item is placed first among all is its worth, e^w / Σ e^w. Only differences of utilities count; they sum to zero, or a reference
 * item has 0.
 *
 * Under the tier likelihood, and under any objective whose gradient is exact, the fit is Newton's method to the last digits, and comes with
 * standard errors from the observed information. Before it, the data are checked for whether a best fit exists. Stochastic optimizers stop
 * after a fixed number of epochs, whether the estimate exists or not, and give no standard errors.
 */
import { InputError, quote } from "../../input-error.ts";
import { type Heap, withHeap } from "../../numeric/heap.ts";
import { autoOptimizer, finiteDifferenceHessian, optimizers } from "../../optimizers/index.ts";
import { choice, type Fields, part, partField, real, suggest, textField } from "../../part.ts";
import type { Dataset, Hessian, Learner, Model, Objective, Optimizer, Problem, Run } from "../../types.ts";
import { makeProblem, optimizeProblem, type ScoreFunction } from "../shared/optimize.ts";
import { requireConnected } from "./connected.ts";
import { contestsOf, pairsIn } from "./contests.ts";
import { withGhost } from "./ghost.ts";
import { hessianMatrix } from "./hessian-matrix.ts";
import { utilitiesModel } from "./model.ts";
import { pairProblem } from "./pair-problem.ts";
import { sampledStart } from "./sampled-start.ts";
import { stagesOf } from "./stages.ts";
import { type DenseHessian, tierProblem } from "./tier-problem.ts";
import { covarianceOf, type Uncertainty, uncertaintyOf } from "./uncertainty.ts";

/** Options of `utilities`. */
export interface UtilitiesOptions {
  /** Prior: wins and losses of each item against a ghost item. A number of at least 0. Default: 0. */
  readonly ghost: number;
  /** Prior: weight of the squared utilities in the mean cost. A number of at least 0. Default: 0. */
  readonly l2: number;
  /** Item whose utility is 0; without one, utilities sum to zero. Default: "". */
  readonly reference: string;
  /** Standard errors and rank intervals; auto: up to 500 items. Default: "auto". */
  readonly errors: "auto" | "yes" | "no";
  /** Optimizer; auto: newton, or adam for sampled gradients. Default: auto. */
  readonly optimizer: Optimizer;
}

const fields: Fields<UtilitiesOptions> = {
  ghost: real(0, "prior: wins and losses of each item against a ghost item", { min: 0, aliases: ["npseudo"] }),
  l2: real(0, "prior: weight of the squared utilities in the mean cost", { min: 0, aliases: ["ridge", "lambda"] }),
  reference: textField("", "item whose utility is 0; without one, utilities sum to zero"),
  errors: choice(["auto", "yes", "no"], "standard errors and rank intervals; auto: up to 500 items"),
  optimizer: partField(
    optimizers,
    "optimizer",
    autoOptimizer(),
    "optimizer; auto: newton, or adam for sampled gradients",
    "minimize",
  ),
};

const MANY = 500; // items: beyond, the matrix of second derivatives takes seconds
const DENSE = 3e7; // numbers in the matrices of all tiers: beyond, differences of gradients serve instead
const MERGED = 1e8; // pairs of all lists: beyond, merging them would take more memory than differences of gradients save time

/** A free utility for each item, for ballots and results of pairs; `utilities` on the command line. */
export const utilities = part(
  "utilities",
  "a free utility for each item, for ballots and results of pairs",
  fields,
  (options, spec): Learner => ({
    id: "utilities",
    spec,
    featureless: true,
    supportsProcesses: true,
    converges: (objective) => isExact(objective, options.optimizer),
    learn: (data, objective, run) => withHeap((heap) => learn(options, data, objective, run, heap)),
  }),
);

const isExact = ({ gradient }: Objective, { stochastic }: Optimizer) => gradient === "exact" && !stochastic;

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
    throw new InputError(
      `utilities, option reference: no item is called ${quote(reference)}; ${suggest(reference, names.slice(0, 50))}`,
    );
  const whole = ghost > 0 ? withGhost(data, items, ghost) : data;
  const size = ghost > 0 ? items + 1 : items;
  const exact = isExact(objective, optimizer);
  const stages = stagesOf(whole, size);
  if (exact && l2 === 0) requireConnected(whole, stages, objective);

  const tiers = exact && objective.likelihood === "tiers" && !data.itemWeights && stages.squareSum <= DENSE;
  const scorer = itemUtilities(size);
  const tiered = tiers ? tierProblem(stages, run.team, l2) : undefined;
  const problem = tiered
    ? { ...tiered, hessian: tiered.roughHessian }
    : exact && objective.pairs && pairsIn(whole) <= MERGED
      ? pairProblem(contestsOf(whole, size, objective.ties === "event"), objective, stages.total, run.team, l2)
      : withFiniteDifferences(makeProblem(whole, objective, run, scorer, l2, heap), exact);
  const start = tiered && sampledStart(stages, tiered, run.team, l2);
  const searched = { optimizer, ...(start && { start }) };
  const { params, auxiliary } = optimizeProblem(problem, whole, objective, run, scorer, searched, heap);

  const found = Float64Array.from([...params, ...Object.values(auxiliary)]);
  const gradient = new Float64Array(found.length);
  const mean = exact ? problem.evaluate(found, gradient, 0) : Number.NaN;
  const wanted = exact && (errors === "yes" || (errors === "auto" && items <= MANY));
  const information = () => (tiered ?? problem).hessian!(found);
  const uncertainty = wanted ? uncertaintyFrom(information(), found, stages.total, items, objective, run) : undefined;
  const plain = exact && ghost === 0 && l2 === 0;
  const cost = plain ? mean * stages.total : costOf(data, objective, run, found, items, heap);
  return utilitiesModel({
    names,
    utilities: centered(params, items, anchor),
    reference: anchor,
    auxiliary,
    ballots: total(data),
    cost,
    likelihood: objective.likelihood !== undefined,
    parameters: items - 1 + objective.auxiliary.length,
    prior: [...(ghost > 0 ? [`ghost=${ghost}`] : []), ...(l2 > 0 ? [`l2=${l2}`] : [])].join(", ") || "none",
    maxGradient: exact ? stages.total * gradient.reduce((most, one) => Math.max(most, Math.abs(one)), 0) : Number.NaN,
    ...(uncertainty && { uncertainty }),
  });
}

function namesOf({ items, names, starts }: Dataset, { outputs, id }: Objective): readonly string[] {
  if (!items) throw new InputError("utilities needs ballots, and these data are not ballots; choose another model");
  if (outputs !== 1)
    throw new InputError(`utilities has one output per item, and ${id} wants ${outputs}; choose another objective`);
  if (starts.length < 2) throw new InputError("there are no ballots to train on");
  return (
    names.items ?? Array.from({ length: items.reduce((most, item) => Math.max(most, item), 0) + 1 }, (_, i) => String(i + 1))
  );
}

/** The number of an entry's item is the number of its utility. */
const itemUtilities = (size: number): ScoreFunction => ({
  size,
  penalized: size,
  score(params, { starts, items }, q, into) {
    for (let at = starts[q]!, p = 0; at < starts[q + 1]!; at++, p++) into[p] = params[items![at]!]!;
  },
  backward({ starts, items }, q, gradient, into) {
    for (let at = starts[q]!, p = 0; at < starts[q + 1]!; at++, p++) into[items![at]!] = into[items![at]!]! + gradient[p]!;
  },
});

const withFiniteDifferences = (problem: Problem, exact: boolean): Problem =>
  exact ? { ...problem, hessian: (params) => finiteDifferenceHessian(problem, params) } : problem;

function uncertaintyFrom(
  hessian: Hessian,
  found: Float64Array,
  total: number,
  items: number,
  { auxiliary }: Objective,
  run: Run,
): Uncertainty | undefined {
  const size = found.length;
  const matrix = "matrix" in hessian ? (hessian as DenseHessian).matrix() : hessianMatrix(hessian, size);
  for (let i = 0; i < matrix.length; i++) matrix[i] = matrix[i]! * total;
  const uncertainty = covarianceOf(matrix, size, items, auxiliary.length);
  return uncertainty && uncertaintyOf(found.slice(0, items), uncertainty.covariance, uncertainty.auxiliary, run.seed);
}

function centered(params: Float64Array, items: number, anchor: number): Float64Array {
  const own = params.slice(0, items);
  const zero = anchor >= 0 ? own[anchor]! : own.reduce((sum, value) => sum + value, 0) / items;
  return own.map((value) => value - zero);
}

const total = ({ starts, listWeights }: Dataset) =>
  listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) : starts.length - 1;

/** The total cost of the data alone, without any prior. */
function costOf(data: Dataset, objective: Objective, run: Run, found: Float64Array, items: number, heap: Heap): number {
  const auxiliary = found.subarray(found.length - objective.auxiliary.length);
  const params = Float64Array.from([...found.subarray(0, items), ...auxiliary]);
  const problem = makeProblem(data, objective, run, itemUtilities(items), 0, heap);
  return problem.evaluate(params, new Float64Array(params.length), 0) * total(data);
}
