import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { Team } from "../types.ts";
import { splitEvenly, splitLists } from "./blocks.ts";

// Workers run the built JavaScript, so these tests do too.
const built = (path: string) => import(new URL(`../../dist/src/${path}`, import.meta.url).href);
const { runThreads } = (await built("teams/threads.js")) as typeof import("./threads.ts");
const { runSolo } = (await built("teams/solo.js")) as typeof import("./solo.ts");
const { heap, bytesInUse } = (await built("numeric/heap.js")) as typeof import("../numeric/heap.ts");
const { kernels } = (await built("numeric/kernels.js")) as typeof import("../numeric/kernels.ts");
const { InputError } = (await built("input-error.js")) as typeof import("../input-error.ts");

// biome-ignore lint/suspicious/noExplicitAny: programs of these tests differ in their payloads
type Program = (team: Team, payload: any) => unknown;

const source = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

/** A module whose `run` is the given function, which must not refer to anything outside itself. */
const program = (run: Program) => source(`export const run = ${run}`);
const start = bytesInUse();
afterEach(() => heap.close());

/** Sums whose last bits depend on the order of addition, through every way that members meet. */
const meet: Program = (team, { values, cuts: bounds }: { values: Float64Array; cuts: Uint32Array }) => {
  const blocks = bounds.length - 1;
  const scaled = team.allocShared("f64", values.length);
  team.parallelFor(blocks, (block) => {
    for (let i = bounds[block]!; i < bounds[block + 1]!; i++) scaled[i] = values[i]! / 3;
  });
  let last = 1;
  for (let round = 0; round < 50; round++) {
    const sums = team.sum(blocks, 3, (block, into) => {
      for (let i = bounds[block]!; i < bounds[block + 1]!; i++) {
        into[0]! += scaled[i]! * last;
        into[1]! += scaled[i]! * scaled[i]!;
        into[2]! += 1;
      }
    });
    last = sums[0]! / sums[1]! + sums[2]!;
    const more = team.allocShared("f32", 10 + round);
    if (team.rank === round % team.size) more[3] = round;
    team.barrier();
    if (more[3] !== round || more.length !== 10 + round) throw new Error("members share different arrays");
  }
  return { last, scaled, rank: team.rank, size: team.size };
};

describe("teams", () => {
  it("of 1, 2, 3 and 8 threads, and of one without threads, give identical bits", async () => {
    const values = heap.f64(10_000).map((_, i) => Math.sin(i) * 10 ** (i % 13));
    const payload = { values: heap.f64(10_000), cuts: splitEvenly(10_000) };
    payload.values.set(values);
    const alone = runSolo((team) => {
      const { last, scaled } = meet(team, payload) as { last: number; scaled: Float64Array };
      return { last, scaled: scaled.slice() };
    });
    expect(Number.isFinite(alone.last)).toBe(true);
    for (const size of [1, 2, 3, 8]) {
      const result = await runThreads({ size, program: program(meet), payload });
      expect(result).toEqual({ ...alone, rank: 0, size });
    }
    heap.close();
    expect(bytesInUse()).toBe(start);
  });

  it("arrays of the heap are seen by all, and reach the kernels of every member", async () => {
    const [seen, ones] = [heap.f64(4), heap.f32(4).fill(1)];
    const url = new URL("../../dist/src/numeric/", import.meta.url).href;
    const run = source(`
      import { isInHeap } from "${url}heap.js";
      import { kernels } from "${url}kernels.js";
      import { rowsTimesVector } from "${url}rows.js";
      export function run(team, { seen, ones }) {
        const mine = seen.subarray(team.rank, team.rank + 1);
        mine[0] = isInHeap(mine) && kernels() ? team.rank + 1 : -1;
        team.barrier();
        const sum = team.allocShared("f64", 1);
        if (team.rank === 0) rowsTimesVector(ones, seen, sum);
        team.barrier();
        return sum[0];
      }`);
    expect(await runThreads({ size: 4, program: run, payload: { seen, ones } })).toBe(1 + 2 + 3 + 4);
    expect([...seen]).toEqual([1, 2, 3, 4]);
    expect(kernels()).not.toBeNull();
  });

  it("what the first member tells arrives in order, what others tell does not", async () => {
    const messages: unknown[] = [];
    const run: Program = (team) => {
      for (let i = 0; i < 3; i++) team.post({ from: team.rank, i });
    };
    await runThreads({ size: 2, program: program(run), onMessage: (message) => messages.push(message) });
    expect(messages).toEqual([0, 1, 2].map((i) => ({ from: 0, i })));
  });
});

describe("a team ends with a clear error, never a hang, and leaves nothing behind", () => {
  const endless = "for (;;) team.barrier();";
  const dies = (how: string, rest = endless) =>
    source(`export function run(team) { team.allocShared("f64", 1e6); if (team.rank === 1) { ${how} } ${rest} }`);
  const cases: [string, string, string][] = [
    ["a member that throws", dies('throw new RangeError("too far")'), "too far"],
    ["a member that exits", dies("process.exit(3)"), "thread 1 of 3 died (exit code 3) before its work was done"],
    [
      "a member that throws later",
      dies('return new Promise(() => setTimeout(() => { throw new Error("too late") }))'),
      "too late",
    ],
    ["a member that returns while others wait", dies("return;"), "a member of the team has returned while others wait for it"],
    ["a member that throws while others compute", dies('throw new Error("so be it")', "for (;;);"), "so be it"],
    ["a program without run", source("export const runs = 1"), 'exports no function called "run"'],
    ["a program that is not there", "file:///nowhere/at/all.js", "/nowhere/at/all.js is not there"],
    ["a result that cannot be sent", program(() => ({ why: () => 1 })), "could not be cloned"],
  ];
  for (const [title, url, message] of cases)
    it(title, async () => {
      const failed = runThreads({ size: 3, program: url });
      await expect(failed).rejects.toThrow(message);
      expect(bytesInUse()).toBe(start);
    });

  it("a InputError stays one, with its message", async () => {
    const url = new URL("../../dist/src/input-error.js", import.meta.url).href;
    const run = source(`
      import { InputError } from "${url}";
      export function run(team) {
        if (team.rank === 2) throw new InputError("wrong");
        team.barrier();
      }`);
    const error = await runThreads({ size: 3, program: run }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe("wrong");
  });

  it("when it is given up from outside", async () => {
    const stop = new AbortController();
    const run: Program = (team) => {
      team.post("here");
      for (;;) team.barrier();
    };
    const running = runThreads({
      size: 2,
      program: program(run),
      signal: stop.signal,
      onMessage: () => stop.abort(new Error("enough")),
    });
    await expect(running).rejects.toThrow("enough");
  });

  it("when who started it cannot bear its messages", async () => {
    const run: Program = (team) => team.post("here");
    const onMessage = () => {
      throw new Error("not so loud");
    };
    await expect(runThreads({ size: 1, program: program(run), onMessage })).rejects.toThrow("not so loud");
  });

  it("sizes that make no sense are refused", async () => {
    const most = Math.max(16, 4 * availableParallelism());
    for (const size of [0, -1, 1.5, most + 1, 1e6, Number.NaN])
      await expect(runThreads({ size, program: "data:," })).rejects.toThrow(
        `threads: expected a whole number from 1 to ${most} (this`,
      );
  });

  it("no thread is left, so the process can end", () => {
    const threads = new URL("../../dist/src/teams/threads.js", import.meta.url).href;
    const main = `
      import { runThreads } from "${threads}";
      await runThreads({ size: 3, program: ${JSON.stringify(dies('throw new Error("so be it")', "for (;;);"))} }).catch((error) => console.log(error.message));
      console.log(await runThreads({ size: 2, program: ${JSON.stringify(program((team) => team.size))} }));`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", main], { timeout: 50_000, encoding: "utf8" });
    expect([child.stdout, child.stderr, child.status]).toEqual(["so be it\n2\n", "", 0]);
  });
});

describe("blocks", () => {
  it("cover everything once, in order", () => {
    expect([...splitEvenly(10, 4)]).toEqual([0, 2, 5, 7, 10]);
    expect([...splitEvenly(2, 4)]).toEqual([0, 0, 1, 1, 2]);
    expect([...splitEvenly(0, 2)]).toEqual([0, 0, 0]);
  });
  it("of lists hold about the same number of entries", () => {
    // Lists of 10, 1, 1, 8 and 20 entries: half of all 40 is reached within the fourth list, a quarter at the end of the first.
    expect([...splitLists(Uint32Array.of(0, 10, 11, 12, 20, 40), 2)]).toEqual([0, 4, 5]);
    expect([...splitLists(Uint32Array.of(0, 10, 11, 12, 20, 40), 4)]).toEqual([0, 1, 4, 4, 5]);
    expect([...splitLists(Uint32Array.of(0), 3)]).toEqual([0, 0, 0, 0]);
    expect([...splitLists(Uint32Array.of(0, 100), 3)]).toEqual([0, 0, 1, 1]);
  });
});
