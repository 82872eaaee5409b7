/** Common defaults of objectives: one output per item, no auxiliary parameters, and cost 0 for lists without information. */
import type { Derivatives, Objective, Random } from "../../types.ts";

type Capabilities = Pick<Objective, "gradient" | "hessian" | "ties"> &
  Partial<
    Pick<
      Objective,
      "cost" | "outputs" | "auxiliary" | "reduction" | "likelihood" | "negatives" | "pairs" | "quadratic" | "chains"
    >
  >;

/** Cost and derivatives of a list with at least two different labels (of any list of two items, where a tie is an event). */
export type Evaluate = (
  scores: Float64Array,
  labels: Float32Array,
  into: Derivatives,
  random: Random,
  weights?: Float32Array,
) => number;

export function declare(spec: string, capabilities: Capabilities, evaluate: Evaluate): Objective {
  return {
    id: spec.replace(/:.*$/, ""),
    spec,
    outputs: 1,
    cost: "exact",
    auxiliary: [],
    ...capabilities,
    evaluate(scores, labels, into, random, weights) {
      if (labels.length > 1 && (capabilities.ties === "event" || differ(labels)))
        return evaluate(scores, labels, into, random, weights);
      into.gradient.fill(0);
      into.hessian?.fill(0);
      return 0;
    },
  };
}

function differ(labels: Float32Array): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i] !== labels[0]) return true;
  return false;
}
