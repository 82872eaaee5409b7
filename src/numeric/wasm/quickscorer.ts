// Scores of packets of 16 rows under many trees; ../quickscorer.ts explains the method and the tables. All addresses in the tables are
// absolute. T is the type of feature values and thresholds, f32 or f64.

const LANES: usize = 16;
const LEAF: usize = 8; // of the address of a node: on if it is a leaf

// Words of a record: masks, two states, threshold or address of a bit set.
/* @inline */ function recordBytes<T>(): usize {
  return sizeof<T>() === 4 ? 16 : 24;
}

/* @inline */ function narrow(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
}

/** Masks of four values from two masks of two. */
/* @inline */ function halve(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
}

/** Clears the leaves of the two masks of a record in the lanes that go right. */
/* @inline */ function clear(right: v128, record: usize): void {
  const first = <usize>load<u32>(record, 4);
  v128.store(first, v128.andnot(v128.load(first), v128.and(right, v128.load8_splat(record))));
  const second = <usize>load<u32>(record, 8);
  v128.store(second, v128.andnot(v128.load(second), v128.and(right, v128.load8_splat(record, 1))));
}

/** The lanes whose value goes right at a threshold: those above it or, where missing values go right too, those not up to it. */
/* @inline */ function right32(a: v128, b: v128, c: v128, d: v128, t: v128, missingLeft: bool): v128 {
  if (missingLeft) return narrow(f32x4.gt(a, t), f32x4.gt(b, t), f32x4.gt(c, t), f32x4.gt(d, t));
  return v128.not(narrow(f32x4.le(a, t), f32x4.le(b, t), f32x4.le(c, t), f32x4.le(d, t)));
}

/** The same for four doubles, as a mask of four words. */
/* @inline */ function right64(at: usize, t: v128, missingLeft: bool): v128 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  return missingLeft ? halve(f64x2.gt(a, t), f64x2.gt(b, t)) : v128.not(halve(f64x2.le(a, t), f64x2.le(b, t)));
}

/** Splits in rising order of thresholds, as far as some lane goes right. */
/* @inline */ function pass<T>(at: usize, record: usize, end: usize, missingLeft: bool): void {
  if (sizeof<T>() === 4) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    for (; record < end; record += recordBytes<T>()) {
      const right = right32(a, b, c, d, v128.load32_splat(record, 12), missingLeft);
      if (!v128.any_true(right)) break;
      clear(right, record);
    }
  } else {
    for (; record < end; record += recordBytes<T>()) {
      const t = v128.load64_splat(record, 16);
      const right = narrow(
        right64(at, t, missingLeft),
        right64(at + 32, t, missingLeft),
        right64(at + 64, t, missingLeft),
        right64(at + 96, t, missingLeft),
      );
      if (!v128.any_true(right)) break;
      clear(right, record);
    }
  }
}

/** Splits by sets of up to 256 codes: a record ends with 32 bytes, in which the codes that go right are on. */
function passSets(at: usize, record: usize, end: usize): void {
  const codes = i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(v128.load(at), v128.load(at, 16)),
    i16x8.narrow_i32x4_s(v128.load(at, 32), v128.load(at, 48)),
  );
  const powers = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const bit = i8x16.swizzle(powers, v128.and(codes, i8x16.splat(7)));
  const low = i8x16.shr_u(codes, 3);
  const high = i8x16.sub(low, i8x16.splat(16)); // what is out of range picks 0
  for (; record < end; record += 48) {
    const bytes = v128.or(i8x16.swizzle(v128.load(record, 16), low), i8x16.swizzle(v128.load(record, 32), high));
    clear(i8x16.eq(v128.and(bytes, bit), bit), record);
  }
}

/** The same for more codes: word 3 of a record is the address of the bits. `lanes` is scratch of 16 bytes. */
function passLargeSets(at: usize, record: usize, end: usize, lanes: usize): void {
  for (; record < end; record += 16) {
    const bits = <usize>load<u32>(record, 12);
    for (let i: usize = 0; i < LANES; i++) {
      const code = load<u32>(at + (i << 2));
      store<u8>(lanes + i, <u8>(0 - ((<u32>load<u8>(bits + (code >> 3)) >> (code & 7)) & 1)));
    }
    clear(v128.load(lanes), record);
  }
}

/** In 16 lanes, which leaf of a tree comes first among those that are left. A tree has `bytes` vectors of eight leaves each. */
/* @inline */ function firstLeaves(state: usize, bytes: usize): v128 {
  let at = bytes - 1;
  let byte = v128.load(state + (at << 4));
  let leaf = i8x16.splat(<i8>(at << 3));
  while (at > 0) {
    at--;
    const now = v128.load(state + (at << 4));
    const none = i8x16.eq(now, i8x16.splat(0));
    byte = v128.bitselect(byte, now, none);
    leaf = v128.bitselect(leaf, i8x16.splat(<i8>(at << 3)), none);
  }
  return i8x16.add(leaf, i8x16.popcnt(v128.andnot(i8x16.sub(byte, i8x16.splat(1)), byte)));
}

/* @inline */ function addTwo(sum: usize, a: usize, b: usize, single: bool): void {
  let both = f64x2.add(v128.load(sum), v128.load64_lane(b, v128.load64_zero(a), 1));
  if (single) both = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(both));
  v128.store(sum, both);
}

/** The address of a lane's entry, in a table of 2^shift bytes for each leaf. */
/* @inline */ function entry(table: usize, leaf: u32, shift: usize): usize {
  return table + ((<usize>leaf) << shift);
}

/** Adds a leaf's value in each lane. */
/* @inline */ function addLeaves(leaf: v128, values: usize, sum: usize, single: bool): void {
  addTwo(sum + 0, entry(values, i8x16.extract_lane_u(leaf, 0), 3), entry(values, i8x16.extract_lane_u(leaf, 1), 3), single);
  addTwo(sum + 16, entry(values, i8x16.extract_lane_u(leaf, 2), 3), entry(values, i8x16.extract_lane_u(leaf, 3), 3), single);
  addTwo(sum + 32, entry(values, i8x16.extract_lane_u(leaf, 4), 3), entry(values, i8x16.extract_lane_u(leaf, 5), 3), single);
  addTwo(sum + 48, entry(values, i8x16.extract_lane_u(leaf, 6), 3), entry(values, i8x16.extract_lane_u(leaf, 7), 3), single);
  addTwo(sum + 64, entry(values, i8x16.extract_lane_u(leaf, 8), 3), entry(values, i8x16.extract_lane_u(leaf, 9), 3), single);
  addTwo(sum + 80, entry(values, i8x16.extract_lane_u(leaf, 10), 3), entry(values, i8x16.extract_lane_u(leaf, 11), 3), single);
  addTwo(sum + 96, entry(values, i8x16.extract_lane_u(leaf, 12), 3), entry(values, i8x16.extract_lane_u(leaf, 13), 3), single);
  addTwo(sum + 112, entry(values, i8x16.extract_lane_u(leaf, 14), 3), entry(values, i8x16.extract_lane_u(leaf, 15), 3), single);
}

/** From a node to a child. S is u8 where nodes may ask for sets (an odd address in word 0), u16 where none does. */
/* @inline */ function step<T, S>(node: usize, lane: usize): usize {
  const at = <usize>load<u32>(node);
  if (sizeof<S>() === 1) {
    if (at & 1) {
      const code = load<u32>(at - 1 + (lane << 2));
      const byte = <u32>load<u8>(<usize>load<u32>(node, 12) + (code >> 3));
      return <usize>load<u32>(node + ((<usize>((~byte >> (code & 7)) & 1)) << 2), 4);
    }
  }
  const x = load<T>(at + lane * sizeof<T>());
  const left = sizeof<T>() === 4 ? x <= load<T>(node, 12) : x <= load<T>(node, 16);
  return <usize>load<u32>(node + ((<usize>left) << 2), 4);
}

/** Walks on in 16 lanes from the nodes that `links` holds for their leaves, and adds what stands in `values` for the nodes they end in. */
function walk<T, S>(leaf: v128, links: usize, ends: usize, values: usize, sum: usize, single: bool): void {
  let n0 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 0), 2));
  let n1 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 1), 2));
  let n2 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 2), 2));
  let n3 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 3), 2));
  let n4 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 4), 2));
  let n5 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 5), 2));
  let n6 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 6), 2));
  let n7 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 7), 2));
  let n8 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 8), 2));
  let n9 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 9), 2));
  let n10 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 10), 2));
  let n11 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 11), 2));
  let n12 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 12), 2));
  let n13 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 13), 2));
  let n14 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 14), 2));
  let n15 = <usize>load<u32>(entry(links, i8x16.extract_lane_u(leaf, 15), 2));
  // Leaves lead to themselves, and have addresses with a bit that no other node's has.
  while (!(n0 & n1 & n2 & n3 & n4 & n5 & n6 & n7 & n8 & n9 & n10 & n11 & n12 & n13 & n14 & n15 & LEAF)) {
    for (let twice = 0; twice < 2; twice++) {
      n0 = step<T, S>(n0, 0);
      n1 = step<T, S>(n1, 1);
      n2 = step<T, S>(n2, 2);
      n3 = step<T, S>(n3, 3);
      n4 = step<T, S>(n4, 4);
      n5 = step<T, S>(n5, 5);
      n6 = step<T, S>(n6, 6);
      n7 = step<T, S>(n7, 7);
      n8 = step<T, S>(n8, 8);
      n9 = step<T, S>(n9, 9);
      n10 = step<T, S>(n10, 10);
      n11 = step<T, S>(n11, 11);
      n12 = step<T, S>(n12, 12);
      n13 = step<T, S>(n13, 13);
      n14 = step<T, S>(n14, 14);
      n15 = step<T, S>(n15, 15);
    }
  }
  const shift: usize = sizeof<T>() === 4 ? 1 : 2; // a node of 16 or 32 bytes has a value of 8
  addTwo(sum, values + ((n0 - ends) >> shift), values + ((n1 - ends) >> shift), single);
  addTwo(sum + 16, values + ((n2 - ends) >> shift), values + ((n3 - ends) >> shift), single);
  addTwo(sum + 32, values + ((n4 - ends) >> shift), values + ((n5 - ends) >> shift), single);
  addTwo(sum + 48, values + ((n6 - ends) >> shift), values + ((n7 - ends) >> shift), single);
  addTwo(sum + 64, values + ((n8 - ends) >> shift), values + ((n9 - ends) >> shift), single);
  addTwo(sum + 80, values + ((n10 - ends) >> shift), values + ((n11 - ends) >> shift), single);
  addTwo(sum + 96, values + ((n12 - ends) >> shift), values + ((n13 - ends) >> shift), single);
  addTwo(sum + 112, values + ((n14 - ends) >> shift), values + ((n15 - ends) >> shift), single);
}

// Words of a block of trees, as ../quickscorer.ts lays them out.
const GROUPS: usize = 0;
const GROUPS_END: usize = 4;
const STATES: usize = 8;
const STATES_END: usize = 12;
const TREES: usize = 16;
const TREES_END: usize = 20;
const ENDS: usize = 24;
const VALUES: usize = 28;
const FLAGS: usize = 32;

const SETS: u32 = 2;
const SINGLE: u32 = 4;

/* @inline */ function scoreBlock<T>(block: usize, sums: usize, lanes: usize): void {
  const states = <usize>load<u32>(block, STATES);
  memory.fill(states, 0xff, <usize>load<u32>(block, STATES_END) - states);
  const last = <usize>load<u32>(block, GROUPS_END);
  for (let group = <usize>load<u32>(block, GROUPS); group < last; group += 16) {
    const at = <usize>load<u32>(group);
    const from = <usize>load<u32>(group, 4);
    const to = <usize>load<u32>(group, 8);
    const kind = load<u32>(group, 12);
    if (kind === 0) pass<T>(at, from, to, true);
    else if (kind === 1) pass<T>(at, from, to, false);
    else if (kind === 2) passSets(at, from, to);
    else passLargeSets(at, from, to, lanes);
  }
  const flags = load<u32>(block, FLAGS);
  const single = (flags & SINGLE) !== 0;
  const ends = <usize>load<u32>(block, ENDS);
  const values = <usize>load<u32>(block, VALUES);
  const end = <usize>load<u32>(block, TREES_END);
  let state = states;
  for (let tree = <usize>load<u32>(block, TREES); tree < end; tree += 16) {
    const bytes = <usize>load<u32>(tree);
    const leaf = firstLeaves(state, bytes);
    const links = <usize>load<u32>(tree, 4);
    const sum = sums + load<u32>(tree, 8);
    if (load<u32>(tree, 12) === 0) addLeaves(leaf, links, sum, single);
    else if (flags & SETS) walk<T, u8>(leaf, links, ends, values, sum, single);
    else walk<T, u16>(leaf, links, ends, values, sum, single);
    state += bytes << 4;
  }
}

/** Adds to the sums of 16 rows what the trees of the blocks give them. `lanes` is scratch of 16 bytes. */
export function scorePacket(blocks: usize, count: i32, sums: usize, lanes: usize, wide: i32): void {
  for (let i = 0; i < count; i++, blocks += 64)
    if (wide) scoreBlock<f64>(blocks, sums, lanes);
    else scoreBlock<f32>(blocks, sums, lanes);
}

/** The code of a category: 0 of an unknown one, 1 of a missing value. */
/* @inline */ function codeOf(x: f64, table: usize, length: u32, kind: u32, truncate: i32): u32 {
  if (isNaN(x)) return 1;
  if (truncate === 1) x = trunc(x);
  else if (truncate === 2) x = floor(x);
  if (kind === 3) {
    if (!(x >= 0 && x < <f64>length)) return 0;
    const at = <u32>x;
    return <f64>at === x ? load<u32>(table + ((<usize>at) << 2)) : 0;
  }
  let from: u32 = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<f64>(table + ((<usize>middle) << 3)) < x) from = middle + 1;
    else to = middle;
  }
  return from < length && load<f64>(table + ((<usize>from) << 3)) === x ? from + 2 : 0;
}

/* @inline */ function derive<T>(step: usize, end: usize, tiny: f64, truncate: i32): void {
  for (; step < end; step += 32) {
    const kind = load<u32>(step);
    const from = <usize>load<u32>(step, 4);
    const to = <usize>load<u32>(step, 8);
    const table = <usize>load<u32>(step, 12);
    const length = load<u32>(step, 16);
    for (let i: usize = 0; i < LANES; i++) {
      const x = load<T>(from + i * sizeof<T>());
      if (kind === 0) store<T>(to + i * sizeof<T>(), abs(<f64>x) <= tiny ? <T>0 : x);
      else if (kind === 1) store<T>(to + i * sizeof<T>(), abs(<f64>x) <= tiny ? <T>NaN : x);
      else if (kind === 2) store<T>(to + i * sizeof<T>(), isNaN(x) ? <T>-Infinity : x);
      else store<u32>(to + (i << 2), codeOf(<f64>x, table, length, kind, truncate));
    }
  }
}

/** Fills the columns of a packet that follow from others. */
export function deriveColumns(steps: usize, count: i32, tiny: f64, truncate: i32, wide: i32): void {
  const end = steps + ((<usize>count) << 5);
  if (wide) derive<f64>(steps, end, tiny, truncate);
  else derive<f32>(steps, end, tiny, truncate);
}

/** Copies columns of n rows, `width` bytes apart, into a packet: 16 values of the first of the columns, of the second, ... */
export function packLanes(rows: usize, width: usize, n: i32, columns: usize, count: i32, into: usize, wide: i32): void {
  const end = columns + ((<usize>count) << 2);
  for (; columns < end; columns += 4) {
    let from = rows + ((<usize>load<u32>(columns)) << 2);
    if (wide) {
      for (let i: usize = 0; i < <usize>n; i++, from += width) store<f64>(into + (i << 3), <f64>load<f32>(from));
      into += 128;
    } else if (n === 16) {
      for (let i: usize = 0; i < 4; i++) {
        let four = v128.load32_zero(from);
        four = v128.load32_lane(from + width, four, 1);
        four = v128.load32_lane(from + 2 * width, four, 2);
        four = v128.load32_lane(from + 3 * width, four, 3);
        v128.store(into, four);
        from += 4 * width;
        into += 16;
      }
    } else {
      for (let i: usize = 0; i < <usize>n; i++, from += width) store<f32>(into + (i << 2), load<f32>(from));
      into += 64;
    }
  }
}
