/** Rows whose item is in their list more than once, as opinions of several people on the same items are. */
import type { Dataset } from "../types.ts";

/** A row whose item is in a row before of the same list. */
export interface RepeatedRow {
  readonly list: number;
  readonly row: number;
  /** Whether its label is another one than that of the first row of the item. */
  readonly differs: boolean;
}

/** Such rows among the first `most`, in their order; rows whose item has no name are none. */
export function* repeatedRows({ starts, labels, names: { entries } }: Dataset, most = Infinity): Generator<RepeatedRow> {
  if (!entries) return;
  for (let list = 0; list + 1 < starts.length && starts[list]! < most; list++) {
    const first = new Map<string, number>(); // labels by item
    for (let row = starts[list]!; row < Math.min(most, starts[list + 1]!); row++) {
      const item = entries[row]!;
      const label = first.get(item);
      if (label === undefined) first.set(item, labels[row]!);
      else if (item !== "") yield { list, row, differs: !Object.is(label, labels[row]!) };
    }
  }
}
