/**
 * The compact body of requests to rank and of their answers: a small JSON head and a block of numbers, little-endian.
 *
 *   bytes 0 to 3     "TWRK"
 *   bytes 4 to 7     uint32: length H of the head in bytes
 *   bytes 8 to 8+H   the head, JSON in UTF-8; blanks at its end align the numbers (8 + H is a multiple of 8 in what is written here)
 *   the rest         numbers
 *
 * Numbers of a request: rows * columns float32, row after row, NaN for a missing value. Its head has `columns` and all that a JSON request has
 * except the items: `lists`, each with `rows` and maybe `id` and `ids`, or `rows`, `id` and `ids` of a single list.
 * Numbers of an answer: for all lists, one after another, the indices of their items in the request, best first, as uint32; zeros up to a
 * multiple of 8 bytes; and unless scores were not wanted, the scores in the same order as float64. Its head has `lists` with `id` and `items`,
 * the number of items.
 */
import { InputError } from "../input-error.ts";

/** The content type of such bodies. */
export const RANK_BODY_TYPE = "application/vnd.tierwise.rank";

const MAGIC = 0x4b525754; // "TWRK"
const START = 8;
const MOST_HEAD = 1 << 24; // bytes
const [encoder, decoder] = [new TextEncoder(), new TextDecoder("utf-8", { fatal: true })];

export interface RankBody {
  readonly head: Readonly<Record<string, unknown>>;
  /** The head as it is written. */
  readonly text: string;
  /** The numbers. */
  readonly numbers: Uint8Array;
}

/** A body of a head and blocks of numbers, each of which begins at a multiple of 8 bytes. */
export function encodeRankBody(head: object, blocks: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const text = encoder.encode(JSON.stringify(head));
  const aligned = (size: number) => Math.ceil(size / 8) * 8;
  const length = aligned(START + text.length) - START;
  const size =
    START +
    length +
    blocks.reduce((sum, block, b) => sum + (b + 1 < blocks.length ? aligned(block.byteLength) : block.byteLength), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, length, true);
  bytes.fill(0x20, START, START + length);
  bytes.set(text, START);
  let at = START + length;
  for (const { buffer, byteOffset, byteLength } of blocks) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += aligned(byteLength);
  }
  return bytes;
}

/** The head and the numbers of a body. */
export function decodeRankBody(bytes: Uint8Array): RankBody {
  const wrong = (what: string) => new InputError(`the compact body: ${what}`);
  if (bytes.length < START) throw wrong(`expected at least ${START} bytes, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw wrong('expected the bytes "TWRK" at its beginning');
  const length = view.getUint32(4, true);
  if (length > MOST_HEAD || START + length > bytes.length)
    throw wrong(`its head should have ${length} bytes, and ${bytes.length - START} bytes are left`);
  let [head, text]: [unknown, string] = [undefined, ""];
  try {
    text = decoder.decode(bytes.subarray(START, START + length));
    head = JSON.parse(text);
  } catch {
    throw wrong("its head is not valid JSON in UTF-8");
  }
  if (typeof head !== "object" || head === null || Array.isArray(head)) throw wrong("its head should be a JSON object");
  return { head: head as Record<string, unknown>, text, numbers: bytes.subarray(START + length) };
}

/** Float32 numbers over bytes, without a copy where they are aligned. */
export function floatsOver(bytes: Uint8Array): Float32Array {
  const at = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(at.buffer, at.byteOffset, Math.floor(at.byteLength / 4));
}
