// Values to bins, and the sorting of values from which bins are made.

/**
 * Adds `step` times the bin of values[i * stride] to into[i * 8]. A bin is the number of edges below the value, among 2 * half - 1 of them
 * (padded with infinities), and `missing` where the value is not a number. Returns how many are not.
 */
export function binColumn(
  values: usize,
  stride: i32,
  n: i32,
  edges: usize,
  half: i32,
  missing: i32,
  step: i32,
  into: usize,
): i32 {
  let absent = 0;
  const move = (<usize>stride) << 2;
  // Four searches side by side: each waits for its own edges, not for the others.
  while (n > 0) {
    const x = load<f32>(values);
    const y = n > 1 ? load<f32>(values + move) : x;
    const z = n > 2 ? load<f32>(values + 2 * move) : x;
    const w = n > 3 ? load<f32>(values + 3 * move) : x;
    let a = edges;
    let b = edges;
    let c = edges;
    let d = edges;
    for (let jump = (<usize>half) << 2; jump > 2; jump >>= 1) {
      const at = jump - 4;
      a += load<f32>(a + at) < x ? jump : 0;
      b += load<f32>(b + at) < y ? jump : 0;
      c += load<f32>(c + at) < z ? jump : 0;
      d += load<f32>(d + at) < w ? jump : 0;
    }
    absent += put(x, <i32>((a - edges) >> 2), missing, step, into);
    if (n > 1) absent += put(y, <i32>((b - edges) >> 2), missing, step, into + 8);
    if (n > 2) absent += put(z, <i32>((c - edges) >> 2), missing, step, into + 16);
    if (n > 3) absent += put(w, <i32>((d - edges) >> 2), missing, step, into + 24);
    values += 4 * move;
    into += 32;
    n -= 4;
  }
  return absent;
}

function put(x: f32, bin: i32, missing: i32, step: i32, into: usize): i32 {
  const none = F32.isNaN(x);
  store<u8>(into, load<u8>(into) + (none ? missing : bin) * step);
  return <i32>none;
}

/** Sorts float32 values ascending, -0 before 0, in three passes over 11 bits of their keys. `spare` is as long; `tallies` holds 6144 words. */
export function sortFloats(values: usize, n: i32, spare: usize, tallies: usize): void {
  memory.fill(tallies, 0, 24576);
  for (let i = 0; i < n; i++) {
    const at = values + ((<usize>i) << 2);
    const bits = load<u32>(at);
    const key = bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
    store<u32>(at, key);
    const low = tallies + ((<usize>(key & 2047)) << 2);
    const middle = tallies + 8192 + ((<usize>((key >> 11) & 2047)) << 2);
    const high = tallies + 16384 + ((<usize>(key >> 22)) << 2);
    store<u32>(low, load<u32>(low) + 1);
    store<u32>(middle, load<u32>(middle) + 1);
    store<u32>(high, load<u32>(high) + 1);
  }
  let from = values;
  let to = spare;
  for (let pass = 0; pass < 3; pass++) {
    const tally = tallies + ((<usize>pass) << 13);
    let sum: u32 = 0;
    for (let k = 0; k < 2048; k++) {
      const at = tally + ((<usize>k) << 2);
      const count = load<u32>(at);
      store<u32>(at, sum);
      sum += count;
    }
    const shift: u32 = pass * 11;
    for (let i = 0; i < n; i++) {
      const key = load<u32>(from + ((<usize>i) << 2));
      const at = tally + ((<usize>((key >> shift) & 2047)) << 2);
      const place = load<u32>(at);
      store<u32>(at, place + 1);
      store<u32>(to + ((<usize>place) << 2), key);
    }
    const held = from;
    from = to;
    to = held;
  }
  for (let i = 0; i < n; i++) {
    const key = load<u32>(from + ((<usize>i) << 2));
    store<u32>(values + ((<usize>i) << 2), key ^ (<u32>(<i32>~key >> 31) | 0x80000000));
  }
}
