/** Real processes over Open MPI: the same model files as one process, and what happens when one of them dies. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { folder, root } from "./cli.ts";

const version = spawnSync("mpirun", ["--version"], { encoding: "utf8" });
const installed = version.status === 0 && /Open MPI/.test(version.stdout);
if (!installed) console.warn("Open MPI is not installed (apt-get install openmpi-bin libopenmpi3): processes are not tested");

const cwd = folder();
const main = join(root, "dist/src/cli/main.js");
const environment = {
  ...process.env,
  ...{ OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1", OMPI_MCA_mpi_yield_when_idle: "1" },
};

/** The search example with a qid in each row, so that its text can be cut. */
function rows(name: string): string {
  const lines = gunzipSync(readFileSync(`${root}examples/search/${name}.txt.gz`))
    .toString()
    .trim()
    .split("\n");
  const sizes = readFileSync(`${root}examples/search/${name}.txt.query`, "utf8").trim().split(/\s+/).map(Number);
  const path = join(cwd, `${name}.txt`);
  let at = 0;
  const text = sizes.flatMap((size, q) => lines.slice(at, (at += size)).map((line) => line.replace(" ", ` qid:${q + 1} `)));
  writeFileSync(path, `${text.join("\n")}\n`);
  return path;
}

describe.skipIf(!installed)("processes over Open MPI", () => {
  const [train, test] = [rows("train"), rows("test")];

  it("trees, linear models and utilities have the same bytes for any number of processes and threads", () => {
    const words = [join(root, "test/mpi-program.mjs")];
    const files = [test, train, `${root}examples/ballots/lunch.orders`];
    const run = (processes: number, threads: number) => {
      const all = [...words, String(threads), ...files];
      const how = ["-n", String(processes), "--oversubscribe", "--bind-to", "none", process.execPath, ...all];
      const found = processes === 1 ? spawnSync(process.execPath, all) : spawnSync("mpirun", how, { env: environment });
      return found.stdout.toString() || found.stderr.toString();
    };
    const alone = run(1, 1);
    expect(alone.trim().split("\n")).toHaveLength(5);
    for (const [processes, threads] of [
      [1, 2],
      [2, 1],
      [2, 2],
      [4, 1],
    ] as const)
      expect(run(processes, threads), `${processes} processes of ${threads} threads`).toBe(alone);
  }, 300_000);

  /** What a command prints. */
  const tierwise = (...words: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...words], { cwd, encoding: "utf8", env: environment });
    expect(status, stderr).toBe(0);
    return stdout;
  };

  it("evaluate and rank print what one process prints", () => {
    tierwise("train", "test.txt", "--model", "linear", "--out", "model.json", "--threads", "1", "--quiet");
    for (const words of [
      ["evaluate", "model.json", "test.txt", "--per-list", "--json", "--quiet"],
      ["rank", "model.json", "test.txt", "--top", "3", "--quiet"],
    ])
      expect(tierwise(...words, "--processes", "2")).toBe(tierwise(...words));
  }, 120_000);

  it("cv and tune print and write what one process does, and go on from checkpoints and trials of another number of processes", () => {
    const teams = [
      [1, 2],
      [2, 1],
      [2, 2],
    ] as const;
    const small = "trees:rounds=4,leaves=4,min-items=2";
    const parts = join(cwd, "parts");
    mkdirSync(parts);
    const lines = readFileSync(test, "utf8").trimEnd().split("\n");
    const lists = [...new Set(lines.map((line) => line.split(" ")[1]!))];
    for (let part = 0; part < 3; part++) {
      const own = new Set(lists.filter((_, q) => q % 3 === part));
      writeFileSync(join(parts, `S${part + 1}.txt`), `${lines.filter((line) => own.has(line.split(" ")[1]!)).join("\n")}\n`);
    }
    for (const [words, file] of [
      [["cv", "test.txt", "--folds", "3", "--model", small, "--metrics", "ndcg@5,err", "--values", "values.json"], "values.json"],
      [["train", "test.txt", "--hold-out", "0.3", "--model", small, "--out", "held.json"], "held.json"],
      [["cv", "test.txt", "--folds", "2", "--no-valid", "--model", "linear:l2=1"], undefined],
      [["cv", "parts", "--model", small], undefined],
      [["cv", `${root}examples/ballots/lunch.orders`, "--folds", "3"], undefined],
      [
        [
          "tune",
          "test.txt",
          "--model",
          "trees:rounds=4,min-items=2",
          "leaves=2,4",
          "learning-rate=0.1,0.3",
          "--trials-file",
          "t.jsonl",
        ],
        "t.jsonl",
      ],
      [["tune", "test.txt", "--folds", "2", "--model", "linear", "l2=0.1,10"], undefined],
      [["tune", "train.txt", "--valid", "test.txt", "--model", "linear", "l2=0.1,10", "--trials-file", "t.jsonl"], "t.jsonl"],
    ] as const) {
      const run = (processes: number, threads: number) => {
        if (file) rmSync(join(cwd, file), { force: true });
        const how = ["--threads", String(threads), ...(processes > 1 ? ["--processes", String(processes)] : [])];
        const printed = tierwise(...words, "--quiet", ...how).replace(/^seconds .*$/m, "");
        return `${printed}${file ? readFileSync(join(cwd, file), "utf8") : ""}`;
      };
      const alone = run(1, 1);
      for (const [processes, threads] of teams)
        expect(run(processes, threads), `${words.join(" ")} ${processes}x${threads}`).toBe(alone);
    }
    // Finished folds and trials of two processes are known to one.
    const kept = ["cv", "test.txt", "--folds", "3", "--model", small, "--checkpoint", "folds"];
    const killed = spawnSync("timeout", ["--signal=TERM", "6", process.execPath, main, ...kept, "--checkpoint-every", "1", "--threads", "1", "--processes", "2"], { cwd, encoding: "utf8", env: { ...environment, TIERWISE_STRESS: "3" } }); // biome-ignore format: a command
    expect([0, 124, 143]).toContain(killed.status);
    expect(tierwise(...kept, "--quiet", "--threads", "1")).toBe(tierwise(...kept.slice(0, -2), "--quiet", "--threads", "1"));
  }, 300_000);

  it("a process that dies ends all of them with one line, nothing is written, and the run continues with another number of processes", async () => {
    const training = ["train", "test.txt", "--model", "trees:rounds=40,leaves=4,min-items=2", "--threads", "1"];
    const words = [...training, "--out", "out.json", "--checkpoint", "ck", "--checkpoint-every", "1", "--quiet"];
    const child = spawn(process.execPath, [main, ...words, "--processes", "2"], {
      cwd,
      env: { ...environment, TIERWISE_STRESS: "1" },
    });
    let errors = "";
    child.stderr.on("data", (text) => (errors += text));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!existsSync(join(cwd, "ck")) || readdirSync(join(cwd, "ck")).length === 0)
      await new Promise((go) => setTimeout(go, 20));
    const ranks = rankProcesses(child.pid!);
    expect(ranks).toHaveLength(2);
    process.kill(ranks[1]!, "SIGKILL");
    const begun = performance.now();
    expect(await ended).not.toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(errors).toMatch(/^tierwise: process [01] of 2 has died \(SIGKILL\), and all others were ended; .*\n$/);
    expect(existsSync(join(cwd, "out.json"))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const again = spawnSync(process.execPath, [main, ...words, "--resume"], { cwd, encoding: "utf8" });
    expect(again.status, again.stderr).toBe(0);
    spawnSync(process.execPath, [main, ...training, "--out", "whole.json", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "out.json"), "utf8")).toBe(readFileSync(join(cwd, "whole.json"), "utf8"));
  }, 120_000);

  it("what several processes cannot do is refused in one line", () => {
    for (const [words, line] of [
      [
        ["train", "test.txt", "--model", "mlp"],
        "tierwise: train: the model mlp trains with the threads of one process only; start one process\n",
      ],
      [
        ["importance", "model.json", "test.txt"],
        "tierwise: importance: runs in one process, with threads only; leave out mpirun (train, evaluate, rank, cv, tune can use it)\n",
      ],
    ] as const) {
      const how = ["-n", "2", "-quiet", "--bind-to", "none", process.execPath, main, ...words, "--quiet"];
      const { stderr, status } = spawnSync("mpirun", how, { cwd, encoding: "utf8", env: environment });
      expect(
        stderr.split("\n").filter((one) => one.startsWith("tierwise: ") && !one.includes("SIGTERM")),
        stderr,
      ).toEqual([line.trim()]);
      expect(status).toBe(2);
    }
  }, 60_000);
});

/** Other launchers and libraries, where they are installed. */
const launchers = [
  { name: "mpirun.mpich", about: "MPICH (apt-get install mpich)", words: ["-n", "2"] },
  { name: "srun", about: "Slurm with PMIx, for Open MPI", words: ["--mpi=pmix", "-n", "2", "--overcommit"] },
] as const;

describe("other launchers", () => {
  for (const { name, about, words } of launchers) {
    const probe = spawnSync("timeout", ["10", name, ...words, "true"]);
    const there = probe.status === 0;
    if (!there) console.warn(`${name} starts no process: ${about} is not tested`);
    it.skipIf(!there)(
      `${name} trains the same bytes as one process`,
      () => {
        const text = Array.from(
          { length: 60 },
          (_, i) => `${i % 3} qid:${1 + Math.floor(i / 4)} 1:${i % 7} 2:${(i * i) % 11}\n`,
        ).join("");
        writeFileSync(join(cwd, "small.txt"), text);
        const training = ["train", "small.txt", "--model", "trees:rounds=3,leaves=4,min-items=1", "--threads", "1", "--quiet"];
        const one = spawnSync(process.execPath, [main, ...training, "--out", "one.json"], { cwd, encoding: "utf8" });
        expect(one.status, one.stderr).toBe(0);
        const all = [...words, process.execPath, main, ...training, "--out", "two.json"];
        const two = spawnSync(name, all, { cwd, encoding: "utf8", env: environment });
        expect(two.status, two.stderr).toBe(0);
        expect(two.stdout.match(/^trained$/gm)).toHaveLength(1);
        expect(readFileSync(join(cwd, "two.json"), "utf8")).toBe(readFileSync(join(cwd, "one.json"), "utf8"));
      },
      60_000,
    );
  }
});

/** The processes that run the command under mpirun, which is a child of `parent`. */
function rankProcesses(parent: number): number[] {
  const children = (pid: number) => {
    const { stdout } = spawnSync("ps", ["--ppid", String(pid), "-o", "pid="], { encoding: "utf8" });
    return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
  };
  return children(parent).flatMap(children);
}
