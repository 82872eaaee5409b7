/** How processes are started, with programs in place of mpirun; test/mpi.long.test.ts starts real ones. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { launch, requestedProcesses } from "./launch.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-launch-"));
const { argv } = process;
afterEach(() => {
  vi.unstubAllEnvs();
  process.argv = argv;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Launches with a shell script as the mpirun of the machine, or with none. */
async function launched(script: string | undefined, count = 2, words: readonly string[] = []) {
  const program = join(folder, "mpirun");
  rmSync(program, { force: true });
  if (script !== undefined) {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
  }
  vi.stubEnv("PATH", folder);
  process.argv = [process.execPath, "tierwise.js"];
  const lines: string[] = [];
  const listeners = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => [name, process.listeners(name)] as const);
  const code = await launch(count, words, (line) => void lines.push(line));
  for (const [name, before] of listeners)
    for (const one of process.listeners(name)) if (!before.includes(one)) process.removeListener(name, one);
  return { code, lines };
}

const isVersion = (text: string, then: string) => `if [ "$1" = --version ]; then echo '${text}'; exit 0; fi\n${then}`;

describe("--processes", () => {
  it.each<[string, number | undefined]>([
    ["train a --processes 3", 3],
    ["train a --processes=2", 2],
    ["train a --processes 1", undefined],
    ["train a --processes 0", undefined],
    ["train a --processes two", undefined],
    ["train a --processes -2", undefined],
    ["train a --processes", undefined],
    ["train a --processes 2 --help", undefined],
    ["train --processes 2 -- --help", 2],
    ["train -- --processes 2", undefined],
    ["train a", undefined],
  ])("of `%s` are %s", (text, count) => expect(requestedProcesses(text.split(" "))).toBe(count));

  it("of a process that a launcher has started are none", () => {
    vi.stubEnv("OMPI_COMM_WORLD_SIZE", "2");
    expect(requestedProcesses(["train", "--processes", "2"])).toBeUndefined();
  });
});

describe("mpirun", () => {
  it.each([
    ["that is not there", undefined],
    ["that fails", "exit 1"],
    ["that is killed", "kill -9 $$"],
  ])("%s is one line", async (_, script) => {
    expect(await launched(script)).toEqual({
      code: 2,
      lines: [expect.stringMatching(/^tierwise: --processes: mpirun is not installed; install MPI: [^\n]+$/)],
    });
  });

  it("is given the command, with settings that only Open MPI knows", async () => {
    const print = 'for word in "$@" "yield: $OMPI_MCA_mpi_yield_when_idle"; do echo "> $word" >&2; done';
    const command = [...[process.execPath, ...process.execArgv], "tierwise.js", "train", "a b.txt"];
    const words = ["train", "a b.txt"];
    const printed = (...all: string[]) => ({ code: 0, lines: all.map((word) => `> ${word}`) });
    const open = await launched(isVersion("mpirun (Open MPI) 4.1.4", print), 1000, words);
    expect(open).toEqual(printed("-n", "1000", "--bind-to", "none", "--oversubscribe", ...command, "yield: 1"));
    const other = await launched(isVersion("HYDRA build details", print), 1000, words);
    expect(other).toEqual(printed("-n", "1000", ...command, "yield: "));
  });

  it("passes on what processes say and how they end, and not what it says itself", async () => {
    const say = (...lines: string[]) => `${lines.map((line) => `echo '${line}' >&2`).join("\n")}\n`;
    const rule = "-".repeat(60);
    const own = [rule, "mpirun noticed that process rank 1 with PID 7 exited on signal 9 (Killed).", rule];
    const run = (script: string) => launched(isVersion("Open MPI", script));
    expect(await run(`${say("notice", ...own, "tierwise: a.txt: wrong")}exit 2`)).toEqual({
      code: 2,
      lines: ["notice", "tierwise: a.txt: wrong"],
    });
    expect(await run(`${say("tierwise: ended by SIGTERM", ...own)}exit 137`)).toEqual({
      code: 137,
      lines: [
        "tierwise: process 1 of 2 has died (SIGKILL), and all others were ended; nothing was written, and with --checkpoint the same command continues",
      ],
    });
    expect(await run("kill -15 $$")).toEqual({ code: 143, lines: [expect.stringContaining("a process has died, and all")] });
    expect(await run(`${say(...own)}printf 'no newline at the end' >&2`)).toEqual({ code: 0, lines: ["no newline at the end"] });
  });
});
