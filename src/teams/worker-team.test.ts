import { afterEach, describe, expect, it, vi } from "vitest";
import { crew, end, leave, WORDS } from "./worker-team.ts";

afterEach(() => vi.restoreAllMocks());

/** Two members in one thread; the second acts at a chosen reading of the first, which then seems to run beside it. */
function twoMembers(at: number, act: (second: ReturnType<typeof crew>, words: Int32Array) => void) {
  const words = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  const member = (rank: number) => crew({ words, rank, size: 2, spins: 1e6 }, () => {});
  const [first, second] = [member(0), member(1)];
  const load = Atomics.load as (words: Int32Array, index: number) => number;
  let readings = 0;
  vi.spyOn(Atomics, "load").mockImplementation(((words: Int32Array, index: number) => {
    const value = load(words, index);
    if (++readings === at) act(second, words);
    return value;
  }) as typeof Atomics.load);
  return first;
}

describe("a barrier", () => {
  it("is passed by one who waits, whenever the other comes to it and returns", () => {
    for (let at = 1; at <= 12; at++) {
      const first = twoMembers(at, (second, words) => {
        second.barrier();
        leave(words);
      });
      expect(() => first.barrier(), `at reading ${at}`).not.toThrow();
      vi.restoreAllMocks();
    }
  });

  it("is not waited at for one who has returned, or when the team has ended", () => {
    expect(() => twoMembers(3, (_, words) => leave(words)).barrier()).toThrow("has returned while others wait");
    vi.restoreAllMocks();
    expect(() => twoMembers(3, (_, words) => end(words)).barrier()).toThrow("has ended");
  });
});
