/**
 * How fast are utilities fitted to full rankings? 10,000 rankings of 100 items and 1,000 of 1,000, drawn from a Plackett-Luce model, to a
 * gradient of the total log-likelihood below 1e-8; beside choix and R's PlackettLuce, in the same run, where CHOIX names a Python that has
 * choix and where Rscript has PlackettLuce. A rival that needs more than LIMIT seconds is stopped. Then battles of two (arena.ts).
 *
 *   npm run bench aggregation
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ballots, fit, isUtilities, learner, objective, train } from "../src/index.ts";
import { log } from "../src/numeric/functions.ts";
import { descending } from "../src/numeric/order.ts";
import { random } from "../src/numeric/random.ts";

const LIMIT = Number(process.env.LIMIT ?? 200);
const python = process.env.CHOIX ?? "python3";

/** Orders of items whose utilities are uniform between 0 and 2, by Gumbel noise. */
function rankings(lists: number, items: number): number[][] {
  const draw = random(7, lists, items);
  const utilities = Float64Array.from({ length: items }, () => 2 * draw());
  return Array.from({ length: lists }, () => [...descending(utilities.map((value) => value - log(-log(draw()))))]);
}

const CHOIX = `
import sys, json, time, choix
given = json.load(open(sys.argv[1]))
begun = time.time()
choix.ilsr_rankings(len(given[0]), given, tol=1e-8)
print(time.time() - begun)`;

const R = `
library(PlackettLuce); library(jsonlite)
given <- fromJSON(commandArgs(TRUE)[1]) + 1
begun <- proc.time()[["elapsed"]]
PlackettLuce(as.rankings(given, input = "orderings"), npseudo = 0)
cat(proc.time()[["elapsed"]] - begun)`;

function other(name: string, program: string, flags: readonly string[], file: string): number | string {
  const { status, stdout, stderr, error } = spawnSync(program, [...flags, file], { encoding: "utf8", timeout: LIMIT * 1000 });
  if (error && "code" in error && error.code === "ETIMEDOUT") return LIMIT;
  if (status !== 0) return `${name} is not here (${(error?.message ?? stderr.trim().split("\n").at(-1) ?? "").slice(0, 80)})`;
  return Number(stdout.trim().split("\n").at(-1));
}

const folder = mkdtempSync(join(tmpdir(), "aggregation-"));
for (const [lists, items] of [
  [10_000, 100],
  [1_000, 1_000],
] as const) {
  const given = rankings(lists, items);
  const data = ballots(given.map((order) => order.map(String)));
  const options = { model: learner("utilities:errors=no"), objective: objective("pl-partition") };
  const before = process.cpuUsage();
  const begun = performance.now();
  const { model, rounds } = fit(data, options);
  const seconds = (performance.now() - begun) / 1000;
  const processor = process.cpuUsage(before).user / 1e6;
  const threaded = performance.now();
  await train(data, options);
  const parallel = (performance.now() - threaded) / 1000;
  const sure = performance.now();
  fit(data, { ...options, model: learner("utilities") });
  const errors = (performance.now() - sure) / 1000;
  const steepest = isUtilities(model) ? model.fit.maxGradient : Number.NaN;
  console.log(`${lists} rankings of ${items} items`);
  console.log(
    `  tierwise      ${seconds.toFixed(2)} s (${processor.toFixed(2)} s of processor time), ${rounds} steps, gradient ${steepest.toExponential(1)}`,
  );
  console.log(`  with threads  ${parallel.toFixed(2)} s`);
  console.log(`  with errors   ${errors.toFixed(2)} s`);
  const file = join(folder, `${lists}.json`);
  writeFileSync(file, JSON.stringify(given));
  for (const [name, program, flags] of [
    ["choix", python, ["-c", CHOIX]],
    ["R PlackettLuce", "Rscript", ["-e", R]],
  ] as const) {
    const took = other(name, program, flags, file);
    if (typeof took === "string") console.log(`  ${took}`);
    else
      console.log(`  ${name}: ${took >= LIMIT ? "over " : ""}${took.toFixed(1)} s, ${(took / seconds).toFixed(0)} times as long`);
  }
}
rmSync(folder, { recursive: true });

await import("./arena.ts"); // battles of two, beside the tools for those
