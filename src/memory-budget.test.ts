import { afterEach, describe, expect, it } from "vitest";
import { InputError } from "./input-error.ts";
import { checkMemory, memoryBudget, setMemoryBudget, sizeFrom, sizeText, usedMemory, withMemory } from "./memory-budget.ts";

afterEach(() => setMemoryBudget(Number.POSITIVE_INFINITY));

describe("sizes", () => {
  it.each([
    ["2g", 2 * 1024 ** 3],
    ["1.5 GB", 1.5 * 1024 ** 3],
    ["512MiB", 512 * 1024 ** 2],
    ["64k", 65536],
    ["1t", 1024 ** 4],
    ["1000", 1000],
    ["1000 b", 1000],
  ])("%s is %i bytes", (text, bytes) => expect(sizeFrom(text)).toBe(bytes));

  it.each(["", "g", "2x", "-1g", "1e3", "2gg", "99999999t", "NaN", "0x10"])("%s is no size", (text) =>
    expect(sizeFrom(text)).toBeUndefined(),
  );

  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [2 * 1024 ** 3, "2.0 GB"],
    [300 * 1024 ** 2, "300 MB"],
    [1000 * 1024 ** 2, "1.0 GB"],
    [Number.POSITIVE_INFINITY, "unlimited"],
  ])("%i bytes read %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));
});

describe("a budget", () => {
  it("is unlimited until it is set", () => {
    expect(memoryBudget()).toBe(Number.POSITIVE_INFINITY);
    checkMemory("a matrix", 1e15);
  });

  it("refuses what does not fit, with the numbers and the way out", () => {
    setMemoryBudget(2 * 1024 ** 3);
    checkMemory("a matrix", 1024 ** 3, 1024 ** 3);
    expect(() => checkMemory("a matrix", 1024 ** 3 + 1, 1024 ** 3)).toThrow(
      new InputError(
        "out of memory: a matrix needs 1.0 GB, 1.0 GB are in use and the budget is 2.0 GB; use less data, or raise the option memory",
      ),
    );
  });

  it("counts what the process uses", () => {
    expect(usedMemory()).toBeGreaterThan(1e7);
    setMemoryBudget(usedMemory() - 1e6);
    expect(() => checkMemory("nothing", 0)).toThrow("out of memory");
  });

  it("of one call ends with it, also when that fails", async () => {
    await withMemory(5e9, async () => expect(memoryBudget()).toBe(5e9));
    await expect(withMemory(5e9, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(memoryBudget()).toBe(Number.POSITIVE_INFINITY);
  });
});
