/** How numbers are written for people. */

/** Four figures behind the point for what lies near 1, two for larger numbers, else four figures that matter. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1000 && size < 1e7) return value.toFixed(2);
  return size >= 0.001 && size < 1000 ? value.toFixed(4) : Number(value.toPrecision(4)).toString();
}

/** "0.69 to 0.75", or a dash where there is no interval. */
export const interval = (low: number, high: number): string =>
  Number.isNaN(low) || Number.isNaN(high) ? "-" : `${figure(low)} to ${figure(high)}`;
