/** A seeded sample of what `npm run fuzz` does at length, and every input that ever failed there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { mutate } from "../fuzz/mutate.ts";
import { shrink } from "../fuzz/shrink.ts";
import { random } from "../src/numeric/random.ts";

// Threads run the built JavaScript, so these tests do too.
const built = new URL("../dist/fuzz/", import.meta.url).href;
const { fuzz } = (await import(`${built}run.js`)) as typeof import("../fuzz/run.ts");
const { targetOf, targets } = (await import(`${built}targets.js`)) as typeof import("../fuzz/targets.ts");
const cases = fileURLToPath(new URL("fuzz-cases/", import.meta.url));

describe("readers under random changes of valid inputs", () => {
  it.each(targets.map(({ id }) => id))("%s: data or one clear line, the same with kernels and without", async (id) => {
    const { failures, read, refused, inputs } = await fuzz(targetOf(id), { seed: 1, inputs: 200, time: Infinity });
    expect(failures.map(({ why, bytes }) => `${why} ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`)).toEqual([]);
    expect([inputs, read + refused]).toEqual([200, 200]);
    expect(Math.min(read, refused)).toBeGreaterThan(0);
  });

  it("what failed once", async () => {
    const files = existsSync(cases) ? readdirSync(cases).filter((name) => name !== "README.md") : [];
    for (const name of files) {
      const target = targetOf(name.slice(0, name.lastIndexOf(".")));
      expect(await target.run(new Uint8Array(readFileSync(cases + name))), name).toHaveProperty("digest");
    }
    expect(files.length).toBeGreaterThan(0);
  });
});

describe("the fuzzer itself", () => {
  it("mutates repeatably, and in many ways", () => {
    const material = { words: ["qid:1"], corpus: [new TextEncoder().encode("1 qid:1 1:2\n0 qid:1 2:3\n")] };
    const text = (seed: number) => new TextDecoder("latin1").decode(mutate(material.corpus[0]!, random(seed), material));
    expect(text(7)).toBe(text(7));
    expect(new Set(Array.from({ length: 300 }, (_, seed) => text(seed))).size).toBeGreaterThan(200);
  });

  it("shrinks an input to what makes it fail", async () => {
    const bytes = new TextEncoder().encode("some text, then X, then Y, and more");
    const small = await shrink(bytes, async (rest) => /X.*Y/.test(new TextDecoder().decode(rest)));
    expect(new TextDecoder().decode(small)).toBe("XY");
  });

  it("finds a reader that throws, one that hangs is ended, and one that reads otherwise without kernels", async () => {
    const { failures } = await fuzz(targetOf("self-test"), { seed: 1, inputs: 120, time: Infinity, hang: 400 });
    expect(failures.map(({ why }) => why.split("\n")[0]).sort()).toEqual([
      "TypeError: a defect",
      "does not end",
      "kernels and plain code read it otherwise",
    ]);
  });
});
