// Tiers of labels that are whole numbers: each grade's items are marked, 64 at a time, instead of sorted.

const GRADES: u32 = 64;

/* @inline */ function fits(label: f32): bool {
  return label >= 0 && label < <f32>GRADES && <f32>(<u32>label) === label;
}

/** A bit for each grade that occurs, or 0 where a label is not a whole number below 64 (and for no labels). */
function gradesOf(labels: usize, n: i32): u64 {
  let bits: u64 = 0;
  let at = labels;
  for (const end = labels + ((<usize>(n & ~3)) << 2); at < end; at += 16) {
    const four = v128.load(at);
    const grades = i32x4.trunc_sat_f32x4_u(four);
    const good = v128.and(f32x4.eq(f32x4.convert_i32x4_u(grades), four), i32x4.lt_u(grades, i32x4.splat(GRADES)));
    if (!i32x4.all_true(good)) return 0;
    bits |= (<u64>1) << i32x4.extract_lane(grades, 0);
    bits |= (<u64>1) << i32x4.extract_lane(grades, 1);
    bits |= (<u64>1) << i32x4.extract_lane(grades, 2);
    bits |= (<u64>1) << i32x4.extract_lane(grades, 3);
  }
  for (const end = labels + ((<usize>n) << 2); at < end; at += 4) {
    if (!fits(load<f32>(at))) return 0;
    bits |= (<u64>1) << (<u32>load<f32>(at));
  }
  return bits;
}

/** A bit for each of n labels, at most 64, that is this grade. */
/* @inline */ function marksOf(labels: usize, n: i32, grade: f32): u64 {
  const four = f32x4.splat(grade);
  let marks: u64 = 0;
  let i = 0;
  for (; i + 4 <= n; i += 4) marks |= (<u64>i32x4.bitmask(f32x4.eq(v128.load(labels + ((<usize>i) << 2)), four))) << i;
  for (; i < n; i++) marks |= (<u64>(load<f32>(labels + ((<usize>i) << 2)) === grade)) << i;
  return marks;
}

/**
 * Fills order and starts, the best tier first or, `backward`, the worst, equal labels in their given order. Returns how many tiers there are, or
 * -1 where a label is not a whole number below 64.
 */
export function sortGrades(labels: usize, n: i32, backward: i32, order: usize, starts: usize): i32 {
  let left = gradesOf(labels, n);
  if (left === 0 && n > 0) return -1;
  let count = 0;
  let to = order;
  while (left !== 0) {
    const grade = backward ? ctz(left) : 63 - clz(left);
    left ^= (<u64>1) << grade;
    store<u32>(starts + ((<usize>count) << 2), <u32>((to - order) >> 2));
    count++;
    for (let from = 0; from < n; from += 64) {
      let marks = marksOf(labels + ((<usize>from) << 2), min(64, n - from), <f32>grade);
      for (; marks !== 0; marks &= marks - 1, to += 4) store<u32>(to, from + <i32>ctz(marks));
    }
  }
  store<u32>(starts + ((<usize>count) << 2), n);
  return count;
}
