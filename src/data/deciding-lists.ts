/** Lists whose order matters: those with two different labels. In all others every order is as good as any. */
import type { Dataset } from "../types.ts";

/** How many lists have two different labels; of documents with label sets, how many have a relevant label. */
export function decidingLists({ starts, labels, labelSpaceSize }: Dataset): number {
  let deciding = 0;
  for (let list = 0; list + 1 < starts.length; list++) {
    const [from, to] = [starts[list]!, starts[list + 1]!];
    let at = from;
    while (at < to && (labelSpaceSize === undefined ? labels[at] === labels[from] : labels[at] === 0)) at++;
    if (at < to) deciding++;
  }
  return deciding;
}
