/** Where larger reference data lie, beside the repository. Tests that need them are skipped where they are absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = process.env.TIERWISE_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url));
let said = false;

export function sharedFile(path: string): string {
  if (!existsSync(root) && !said) {
    said = true;
    console.warn(`skipped: tests on reference data, which are not at ${root} (set TIERWISE_SHARED)`);
  }
  return `${root}/${path}`;
}
