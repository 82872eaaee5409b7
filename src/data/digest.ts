/** A digest of everything in data that training depends on. */
import { digest } from "../numeric/digest.ts";
import type { Dataset } from "../types.ts";

/** Sixteen hexadecimal digits; the same for data that give the same model, whichever files they came from. */
export function digestOf({ starts, labels, features, items, listWeights, itemWeights, ...rest }: Dataset): string {
  const binned = features.kind === "dense" ? features.binned : undefined;
  const arrays = [
    ...[starts, labels, features.values],
    ...(binned ? [binned.bins, ...binned.features.map(({ edges }) => edges)] : []),
    ...(features.kind === "sparse" ? [features.indices, Float64Array.from(features.starts)] : []),
    ...[items, listWeights, itemWeights, rest.labelFrequency?.counts],
  ];
  const facts = JSON.stringify({
    ...{ kind: features.kind, rows: features.rows, columns: features.columns, absent: String(features.absent) },
    ...(binned && { bins: binned.features.map(({ bins, missing, categorical }) => [bins, missing, categorical]) }),
    ...{ labelSpaceSize: rest.labelSpaceSize, lists: rest.labelFrequency?.lists, base: rest.base },
    ...{ features: rest.names.features, items: rest.names.items },
  });
  const all = arrays.map((one) => (one ? digest(one) : "none"));
  return digest(new TextEncoder().encode(`${all.join(" ")} ${facts}`));
}
