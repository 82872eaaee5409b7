/**
 * How long does a leaderboard take, from a file of battles to ratings with rank intervals? A made-up arena of 129 models and 1,670,250 battles, as rows
 * and as counts, and one of 1,000 items and ten million battles; beside evalica, arena-rank and choix, which have no rank intervals, in the same run,
 * where PYTHON names a Python that has them. Times are of the processor, with the start of the process.
 *
 *   npm run bench arena
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exp } from "../src/numeric/functions.ts";
import { below, random } from "../src/numeric/random.ts";

const LIMIT = Number(process.env.LIMIT ?? 200);
const python = process.env.PYTHON ?? process.env.CHOIX ?? "python3";
const main = fileURLToPath(new URL("../src/cli/main.js", import.meta.url)); // of dist/
const rivals = fileURLToPath(new URL("../../bench/arena-rivals.py", import.meta.url));

/** Writes battles under Davidson's model, one row each or counted. */
function write(path: string, items: number, battles: number, counted: boolean): void {
  const draw = random(3, items, battles);
  const utilities = Float64Array.from({ length: items }, () => 3 * draw() - 1.5);
  const file = openSync(path, "w");
  const counts = new Map<string, number>();
  let lines = [counted ? "model_a,model_b,winner,count" : "model_a,model_b,winner"];
  for (let n = 0; n < battles; n++) {
    const i = below(draw, items);
    const j = (i + 1 + below(draw, items - 1)) % items;
    const [up, down] = [exp((utilities[i]! - utilities[j]!) / 2), exp((utilities[j]! - utilities[i]!) / 2)];
    const u = draw() * (up + down + 1);
    const line = `model-${i},model-${j},${u < up ? "model_a" : u < up + down ? "model_b" : "tie"}`;
    if (counted) counts.set(line, (counts.get(line) ?? 0) + 1);
    else lines.push(line);
    if (lines.length > 100_000) {
      writeSync(file, `${lines.join("\n")}\n`);
      lines = [];
    }
  }
  for (const [line, count] of counts) lines.push(`${line},${count}`);
  writeSync(file, `${lines.join("\n")}\n`);
  closeSync(file);
}

/** Seconds of the processor that a leaderboard takes, as a process of its own on one core. */
function ours(path: string): string {
  const { stderr, status } = spawnSync(
    "sh",
    ["-c", `TIMEFORMAT=%U; time -p "$0" "$1" leaderboard "$2" --quiet > /dev/null`, process.execPath, main, path],
    {
      encoding: "utf8",
    },
  );
  const [, real, user] = /real\s+([\d.]+)\s+user\s+([\d.]+)/.exec(stderr) ?? [];
  return status === 0 ? `${user} s of processor time, ${real} s in all` : stderr.trim();
}

function rival(tool: string, path: string): string {
  const { status, stdout, stderr, error } = spawnSync(python, [rivals, tool, path], { encoding: "utf8", timeout: LIMIT * 1000 });
  if (error && "code" in error && error.code === "ETIMEDOUT") return `over ${LIMIT} s`;
  if (status === 0) return `${Number(stdout.split("\n")[1]).toFixed(2)} s of processor time (version ${stdout.split("\n")[0]})`;
  const why = (error?.message ?? stderr.trim().split("\n").at(-1) ?? "").slice(0, 80);
  return `skipped, not here (${why}): pip install ${tool} pandas, and PYTHON=venv/bin/python`;
}

const folder = mkdtempSync(join(tmpdir(), "arena-"));
for (const [title, items, battles, counted] of [
  ["129 models, 1,670,250 battles as counts", 129, 1_670_250, true],
  ["129 models, 1,670,250 battles as rows", 129, 1_670_250, false],
  ["1,000 items, 10,000,000 battles as rows", 1000, 10_000_000, false],
] as const) {
  const path = join(folder, "battles.csv");
  write(path, items, battles, counted);
  console.log(title);
  console.log(`  tierwise    ${ours(path)}`);
  if (!counted) for (const tool of ["evalica", "arena-rank", "choix"]) console.log(`  ${tool.padEnd(10)}  ${rival(tool, path)}`);
}
rmSync(folder, { recursive: true });
