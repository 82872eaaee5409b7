/** Scores of trees by QuickScorer's bit vectors, in plain TypeScript: the fallback for wasm/quickscorer.ts, with the same tables, one lane after another. */
import type { Forest } from "../quickscorer.ts";

const LANES = 16;

/** Views of the buffer that the tables lie in, so that addresses mean the same as in the kernels. */
interface Views {
  readonly u8: Uint8Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

const known = new WeakMap<Uint8Array, Views>();

function viewsOf(bytes: Uint8Array): Views {
  let views = known.get(bytes);
  if (!views) {
    const { buffer } = bytes;
    const whole = buffer.byteLength - (buffer.byteLength % 8);
    views = {
      u8: new Uint8Array(buffer),
      u32: new Uint32Array(buffer, 0, whole / 4),
      f32: new Float32Array(buffer, 0, whole / 4),
      f64: new Float64Array(buffer, 0, whole / 8),
    };
    known.set(bytes, views);
  }
  return views;
}

export function packLanes({ tile, used, columns }: Forest, rows: Float32Array, at: number, n: number): void {
  for (let u = 0; u < used.length; u++) for (let i = 0; i < n; i++) tile[LANES * u + i] = rows[at + i * columns + used[u]!]!;
}

export function scorePacket(forest: Forest): void {
  const views = viewsOf(forest.bytes);
  for (let s = 0; s < forest.derived; s++) derive(forest, views, forest.steps / 4 + 8 * s);
  for (let b = 0; b < forest.count; b++)
    for (let lane = 0; lane < forest.filled; lane++) scoreLane(forest, views, forest.blocks / 4 + 16 * b, lane);
}

function derive({ wide, tiny, truncate }: Forest, { u32, f32, f64 }: Views, step: number): void {
  const [kind, from, to] = [u32[step]!, u32[step + 1]!, u32[step + 2]!];
  const [values, unit] = wide ? [f64, 8] : [f32, 4];
  for (let i = 0; i < LANES; i++) {
    const x = values[from / unit + i]!;
    if (kind === 0) values[to / unit + i] = Math.abs(x) <= tiny ? 0 : x;
    else if (kind === 1) values[to / unit + i] = Math.abs(x) <= tiny ? Number.NaN : x;
    else if (kind === 2) values[to / unit + i] = Number.isNaN(x) ? -Infinity : x;
    else
      u32[to / 4 + i] = codeOf(
        truncate === "down" ? Math.floor(x) : truncate ? Math.trunc(x) : x,
        u32,
        f64,
        u32[step + 3]!,
        u32[step + 4]!,
        kind,
      );
  }
}

function codeOf(x: number, u32: Uint32Array, f64: Float64Array, table: number, length: number, kind: number): number {
  if (Number.isNaN(x)) return 1;
  if (kind === 3) return x >= 0 && x < length && Number.isInteger(x) ? u32[table / 4 + x]! : 0;
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (f64[table / 8 + middle]! < x) from = middle + 1;
    else to = middle;
  }
  return from < length && f64[table / 8 + from] === x ? from + 2 : 0;
}

function scoreLane({ wide, sums }: Forest, { u8, u32, f32, f64 }: Views, block: number, lane: number): void {
  const [first, last, states, statesEnd] = [u32[block]! / 4, u32[block + 1]! / 4, u32[block + 2]!, u32[block + 3]!];
  const [trees, treesEnd, ends, values] = [u32[block + 4]! / 4, u32[block + 5]! / 4, u32[block + 6]!, u32[block + 7]!];
  const single = (u32[block + 8]! & 4) !== 0;
  for (let state = states + lane; state < statesEnd; state += LANES) u8[state] = 255;
  const valueAt = (address: number) => (wide ? f64[address / 8 + lane]! : f32[address / 4 + lane]!);
  const clear = (record: number) => {
    u8[u32[record / 4 + 1]! + lane]! &= ~u8[record]!;
    u8[u32[record / 4 + 2]! + lane]! &= ~u8[record + 1]!;
  };
  const threshold = (record: number) => (wide ? f64[record / 8 + 2]! : f32[record / 4 + 3]!);
  const bitOf = (bits: number, code: number) => (u8[bits + (code >> 3)]! >> (code & 7)) & 1;

  for (let group = first; group < last; group += 4) {
    const [at, from, to, kind] = [u32[group]!, u32[group + 1]!, u32[group + 2]!, u32[group + 3]!];
    const size = wide ? 24 : 16;
    if (kind <= 1) {
      const x = valueAt(at);
      const right = kind === 0 ? (t: number) => x > t : (t: number) => !(x <= t);
      for (let record = from; record < to && right(threshold(record)); record += size) clear(record);
    } else {
      const code = u32[at / 4 + lane]!;
      if (kind === 2) for (let record = from; record < to; record += 48) bitOf(record + 16, code) && clear(record);
      else for (let record = from; record < to; record += 16) bitOf(u32[record / 4 + 3]!, code) && clear(record);
    }
  }

  let state = states + lane;
  for (let tree = trees; tree < treesEnd; tree += 4) {
    const [bytes, links, sum] = [u32[tree]!, u32[tree + 1]!, (sums.byteOffset + u32[tree + 2]!) / 8 + lane];
    let at = 0;
    while (u8[state + LANES * at] === 0) at++;
    const left = u8[state + LANES * at]!;
    const leaf = 8 * at + 31 - Math.clz32(left & -left);
    state += LANES * bytes;
    let value = links + 8 * leaf;
    if (u32[tree + 3] === 1) {
      let node = u32[links / 4 + leaf]!;
      while (node < ends) {
        const asked = u32[node / 4]!;
        const goesLeft =
          (asked & 1) === 1 ? bitOf(u32[node / 4 + 3]!, u32[(asked - 1) / 4 + lane]!) === 0 : valueAt(asked) <= threshold(node);
        node = u32[node / 4 + (goesLeft ? 2 : 1)]!;
      }
      value = values + (node - ends) / (wide ? 4 : 2);
    }
    const total = f64[sum]! + f64[value / 8]!;
    f64[sum] = single ? Math.fround(total) : total;
  }
}
