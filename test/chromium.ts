/** Where a Chromium is installed on this machine, for tests of pages. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The path of a Chromium, or undefined after a line on what is skipped without one. */
export function chromiumFor(what: string): string | undefined {
  const cache = join(homedir(), ".cache/ms-playwright");
  const builds = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith("chromium-")) : [];
  const defaults = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map((name) => `/usr/bin/${name}`);
  const own = builds.map((name) => join(cache, name, "chrome-linux/chrome"));
  const found = [process.env.CHROMIUM ?? "", ...own, ...defaults].find((path) => path !== "" && existsSync(path));
  if (!found) console.warn(`skipped: ${what}, because no Chromium was found (set CHROMIUM to its path)`);
  return found;
}
