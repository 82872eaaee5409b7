// Random orders, of plain/hinge.ts.

/** Puts the first `count` rows in random order and returns the state of the generator, xorshift of 32 bits. */
export function shuffle(order: usize, count: i32, draws: u32): u32 {
  for (let s = 0; s + 1 < count; s++) {
    draws ^= draws << 13;
    draws ^= draws >>> 17;
    draws ^= draws << 5;
    const other = order + ((<usize>(<u32>s + (draws % <u32>(count - s)))) << 2);
    const at = order + ((<usize>s) << 2);
    const held = load<u32>(at);
    store<u32>(at, load<u32>(other));
    store<u32>(other, held);
  }
  return draws;
}
