/** Fuzzing of everything that reads files or texts: `npm run fuzz`. HELP has its options. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../src/input-error.ts";
import { fuzz } from "./run.ts";
import { digestOf } from "./target.ts";
import { targetOf, targets } from "./targets.ts";

const HELP = `npm run fuzz [-- TARGET ...] [options]

Changes valid inputs at random and gives them to everything that reads files or texts. Exit code 1: an input failed.

  --seconds N    time for each target (default: 10)
  --inputs N     inputs for each target, in place of a time: the run can be repeated
  --seed N       draws other inputs (default: 1)
  --corpus DIR   keeps inputs with new answers, for the next run
  --save DIR     where inputs that fail go, made smaller; npm run test:long runs them again (default: test/fuzz-cases)
  --json         a line of JSON for each target
  --list         the names of the targets`;

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ seconds: { type: "string" }, inputs: { type: "string" }, seed: { type: "string", default: "1" } },
      ...{ corpus: { type: "string" }, save: { type: "string", default: "test/fuzz-cases" } },
      ...{ json: { type: "boolean", default: false }, list: { type: "boolean", default: false } },
      help: { type: "boolean", default: false, short: "h" },
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
  const { names, seconds, inputs, seed, corpus, save, json, list, help } = options();
  if (list || help) {
    console.log(help ? HELP : targets.map(({ id }) => id).join("\n"));
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
