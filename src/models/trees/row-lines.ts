/**
 * A copy of the bins in which those of a row lie side by side, up to eight groups of columns in a line of 64 bytes. The rows of a small leaf are far
 * apart, so that fetching the bins of a row costs a cache miss, whether it brings one group or eight. The order group by group stays: rows are split by
 * one column at a time, and large leaves read nearly all rows.
 */
import { memoryBudget } from "../../memory-budget.ts";
import { BLOCKS, splitEvenly } from "../../teams/blocks.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { COLUMNS, LINE } from "./layout.ts";

const SHARE = 16; // of the budget of memory, one part of so many
const MOST = 2 ** 29; // bytes: kernel memory is needed for larger data themselves

export interface RowLines {
  readonly bytes: Uint8Array;
  /** Where the bins of row 0 begin, and how far apart those of rows are. */
  placeOf(group: number): { readonly first: number; readonly stride: number };
}

/** null where memory is short, or where a line has a single group. */
export function rowLines(team: Team, { bins, rows, layout: { groups } }: BinnedDataset): RowLines | null {
  const size = groups * rows * COLUMNS;
  if (groups < 2 || size > Math.min(MOST, memoryBudget() / SHARE)) return null;
  const bytes = team.allocShared("u8", size);
  const placeOf = (group: number) => {
    const begin = group - (group % LINE);
    return { first: (begin * rows + (group % LINE)) * COLUMNS, stride: Math.min(LINE, groups - begin) * COLUMNS };
  };
  const [from, to] = [words(bins), words(bytes)];
  const bounds = splitEvenly(rows);
  team.parallelFor(BLOCKS, (b) => {
    for (let group = 0; group < groups; group++) {
      const { first, stride } = placeOf(group);
      for (let row = bounds[b]!, w = first / 4 + (row * stride) / 4; row < bounds[b + 1]!; row++, w += stride / 4) {
        const at = 2 * (group * rows + row);
        to[w] = from[at]!;
        to[w + 1] = from[at + 1]!;
      }
    }
  });
  return { bytes, placeOf };
}

const words = ({ buffer, byteOffset, length }: Uint8Array) => new Uint32Array(buffer, byteOffset, Math.floor(length / 4));
