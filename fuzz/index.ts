/**
 * Fuzzing of everything that reads files or texts:
 *
 *   npm run fuzz [-- TARGET ...] [--seconds 10] [--inputs N] [--seed 1] [--corpus DIR] [--save test/fuzz-cases] [--json]
 *   npm run fuzz -- --list
 *
 * Each target runs for so many seconds, or for so many inputs, which is what makes a run repeatable. Inputs that fail are made smaller and
 * saved; the test test/fuzz.long.test.ts runs the saved ones for ever. With --corpus, inputs that gave new answers are kept for the next run.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../src/input-error.ts";
import { fuzz } from "./run.ts";
import { digestOf } from "./target.ts";
import { targetOf, targets } from "./targets.ts";

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ seconds: { type: "string" }, inputs: { type: "string" }, seed: { type: "string", default: "1" } },
      ...{ corpus: { type: "string" }, save: { type: "string", default: "test/fuzz-cases" } },
      ...{ json: { type: "boolean", default: false }, list: { type: "boolean", default: false } },
    },
  });
  const number = (name: "seconds" | "inputs" | "seed") => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new InputError(`--${name}: expected a whole number, got ${JSON.stringify(text)}`);
    return Number(text);
  };
  return { ...values, seconds: number("seconds"), inputs: number("inputs"), seed: number("seed")!, names: positionals };
}

const filesIn = (folder: string) =>
  statSync(folder, { throwIfNoEntry: false })
    ? readdirSync(folder).sort().map((name) => new Uint8Array(readFileSync(join(folder, name)))) // biome-ignore format: one chain
    : [];

async function main(): Promise<void> {
  const { names, seconds, inputs, seed, corpus, save, json, list } = options();
  if (list) {
    console.log(targets.map(({ id }) => id).join("\n"));
    return;
  }
  const time = 1000 * (seconds ?? (inputs === undefined ? 10 : Infinity));
  for (const target of names.length > 0 ? names.map(targetOf) : targets) {
    const kept = corpus ? join(corpus, target.id) : undefined;
    const summary = await fuzz(target, { seed, time, inputs: inputs ?? Infinity, ...(kept && { corpus: filesIn(kept) }) });
    if (kept) {
      mkdirSync(kept, { recursive: true });
      for (const bytes of summary.corpus.slice(target.seeds().length))
        writeFileSync(join(kept, digestOf(bytes).slice(0, 12)), bytes);
    }
    const saved = summary.failures.map(({ bytes, why }) => {
      mkdirSync(save, { recursive: true });
      const path = join(save, `${target.id}.${digestOf(bytes).slice(0, 12)}`);
      writeFileSync(path, bytes);
      return { path, why };
    });
    const { corpus: all, failures: _, ...counts } = summary;
    if (json) console.log(JSON.stringify({ ...counts, corpus: all.length, failures: saved }));
    else
      console.log(
        `${target.id.padEnd(24)} ${String(counts.inputs).padStart(8)} inputs, ${counts.read} read, ${counts.refused} refused, ` +
          `${all.length} in the corpus, ${saved.length} failures, ${counts.seconds.toFixed(1)} s`,
      );
    for (const { path, why } of json ? [] : saved) console.log(`  ${path}: ${why.split("\n").slice(0, 4).join(" | ")}`);
    if (saved.length > 0) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  const known = error instanceof InputError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  if (!known) throw error;
  console.error(`fuzz: ${(error as Error).message}`);
  process.exitCode = 2;
}
