import { afterEach, describe, expect, it, vi } from "vitest";
import { abortTeam, CONTROL_LENGTH, markReturned, workerTeam } from "./worker-team.ts";

afterEach(() => vi.restoreAllMocks());

/** Two members in one thread; the second acts at a chosen reading of the first, which then seems to run beside it. */
function twoMembers(at: number, act: (second: ReturnType<typeof workerTeam>, words: Int32Array) => void) {
  const control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_LENGTH));
  const member = (rank: number) => workerTeam({ control, rank, size: 2, spins: 1e6 }, () => {});
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
        markReturned(words);
      });
      expect(() => first.barrier(), `at reading ${at}`).not.toThrow();
      vi.restoreAllMocks();
    }
  });

  it("is not waited at for one who has returned, or when the team has ended", () => {
    expect(() => twoMembers(3, (_, words) => markReturned(words)).barrier()).toThrow("has returned while others wait");
    vi.restoreAllMocks();
    expect(() => twoMembers(3, (_, words) => abortTeam(words)).barrier()).toThrow("has ended");
  });
});
