/** Whether a file has changed, without reading it. */
import { statSync } from "node:fs";

/** A text that changes with the file: its number, size and modification time to the nanosecond. Undefined where there is none. */
export function fileStamp(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return undefined; // also where a folder on the way is gone
  }
}
