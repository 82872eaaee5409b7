// A linear classifier with squared hinge loss by dual coordinate descent with shrinking, the arithmetic of plain/hinge.ts step by step.

import { shuffle } from "./shuffle";

const TINY: f64 = 1e-12; // a smaller violation moves nothing

/** Value of the classifier for entries from `e` to `to`, counted in bytes: four partial sums, then the weight of the bias. */
/* @inline */
function rowProduct(e: usize, to: usize, indices: usize, values: usize, w: usize, bias: usize): f64 {
  let a: f64 = 0;
  let b: f64 = 0;
  let c: f64 = 0;
  let d: f64 = 0;
  for (; e + 12 < to; e += 16) {
    a += <f64>load<f32>(values + e) * load<f64>(w + ((<usize>load<u32>(indices + e)) << 3));
    b += <f64>load<f32>(values + e, 4) * load<f64>(w + ((<usize>load<u32>(indices + e, 4)) << 3));
    c += <f64>load<f32>(values + e, 8) * load<f64>(w + ((<usize>load<u32>(indices + e, 8)) << 3));
    d += <f64>load<f32>(values + e, 12) * load<f64>(w + ((<usize>load<u32>(indices + e, 12)) << 3));
  }
  if (e < to) a += <f64>load<f32>(values + e) * load<f64>(w + ((<usize>load<u32>(indices + e)) << 3));
  if (e + 4 < to) b += <f64>load<f32>(values + e, 4) * load<f64>(w + ((<usize>load<u32>(indices + e, 4)) << 3));
  if (e + 8 < to) c += <f64>load<f32>(values + e, 8) * load<f64>(w + ((<usize>load<u32>(indices + e, 8)) << 3));
  return a + b + (c + d) + load<f64>(bias);
}

/** Adds a row times a factor to the weights. */
/* @inline */
function addRow(e: usize, to: usize, indices: usize, values: usize, factor: f64, w: usize, bias: usize): void {
  for (; e < to; e += 4) {
    const at = w + ((<usize>load<u32>(indices + e)) << 3);
    store<f64>(at, load<f64>(at) + factor * <f64>load<f32>(values + e));
  }
  store<f64>(bias, load<f64>(bias) + factor);
}

/**
 * Solves for the rows, row i with entries begin[i] to end[i], from the state that alpha and w hold, and returns the number of passes.
 * `bias` is the address of the weight of the bias. `draws` is not 0.
 */
export function solveHinge(
  count: i32,
  begin: usize,
  end: usize,
  indices: usize,
  values: usize,
  signs: usize,
  alpha: usize,
  squares: usize,
  order: usize,
  w: usize,
  bias: usize,
  diagonal: f64,
  tolerance: f64,
  passes: i32,
  draws: u32,
): i32 {
  let active = count;
  let most = Infinity;
  let pass = 0;
  for (let i = 0; i < count; i++) store<u32>(order + ((<usize>i) << 2), i);
  while (pass < passes) {
    draws = shuffle(order, active, draws);
    let high = -Infinity;
    let low = Infinity;
    for (let s = 0; s < active; s++) {
      const place = order + ((<usize>s) << 2);
      const i = load<u32>(place);
      const row = (<usize>i) << 2;
      const from = (<usize>load<u32>(begin + row)) << 2;
      const to = (<usize>load<u32>(end + row)) << 2;
      const sign = <f64>load<i8>(signs + i);
      const before = load<f64>(alpha + (row << 1));
      const slope = sign * rowProduct(from, to, indices, values, w, bias) - 1 + before * diagonal;
      if (before === 0 && slope > most) {
        active--;
        const last = order + ((<usize>active) << 2);
        store<u32>(place, load<u32>(last));
        store<u32>(last, i);
        s--;
        continue;
      }
      const violation = before === 0 && slope > 0 ? 0 : slope;
      if (violation > high) high = violation;
      if (violation < low) low = violation;
      if (violation > TINY || violation < -TINY) {
        const after = max<f64>(before - slope / (load<f64>(squares + (row << 1)) + diagonal), 0);
        store<f64>(alpha + (row << 1), after);
        addRow(from, to, indices, values, (after - before) * sign, w, bias);
      }
    }
    pass++;
    if (high - low <= tolerance) {
      if (active === count) break;
      active = count;
      most = Infinity;
    } else most = high > 0 ? high : Infinity;
  }
  return pass;
}
