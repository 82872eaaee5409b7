/**
 * The methods of Truyen, Phung, Venkatesh, Table 1. All but the sampled ones by L-BFGS until the cost improves by less than 1e-5 of itself,
 * or 100 iterations, which are that optimizer's defaults; the sampled ones by stochastic gradient at 0.1. "1,000 iterations" are read as 1,000
 * steps, of 16 lists each, with three moves of the chain per stage. Products of features are kept above a correlation of 0.15.
 */
import type { Found } from "../data-sets.ts";
import type { System } from "../systems.ts";

export const METRICS = ["err", "ndcg@1", "ndcg@5"];

interface Method {
  readonly name: string;
  readonly objective: string;
  readonly sampled?: true;
}

export const METHODS: readonly Method[] = [
  { name: "Rank Regress", objective: "rank-regress" },
  { name: "RankNet", objective: "ranknet" },
  { name: "Ranking SVM", objective: "ranksvm" },
  { name: "ListMLE", objective: "listmle" },
  { name: "PairTies-D", objective: "davidson" },
  { name: "PairTies-RK", objective: "rao-kupper" },
  { name: "PMOP-FD", objective: "pmop-fd" },
  { name: "PMOP-Gibbs", objective: "pmop-gibbs", sampled: true },
  { name: "PMOP-MH", objective: "pmop-mh", sampled: true },
];

export const BASELINES = METHODS.slice(0, 6).map(({ name }) => name);
export const OURS = METHODS.slice(6).map(({ name }) => name);

export const ORDERS = ["first", "second"] as const;
export type Order = (typeof ORDERS)[number];

/** The name of a method with features of an order. */
export const named = (method: string, order: Order) => (order === "first" ? method : `${method}, second order`);

const [STEPS, BATCH] = [1000, 16];
/** Training lists of a fold, so that passes over them can be counted in steps. */
const LISTS: Readonly<Record<string, number>> = { mq2008: 471, ohsumed: 63, "mq2007-agg": 1015, search: 201, yahoo: 19944 };

function optimizerOf({ sampled }: Method, { set }: Found): string {
  if (!sampled) return "lbfgs";
  const steps = Math.ceil((LISTS[set.id] ?? 10_000) / BATCH);
  return `sgd(rate=0.1,batch=${BATCH},epochs=${Math.max(1, Math.round(STEPS / steps))})`;
}

export const systems: readonly System[] = ORDERS.flatMap((order) =>
  METHODS.map((method) => ({
    name: named(method.name, order),
    weight: (order === "second" ? 3 : 1) * (method.sampled ? 2 : 1),
    recipe: (found: Found) => ({
      model: `linear:${order === "second" ? "products=0.15," : ""}optimizer=${optimizerOf(method, found)}`,
      ...{ objective: method.objective, metrics: METRICS.join(","), held: 0 },
    }),
  })),
);
