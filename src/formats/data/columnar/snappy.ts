/** Snappy blocks: literal bytes, and copies of what came before. https://github.com/google/snappy/blob/main/format_description.txt */

const SHORT = 16; // bytes for which a loop is faster than a call

/** Decompresses into `out`, which must have exactly the size that the block names; a RangeError where the block is damaged. */
export function unsnappy(bytes: Uint8Array, out: Uint8Array): void {
  let [at, to] = [0, 0];
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined || shift > 28) throw new RangeError("a block has no size");
    size += (byte & 127) * 2 ** shift;
    if (byte < 128) break;
  }
  if (size !== out.length) throw new RangeError("a block has another size than its page says");
  const end = bytes.length;
  while (at < end) {
    const tag = bytes[at++]!;
    let length = (tag >> 2) + 1;
    if ((tag & 3) === 0) {
      if (length > 60) {
        const more = length - 60;
        length = 0;
        for (let i = 0; i < more; i++) length += (bytes[at++] ?? 0) * 2 ** (8 * i);
        length++;
      }
      if (length > end - at || length > size - to) throw new RangeError("a literal ends early");
      if (length <= SHORT) for (const stop = at + length; at < stop; ) out[to++] = bytes[at++]!;
      else {
        out.set(bytes.subarray(at, at + length), to);
        at += length;
        to += length;
      }
      continue;
    }
    let offset: number;
    if ((tag & 3) === 1) {
      length = ((tag >> 2) & 7) + 4;
      offset = ((tag >> 5) << 8) | (bytes[at] ?? 0);
      at += 1;
    } else if ((tag & 3) === 2) {
      offset = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
      at += 2;
    } else {
      offset =
        ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
      at += 4;
    }
    if (offset === 0 || offset > to || length > size - to) throw new RangeError("a copy is not where it should be");
    for (let from = to - offset, stop = to + length; to < stop; ) out[to++] = out[from++]!; // may overlap
  }
  if (at !== end || to !== size) throw new RangeError("a block ends early");
}
