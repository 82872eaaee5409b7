// Tests the tests: makes small random changes to src, one at a time, and tells which of them `npm test` catches.
//
//   node scripts/mutation-check.mjs [--mutants 200] [--seed 1] [--out mutants.jsonl] [--work FOLDER] [--list]
//   node scripts/mutation-check.mjs --recheck --out mutants.jsonl    runs the survivors again, with the tests of today
//
// Everything happens in a copy of the working tree (--work, by default in the folder of temporary files), which later runs use again. A run that
// was stopped goes on where it stopped. See "Mutation check" in CONTRIBUTING.md.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { createCopy, isKernel, keep, sourceFiles, testFiles, writeSource } from "./mutation/files.mjs";
import { setProbes, sitesIn } from "./mutation/probes.mjs";
import { sitesOf } from "./mutation/sites.mjs";
import { typeChecker } from "./mutation/types.mjs";
import { runTests, writeConfig } from "./mutation/vitest.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    ...{ mutants: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
    ...{ out: { type: "string", default: "mutants.jsonl" }, work: { type: "string" } },
    ...{ list: { type: "boolean", default: false }, recheck: { type: "boolean", default: false } },
  },
});
const [wanted, seed] = [Number(values.mutants), Number(values.seed)];
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
 * One run of test files with reports of sites: what each site is run by, how long files take, and that they pass without changes. The results
 * of each few files are kept, so that a run that is stopped need not begin again.
 */
async function baseline(sources, mutants, wanted) {
  const path = join(copy, "mutation-baseline.jsonl");
  const done = linesOf(path);
  const left = wanted.filter((file) => !done.some(({ files }) => files.includes(file)));
  if (left.length > 0) {
    console.log(`running ${left.length} test files once, to see which of them run which sites ...`);
    await setProbes(copy, sources, mutants, true);
    const reports = join(copy, "mutation-sites.txt");
    while (left.length > 0) {
      const files = left.splice(0, TOGETHER);
      writeFileSync(reports, "");
      const { failed, seconds } = await runTests(copy, files, { most: Infinity, bail: false, env: { MUTATION_SITES: reports } });
      const suspects = failed.some(({ file }) => file === "") ? files : [...new Set(failed.map(({ file }) => file))];
      const result = { files, seconds: Object.fromEntries(seconds), suspects, sites: sitesIn(reports) };
      appendFileSync(path, `${JSON.stringify(result)}\n`);
      done.push(result);
    }
    await setProbes(copy, sources, mutants, false);
  }
  const suspects = done.flatMap((one) => one.suspects);
  const judged = done.flatMap((one) => one.judged ?? []);
  const open = suspects.filter((file) => !judged.includes(file));
  if (open.length > 0) {
    const { failed } = await runTests(copy, open, { most: Infinity, bail: false });
    done.push({
      files: [],
      seconds: {},
      suspects: [],
      sites: [],
      judged: open,
      broken: [...new Set(failed.map(({ file }) => file))],
    });
    appendFileSync(path, `${JSON.stringify(done.at(-1))}\n`);
  }
  const broken = done.flatMap((one) => one.broken ?? []);
  const usable = wanted.filter((file) => !broken.includes(file));
  const sites = done.flatMap((one) => one.sites);
  const covering = mutants.map((mutant) => {
    if (isKernel(mutant.file)) return usable;
    const tests = new Set(
      sites.filter(([id]) => id === mutant.id).map(([, test]) => (test.startsWith(copy) ? test.slice(copy.length + 1) : "")),
    );
    // A test that the reports themselves break, or a process that does not know its test, may run any site.
    return usable.filter((file) => tests.has(file) || suspects.includes(file) || (tests.has("") && file.startsWith("test/")));
  });
  return { seconds: Object.assign({}, ...done.map((one) => one.seconds)), broken, suspects, covering };
}

/** Test files in the order in which they are likely to catch a change: its own, those of its folder, then short ones. */
function ordered(file, tests, seconds) {
  const name = basename(file, ".ts");
  const folder = isKernel(file) ? "src/numeric" : dirname(file);
  const distance = (test) => (basename(test, ".test.ts") === name ? 0 : dirname(test) === folder ? 1 : 2);
  const cost = (test) => distance(test) * 4 + (seconds[test] ?? 0);
  return [...tests].sort((a, b) => cost(a) - cost(b));
}

const FIRST = 15; // seconds of the tests that are run for every change

/** The first tests, as far as they take no more than these seconds. */
function within(tests, seconds) {
  let sum = 0;
  return tests.filter((test) => (sum += seconds[test] ?? 1) <= FIRST);
}

/** The first of the tests that fails with the change, or nothing. Each process runs more tests than the one before. */
async function caughtBy(tests, seconds) {
  const left = [...tests];
  for (let budget = 6; left.length > 0; budget *= 4) {
    const batch = [];
    for (let sum = 0; left.length > 0 && (batch.length === 0 || sum + (seconds[left[0]] ?? 1) <= budget); ) {
      sum += 1 + (seconds[left[0]] ?? 1);
      batch.push(left.shift());
    }
    const usual = batch.reduce((sum, test) => sum + 2 + (seconds[test] ?? 1), 0);
    const { failed } = await runTests(copy, batch, { most: 30 + 5 * usual });
    if (failed.length > 0) return { ...failed[0], batch };
  }
  return undefined;
}

async function check(mutant, text, tests, seconds) {
  const began = Date.now();
  const restore = keep(copy, mutant.file);
  const builds = await writeSource(copy, mutant.file, replace(text, mutant));
  const caught = builds ? await caughtBy(tests, seconds) : { file: "", title: "the build", message: "" };
  restore();
  const { id, file, line, column, kind, from, to } = mutant;
  const by = caught && {
    test: caught.file || caught.batch?.join(" ") || "",
    title: caught.title,
    message: caught.message.split("\n")[0].slice(0, 200),
  };
  const result = {
    id,
    file,
    line,
    column,
    kind,
    from,
    to,
    status: !builds ? "unbuildable" : caught ? "caught" : "survived",
    by,
    tests: tests.length,
  };
  return { ...result, source: text.split("\n")[line - 1], seconds: Math.round((Date.now() - began) / 1000) };
}

function summarize(results) {
  const counted = results.filter(({ status }) => status !== "unbuildable");
  const caught = counted.filter(({ status }) => status === "caught").length;
  for (const one of counted.filter(({ status }) => status === "survived")) console.log(`survived  ${one.id}  ${nameOf(one)}`);
  console.log(`${caught} of ${counted.length} changes caught (${((100 * caught) / counted.length).toFixed(1)} %)`);
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
  const done = new Map(linesOf(values.out).map((one) => [one.id, one]));
  const all = testFiles(copy);
  // First the tests beside the sources, which catch most changes in seconds; those of the whole program only for what is left.
  for (const [last, tests] of [
    [false, all.filter((file) => !file.startsWith("test/"))],
    [true, all],
  ]) {
    const { covering, seconds, broken, suspects } = await baseline(sources, chosen, tests);
    if (suspects.length > 0) console.log(`run for every change, since they fail with reports: ${suspects.join(" ")}`);
    if (broken.length > 0) console.log(`left out, since they fail without a change: ${broken.join(" ")}`);
    // In the order in which they were drawn, so that those that are done when a run is stopped are a random sample.
    for (const [i, mutant] of chosen.entries()) {
      const before = done.get(mutant.id);
      if (before && (before.status !== "open" || !last)) continue;
      const fresh = ordered(mutant.file, covering[i].filter((test) => !before?.seen.includes(test)), seconds); // biome-ignore format: one call
      const left = last ? fresh : within(fresh, seconds);
      const result = await check(mutant, sources.get(mutant.file), left, seconds);
      if (result.status === "survived" && !last) result.status = "open";
      const all = { ...result, seen: [...(before?.seen ?? []), ...left] };
      done.set(mutant.id, all);
      record(all);
      console.log(`${all.status.padEnd(8)} ${all.id}  ${nameOf(all)}  ${all.by?.test ?? ""}  ${all.seconds} s`);
    }
  }
  summarize([...done.values()]);
}

await main();
