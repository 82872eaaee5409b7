import { afterEach, expect, it, vi } from "vitest";
import { runTogether } from "./processes.ts";

afterEach(() => vi.unstubAllEnvs());

it("a command alone runs without MPI, and its exit code is the result", async () => {
  expect(await runTogether("train", async () => 7, () => {})).toBe(7); // biome-ignore format: one call
});

it("processes that a launcher has started end with one line where the MPI library cannot be loaded", async () => {
  vi.stubEnv("OMPI_COMM_WORLD_SIZE", "2");
  vi.stubEnv("TIERWISE_MPI", "/there/is/no/such/library.so");
  const lines: string[] = [];
  const act = vi.fn(async () => 0);
  expect(await runTogether("train", act, (line) => void lines.push(line))).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/^processes: [^\n]+$/)]);
  expect(act).not.toHaveBeenCalled();
});
