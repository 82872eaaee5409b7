/**
 * Splits chunks of bytes into lines. Each line is passed on as a window [from, to) of an array with a newline at `to`, so a loop over the
 * line needs no bounds check. With quotes, a newline between double quotes does not end a line; where `escapes()`, a quote after a backslash is
 * a part of the text.
 */
import { InputError } from "../../input-error.ts";

export interface ByteSink {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** A line longer than this is no data: it is refused before it fills the memory. */
export const LONGEST_LINE = 1 << 28;

export interface Quoting {
  readonly quotes?: boolean;
  /** Bytes. */
  readonly longest?: number;
  readonly escapes?: () => boolean;
  /** Whether quotes are parts of texts from here on. */
  readonly literal?: () => boolean;
  /** Where in the line that was passed on another begins that goes on after it, or -1. */
  readonly rest?: () => number;
  /** Takes the rest of the text, in which a quote is open; false where it is an error. */
  readonly closes?: (bytes: Uint8Array, from: number, to: number) => boolean;
}

const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;

export function lines(
  each: (bytes: Uint8Array, from: number, to: number) => void,
  where: () => string,
  {
    quotes = false,
    longest = LONGEST_LINE,
    escapes = () => false,
    closes = () => false,
    rest = () => -1,
    literal = () => false,
  }: Quoting = {},
): ByteSink {
  let held = new Uint8Array(1 << 12); // a line that began in an earlier chunk
  let size = 0;
  let open = false; // inside quotes
  let last = NEWLINE; // byte of the earlier chunk

  const hold = (bytes: Uint8Array) => {
    if (size + bytes.length > longest)
      throw new InputError(
        open ? `${where()}: a quote opens here and is not closed` : `${where()}: the line is longer than ${longest / 2 ** 20} MB`,
      );
    if (size + bytes.length > held.length) {
      const larger = new Uint8Array(Math.max(held.length * 2, size + bytes.length));
      larger.set(held.subarray(0, size));
      held = larger;
    }
    held.set(bytes, size);
    size += bytes.length;
  };

  return {
    push(given) {
      // One kind of array in the hot loops: a Buffer of Node would make every access check its type.
      const chunk = new Uint8Array(given.buffer, given.byteOffset, given.length);
      let quote = quotes ? chunk.indexOf(QUOTE) : -1;
      let from = 0;
      for (let seen = 0; ; ) {
        const split = chunk.indexOf(NEWLINE, seen);
        for (; quote >= 0 && (split < 0 || quote < split); quote = chunk.indexOf(QUOTE, quote + 1))
          if ((quote > 0 ? chunk[quote - 1] : last) !== BACKSLASH || !escapes()) open = !open && !literal();
        if (split < 0) break;
        seen = split + 1;
        if (open) continue;
        if (size > 0) {
          hold(chunk.subarray(from, seen));
          const to = size - 1;
          size = 0;
          each(held, 0, to);
          open = rest() >= 0;
          if (open) hold(held.slice(rest(), to + 1));
        } else {
          each(chunk, from, split);
          open = rest() >= 0;
          if (open) hold(chunk.subarray(rest(), seen));
        }
        from = seen;
      }
      last = chunk.at(-1) ?? last;
      if (from < chunk.length) hold(chunk.subarray(from));
    },
    end() {
      if (size === 0) return;
      hold(Uint8Array.of(NEWLINE));
      const to = size - 1;
      size = 0;
      if (!open) each(held, 0, to);
      else if (!closes(held, 0, to)) throw new InputError(`${where()}: a quote opens here and is not closed`);
    },
  };
}
