/** A digest of everything in data that training depends on. */
import { digest } from "../numeric/digest.ts";
import type { Dataset } from "../types.ts";

/** Sixteen hexadecimal digits; the same for data that give the same model, whichever files they came from. */
export function digestOf(data: Dataset): string {
  if (data.shard?.digest !== undefined) return data.shard.digest;
  if (data.shard) throw new Error("the digest of data of several processes is not known");
  return combinedDigest(
    data,
    data.features.rows,
    arraysOf(data).map((one) => (one ? digest(one) : "none")),
  );
}

const binnedOf = ({ features }: Pick<Dataset, "features">) => (features.kind === "dense" ? features.binned : undefined);

/** The arrays that training depends on; undefined where there is none. */
export const arraysOf = (data: Dataset) => {
  const { starts, labels, features, items, listWeights, itemWeights, labelFrequency } = data;
  const binned = binnedOf(data);
  return [
    ...[starts, labels, features.values],
    ...(binned ? [binned.bins, ...binned.features.map(({ edges }) => edges)] : []),
    ...(features.kind === "sparse" ? [features.indices, Float64Array.from(features.starts)] : []),
    ...[items, listWeights, itemWeights, labelFrequency?.counts],
  ];
};

/** The digest of data from those of its arrays. */
export function combinedDigest({ features, ...rest }: Dataset, rows: number, all: readonly string[]): string {
  const binned = binnedOf({ features });
  const facts = JSON.stringify({
    ...{ kind: features.kind, rows, columns: features.columns, absent: String(features.absent) },
    ...(binned && { bins: binned.features.map(({ bins, missing, categorical }) => [bins, missing, categorical]) }),
    ...{ labelSpaceSize: rest.labelSpaceSize, lists: rest.labelFrequency?.lists, base: rest.base },
    ...{ features: rest.names.features, items: rest.names.items },
  });
  return digest(new TextEncoder().encode(`${all.join(" ")} ${facts}`));
}
