/**
 * What commands print and write, compared letter by letter with the transcripts in fixtures/transcripts: tables, notices, messages, JSON and the
 * words of pages. After a change that is meant, `TIERWISE_STORE=1 npx vitest run test/transcripts.test.ts` stores them anew, for the difference to
 * be read before it is committed. A new transcript is a file with commands alone, stored in the same way.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./cli.ts";
import { cwd } from "./command-options.ts";
import { replayed } from "./transcript.ts";

const folder = join(root, "test/fixtures/transcripts");

describe("commands print what is stored:", () => {
  it.each(readdirSync(folder))("%s", async (name) => {
    const stored = readFileSync(join(folder, name), "utf8");
    const found = await replayed(stored, cwd);
    if (process.env.TIERWISE_STORE) writeFileSync(join(folder, name), found);
    else expect(found).toBe(stored);
  });
});
