/** A poll from a file of ballots, in any format that tierwise reads as ballots. It shows results and takes no votes. */
import { parseData } from "../../formats/data/parse.ts";
import { InputError } from "../../input-error.ts";
import { LIMITS } from "./check-poll.ts";
import { itemColor, tierColor } from "./colors.ts";
import type { CountedBallots } from "./store.ts";
import type { NewPoll } from "./types.ts";

export function importPoll(name: string, content: Uint8Array, title?: string): { poll: NewPoll; ballots: CountedBallots } {
  const { data } = parseData([{ name, content }]);
  const { items, starts, labels, listWeights, names, labelSpaceSize } = data;
  if (!items || !names.items || labelSpaceSize !== undefined)
    throw new InputError(
      `${name}: expected ballots, such as PrefLib, JSON tier lists or a table of ballot, item and tier, got data of another kind`,
    );
  if (names.items.length > LIMITS.items)
    throw new InputError(`${name}: a poll has at most ${LIMITS.items} items, and the file has ${names.items.length}`);
  let most = 1;
  const ballots = Array.from({ length: starts.length - 1 }, (_, q): [number[][], number] => {
    const tiers: number[][] = [];
    const best = labels[starts[q]!]!; // ballots are read with the best first, and labels count down to 0
    for (let at = starts[q]!; at < starts[q + 1]!; at++) (tiers[best - labels[at]!] ??= []).push(items[at]!);
    most = Math.max(most, tiers.length);
    const count = listWeights ? listWeights[q]! : 1;
    if (!Number.isInteger(count)) throw new InputError(`${name}: expected whole counts of ballots, got ${count}`);
    return [tiers, count];
  });
  const poll: NewPoll = {
    title: title ?? name.replace(/\.\w+$/, ""),
    tiers: Array.from({ length: Math.max(2, most) }, (_, t) => ({ name: `Rank ${t + 1}`, color: tierColor(t, most) })),
    items: names.items.map((item, i) => ({ name: item.slice(0, LIMITS.itemName), color: itemColor(i) })),
  };
  return { poll, ballots };
}
