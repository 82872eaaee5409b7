/**
 * The simulation of Ma et al. 2021, as tables and drawings:
 *
 *   node dist/papers/simulation/run.js [quick] [folder]
 *
 * writes simulation.md, mse-N.svg for each N, time.svg and memory.svg into the folder (simulation, unless told otherwise).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "../../src/report/lines.ts";
import { type Cost, costOf } from "./cost.ts";
import { METHODS, recover } from "./recovery.ts";

const words = process.argv.slice(2);
const quick = words.includes("quick");
const folder = words.find((word) => word !== "quick") ?? "simulation";

/** Lists by items. RankNet's pairs make the larger ones a matter of hours. */
const GRID: readonly (readonly [number, readonly number[]])[] = quick
  ? [[10, [50, 200]], [50, [50]]]
  : [[10, [50, 200, 1000]], [100, [50, 200, 1000]], [1000, [20, 100]]]; // biome-ignore format: a table
const SEEDS = quick ? [1] : [1, 2, 3];
const SIZES = quick ? [100, 1000] : [1000, 10_000, 100_000];
const SECONDS = quick ? 1 : 20;

mkdirSync(folder, { recursive: true });
const text: string[] = ["# Simulation of Ma et al. 2021, section 4.1", ""];

text.push(`Mean squared error of softmax(w) against p, mean of ${SEEDS.length} seeds. The lowest but the oracle's is bold.`, "");
text.push(`| N | n | ${METHODS.map(({ name }) => name).join(" | ")} |`, `|---|---|${METHODS.map(() => "---|").join("")}`);
let first = 0;
let rows = 0;
for (const [items, sizes] of GRID) {
  const found = METHODS.map(() => [] as [number, number][]);
  for (const n of sizes) {
    const errors = METHODS.map((method, m) => {
      const mean = SEEDS.reduce((sum, seed) => sum + recover(method, items, n, seed), 0) / SEEDS.length;
      found[m]!.push([n, mean]);
      return mean;
    });
    const best = Math.min(...errors.filter((_, m) => !METHODS[m]!.oracle));
    const cells = errors.map((error) => (error === best ? `**${error.toExponential(2)}**` : error.toExponential(2)));
    const row = `| ${items} | ${n} | ${cells.join(" | ")} |`;
    text.push(row);
    console.log(row);
    rows++;
    if (METHODS.findIndex((_, m) => errors[m] === best) === METHODS.findIndex(({ name }) => name === "PL-Partition")) first++;
  }
  const series = METHODS.map(({ name, oracle }, m) => ({ name, points: found[m]!, ...(oracle && { dashed: oracle }) }));
  const options = {
    title: `Recovery of utilities, N = ${items}`,
    note: `mean of ${SEEDS.length} seeds`,
    x: "rankings n",
    y: "mean squared error",
  };
  writeFileSync(join(folder, `mse-${items}.svg`), lines(series, options));
}
text.push("", `PL-Partition is lowest but the oracle in ${first} of ${rows} rows.`, "");

text.push(
  `Seconds and megabytes of 1,000 steps of batch 20 on one thread; ~ is scaled from the steps that ${SECONDS} seconds gave.`,
  "",
);
text.push(`| N | ${METHODS.map(({ name }) => name).join(" | ")} |`, `|---|${METHODS.map(() => "---|").join("")}`);
const costs: { readonly items: number; readonly of: readonly Cost[] }[] = [];
for (const items of SIZES) {
  const of = METHODS.map(({ name }) => costOf(name, items, SECONDS));
  costs.push({ items, of });
  const row = `| ${items} | ${of.map(({ seconds, megabytes, steps }) => `${steps < 1000 ? "~" : ""}${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`).join(" | ")} |`;
  text.push(row);
  console.log(row);
}
const chart = (title: string, y: string, value: (cost: Cost) => number) =>
  lines(
    METHODS.map(({ name, oracle }, m) => ({
      name,
      points: costs.map(({ items, of }) => [items, Math.max(0.01, value(of[m]!))] as const),
      ...(oracle && { dashed: oracle }),
    })),
    { title, note: "1,000 steps of batch 20, one thread", x: "items N", y },
  );
writeFileSync(
  join(folder, "time.svg"),
  chart("Time", "seconds", ({ seconds }) => seconds),
);
writeFileSync(
  join(folder, "memory.svg"),
  chart("Memory", "megabytes", ({ megabytes }) => megabytes),
);
writeFileSync(join(folder, "simulation.md"), `${text.join("\n")}\n`);
