/** Bytes that grow while tables are written into them, and that know which words are addresses, so that they can be moved in the end. */
export class Image {
  u8 = new Uint8Array(1 << 16);
  u32 = new Uint32Array(this.u8.buffer);
  f32 = new Float32Array(this.u8.buffer);
  f64 = new Float64Array(this.u8.buffer);
  size = 0;
  /** Of words that hold an address. */
  readonly #addresses: number[] = [];

  /** Allocates zeroed bytes, aligned to a cache line of 64. */
  take(bytes: number): number {
    const at = Math.ceil(this.size / 64) * 64;
    this.size = at + bytes;
    if (this.size > this.u8.length) {
      const larger = new Uint8Array(Math.ceil(Math.max(this.size, 2 * this.u8.length) / 8) * 8);
      larger.set(this.u8);
      this.u8 = larger;
      this.u32 = new Uint32Array(larger.buffer);
      this.f32 = new Float32Array(larger.buffer);
      this.f64 = new Float64Array(larger.buffer);
    }
    return at;
  }

  /** Writes the address of what begins at `to` into the word at `at`. */
  point(at: number, to: number): void {
    this.u32[at >> 2] = to;
    this.#addresses.push(at >> 2);
  }

  /** Copies everything into an array, where addresses count from the start of its buffer. */
  settle(into: Uint8Array): void {
    const base = into.byteOffset;
    for (const word of this.#addresses) this.u32[word]! += base;
    into.set(this.u8.subarray(0, this.size));
  }
}
