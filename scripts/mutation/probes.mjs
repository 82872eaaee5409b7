// Finds out which test files run which sites: each chosen site reports when it is first run, in one run of all tests.
import { readFileSync } from "node:fs";
import { isKernel, writeSource } from "./files.mjs";

/**
 * Appended to a source with sites. A process writes each number once in each test, with the file and the name of the test; the setup of tests
 * (vitest.mjs) keeps both in the environment, which processes that a test starts inherit. Worker threads of a process of tests may serve several tests
 * and write the file alone; what runs without files, such as a browser, writes nothing. Not by appendFileSync, since tests put faults into
 * the functions of node:fs that it calls.
 */
const REPORT = `
function __site(n: any) {
  (__site as any)[n] = true;
  const p = (globalThis as any).process;
  const to = p?.env?.MUTATION_SITES;
  if (!to) return;
  ((globalThis as any).__sitesSeen ??= []).push(() => { (__site as any)[n] = false; });
  const own = p.env.MUTATION_PROCESS === String(p.pid) && !p.getBuiltinModule("node:worker_threads").isMainThread;
  const fs = p.getBuiltinModule("node:fs");
  const file = fs.openSync(to, "a");
  fs.writeSync(file, n + "\\t" + (p.env.MUTATION_TEST ?? "?") + "\\t" + (own ? "" : (p.env.MUTATION_NAME ?? "")) + "\\n");
  fs.closeSync(file);
}
`;

/** The text with a report at each site. Sites may contain one another. */
export function withProbes(text, sites) {
  const edits = sites.flatMap(({ id, probe: { start, end, statement } }) => [
    {
      at: start,
      order: 1,
      size: start - end,
      text: `${statement ? "{" : "("}(__site as any)[${id}] || __site(${id})${statement ? ";" : ", "}`,
    },
    { at: end, order: 0, size: end - start, text: statement ? "}" : ")" },
  ]);
  // At one place what closes comes before what opens; the outer opens first and closes last.
  edits.sort((a, b) => a.at - b.at || a.order - b.order || a.size - b.size);
  let [result, from] = ["", 0];
  for (const edit of edits) {
    result += text.slice(from, edit.at) + edit.text;
    from = edit.at;
  }
  return result + text.slice(from) + REPORT;
}

/** Puts reports into all sources of the copy that have sites, or takes them out again. */
export async function setProbes(copy, sources, sites, on) {
  for (const file of new Set(sites.map((site) => site.file))) {
    if (isKernel(file)) continue;
    const mine = sites.filter((site) => site.file === file);
    await writeSource(copy, file, on ? withProbes(sources.get(file), mine) : sources.get(file));
  }
}

/**
 * Sites with the files and names of the tests that ran them, as the reports wrote them: `[[7, "a.test.ts", "adds"], ...]`. An empty name: any test of
 * the file may run it.
 */
export const sitesIn = (path) => {
  const lines = new Set(readFileSync(path, "utf8").split("\n").filter(Boolean));
  return [...lines].map((line) => {
    const [id, file, name] = line.split("\t");
    return [Number(id), file, name];
  });
};
