/**
 * Numbers of about 95 digits: whole multiples of 2^-320, on which sums are exact and products and quotients are rounded down. Slow, and only as
 * clever as 95 digits need: they check the numbers of the library. See exp and log for the only series.
 */

const BITS = 320n;
/** 1. */
export const ONE = 1n << BITS;

/** A number times 2^320. */
export type Fixed = bigint;

/** The number, exactly, unless it is not a multiple of 2^-320. */
export function fixed(value: number): Fixed {
  if (!Number.isFinite(value)) throw new Error(`${value} is no finite number`);
  if (value === 0) return 0n;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const whole = BigInt(Math.round(Math.abs(value) * 2 ** (52 - exponent))); // exact: below 2^54
  const shift = BITS - 52n + BigInt(exponent);
  const size = shift >= 0n ? whole << shift : whole >> -shift;
  return value < 0 ? -size : size;
}

/** The nearest double, up to rounding of the digits beyond its 53 bits. */
export function toNumber(value: Fixed): number {
  const size = value < 0n ? -value : value;
  const surplus = BigInt(Math.max(0, size.toString(2).length - 64));
  const result = Number(size >> surplus) * 2 ** (Number(surplus) - Number(BITS));
  return value < 0n ? -result : result;
}

/** A decimal numeral, such as "-0.0561087478675430727". */
export function parse(text: string): Fixed {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${text} is no decimal numeral`);
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction) << BITS;
  const size = power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power);
  return sign ? -size : size;
}

export const times = (a: Fixed, b: Fixed): Fixed => (a * b) >> BITS;
export const over = (a: Fixed, b: Fixed): Fixed => (a << BITS) / b;
export const sum = (values: readonly Fixed[]): Fixed => values.reduce((a, b) => a + b, 0n);

/** ln 2 = Σ 1 / (k 2^k). */
export const LN2: Fixed = sum(Array.from({ length: Number(BITS) }, (_, i) => (ONE >> BigInt(i + 1)) / BigInt(i + 1)));

const HALVINGS = 16n;
const GUARD = 40n; // further bits, since squaring doubles the error each time

/** By Taylor's series at the argument without its multiple of ln 2, divided by 2^16, and 16 squarings. */
export function exp(value: Fixed): Fixed {
  const turns = value / LN2;
  const one = ONE << GUARD;
  const rest = ((value - turns * LN2) << GUARD) >> HALVINGS;
  let [result, term] = [one, one];
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = ((term * rest) >> (BITS + GUARD)) / k;
    result += term;
  }
  for (let i = 0n; i < HALVINGS; i++) result = (result * result) >> (BITS + GUARD);
  return turns >= 0n ? (result << turns) >> GUARD : result >> (GUARD - turns);
}

/** By Halley's iteration on exp, which triples the digits of the double that it starts from. */
export function log(value: Fixed): Fixed {
  if (value <= 0n) throw new Error("no logarithm of a number that is not above 0");
  const turns = BigInt(value.toString(2).length) - BITS - 1n; // value = 2^turns m, m in [1, 2)
  const m = turns >= 0n ? value >> turns : value << -turns;
  let result = fixed(Math.log(toNumber(m)));
  for (let i = 0; i < 2; i++) {
    const e = exp(result);
    result += over(2n * (m - e), m + e);
  }
  // The digits that the shift of a large value drops do not matter; those of a small one were never there.
  return result + turns * LN2;
}

/** By Newton's iteration on whole numbers. */
export function sqrt(value: Fixed): Fixed {
  if (value === 0n) return 0n;
  const wide = value << BITS;
  let result = 1n << BigInt(Math.ceil(wide.toString(2).length / 2));
  for (;;) {
    const next = (result + wide / result) >> 1n;
    if (next >= result) return result;
    result = next;
  }
}
