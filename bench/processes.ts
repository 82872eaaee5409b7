/**
 * Seconds a tree of several processes over MPI beside one process with as many threads: 31 leaves of made-up data in the shape of MSLR, the best of
 * alternating runs, since machines are shared.
 *
 *   npm run bench processes [--docs 300000] [--trees 8] [--repeats 3] [--teams 1x1,1x2,2x1,lightgbm-2x1] [--tcp]
 *
 * A team is processes x threads. With --tcp, processes exchange by TCP over the loopback device instead of shared memory (Open MPI). `lightgbm-2x1` is
 * LightGBM's own data-parallel learner with two processes over sockets, from Python ($TIERWISE_PYTHON or python3).
 */
import { spawn, spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { mslrFiles } from "./mslr-files.ts";

const { values: requested } = parseArgs({
  options: {
    docs: { type: "string", default: "300000" },
    trees: { type: "string", default: "8" },
    repeats: { type: "string", default: "3" },
    teams: { type: "string", default: "1x1,1x2,2x1" },
    tcp: { type: "boolean", default: false },
  },
});
const program = fileURLToPath(new URL("./processes-run.js", import.meta.url));
const root = process.getuid?.() === 0 ? ["--allow-run-as-root"] : [];
const tcp = ["--mca", "btl", "tcp,self", "--mca", "pml", "ob1", "--mca", "btl_tcp_if_include", "lo"];

interface Result {
  readonly perTree: number;
  readonly shares?: Readonly<Record<string, number>>;
}

async function run(folder: string, team: string): Promise<Result> {
  if (team.startsWith("lightgbm-")) return runRival(folder, team.slice("lightgbm-".length));
  const [processes, threads] = team.split("x") as [string, string];
  const words = [program, folder, threads, requested.trees];
  const crowded = Number(processes) >= cpus().length ? ["--mca", "mpi_yield_when_idle", "1"] : [];
  const how = ["-n", processes, "--oversubscribe", "--bind-to", "none", ...root, ...crowded, ...(requested.tcp ? tcp : [])];
  const [command, all] = processes === "1" ? [process.execPath, words] : ["mpirun", [...how, process.execPath, ...words]];
  const { status, stdout, stderr } = spawnSync(command, all, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${team} failed: ${stderr}`);
  return lastLine(stdout);
}

const lastLine = (text: string): Result => JSON.parse(text.trim().split("\n").at(-1)!) as Result;

let port = 23_400 + (process.pid % 1000) * 8; // a port is not free at once when its process has ended

async function runRival(folder: string, team: string): Promise<Result> {
  const [processes, threads] = team.split("x").map(Number) as [number, number];
  const ports = Array.from({ length: processes }, () => String(port++));
  const rival = fileURLToPath(new URL("../../bench/processes-rival.py", import.meta.url));
  const python = process.env.TIERWISE_PYTHON ?? "python3";
  const printed = await Promise.all(
    ports.map(
      (_, rank) =>
        new Promise<string>((resolve, reject) => {
          const child = spawn(python, [rival, folder, String(threads), requested.trees, String(rank), ...ports]);
          let [out, errors] = ["", ""];
          child.stdout.on("data", (text) => (out += text));
          child.stderr.on("data", (text) => (errors += text));
          child.on("error", reject);
          child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`LightGBM failed: ${errors}`))));
        }),
    ),
  );
  return lastLine(printed[0]!);
}

for (const documents of requested.docs.split(",")) {
  const folder = mslrFiles(Number(documents));
  const best = new Map<string, Result>();
  for (let repeat = 0; repeat < Number(requested.repeats); repeat++)
    for (const team of requested.teams.split(",")) {
      const result = await run(folder, team);
      if (result.perTree < (best.get(team)?.perTree ?? Infinity)) best.set(team, result);
    }
  console.log(`${documents} documents of 136 features, ${requested.trees} trees, best of ${requested.repeats} alternating runs`);
  for (const [team, { perTree, shares }] of best) {
    const parts = Object.entries(shares ?? {}).map(([name, share]) => `${name} ${(1000 * share).toFixed(1)}`);
    console.log(`  ${team}  ${(1000 * perTree).toFixed(1)} ms a tree${parts.length > 0 ? `; of these ${parts.join(", ")}` : ""}`);
  }
}
