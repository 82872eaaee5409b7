// Runs test files in the copy, in a given order, until one fails, hangs or runs away.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CONFIG = "vitest.mutation.config.ts";
const HUNG = 90; // seconds in which nothing runs or waits for a core
const MEMORY = 6 * 2 ** 30; // bytes that the processes of a test may use together
const PAGE = 4096;
const TICKS = 100; // of processor time in a second

/** The configuration of `npm test` with one worker, files in the order of MUTATION_ORDER, and time for a machine under load. */
export function writeConfig(copy) {
  writeFileSync(
    join(copy, CONFIG),
    `import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";
const order = (process.env.MUTATION_ORDER ?? "").split(" ");
class Sequencer {
  shard(files: any) { return files; }
  sort(files: any) {
    const place = (file: any) => order.findIndex((one) => file.moduleId.endsWith(one));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}
export default mergeConfig(base, {
  test: {
    ...{ maxWorkers: 1, testTimeout: 600_000, hookTimeout: 600_000 },
    ...{ setupFiles: ["./mutation-setup.mjs"], sequence: { sequencer: Sequencer } },
    experimental: { fsModuleCache: true, fsModuleCachePath: "./mutation-modules" },
  },
});
`,
  );
  writeFileSync(join(copy, "mutation-setup.mjs"), SETUP);
}

/**
 * Tells the reports of sites which test runs, and leaves out the tests of a file that MUTATION_ONLY (a file of JSON: names by file) does not name.
 * Names are those that the reporter gives.
 */
const SETUP = `import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
const file = relative(process.cwd(), expect.getState().testPath);
const only = process.env.MUTATION_ONLY ? JSON.parse(readFileSync(process.env.MUTATION_ONLY, "utf8"))[file] : undefined;
const names = only && new Set(only);
const nameOf = (task) => (task.suite && task.suite.name ? nameOf(task.suite) + " " : "") + task.name;
process.env.MUTATION_TEST = file;
process.env.MUTATION_PROCESS = String(process.pid);
beforeEach(({ task, skip }) => {
  const name = nameOf(task);
  if (names && !names.has(name)) skip();
  process.env.MUTATION_NAME = name.replace(/[\\t\\n\\r]/g, " ");
  for (const reset of globalThis.__sitesSeen?.splice(0) ?? []) reset();
});
afterEach(() => {
  delete process.env.MUTATION_NAME;
});
`;

/** Seconds in which threads of a process ran or waited for a core, which a busy machine makes them do. */
function activeSeconds(process) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${process}/task`)) {
    const [running, waiting] = readFileSync(`/proc/${process}/task/${thread}/schedstat`, "utf8").split(" ");
    nanoseconds += Number(running) + Number(waiting);
  }
  return nanoseconds / 1e9;
}

/** Processor time, active time and memory of a process group, and whether one of its processes is stopped by a signal, or frozen. */
function usage(group) {
  let [seconds, active, bytes, stopped] = [0, 0, 0, false];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[2]) !== group) continue;
      seconds += (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) / TICKS;
      bytes += Number(fields[21]) * PAGE;
      stopped ||= fields[0] === "T" || fields[0] === "D";
      active += activeSeconds(name);
    } catch {} // it has ended
  }
  return { seconds, active, bytes, stopped };
}

/** Runs the command in a process group of its own; the reason why it was ended, if it was. */
function runGuarded(copy, args, env, most) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...env }, detached: true, stdio: "ignore" });
    let [last, since, looked, ended] = [0, Date.now(), Date.now(), undefined];
    const end = (why) => {
      ended ??= why;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {} // it has just ended
    };
    const watchdog = setInterval(() => {
      const { seconds, active, bytes, stopped } = usage(child.pid);
      const slept = Date.now() - looked > 10_000; // this process was frozen, too
      looked = Date.now();
      if (slept || stopped || Math.abs(active - last) > 1) [last, since] = [active, Date.now()];
      if (seconds > most) end(`takes more than ${most.toFixed(0)} s of processor time`);
      else if (bytes > MEMORY) end("uses too much memory");
      else if (Date.now() - since > 1000 * HUNG) end("hangs");
    }, 1000);
    child.on("close", (code) => {
      clearInterval(watchdog);
      resolve({ code, ended });
    });
  });
}

const ONLY = "mutation-only.json";

/**
 * What the tests of some files give: those that failed, and the seconds that each file and each test took. `only` has the names of the tests to run, for
 * files of which not all are to run.
 */
export async function runTests(copy, files, { most, bail = true, only = {}, env = {} }) {
  const output = join(copy, "mutation-result.json");
  rmSync(output, { force: true });
  writeFileSync(join(copy, ONLY), JSON.stringify(only));
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", CONFIG, "--reporter=json", `--outputFile=${output}`];
  const order = { MUTATION_ORDER: files.join(" "), MUTATION_ONLY: join(copy, ONLY) };
  const { code, ended } = await runGuarded(copy, [...args, ...(bail ? ["--bail=1"] : []), ...files], { ...order, ...env }, most);
  const nothing = { seconds: new Map(), tests: new Map(), ended };
  if (ended) return { failed: [{ file: "", title: "", message: ended }], ...nothing };
  let results;
  try {
    results = JSON.parse(readFileSync(output, "utf8")).testResults;
  } catch {
    return { failed: [{ file: "", title: "", message: `vitest ends with code ${code}` }], ...nothing };
  }
  const fileOf = (name) => name.slice(copy.length + 1);
  const failed = results.flatMap(({ name, status, message, assertionResults }) => {
    const file = fileOf(name);
    const wrong = assertionResults.filter((one) => one.status === "failed");
    if (wrong.length === 0 && status === "failed") return [{ file, title: "", message }];
    return wrong.map(({ fullName, failureMessages }) => ({ file, title: fullName, message: failureMessages[0] ?? "" }));
  });
  if (failed.length === 0 && code !== 0) failed.push({ file: "", title: "", message: `vitest ends with code ${code}` });
  const seconds = new Map(results.map(({ name, startTime, endTime }) => [fileOf(name), (endTime - startTime) / 1000]));
  const tests = new Map(
    results.map(({ name, assertionResults }) => [
      fileOf(name),
      assertionResults.map(({ fullName, duration, status }) => [fullName, (duration ?? 0) / 1000, status]),
    ]),
  );
  return { failed, seconds, tests, ended };
}
