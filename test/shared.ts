/** Where larger reference data lie, beside the repository. Tests that need them are skipped where they are absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = process.env.TIERWISE_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url));
let message = false;

export function sharedFile(path: string): string {
  if (!existsSync(root) && !message) {
    message = true;
    console.warn(`skipped: tests on reference data, which are not at ${root} (set TIERWISE_SHARED)`);
  }
  return `${root}/${path}`;
}
