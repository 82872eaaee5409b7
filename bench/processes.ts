/**
 * Seconds a tree of several processes over MPI beside one process with as many threads: 31 leaves of made-up data in the shape of MSLR, the best of
 * alternating runs, since machines are shared.
 *
 *   npm run bench processes [--docs 300000] [--trees 8] [--repeats 3] [--teams 1x1,1x2,2x1] [--tcp]
 *
 * A team is processes x threads. With --tcp, processes exchange by TCP over the loopback device instead of shared memory (Open MPI).
 */
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

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

function run(documents: string, team: string): Result {
  const [processes, threads] = team.split("x") as [string, string];
  const words = [program, documents, threads, requested.trees];
  const crowded = Number(processes) >= cpus().length ? ["--mca", "mpi_yield_when_idle", "1"] : [];
  const how = ["-n", processes, "--oversubscribe", "--bind-to", "none", ...root, ...crowded, ...(requested.tcp ? tcp : [])];
  const [command, all] = processes === "1" ? [process.execPath, words] : ["mpirun", [...how, process.execPath, ...words]];
  const { status, stdout, stderr } = spawnSync(command, all, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${team} failed: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Result;
}

for (const documents of requested.docs.split(",")) {
  const best = new Map<string, Result>();
  for (let repeat = 0; repeat < Number(requested.repeats); repeat++)
    for (const team of requested.teams.split(",")) {
      const result = run(documents, team);
      if (result.perTree < (best.get(team)?.perTree ?? Infinity)) best.set(team, result);
    }
  console.log(`${documents} documents of 136 features, ${requested.trees} trees, best of ${requested.repeats} alternating runs`);
  for (const [team, { perTree, shares }] of best) {
    const parts = Object.entries(shares ?? {}).map(([name, share]) => `${name} ${(1000 * share).toFixed(1)}`);
    console.log(`  ${team}  ${(1000 * perTree).toFixed(1)} ms a tree${parts.length > 0 ? `; of these ${parts.join(", ")}` : ""}`);
  }
}
