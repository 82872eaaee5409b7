/** Battles in time: the slices of battles as times, and periods with about as many battles each. */
import { type Battles, NO_SLICE } from "./data/battles.ts";
import { InputError, quote } from "./input-error.ts";

/** Periods of battles, in the order of time. */
export interface Periods {
  /** Period of each row of the battles, from 0. */
  readonly of: Uint32Array;
  /** First and last time of each period, as they are written in the battles. */
  readonly names: readonly { readonly from: string; readonly to: string }[];
}

/** Splits battles, whose slices are times (numbers or dates), into periods of about equally many battles; equal times stay together. */
export function periodsOf(who: string, data: Battles, wanted: number): Periods {
  const { slices, sliceNames, counts } = data;
  if (!slices || !sliceNames) throw new InputError(`${who}: expected battles with times as slices, and these have none`);
  if (slices.includes(NO_SLICE)) throw new InputError(`${who}: some battles have no time; leave them out`);
  const times = timesOf(who, sliceNames);
  const battles = new Float64Array(times.length);
  slices.forEach((slice, r) => void (battles[slice] = battles[slice]! + counts[r]!));
  const order = [...times.keys()].filter((slice) => battles[slice]! > 0).sort((a, b) => times[a]! - times[b]!);
  const distinct = new Set(order.map((slice) => times[slice]!)).size;
  if (distinct < 2) throw new InputError(`${who}: expected two times or more, got ${distinct}`);
  const total = battles.reduce((sum, count) => sum + count, 0);
  const count = Math.min(wanted, distinct);
  const period = new Uint32Array(times.length);
  const names: { from: string; to: string }[] = [];
  let [done, left, last] = [0, distinct, Number.NaN];
  for (const slice of order) {
    if (times[slice] !== last) {
      // A new period begins where its share of the battles is reached, or where each time left must have one.
      if (
        names.length === 0 ||
        (names.length < count && (done >= (total * names.length) / count || left <= count - names.length))
      )
        names.push({ from: sliceNames[slice]!, to: sliceNames[slice]! });
      left--;
      last = times[slice]!;
    }
    period[slice] = names.length - 1;
    names[names.length - 1]!.to = sliceNames[slice]!;
    done += battles[slice]!;
  }
  return { of: Uint32Array.from(slices, (slice) => period[slice]!), names };
}

/** Numbers where all are numbers, or else dates. */
function timesOf(who: string, names: readonly string[]): Float64Array {
  const numbers = Float64Array.from(names, (name) => (name.trim() === "" ? Number.NaN : Number(name)));
  if (numbers.every(Number.isFinite)) return numbers;
  const dates = Float64Array.from(names, (name) => Date.parse(name));
  const bad = dates.findIndex((date) => !Number.isFinite(date));
  if (bad < 0) return dates;
  throw new InputError(`${who}: expected times, all of them numbers or dates such as 2024-08-14, got ${quote(names[bad]!)}`);
}
