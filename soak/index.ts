/** Differential tests that keep running: `npm run soak`. HELP has its options. */
import { parseArgs } from "node:util";
import { InputError } from "../src/input-error.ts";
import { checkOf, checks } from "./checks.ts";
import { type Failure, Soak } from "./run.ts";

const HELP = `npm run soak [-- options]

Computes random cases in different ways that must agree. Checks take turns, and progress is printed every minute. Without --seconds and
--cases it runs until it is ended. A case has a number from which everything in it follows; "--only NAME --first NUMBER --cases 1" runs one
again. Exit code 1: a case failed.

  --seconds N      time for all checks together
  --cases N        cases of each check
  --seed N         begins with case number N million (default: 1)
  --first NUMBER   begins with this case
  --only NAME      runs one check; may be repeated
  --list           the checks`;

const MINUTE = 60_000;
const MILLION = 1_000_000;

function options() {
  const { values } = parseArgs({
    options: {
      ...{ seconds: { type: "string" }, cases: { type: "string" }, seed: { type: "string", default: "1" } },
      ...{ first: { type: "string" }, only: { type: "string", multiple: true }, list: { type: "boolean", default: false } },
      help: { type: "boolean", default: false, short: "h" },
    },
  });
  const number = (name: "seconds" | "cases" | "seed" | "first") => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text)) throw new InputError(`--${name}: expected a whole number, got ${JSON.stringify(text)}`);
    return Number(text);
  };
  return {
    ...{ list: values.list, help: values.help, seconds: number("seconds") ?? Infinity, cases: number("cases") ?? Infinity },
    ...{ first: number("first") ?? MILLION * number("seed")!, chosen: values.only?.map(checkOf) ?? checks },
  };
}

async function main(): Promise<void> {
  const { list, help, seconds, cases, first, chosen } = options();
  if (help) {
    console.log(HELP);
    return;
  }
  if (list) {
    for (const { id, about } of checks) console.log(`${id.padEnd(12)} ${about}`);
    return;
  }
  const began = performance.now();
  const all = chosen.map((check) => ({ check, soak: new Soak(check), done: 0, seconds: 0 }));
  const failures: Failure[] = [];
  const elapsed = () => (performance.now() - began) / 1000;
  const report = () => {
    const counts = all.map(({ check, done }) => `${check.id} ${done}`).join(", ");
    console.log(`${elapsed().toFixed(0).padStart(6)} s: ${counts} cases, ${failures.length} failures`);
  };
  const progress = setInterval(report, MINUTE);
  try {
    while (elapsed() < seconds && all.some(({ done }) => done < cases)) {
      // The check that has had the least time goes on, so that all get the same.
      const next = all.filter(({ done }) => done < cases).sort((a, b) => a.seconds - b.seconds)[0]!;
      const start = performance.now();
      const length = Math.min(next.check.batch, cases - next.done);
      const found = await next.soak.run(Array.from({ length }, (_, i) => first + next.done + i));
      next.done += length;
      next.seconds += (performance.now() - start) / 1000;
      for (const { check, number, why } of found)
        console.log(
          `${check}, case ${number} (--only ${check} --first ${number} --cases 1): ${why.split("\n").slice(0, 6).join(" | ")}`,
        );
      failures.push(...found);
    }
  } finally {
    clearInterval(progress);
    await Promise.all(all.map(({ soak }) => soak.close()));
  }
  report();
  if (failures.length > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  const known = error instanceof InputError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  if (!known) throw error;
  console.error(`soak: ${(error as Error).message}`);
  process.exitCode = 2;
}
