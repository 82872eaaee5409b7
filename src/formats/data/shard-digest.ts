/** The digest of data that several processes hold: that which one process with all of them would compute. */
import { arraysOf, combinedDigest } from "../../data/digest.ts";
import { BLOCK, digester } from "../../numeric/digest.ts";
import { type Communicator, exchange } from "../../teams/communicator.ts";
import type { Dataset } from "../../types.ts";

const AT_ONCE = 2 ** 14 * BLOCK; // bytes

/** The data with the digest of those of all processes. */
export function withShardDigest(others: Communicator, data: Dataset): Dataset {
  const { shard } = data;
  if (!shard) return data;
  const texts = globalArrays(others, data).map((one) => (one ? passedOn(others, one) : "none"));
  return { ...data, shard: { ...shard, digest: combinedDigest(data, shard.starts.at(-1)!, texts) } };
}

/** This process's part of each array, in sections of each of which all processes have a part; offsets are those among all processes. */
function globalArrays(others: Communicator, data: Dataset): (readonly ArrayBufferView[] | undefined)[] {
  const { features, shard } = data;
  const first = others.rank === 0;
  const arrays: (ArrayBufferView | undefined)[] = arraysOf(data);
  const nothing = new Uint32Array(0);
  arrays[0] = first ? shard!.starts : nothing;
  if (features.kind === "sparse") {
    const stored = exchange(others, features.values.length);
    const before = stored.slice(0, others.rank).reduce((a, b) => a + b, 0);
    arrays[4] = Float64Array.from(features.starts, (start) => start + before).subarray(first ? 0 : 1);
  }
  if (features.kind !== "dense" || !features.binned) return arrays.map((one) => one && [one]);
  const { bins, layout, features: columns } = features.binned;
  const group = bins.length / Math.max(1, layout.groups); // bins of a group of features, row by row
  const groups = Array.from({ length: Math.max(1, layout.groups) }, (_, g) => bins.subarray(g * group, (g + 1) * group));
  // Bins follow the values, and then the edges of each feature, which all processes know.
  return arrays.map((one, i) => {
    if (i === BINS) return groups;
    const isEdges = i > BINS && i <= BINS + columns.length;
    return one && [isEdges && !first ? nothing : one];
  });
}

const BINS = 3; // the number of the array of bins

/** What has been taken in: the lanes of the digest, the length of whole blocks, and the bytes after them. */
type State = readonly [lanes: readonly number[], length: number, rest: readonly number[]];

/** Each process takes in its bytes of a section after those of the processes before it. */
function passedOn(others: Communicator, sections: readonly ArrayBufferView[]): string {
  let state: State | null = null;
  for (const part of sections)
    for (let process = 0; process < others.size; process++) {
      const own: State | null = process === others.rank ? takeIn(state, part) : null;
      state = exchange(others, own)[process]!;
    }
  const [lanes, length, rest] = state!;
  const last = digester(Uint32Array.from(lanes), length);
  last.add(Uint8Array.from(rest));
  return last.text();
}

function takeIn(state: State | null, part: ArrayBufferView): State {
  const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  let [before, length]: [Uint32Array | undefined, number] = state ? [Uint32Array.from(state[0]), state[1]] : [undefined, 0];
  let rest = Uint8Array.from(state?.[2] ?? []);
  let from = 0;
  for (;;) {
    const count = Math.min(bytes.length - from, AT_ONCE - rest.length);
    const piece = new Uint8Array(rest.length + count);
    piece.set(rest);
    piece.set(bytes.subarray(from, from + count), rest.length);
    from += count;
    const whole = piece.length - (piece.length % BLOCK);
    const now = digester(before, length);
    now.add(piece.subarray(0, whole));
    [before, length] = [now.lanes, length + whole];
    rest = piece.slice(whole);
    if (from === bytes.length) return [[...before], length, [...rest]];
  }
}
