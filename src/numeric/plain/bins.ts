/** Maps feature values to histogram bins and sorts floats, in plain TypeScript: the fallbacks for wasm/bins.ts. Parameters: see ../bins.ts. */

export function binColumn(
  values: Float32Array,
  value: number,
  stride: number,
  n: number,
  edges: Float32Array,
  half: number,
  missing: number,
  step: number,
  into: Uint8Array,
  at: number,
): number {
  let absent = 0;
  for (let i = 0; i < n; i++) {
    const x = values[value + i * stride]!;
    let bin = 0;
    if (Number.isNaN(x)) {
      bin = missing;
      absent++;
    } else for (let jump = half; jump > 0; jump >>= 1) if (edges[bin + jump - 1]! < x) bin += jump;
    into[at + 8 * i]! += bin * step;
  }
  return absent;
}

export const sortFloats = (values: Float32Array): void => {
  values.sort();
};
