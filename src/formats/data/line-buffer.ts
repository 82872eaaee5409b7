/**
 * Buffers bytes in kernel memory and passes them on as windows of complete lines.
 *
 * New bytes always go to the same place (`writeWindow`), which is aligned to 64 bytes, since copies into shared memory are slow elsewhere;
 * a line that is not complete yet waits right before that place. So a file can be read straight to where it is parsed.
 */
import { InputError } from "../../input-error.ts";
import { sizeText } from "../../memory-budget.ts";
import type { Heap } from "../../numeric/heap.ts";
import { SLACK } from "../../numeric/index-values.ts";
import { type ByteSink, LONGEST_LINE } from "./lines.ts";

export interface LineBuffer extends ByteSink {
  /** Where the next bytes may be put. */
  writeWindow(): Uint8Array;
  /** So many bytes were put there. */
  commit(bytes: number): void;
  /** Drops the line that is not complete yet. */
  discard(): void;
  /** How many bytes of whole lines were handed on. */
  bytesParsed(): number;
  /** How many bytes were taken in, with those of the line that is not complete yet. */
  bytesReceived(): number;
}

const CHUNK = 1 << 20;
const BEFORE = 1 << 16; // space for an incomplete line, at first
const NEWLINE = 10;

/** Hands `each` windows [from, to) that begin with a line and end after a newline. */
export function lineBuffer(
  each: (bytes: Uint8Array, from: number, to: number) => void,
  where: () => string,
  heap: Heap,
  longest = LONGEST_LINE,
): LineBuffer {
  let before = BEFORE;
  let bytes = heap.u8(before + CHUNK + SLACK);
  let held = 0; // bytes before the write window
  let handed = 0;
  let grown = 0; // bytes by which a line too long for the space has moved the write window

  /** Moves bytes [from, to) to right before the write window. */
  const hold = (from: number, to: number) => {
    held = to - from;
    if (held > longest) throw new InputError(`${where()}: the line is longer than ${longest / 2 ** 20} MB`);
    if (held > CHUNK) return extend(from, to);
    grown = 0;
    if (held <= before) bytes.copyWithin(before - held, from, to);
    else {
      while (before < held) before *= 2;
      const larger = heap.u8(before + CHUNK + SLACK);
      larger.set(bytes.subarray(from, to), before - held);
      bytes = larger;
    }
  };

  const largerArray = (size: number) => {
    try {
      return heap.u8(size);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(`${where()}: a line of more than ${sizeText(held)}: ${error.message}`);
    }
  };

  /** Leaves a long line where it stands and moves the window behind it: moving the line with each chunk would take quadratic time. */
  const extend = (from: number, to: number) => {
    grown = to - before;
    if (to + CHUNK + SLACK <= bytes.length) return;
    const larger = largerArray(2 * bytes.length + CHUNK + SLACK);
    larger.set(bytes.subarray(from, to), from);
    bytes = larger;
  };

  const buffer: LineBuffer = {
    bytesParsed: () => handed,
    bytesReceived: () => handed + held,
    writeWindow: () => bytes.subarray(before + grown, before + grown + CHUNK),
    commit(count) {
      const begin = before + grown;
      const [from, to] = [begin - held, begin + count];
      const split = bytes.subarray(begin, to).lastIndexOf(NEWLINE) + begin + 1;
      if (split === begin) return hold(from, to);
      each(bytes, from, split);
      handed += split - from;
      hold(split, to);
    },
    push(chunk) {
      for (let at = 0; at < chunk.length; at += CHUNK) {
        const piece = chunk.subarray(at, at + CHUNK);
        buffer.writeWindow().set(piece);
        buffer.commit(piece.length);
      }
    },
    discard() {
      held = 0;
    },
    end() {
      if (held === 0) return;
      buffer.writeWindow()[0] = NEWLINE;
      buffer.commit(1);
    },
  };
  return buffer;
}
