// Lists of rows: split in two by a column's byte, counted by it, and the scores of a leaf's rows.

/**
 * Puts the rows whose code is marked 0 in `right` first and the others after, both in their old order. Returns how many come first. The codes of rows one
 * after another lie `stride` bytes apart.
 */
export function partitionRows(column: usize, stride: usize, rows: usize, n: i32, right: usize, spare: usize): i32 {
  const first = rows;
  let left = rows;
  let aside = spare;
  const end = rows + ((<usize>n) << 2);
  while (rows < end) {
    const row = load<u32>(rows);
    const goes = (<usize>load<u8>(right + load<u8>(column + <usize>row * stride))) << 2;
    store<u32>(left, row);
    store<u32>(aside, row);
    left += 4 - goes;
    aside += goes;
    rows += 4;
  }
  memory.copy(left, spare, aside - spare);
  return <i32>((left - first) >> 2);
}

/** Copies the codes of n rows, which lie eight bytes apart, side by side. */
export function copyColumn(column: usize, n: i32, to: usize): void {
  for (const end = to + <usize>n; to < end; to++, column += 8) store<u8>(to, load<u8>(column));
}

/** counts[code] += 1 for each row. */
export function countCodes(column: usize, rows: usize, n: i32, counts: usize): void {
  const end = rows + ((<usize>n) << 2);
  while (rows < end) {
    const at = counts + ((<usize>load<u8>(column + ((<usize>load<u32>(rows)) << 3))) << 2);
    store<u32>(at, load<u32>(at) + 1);
    rows += 4;
  }
}

/** scores[row] += value for each row; scores lie `stride` apart. */
export function addToRows(scores: usize, stride: i32, rows: usize, n: i32, value: f64): void {
  const end = rows + ((<usize>n) << 2);
  while (rows < end) {
    const at = scores + ((<usize>load<u32>(rows) * stride) << 3);
    store<f64>(at, load<f64>(at) + value);
    rows += 4;
  }
}
