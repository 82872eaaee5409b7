// Tiers of labels that are whole numbers: counted instead of sorted.

const GRADES = 64;

/** Adds 1 to the counter of a grade and returns what it was. */
/* @inline */ function next(counters: usize, grade: u32): u32 {
  const at = counters + ((<usize>grade) << 2);
  const before = load<u32>(at);
  store<u32>(at, before + 1);
  return before;
}

/* @inline */ function gradeAt(labels: usize, i: i32): u32 {
  return <u32>load<f32>(labels + ((<usize>i) << 2));
}

/**
 * Fills order and starts, the best tier first or, `backward`, the worst, equal labels in their given order. Returns how many tiers there are, or
 * -1 where a label is not a whole number below 64. `counters` is scratch of 128 words of 4 bytes: each half of the list has counters of its
 * own, so that one addition need not wait for the last one.
 */
export function sortGrades(labels: usize, n: i32, backward: i32, order: usize, starts: usize, counters: usize): i32 {
  for (let i = 0; i < n; i++) {
    const label = load<f32>(labels + ((<usize>i) << 2));
    if (!(label >= 0 && label < <f32>GRADES && <f32>(<u32>label) === label)) return -1;
  }
  memory.fill(counters, 0, GRADES << 3);
  const half = n >> 1;
  const others = counters + (GRADES << 2);
  if (n & 1) next(others, gradeAt(labels, n - 1));
  for (let i = 0; i < half; i++) {
    next(counters, gradeAt(labels, i));
    next(others, gradeAt(labels, half + i));
  }
  let count = 0;
  let place: u32 = 0;
  for (let g = 0; g < GRADES; g++) {
    const grade = (<usize>(backward ? g : GRADES - 1 - g)) << 2;
    const here = load<u32>(counters + grade);
    const there = load<u32>(others + grade);
    if (here + there === 0) continue;
    store<u32>(counters + grade, place);
    store<u32>(others + grade, place + here);
    store<u32>(starts + ((<usize>count) << 2), place);
    count++;
    place += here + there;
  }
  store<u32>(starts + ((<usize>count) << 2), n);
  for (let i = 0; i < half; i++) {
    store<u32>(order + ((<usize>next(counters, gradeAt(labels, i))) << 2), i);
    store<u32>(order + ((<usize>next(others, gradeAt(labels, half + i))) << 2), half + i);
  }
  if (n & 1) store<u32>(order + ((<usize>next(others, gradeAt(labels, n - 1))) << 2), n - 1);
  return count;
}
