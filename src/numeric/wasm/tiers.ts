// Tiers of labels that are whole numbers: counted instead of sorted.

const GRADES = 64;

/**
 * Fills order and starts, the best tier first or, `back`, the worst, equal labels in their given order. Returns how many tiers there are, or
 * -1 where a label is not a whole number below 64. `places` is scratch of 64 words of 4 bytes.
 */
export function sortGrades(labels: usize, n: i32, back: i32, order: usize, starts: usize, places: usize): i32 {
  memory.fill(places, 0, GRADES << 2);
  const end = labels + ((<usize>n) << 2);
  for (let at = labels; at < end; at += 4) {
    const label = load<f32>(at);
    if (!(label >= 0 && label < <f32>GRADES)) return -1;
    const grade = <u32>label;
    if (<f32>grade !== label) return -1;
    const to = places + ((<usize>grade) << 2);
    store<u32>(to, load<u32>(to) + 1);
  }
  let count = 0;
  let place = 0;
  for (let turn = 0; turn < GRADES; turn++) {
    const at = places + ((<usize>(back ? turn : GRADES - 1 - turn)) << 2);
    const size = load<u32>(at);
    if (size === 0) continue;
    store<u32>(at, place);
    store<u32>(starts + ((<usize>count) << 2), place);
    count++;
    place += size;
  }
  store<u32>(starts + ((<usize>count) << 2), n);
  for (let i = 0; i < n; i++) {
    const at = places + ((<usize>(<u32>load<f32>(labels + ((<usize>i) << 2)))) << 2);
    const to = load<u32>(at);
    store<u32>(order + ((<usize>to) << 2), i);
    store<u32>(at, to + 1);
  }
  return count;
}
