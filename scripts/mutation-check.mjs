// Tests the tests: makes small random changes to src, one at a time, and reports which of them `npm test` catches.
//
//   node scripts/mutation-check.mjs [--mutants 200] [--seed 1] [--out mutants.jsonl] [--work FOLDER] [--list]
//        [--seconds 240] stops after so long   [--part 1/2] takes every second change
//        [--nearest 5] runs only so many test files for each change, those nearest by imports, without the first run of all tests
//   node scripts/mutation-check.mjs --recheck --out mutants.jsonl    runs the survivors again, with the tests of today
//
// Everything happens in a copy of the working tree (--work, by default in the folder of temporary files), which later runs use again. A run that
// was stopped goes on where it stopped. See "Mutation check" in CONTRIBUTING.md.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { copySources, createCopy, isKernel, keep, sourceFiles, testFiles, writeSource } from "./mutation/files.mjs";
import { distances, nearestTests } from "./mutation/imports.mjs";
import { setProbes, sitesIn } from "./mutation/probes.mjs";
import { sitesOf } from "./mutation/sites.mjs";
import { typeChecker } from "./mutation/types.mjs";
import { runTests, writeConfig } from "./mutation/vitest.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    ...{ mutants: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
    ...{ out: { type: "string", default: "mutants.jsonl" }, work: { type: "string" } },
    ...{ seconds: { type: "string", default: "Infinity" }, part: { type: "string", default: "1/1" } },
    nearest: { type: "string" },
    ...{ list: { type: "boolean", default: false }, recheck: { type: "boolean", default: false } },
  },
});
const [wanted, seed] = [Number(values.mutants), Number(values.seed)];
const [part, parts] = values.part.split("/").map(Number);
const hasTime = () => performance.now() < 1000 * Number(values.seconds);
const copy = values.work ?? join(tmpdir(), `tierwise-mutation-${seed}`);
const { random } = await import(new URL("../dist/src/numeric/random.js", import.meta.url).href);

const linesOf = (path) =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
const record = (line) => appendFileSync(values.out, `${JSON.stringify(line)}\n`);
const replace = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);
const nameOf = ({ file, line, kind, from, to }) => `${file}:${line} ${kind}: ${from} -> ${to}`.replace(/\s+/g, " ");

/** Sites drawn uniformly from all sources, each with one of its changes, until enough of them have no type error. */
function draw(sources) {
  const checker = typeChecker(copy);
  const program = checker.program();
  const all = [...sources].flatMap(([file, text]) => {
    const parsed = isKernel(file)
      ? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
      : program.getSourceFile(join(copy, file));
    if (!parsed) throw new Error(`${file} is not part of the build`);
    return sitesOf(parsed, isKernel(file) ? undefined : program.getTypeChecker()).map((site) => ({ file, ...site }));
  });
  const next = random(seed, 0x307a);
  const [chosen, untyped] = [[], 0];
  const drawn = { chosen, untyped, sites: all.length };
  const left = [...all];
  while (chosen.length < wanted && left.length > 0) {
    const at = Math.floor(next() * left.length);
    const { changes, ...site } = left[at];
    left[at] = left.at(-1);
    left.pop();
    const text = sources.get(site.file);
    const to = changes[Math.floor(next() * changes.length)];
    const before = text.slice(0, site.start).split("\n");
    const mutant = {
      id: chosen.length + 1,
      ...site,
      from: text.slice(site.start, site.end),
      to,
      line: before.length,
      column: before.at(-1).length,
    };
    if (!isKernel(site.file) && checker.errorOf(site.file, replace(text, mutant))) drawn.untyped++;
    else chosen.push(mutant);
  }
  return drawn;
}

const TOGETHER = 8; // test files of one process of the first run

/**
 * One run of test files with reports of sites: which tests run which site, how long they take, and that they pass without changes. The results
 * of each few files are kept, so that a run that is stopped need not begin again.
 */
async function baseline(sources, mutants, wanted) {
  const path = join(copy, "mutation-baseline.jsonl");
  const done = linesOf(path);
  const left = wanted.filter((file) => !done.some(({ files }) => files.includes(file)));
  const add = (result) => {
    appendFileSync(path, `${JSON.stringify(result)}\n`);
    done.push(result);
  };
  if (left.length > 0) {
    console.log(`running ${left.length} test files once, to see which of their tests run which sites ...`);
    await setProbes(copy, sources, mutants, true);
    const reports = join(copy, "mutation-sites.txt");
    while (left.length > 0 && hasTime()) {
      const files = left.splice(0, TOGETHER);
      writeFileSync(reports, "");
      const { failed, seconds, tests } = await runTests(copy, files, {
        most: Infinity,
        bail: false,
        env: { MUTATION_SITES: reports },
      });
      const suspects = failed.some(({ file }) => file === "") ? files : [...new Set(failed.map(({ file }) => file))];
      const times = Object.fromEntries([...tests].map(([file, all]) => [file, all.map(([name, time]) => [name, time])]));
      add({ files, seconds: Object.fromEntries(seconds), tests: times, suspects, sites: sitesIn(reports) });
    }
    await setProbes(copy, sources, mutants, false);
    if (left.length > 0) return undefined;
  }
  const suspects = done.flatMap((one) => one.suspects ?? []);
  const judged = done.flatMap((one) => one.judged ?? []);
  const open = suspects.filter((file) => !judged.includes(file));
  if (open.length > 0) {
    const { failed } = await runTests(copy, open, { most: Infinity, bail: false });
    add({ files: [], sites: [], judged: open, broken: [...new Set(failed.map(({ file }) => file))] });
  }
  const broken = done.flatMap((one) => one.broken ?? []);
  const seconds = Object.assign({}, ...done.map((one) => one.seconds));
  const tests = Object.assign({}, ...done.map((one) => one.tests));
  const usable = wanted.filter((file) => !broken.includes(file));
  const sites = done.flatMap((one) => one.sites);
  return { broken, suspects, plans: mutants.map((mutant) => planOf(mutant, { usable, suspects, sites, seconds, tests })) };
}

/**
 * The test files that may catch a change, those likely to catch it first, each with the tests that run it (none named: all) and the seconds they
 * take: `{ file, names, seconds }`.
 */
function planOf(mutant, { usable, suspects, sites, seconds, tests }) {
  const mine = sites.filter(([id]) => id === mutant.id);
  const unknown = mine.some(([, file]) => file === "?"); // a process that does not know its test
  const plan = usable.flatMap((file) => {
    const whole = { file, names: undefined, seconds: seconds[file] ?? 1 };
    // A test that the reports themselves break may run any site.
    if (isKernel(mutant.file) || suspects.includes(file) || (unknown && file.startsWith("test/"))) return [whole];
    const reached = mine.filter(([, test]) => test === file).map(([, , name]) => name);
    if (reached.length === 0) return [];
    const times = new Map(tests[file] ?? []);
    // Import and hooks are what the tests themselves do not take.
    const rest = [...times.values()].reduce((sum, time) => sum - time, whole.seconds);
    if (reached.includes("") || reached.some((name) => !times.has(name)) || unsound.has(file)) return [whole];
    return [{ file, names: reached, seconds: Math.max(0, rest) + reached.reduce((sum, name) => sum + times.get(name), 0) }];
  });
  const name = basename(mutant.file, ".ts");
  const folder = isKernel(mutant.file) ? "src/numeric" : dirname(mutant.file);
  const distance = (test) => (basename(test, ".test.ts") === name ? 0 : dirname(test) === folder ? 1 : 2);
  const cost = (one) => distance(one.file) * 4 + one.seconds;
  return plan.sort((a, b) => cost(a) - cost(b));
}

/** The nearest test files of each change. What they do not catch stays open, for a run with all tests. */
function nearestPlans(sources, mutants, most) {
  const tests = testFiles(copy);
  const toSource = distances(copy, sources.keys(), tests);
  const sizeOf = (file) => statSync(join(copy, file)).size;
  return mutants.map(({ file }) =>
    nearestTests(file, tests, toSource, sizeOf)
      .slice(0, most)
      .map((test) => ({ file: test, names: undefined, seconds: 2 })),
  );
}

const FIRST = 15; // seconds of the tests that are run for every change

/** The first of the tests, as far as they take no more than these seconds. */
function nearest(plan) {
  let sum = 0;
  return plan.filter((one, i) => (sum += one.seconds) <= FIRST || i === 0);
}

const onlyOf = (plan) => Object.fromEntries(plan.filter(({ names }) => names).map(({ file, names }) => [file, names]));

/**
 * The first of the tests that fails with the change, and the files that were run. Each process runs more tests than the one before. Undefined in
 * place of a test: none fails, or the time is over.
 */
async function caughtBy(plan) {
  const left = [...plan];
  const seen = [];
  for (let budget = 6; left.length > 0; budget *= 4) {
    if (seen.length > 0 && !hasTime()) break;
    const batch = [];
    for (let sum = 0; left.length > 0 && (batch.length === 0 || sum + left[0].seconds <= Math.min(budget, LONGEST)); ) {
      sum += 1 + left[0].seconds;
      batch.push(left.shift());
    }
    const usual = batch.reduce((sum, one) => sum + 2 + one.seconds, 0);
    const files = batch.map(({ file }) => file);
    const { failed } = await runTests(copy, files, { most: 30 + 5 * usual, only: onlyOf(batch) });
    seen.push(...files);
    if (failed.length > 0) return { caught: { ...failed[0], files }, seen, left: left.length };
  }
  return { seen, left: left.length };
}

const LONGEST = 100; // seconds of tests in one process, so that a run with --seconds ends in time

/** Whether tests pass without a change if those of their files that do not reach the change are left out, as they were with it. */
async function passWithout({ files }, plan) {
  const batch = plan.filter(({ file }) => files.includes(file));
  if (batch.every(({ names }) => !names)) return true;
  const { failed } = await runTests(copy, files, { most: Infinity, bail: false, only: onlyOf(batch) });
  for (const { file } of failed) unsound.add(file);
  return failed.length === 0;
}

const unsound = new Set(); // files whose tests depend on one another, which are run as a whole

async function check(mutant, text, plan) {
  const began = Date.now();
  const restore = keep(copy, mutant.file);
  const builds = await writeSource(copy, mutant.file, replace(text, mutant));
  const { caught, seen, left } = builds
    ? await caughtBy(plan)
    : { caught: { file: "", title: "the build", message: "" }, seen: [], left: 0 };
  restore();
  const { id, file, line, column, kind, from, to } = mutant;
  const by = caught && {
    test: caught.file || caught.files?.join(" ") || "",
    title: caught.title,
    message: caught.message.split("\n")[0].slice(0, 200),
  };
  const status = !builds ? "unbuildable" : caught ? "caught" : left > 0 ? "open" : "survived";
  const result = { id, file, line, column, kind, from, to, status, by, seen };
  // The only one that failed alone is enough: it fails with the change and passes without.
  if (status === "caught" && caught.file && !(await passWithout({ files: [caught.file] }, plan)))
    return { ...result, status: "open", by: undefined, seen: seen.filter((one) => one !== caught.file) };
  return { ...result, source: text.split("\n")[line - 1], seconds: Math.round((Date.now() - began) / 1000) };
}

function summarize(results) {
  const counted = results.filter(({ status }) => status !== "unbuildable");
  const caught = counted.filter(({ status }) => status === "caught").length;
  const open = counted.filter(({ status }) => status === "open").length;
  for (const one of counted.filter(({ status }) => status === "survived")) console.log(`survived  ${one.id}  ${nameOf(one)}`);
  const judged = counted.length - open;
  console.log(`${caught} of ${judged} changes caught (${((100 * caught) / judged).toFixed(1)} %), ${open} not finished`);
}

/** The sources as they were copied, also after a run was stopped in the middle of a change. */
async function originals() {
  const path = join(copy, "mutation-sources.json");
  if (!existsSync(path)) {
    const files = sourceFiles(root).map((file) => [file, readFileSync(join(copy, file), "utf8")]);
    writeFileSync(path, JSON.stringify(files));
  }
  const sources = new Map(JSON.parse(readFileSync(path, "utf8")));
  for (const [file, text] of sources) if (readFileSync(join(copy, file), "utf8") !== text) await writeSource(copy, file, text);
  return sources;
}

async function main() {
  if (!existsSync(join(copy, "dist/.stamp"))) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true });
    createCopy(root, copy);
  }
  writeConfig(copy);
  const sources = await originals();
  const drawn = join(copy, `mutation-drawn-${seed}-${wanted}.json`);
  if (!existsSync(drawn)) writeFileSync(drawn, JSON.stringify(draw(sources)));
  const { chosen, untyped, sites } = JSON.parse(readFileSync(drawn, "utf8"));
  console.log(`${chosen.length} changes of ${sites} sites, ${untyped} others left out for their type errors`);
  if (values.list) {
    for (const mutant of chosen) console.log(`${mutant.id}  ${nameOf(mutant)}`);
    return;
  }
  if (values.recheck) copySources(root, copy, (path) => !sources.has(path) && !path.startsWith("scripts/"));
  const results = new Map(linesOf(values.out).map((one) => [one.id, one]));
  const known = values.nearest
    ? { plans: nearestPlans(sources, chosen, Number(values.nearest)), broken: [], suspects: [] }
    : await baseline(sources, chosen, testFiles(copy));
  if (!known) return console.log("the time is over; run the same command again");
  const { plans, broken, suspects } = known;
  if (suspects.length > 0) console.log(`run for every change, since they fail with reports: ${suspects.join(" ")}`);
  if (broken.length > 0) console.log(`left out, since they fail without a change: ${broken.join(" ")}`);
  // First what is near, which catches most changes in seconds, for all of them; then the rest of the tests for what is left. In the order
  // in which they were drawn, so that those that are done when a run is stopped are a random sample.
  for (const first of values.recheck ? [false] : values.nearest ? [true] : [true, false])
    for (const [i, mutant] of chosen.entries()) {
      if (!hasTime()) break;
      if (mutant.id % parts !== part % parts) continue;
      const before = results.get(mutant.id);
      const again = values.recheck && before?.status === "survived" && !before.rechecked;
      if (before && !again && (first || before.status !== "open")) continue;
      const seen = again ? [] : (before?.seen ?? []);
      const left = plans[i].filter(({ file }) => !seen.includes(file));
      const plan = again ? left.map((one) => ({ ...one, names: undefined })) : first && !values.nearest ? nearest(left) : left;
      const result = await check(mutant, sources.get(mutant.file), plan);
      if (result.status === "survived" && (values.nearest || plan.length < left.length)) result.status = "open";
      const all = { ...result, seen: [...seen, ...result.seen], ...(values.recheck && { rechecked: result.status !== "open" }) };
      results.set(mutant.id, all);
      record(all);
      console.log(`${all.status.padEnd(8)} ${all.id}  ${nameOf(all)}  ${all.by?.test ?? ""}  ${all.seconds} s`);
    }
  summarize([...results.values()]);
}

await main();
