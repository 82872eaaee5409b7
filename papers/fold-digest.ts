/** What a fold holds, whatever files it was read from: its rows as plain arrays, and a digest by which scores of other tools name their data. */
import { createHash } from "node:crypto";
import type { Dataset } from "../src/index.ts";
import type { Parts } from "./trial.ts";

export const PARTS = ["train", "valid", "test"] as const;

/** All features row after row, with one NaN for every missing value. */
export function denseValues({ features }: Dataset): Float32Array {
  const { rows, columns } = features;
  const dense = new Float32Array(rows * columns);
  if (features.kind === "dense") dense.set(features.values);
  else {
    const { starts, indices, values, absent } = features;
    dense.fill(absent);
    for (let row = 0; row < rows; row++)
      for (let at = starts[row]!; at < starts[row + 1]!; at++) dense[row * columns + indices[at]!] = values[at]!;
  }
  for (let i = 0; i < dense.length; i++) if (Number.isNaN(dense[i])) dense[i] = Number.NaN; // its bits are not defined otherwise
  return dense;
}

/** Of the lists, labels and features of all parts. */
export function foldDigest(parts: Parts): string {
  const hash = createHash("sha256");
  for (const name of PARTS) {
    const data = parts[name];
    for (const array of [data.starts, data.labels, denseValues(data)])
      hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    hash.update(`${data.features.columns} `);
  }
  return hash.digest("hex").slice(0, 16);
}
