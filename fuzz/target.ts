/** What is fuzzed: a reader of bytes with sample inputs, and what must hold for whatever it is given. */
import { createHash } from "node:crypto";
import { InputError } from "../src/input-error.ts";
import type { Random } from "../src/types.ts";

/** What a target made of an input. Equal answers have equal digests. */
export interface Answer {
  /** Whether the input was read or refused. */
  readonly outcome: "read" | "refused";
  /** Of everything that was read, or of the error. */
  readonly digest: string;
  /** Answers of the same shape came from the same path through the code, as far as one can see; new shapes are worth keeping. */
  readonly shape: string;
}

/** A reader under test. */
export interface Target {
  /** Name of the target. */
  readonly id: string;
  /** Valid inputs to start from. */
  seeds(): readonly Uint8Array[];
  /** Words of the format. */
  readonly words: readonly string[];
  /** Makes a valid input of known meaning and reads it. A finding if it is read as something else. */
  generated?(draw: Random): Uint8Array;
  /** Reads the input in all ways that must agree. Throws where something does not hold. */
  run(bytes: Uint8Array): Answer | Promise<Answer>;
}

/** A property that does not hold, for an input where it is not the one given. */
export class Finding extends Error {
  readonly bytes: Uint8Array | undefined;
  constructor(message: string, bytes?: Uint8Array) {
    super(message);
    this.bytes = bytes;
  }
}

/** What `read` gives, or its InputError, which must be one line. Any other error is a finding of the caller. */
export function answerOf(read: () => { readonly digest: string; readonly shape: string }): Answer {
  try {
    return { outcome: "read", ...read() };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (/[\r\n\u2028\u2029]/.test(error.message))
      throw new Finding(`an error of several lines: ${JSON.stringify(error.message)}`);
    if (/\[object |undefined|function \(/.test(error.message)) throw new Finding(`an error that shows code: ${error.message}`);
    if (error.message.length > 4000) throw new Finding(`an error of ${error.message.length} characters`);
    return { outcome: "refused", digest: digestOf(error.message), shape: shapeOf(error.message) };
  }
}

/** The digest of texts, numbers and typed arrays, one after another. */
export function digestOf(...values: readonly (string | number | ArrayBufferView | undefined)[]): string {
  const hash = createHash("sha1");
  for (const value of values) {
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else hash.update(String(value));
    hash.update("\0");
  }
  return hash.digest("hex");
}

/** A message without what comes from the input: numbers, quoted texts and single words that no message has in common. */
const shapeOf = (message: string) => message.replace(/"[^"]*"|'[^']*'/g, "Q").replace(/[\d.]+/g, "0").slice(0, 120); // biome-ignore format: one chain

/** A number that depends on all bytes: what a run draws from, so that the same input is always read in the same ways. */
export function seedOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
