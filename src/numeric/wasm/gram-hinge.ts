// Linear classifiers with squared hinge loss over the products of all pairs of rows, the arithmetic of plain/gram-hinge.ts step by step.

import { shuffle } from "./shuffle";

/** Products of all pairs of `count` rows, 1 for the bias included. `next` holds where the entries of each feature begin, and is moved. */
export function gramRows(
  count: i32,
  begin: usize,
  end: usize,
  indices: usize,
  values: usize,
  next: usize,
  first: usize,
  others: usize,
  factors: usize,
  gram: usize,
): void {
  const line = (<usize>count) << 2;
  for (let i = 0; i < count; i++) {
    const row = gram + <usize>i * line;
    for (let at: usize = 0; at <= (<usize>i) << 2; at += 4) store<f32>(row + at, 1);
    const to = indices + ((<usize>load<u32>(end + ((<usize>i) << 2))) << 2);
    let value = values + ((<usize>load<u32>(begin + ((<usize>i) << 2))) << 2);
    for (let e = indices + ((<usize>load<u32>(begin + ((<usize>i) << 2))) << 2); e < to; e += 4) {
      const feature = (<usize>load<u32>(e)) << 2;
      const x = load<f32>(value);
      value += 4;
      const last = (<usize>load<u32>(next + feature)) << 2;
      store<u32>(others + last, i << 2);
      store<f32>(factors + last, x);
      for (let p = (<usize>load<u32>(first + feature)) << 2; p <= last; p += 4) {
        const place = row + <usize>load<u32>(others + p);
        store<f32>(place, load<f32>(place) + x * load<f32>(factors + p));
      }
      store<u32>(next + feature, <u32>(last >> 2) + 1);
    }
  }
  for (let i: usize = 0; i < line; i += 4)
    for (let j: usize = 0; j < i; j += 4) store<f32>(gram + (j >> 2) * line + i, load<f32>(gram + (i >> 2) * line + j));
}

/** margins += factor * row i of the products. */
export function addGramRow(gram: usize, i: i32, count: i32, factor: f32, margins: usize): void {
  const bytes = (<usize>count) << 2;
  const row = gram + <usize>i * bytes;
  const whole = bytes & ~15;
  const x = f32x4.splat(factor);
  for (let at: usize = 0; at < whole; at += 16)
    v128.store(margins + at, f32x4.add(v128.load(margins + at), f32x4.mul(x, v128.load(row + at))));
  for (let at = whole; at < bytes; at += 4) store<f32>(margins + at, load<f32>(margins + at) + factor * load<f32>(row + at));
}

/** Solves from the state that alpha and margins hold, and returns the number of passes. `draws` is not 0. */
export function solveGram(
  count: i32,
  gram: usize,
  signs: usize,
  alpha: usize,
  order: usize,
  margins: usize,
  diagonal: f64,
  tolerance: f64,
  least: f64,
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
      const sign = <f64>load<i8>(signs + i);
      const before = load<f64>(alpha + ((<usize>i) << 3));
      const slope = sign * <f64>load<f32>(margins + ((<usize>i) << 2)) - 1 + before * diagonal;
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
      if (violation > least || violation < -least) {
        const square = <f64>load<f32>(gram + ((<usize>i * <usize>count + <usize>i) << 2));
        const after = max<f64>(before - slope / (square + diagonal), 0);
        store<f64>(alpha + ((<usize>i) << 3), after);
        addGramRow(gram, i, count, <f32>((after - before) * sign), margins);
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
