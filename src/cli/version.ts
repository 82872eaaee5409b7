/** The version of the package. */
import { readFileSync } from "node:fs";

export const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string }).version;
