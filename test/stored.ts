/**
 * Results of tests compared with those that were stored in fixtures/NAME.json. After a change that is meant, run the test with TIERWISE_STORE=1,
 * which stores them anew, and read which of them differ before the commit.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** A few digits that tell texts apart. */
export const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Makes a function that compares the result of a case with the stored one. */
export function storedResults(fixture: string): (name: string, result: unknown) => void {
  const path = new URL(`fixtures/${fixture}.json`, import.meta.url);
  const found: Record<string, unknown> = {};
  const storing = Boolean(process.env.TIERWISE_STORE);
  const stored: Readonly<Record<string, unknown>> = storing ? {} : JSON.parse(readFileSync(path, "utf8"));
  afterAll(() => {
    if (storing) writeFileSync(path, `${JSON.stringify(found, null, 1)}\n`);
  });
  return (name, result) => {
    found[name] = result;
    if (!storing) expect(result, name).toEqual(stored[name]);
  };
}
