/** Whether a file has changed, without reading it. */
import { statSync } from "node:fs";

/** A text that changes with the file: its number, size and modification time to the nanosecond. Undefined where there is none. */
export function fileStamp(path: string): string | undefined {
  const kind = statSync(path, { bigint: true, throwIfNoEntry: false });
  return kind && `${kind.ino} ${kind.size} ${kind.mtimeNs}`;
}
