/** Reads files that are held in memory as one piece: settings, histories, model files. Larger ones than that are refused, also pipes. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { InputError } from "../input-error.ts";
import { checkMemory, sizeText } from "../memory-budget.ts";

const MOST = 1 << 28; // bytes
const CHUNK = 1 << 20;

/** The bytes of a file. What the system says of a file that cannot be read is thrown as it is. */
export function bytesOfSmall(path: string, most = MOST): Uint8Array<ArrayBuffer> {
  const file = openSync(path, "r");
  try {
    const kind = fstatSync(file);
    const refusal = () => new InputError(`${path}: the file is larger than ${sizeText(most)}, which no file of this kind is`);
    if (kind.size > most) throw refusal();
    checkMemory(path, kind.size);
    let bytes = new Uint8Array(kind.isFile() ? kind.size + 1 : CHUNK); // one more shows that the file does not grow
    for (let length = 0; ; ) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0) return bytes.subarray(0, length);
      if (length > most) throw refusal();
      if (length === bytes.length) {
        const larger = new Uint8Array(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** The text of a file. */
export const textOfSmall = (path: string): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOfSmall(path));
