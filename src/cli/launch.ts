/**
 * `--processes N`: starts N processes of the same command with mpirun of this machine, and reports in one line how they ended. What mpirun itself has to say
 * about a process that failed is replaced by that line.
 */
import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { hasKoffi, INSTALL_MPI, launchedProcesses } from "../teams/mpi.ts";
import { cores } from "../teams/threads.ts";

/** The number of processes that a command line asks for; undefined where that is none, one or no number, which the command itself refuses. */
export function requestedProcesses(words: readonly string[]): number | undefined {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const at = own.findIndex((word) => word === "--processes" || word.startsWith("--processes="));
  if (at < 0 || launchedProcesses() > 1 || own.includes("--help")) return undefined;
  const text = own[at]!.includes("=") ? own[at]!.slice("--processes=".length) : (own[at + 1] ?? "");
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  return count > 1 ? count : undefined;
}

/** Runs the command with so many processes; resolves to the exit code. */
export async function launch(count: number, words: readonly string[], say: (line: string) => void): Promise<number> {
  const found = spawnSync("mpirun", ["--version"], { encoding: "utf8" });
  if (found.status !== 0) {
    say(`tierwise: --processes: mpirun is not installed; install MPI: ${INSTALL_MPI}`);
    return 2;
  }
  if (!(await hasKoffi())) {
    say("tierwise: --processes: calling MPI needs the package koffi; install it: npm install koffi");
    return 2;
  }
  const isOpenMpi = /Open MPI|OpenRTE/.test(found.stdout);
  const main = process.argv[1]!; // this program
  const how = isOpenMpi ? ["--bind-to", "none", ...(count > cores() ? ["--oversubscribe"] : [])] : [];
  const child = spawn("mpirun", ["-n", String(count), ...how, process.execPath, ...process.execArgv, main, ...words], {
    stdio: ["inherit", "inherit", "pipe"],
    env: { ...process.env, ...environment(isOpenMpi, count) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const report = reporter(say);
  child.stderr.setEncoding("utf8").on("data", report.add);
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(2));
    child.on("close", (exit, signal) => resolve(exit ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  report.end();
  if (code !== 0 && !report.said()) say(deathLine(report.text(), count));
  return code;
}

/** Settings of Open MPI: root in a container may start it, and processes beyond the cores let others run while they wait. */
function environment(isOpenMpi: boolean, count: number): Record<string, string> {
  if (!isOpenMpi) return {};
  const root = process.getuid?.() === 0;
  return {
    ...(root && { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" }),
    ...(count >= cores() && { OMPI_MCA_mpi_yield_when_idle: "1" }),
  };
}

const ENDED = "tierwise: ended by SIGTERM"; // what processes say that mpirun ends because of another
const RULE = /^[-=]{20,}\s*$/;

/** Passes on lines of the processes, and keeps what mpirun prints between rules. */
function reporter(say: (line: string) => void) {
  let [rest, inside, own] = ["", false, ""];
  let [failed, ended] = [false, false];
  const line = (text: string) => {
    if (RULE.test(text)) inside = !inside;
    else if (inside || /^\[[^\]]*:\d+\]|^mpirun(\.\w+)?: |^(Exit code|YOUR APPLICATION|This typically)/.test(text))
      own += `${text}\n`;
    else if (text === ENDED) ended = true;
    else {
      if (text.startsWith("tierwise: ")) failed = true;
      say(text);
    }
  };
  return {
    add(text: string) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop()!;
      lines.forEach(line);
    },
    end: () => (rest === "" ? undefined : line(rest)),
    /** Whether a process has reported why it ended. */
    said: () => failed,
    text: () => own,
    ended: () => ended,
  };
}

/** Which process has died, as far as mpirun knows. */
function deathLine(text: string, count: number): string {
  const [, rank] =
    /process rank (\d+)/.exec(text) ?? /\[\[\d+,\d+\],(\d+)\]/.exec(text) ?? /invoked on rank (\d+)/.exec(text) ?? [];
  const [, signal] = /on signal (\d+)/.exec(text) ?? /EXIT CODE: (\d+)/.exec(text) ?? [];
  const [name] = Object.entries(constants.signals).find(([, number]) => number === Number(signal)) ?? [];
  const who = rank === undefined ? "a process" : `process ${rank} of ${count}`;
  return `tierwise: ${who} has died${name ? ` (${name})` : ""}, and all others were ended; nothing was written, and with --checkpoint the same command continues`;
}
