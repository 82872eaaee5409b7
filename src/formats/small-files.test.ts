import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { bytesOfSmall, textOfSmall } from "./small-files.ts";

const home = mkdtempSync(join(tmpdir(), "tierwise-small-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};

describe("a small file", () => {
  it.each(["", "a", "\ufeffé日😀\n", "x".repeat(3 << 20)])("is read as it is", (text) => {
    expect(textOfSmall(file("a", text))).toBe(text);
    expect(Buffer.compare(bytesOfSmall(file("a", text)), Buffer.from(text))).toBe(0);
  });

  it("may have the largest size, and no byte more", () => {
    expect(bytesOfSmall(file("a", "12345"), 5).length).toBe(5);
    const refusal = new InputError(`${join(home, "a")}: the file is larger than 5 bytes, which no file of this kind is`);
    expect(() => bytesOfSmall(file("a", "123456"), 5)).toThrow(refusal);
  });

  it("is not read where it has a terabyte", () => {
    truncateSync(file("hole", ""), 1e12);
    expect(() => textOfSmall(join(home, "hole"))).toThrow("hole: the file is larger than 256 MB, which no file of this kind is");
  });

  it.skipIf(process.platform === "win32")("may be a device, which may not be endless", () => {
    expect(textOfSmall("/dev/null")).toBe("");
    expect(() => bytesOfSmall("/dev/zero", 3 << 20)).toThrow("/dev/zero: the file is larger than 3.0 MB");
  });

  it("reports as the system does what cannot be read", () => {
    expect(() => textOfSmall(join(home, "none"))).toThrow("ENOENT");
    expect(() => textOfSmall(home)).toThrow("EISDIR");
  });
});
