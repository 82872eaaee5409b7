/** `tierwise papers`: reproduces the tables of the papers and our own. */
import type { Command } from "commander";
import { type DataSet, type Paper, papers, runPaper, type Written } from "../../papers/index.ts";
import { checkFolder, isFolder } from "../formats/check-paths.ts";
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import { cores, MOST } from "../teams/threads.ts";
import { wholeNumber } from "./options.ts";
import { notice, print, printJson } from "./output.ts";
import { durationText, progress } from "./progress.ts";

interface Options {
  readonly data?: string;
  readonly scores?: string;
  readonly out?: string;
  readonly only?: string;
  readonly quick?: true;
  readonly fresh?: true;
  readonly threads?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const OUT = "papers/results";

export function papersCommand(program: Command): void {
  program
    .command("papers")
    .summary("reproduce the tables of the papers")
    .description(
      "Without a name: lists the papers, their tables, and the data sets that they use. With a name: reproduces its tables from the data sets that are available; an interrupted run resumes where it stopped.",
    )
    .argument("[paper]", "name of a paper")
    .option("--data <folder>", "where the data sets are")
    .option("--scores <folder>", "score files of other tools for the leaderboard (default: papers/scores of the repository)")
    .option("--out <folder>", `output folder for pages, numbers and figures (default: ${OUT}; with --quick ${OUT}/quick)`)
    .option("--only <names>", "comma-separated tables and figures")
    .option("--quick", "one fold, few trees and passes: minutes instead of hours")
    .option("--fresh", "recompute everything, also results of earlier runs by the same code")
    .option("--threads <number>", "number of threads; does not affect the result (default: all cores)")
    .option("--json", "print the result as one line of JSON")
    .option("--quiet", "suppress progress and notices")
    .action((name: string | undefined, options: Options) => run(name, options));
}

async function run(name: string | undefined, options: Options): Promise<void> {
  const threads = wholeNumber("threads", options.threads, 1, MOST) ?? cores();
  const { data, scores, quiet = false } = options;
  for (const [option, path] of Object.entries({ data, scores }))
    if (path !== undefined && !isFolder(path)) throw new InputError(`--${option}: there is not a folder ${quote(path)}`);
  if (name === undefined)
    return options.json ? printJson(papers.map(paperJson)) : print([...papers.map(paperText), dataText()].join("\n\n"));
  const paper = papers.find(({ id }) => id === name);
  if (!paper)
    throw new InputError(
      `no paper is called ${quote(name)}; ${suggest(
        name,
        papers.map(({ id }) => id),
      )}`,
    );
  const quick = options.quick ?? false;
  const only = options.only?.split(",").map((one) => one.trim());
  const known = paper.exhibits.map(({ id }) => id);
  const strange = only?.find((one) => !known.includes(one));
  if (strange !== undefined)
    throw new InputError(`${paper.id} has no table or figure ${quote(strange)}; ${suggest(strange, known)}`);

  const out = options.out ?? (quick ? `${OUT}/quick` : OUT);
  checkFolder("--out", out);

  const bar = progress(paper.id, quiet);
  const written = await runPaper(paper, {
    ...(data === undefined ? {} : { data }),
    ...(scores === undefined ? {} : { scores }),
    ...(only ? { only } : {}),
    ...{ out, quick, fresh: options.fresh ?? false, threads },
    onProgress({ done, cells, title, share: fraction, left }) {
      const text = `${done} of ${cells}${left === undefined ? "" : `, ${durationText(left)} left`}: ${title}`;
      bar.at(fraction, text);
      bar.line(text);
    },
  });
  bar.done();
  if (!quiet) for (const set of written.missing) notice(`not there: ${where(set)}`);
  if (options.json) return printJson(jsonOf(paper, written));
  for (const { title, page, shown } of written.exhibits)
    print([title, ...shown.findings.map((one) => `  - ${one}`), `  ${page}`, ""].join("\n"));
  const again = written.stale > 0 ? ` (${written.stale} again, because the code has changed)` : "";
  print(`${written.computed} cells computed${again}, ${written.kept} kept from earlier runs.`);
}

const jsonOf = ({ id }: Paper, { folder, exhibits, computed, kept, stale, missing }: Written) => ({
  ...{ paper: id, folder, computed, kept, stale, missing: missing.map((set) => set.id) },
  exhibits: exhibits.map(({ id, title, page, shown }) => ({ id, title, page, findings: shown.findings })),
});

/** Which files are looked for, and where they are to be had. */
function where({ title, files, obtain, bundled }: DataSet): string {
  if (bundled) return `${title}: ${obtain}`;
  const shown = files.length > 6 ? `${files.slice(0, 3).join(", ")}, ... ${files.at(-1)}` : files.join(", ");
  return `${title}: put ${shown} (or the same with .gz) into the folder of --data. From ${obtain}`;
}

const setsOf = (...some: readonly Paper[]): DataSet[] => [
  ...new Map(some.flatMap(({ exhibits }) => exhibits.flatMap(({ sets }) => sets)).map((set) => [set.id, set])).values(),
];

const dataText = () => ["DATA", ...setsOf(...papers).map((set) => `  ${where(set)}`)].join("\n");

function paperText(paper: Paper): string {
  const { id, title, source, about, exhibits } = paper;
  return [
    `${id}`,
    `  ${title}. ${source}`,
    `  ${about}`,
    ...exhibits.map((exhibit) => `    ${exhibit.id.padEnd(14)} ${exhibit.title}`),
    `    data: ${setsOf(paper)
      .map(({ title }) => title)
      .join(", ")}`,
  ].join("\n");
}

const paperJson = (paper: Paper) => ({
  ...{ id: paper.id, title: paper.title, source: paper.source, about: paper.about },
  exhibits: paper.exhibits.map(({ id, title }) => ({ id, title })),
  data: setsOf(paper).map(({ id, title, files, obtain }) => ({ id, title, files, obtain })),
});
