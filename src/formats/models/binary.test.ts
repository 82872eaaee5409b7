/** Files of large models: any flipped bit is noticed, and files of before, which have no digest, are still read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import type { Model } from "../../types.ts";
import { binaryParts, LINE, sealOf } from "./binary.ts";
import { readModel, writeModel } from "./files.ts";

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "tierwise-binary-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Long lists make the file binary; these are short, so that every bit can be flipped. */
const items = 20;
const saved = {
  id: "leml",
  catalogue: { id: "catalogue", count: items, lists: 3, counts: Uint32Array.from({ length: items }, (_, i) => i) },
  rank: [1],
  features: Float32Array.of(1, 2),
  constant: [0.5],
  labels: Float32Array.from({ length: items }, (_, i) => i / 7),
};
const model = { id: "leml", columns: { count: 2, base: 0 }, save: () => saved, score() {} } as unknown as Model;
const training = { model: "leml", objective: "squares" };
const bytes = Buffer.concat(binaryParts({ model, training, metrics: {} })!);

const answer = (content: Uint8Array): string => {
  const path = join(home, "m");
  writeFileSync(path, content);
  try {
    readModel(path);
    return "read without complaint";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    return error.message.replace(path, "m");
  }
};

describe("the digest of a binary model file", () => {
  const whole = "read without complaint";

  it("stands in the last 64 bytes, and numbers begin at multiples of 64", () => {
    expect(bytes.length % LINE).toBe(0);
    expect(bytes.subarray(-LINE).toString()).toMatch(/^tierwise digest [0-9a-f]{16} {31}\n$/);
    expect(sealOf(bytes.subarray(-LINE))).toHaveLength(16);
    expect(answer(bytes)).toBe(whole);
  });

  it("notices every single flipped bit", () => {
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Uint8Array.from(bytes);
        flipped[at]! ^= 1 << bit;
        const message = answer(flipped);
        if (message === whole || !/^m(:\d+)?: /.test(message)) expect.fail(`bit ${bit} of byte ${at}: ${message}`);
      }
  });

  it("notices any bytes cut off or added, but for the digest itself", () => {
    for (let cut = 1; cut < bytes.length; cut++) if (cut !== LINE) expect(answer(bytes.subarray(0, -cut))).not.toBe(whole);
    for (const more of [1, 63, 64, 100]) expect(answer(Buffer.concat([bytes, new Uint8Array(more)]))).not.toBe(whole);
  });

  it("may be absent, as in files of before", () => {
    expect(answer(bytes.subarray(0, -LINE))).toBe(whole);
  });

  it("is written by writeModel, the same bytes each time", () => {
    for (const name of ["a", "b"]) writeModel(join(home, name), { model, training, metrics: {} });
    expect(readFileSync(join(home, "a")).equals(bytes)).toBe(true);
    expect(readFileSync(join(home, "b")).equals(bytes)).toBe(true);
  });
});
