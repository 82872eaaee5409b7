import { describe, expect, it } from "vitest";
import { setMemoryBudget, usedMemory } from "../../memory-budget.ts";
import { Heap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { lineBuffer } from "./line-buffer.ts";

const encode = (text: string) => new TextEncoder().encode(text);

describe("lines in kernel memory", () => {
  it("are the same for any length and any chunks, also beyond the space for them", () => {
    const draw = random(5);
    const heap = new Heap();
    for (let round = 0; round < 12; round++) {
      const lines = Array.from({ length: 8 }, (_, i) => {
        const length = [0, 10, 60_000, 70_000, 1_000_000, 1_100_000, 3_500_000][Math.floor(draw() * 7)]!;
        return `${i} ${String.fromCharCode(97 + i).repeat(length)}`;
      });
      const bytes = encode(`${lines.join("\n")}${round % 2 === 0 ? "\n" : ""}`);
      const found: string[] = [];
      const buffer = lineBuffer(
        (window, from, to) => found.push(...Buffer.from(window.slice(from, to)).toString().split("\n").slice(0, -1)),
        () => "a.txt",
        heap,
      );
      for (let at = 0; at < bytes.length; ) {
        const size = Math.ceil(draw() * (round % 3 === 0 ? 3_000_000 : 300_000));
        buffer.push(bytes.subarray(at, at + size));
        at += size;
        expect(buffer.bytesReceived()).toBe(Math.min(at, bytes.length));
      }
      buffer.end();
      expect(found.length).toBe(lines.length);
      expect(found.every((line, i) => line === lines[i])).toBe(true);
    }
    heap.close();
  });

  it("are refused where there is no memory for one, by its place", () => {
    const heap = new Heap();
    const buffer = lineBuffer(() => {}, () => "a.txt:7", heap); // biome-ignore format: short
    setMemoryBudget(usedMemory() + (1 << 20));
    try {
      expect(() => {
        for (let chunk = 0; chunk < 100; chunk++) buffer.push(new Uint8Array(1 << 20).fill(48));
      }).toThrow(/^a\.txt:7: a line of more than \d+(\.\d)? MB: out of memory: kernel memory needs .+ raise the option memory$/);
    } finally {
      setMemoryBudget(Number.POSITIVE_INFINITY);
      heap.close();
    }
  });

  it("are refused beyond the longest", () => {
    const heap = new Heap();
    const buffer = lineBuffer(() => {}, () => "a.txt:1", heap, 3 << 20); // biome-ignore format: short
    expect(() => {
      for (let i = 0; i < 5; i++) buffer.push(new Uint8Array(1 << 20).fill(49));
    }).toThrow("a.txt:1: the line is longer than 3 MB");
    heap.close();
  });

  it("that are long are not moved with every chunk", () => {
    const heap = new Heap();
    const buffer = lineBuffer(() => {}, () => "a.txt:1", heap); // biome-ignore format: short
    const { copyWithin, set } = Uint8Array.prototype;
    let moved = 0;
    Uint8Array.prototype.copyWithin = function (to, from, end) {
      moved += (end ?? this.length) - from!;
      return copyWithin.call(this, to, from!, end);
    };
    Uint8Array.prototype.set = function (source, at) {
      moved += source.length;
      return set.call(this, source, at);
    };
    try {
      const chunk = new Uint8Array(1 << 20).fill(49);
      for (let i = 0; i < 32; i++) buffer.push(chunk);
    } finally {
      Object.assign(Uint8Array.prototype, { copyWithin, set });
    }
    expect(moved).toBeLessThan(4 * 32 * 2 ** 20); // once to put it there, and to double the space
    heap.close();
  });
});
