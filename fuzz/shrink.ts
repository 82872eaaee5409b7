/** Makes a failing input smaller while it fails in the same way (delta debugging). */

/** The smallest input found for which `fails` is still true, in at most `tries` tries. */
export async function shrink(
  bytes: Uint8Array,
  fails: (bytes: Uint8Array) => Promise<boolean>,
  tries = 2000,
): Promise<Uint8Array> {
  let best = bytes;
  for (let piece = Math.ceil(best.length / 2); piece >= 1 && tries > 0; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let from = 0; from < best.length && tries > 0; ) {
      const rest = new Uint8Array(best.length - Math.min(piece, best.length - from));
      rest.set(best.subarray(0, from));
      rest.set(best.subarray(from + piece), from);
      tries--;
      if (await fails(rest)) best = rest;
      else from += piece;
    }
  }
  return best;
}
