/**
 * A tree learner without histograms, bins or whole numbers, to compare the real one with: it tries every threshold between every two
 * values of every feature in every leaf, and counts what lies on each side.
 */
export interface SlowOptions {
  readonly leaves: number;
  readonly minItems: number;
  readonly l2: number;
}

/** The value that each row's leaf takes: the full Newton step. NaN goes to whichever side gains more. */
export function slowTree(
  x: readonly (readonly number[])[],
  g: readonly number[],
  h: readonly number[],
  options: SlowOptions,
): number[] {
  const sum = (rows: readonly number[], of: readonly number[]) => rows.reduce((total, row) => total + of[row]!, 0);
  const score = (rows: readonly number[]) => sum(rows, g) ** 2 / (sum(rows, h) + options.l2);

  function best(rows: readonly number[]): { gain: number; left: number[]; right: number[] } {
    let found = { gain: 0, left: [] as number[], right: [] as number[] };
    const least = (options.minItems * sum(rows, h)) / rows.length;
    for (let f = 0; f < x[0]!.length; f++) {
      const known = [...new Set(rows.map((row) => x[row]![f]!).filter((value) => !Number.isNaN(value)))].sort((a, b) => a - b);
      for (const missingLeft of [false, true])
        for (const threshold of known) {
          const goesLeft = (row: number) => (Number.isNaN(x[row]![f]!) ? missingLeft : x[row]![f]! <= threshold);
          const [left, right] = [rows.filter(goesLeft), rows.filter((row) => !goesLeft(row))];
          if (left.length < options.minItems || right.length < options.minItems) continue;
          if (sum(left, h) < least || sum(right, h) < least) continue;
          const gain = score(left) + score(right) - score(rows);
          if (gain > found.gain + 1e-7 * Math.abs(gain)) found = { gain, left, right };
        }
    }
    return found;
  }

  const leaves = [{ rows: Array.from(x.keys()), best: best(Array.from(x.keys())) }];
  while (leaves.length < options.leaves) {
    const at = leaves.reduce((top, leaf, i) => (leaf.best.gain > leaves[top]!.best.gain ? i : top), 0);
    const { gain, left, right } = leaves[at]!.best;
    if (gain <= 0) break;
    leaves.splice(at, 1, { rows: left, best: best(left) }, { rows: right, best: best(right) });
  }
  const values = new Array<number>(x.length).fill(0);
  for (const { rows } of leaves) for (const row of rows) values[row] = -sum(rows, g) / (sum(rows, h) + options.l2);
  return values;
}
