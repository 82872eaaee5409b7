/**
 * What a group of tied items adds to ERR in expectation over its orders: the sum over its places of (chance to stop there) / place.
 *
 * Items with stop probability 0 only take up ranks. The others, m of them with chances R and x = 1 - R, come in random order whatever their
 * places are, so two questions part:
 *
 *   a_r  chance to pass r of them: the mean over subsets of r of the product of x
 *   c_r  chance to pass r of them and stop at the next
 *
 * with a' and c' after one more item makes them m:
 *
 *   a_r' = ((m - r) a_r + r x a_{r-1}) / m        c_r' = ((m - 1 - r) c_r + r x c_{r-1} + R a_r) / m
 *
 * and the chance that j of them stand before a place, which is hypergeometric and is moved on place by place. Nothing is subtracted, so
 * nothing cancels. Readers give up soon: rows end where the chance to pass falls below 1e-18, so that a group of 100,000 takes as many steps
 * squared only where the chances to stop are smaller than about 1 in 2,500.
 */
import { log } from "../../numeric/functions.ts";

const NEGLIGIBLE = 1e-18;
const UNLIKELY = 1e-30;

/** `items` stand in any order at the places after the first `above`; the first `counted` of these places count. */
export function stops(items: Uint32Array, chances: Float64Array, above: number, counted: number): number {
  const stopping = Float64Array.from(items, (item) => chances[item]!).filter((chance) => chance > 0);
  if (stopping.length === 0) return 0;
  const stopAfter = passings(stopping, Math.min(stopping.length, counted));
  const width = stopAfter.length;
  const before = new Float64Array(width + 1); // chance that j stopping items stand before this place
  before[0] = 1;
  let value = 0;
  let least = 0; // fewer before this place are too unlikely to count
  for (let offset = 0; offset < counted && least < width; offset++) {
    const places = items.length - offset; // places left, this one included
    let here = 0;
    for (let j = Math.min(offset, width - 1); j >= least; j--) {
      const ahead = stopping.length - j;
      const moves = (before[j]! * ahead) / places; // the next one stands here
      here += moves * stopAfter[j]!;
      before[j + 1] = before[j + 1]! + moves;
      before[j] = (before[j]! * (places - ahead)) / places;
    }
    value += here / (above + offset + 1);
    while (least < width && before[least]! < UNLIKELY) least++;
  }
  return value;
}

/** c_0, c_1, ... as far as they matter, at most `most` of them. */
function passings(stopping: Float64Array, most: number): Float64Array {
  const trial = Math.min(64, most);
  const { stop, passed } = recur(stopping, trial);
  if (trial === most || passed < NEGLIGIBLE) return stop;
  // log a_r is concave (Newton's inequality) and begins at 0, so on the line through the trial's end it falls at least as fast.
  const enough = passed < 1 ? Math.ceil((trial * log(NEGLIGIBLE)) / log(passed)) : most; // chances of 1e-18 leave it at 1
  return recur(stopping, Math.min(enough, most)).stop;
}

/** c_0 to c_{width - 1}, and a_width. */
function recur(stopping: Float64Array, width: number): { stop: Float64Array; passed: number } {
  const pass = new Float64Array(width + 1);
  const stop = new Float64Array(width + 1);
  pass[0] = 1;
  for (let m = 1; m <= stopping.length; m++) {
    const chance = stopping[m - 1]!;
    const fraction = 1 / m;
    for (let r = Math.min(m, width); r > 0; r--) {
      const passing = r * (1 - chance);
      stop[r] = ((m - 1 - r) * stop[r]! + passing * stop[r - 1]! + chance * pass[r]!) * fraction;
      pass[r] = ((m - r) * pass[r]! + passing * pass[r - 1]!) * fraction;
    }
    stop[0] = ((m - 1) * stop[0]! + chance) * fraction;
  }
  return { stop: stop.subarray(0, width), passed: pass[width]! };
}
