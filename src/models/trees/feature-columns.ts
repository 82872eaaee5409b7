/** Where features stand in the columns of a binned data set, as searches for splits need it. */
import { heap } from "../../numeric/heap.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { CODES, COLUMNS } from "./layout.ts";

/** By feature: its bin of each code of its column, for features that share theirs. */
export function bundleTables({ features, layout }: BinnedDataset): (Uint8Array | undefined)[] {
  return features.map(({ bins, missing }, f) => {
    const [slot, width] = [layout.slots[f], bins + (missing ? 1 : 0)];
    if (!slot || slot.codes === width) return undefined;
    const codes = heap.u8(CODES);
    for (let code = 0; code < slot.codes; code++) codes[code] = Math.floor(code / slot.step) % width;
    return codes;
  });
}

/** The features of each group of columns, in order. */
export function featuresByGroup({ layout }: BinnedDataset): number[][] {
  const members: number[][] = Array.from({ length: layout.groups }, () => []);
  layout.slots.forEach((slot, f) => {
    if (slot) members[Math.floor(slot.column / COLUMNS)]!.push(f);
  });
  return members;
}
