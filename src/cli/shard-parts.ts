/** Parts of data whose lists several processes hold: each process takes those of its lists that are in them. */
import { type SelectParts, selectParts, unionOf } from "../data/parts.ts";
import { subset } from "../data/subset.ts";
import { shareOf, withShard } from "../formats/data/read-shard.ts";
import { withShardDigest } from "../formats/data/shard-digest.ts";
import { communicator } from "../teams/processes.ts";
import type { Dataset } from "../types.ts";

/** Gives the data of parts; with `digest` where checkpoints or trials are identified by their data. All processes call it in the same order. */
export const partSelector =
  (digest: boolean): SelectParts =>
  (data, parts) => {
    const others = communicator();
    if (!others || !data.shard) return selectParts(data, parts);
    const { shard, ...own } = data;
    const from = shard.list;
    const to = from + data.starts.length - 1;
    const lists = unionOf(parts).filter((q) => q >= from && q < to);
    const selected = withShard(
      others,
      subset(
        own,
        lists.map((q) => q - from),
      ),
    );
    return digest ? withShardDigest(others, selected) : selected;
  };

/** This process's lists of data that every process has, or all of them where there are no others. */
export function ownShare(data: Dataset, digest: boolean): Dataset {
  const others = communicator();
  if (!others) return data;
  const own = shareOf(others, data);
  return digest ? withShardDigest(others, own) : own;
}
