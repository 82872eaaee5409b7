/** The definitions of metrics below a table of their values, in words. */
import { InputError } from "../input-error.ts";
import { metric, variantOf } from "../metrics/index.ts";
import type { Metric } from "../types.ts";
import { wrapped } from "./output.ts";

type MetricText = Pick<Metric, "spec" | "variant">;

/** A line for each definition, wrapped to the width of the terminal. Variants of a metric that differ in the cutoff alone, or not at all, share one. */
export function definitionsText(metrics: readonly MetricText[], width?: number): string {
  const groups = new Map<string, { readonly text: string; readonly members: MetricText[] }>();
  for (const one of metrics) {
    const { id, text } = withoutCutoff(one);
    const key = `${id}: ${text}`;
    groups.set(key, { text, members: [...(groups.get(key)?.members ?? []), one] });
  }
  return [...groups.values()]
    .map(({ text, members }) => {
      const [{ variant }] = members as [MetricText];
      const shared = members.every((one) => one.variant === variant) ? variant : text;
      return wrapped(`${members.map(({ spec }) => spec).join(", ")}: ${shared}`, width);
    })
    .join("\n");
}

const SOME_CUTOFF = 7919; // a number that no definition contains otherwise

/** The metric, and its definition with k in the place of the cutoff if it has one. Metrics of the caller are what they say. */
function withoutCutoff({ spec, variant }: MetricText): { readonly id: string; readonly text: string } {
  const own = { id: spec, text: variant };
  try {
    const known = metric(spec);
    if (known.variant !== variant) return own;
    if (known.depth === undefined) return { id: known.id, text: variant };
    const text = variantOf(known, { k: SOME_CUTOFF }).variant.replaceAll(String(SOME_CUTOFF), "k");
    return { id: known.id, text };
  } catch (error) {
    if (error instanceof InputError) return own;
    throw error;
  }
}
