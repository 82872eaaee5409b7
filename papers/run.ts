/**
 * Runs a paper: computes the cells of its exhibits that are not done yet, one after another, and writes a page, its numbers as JSON and its
 * drawings for each exhibit, and a page for the whole.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "./cells.ts";
import { type DataSet, type Found, findSet } from "./data-sets.ts";
import { makeFolder, writeDurably } from "./internal.ts";
import { blockText } from "./markdown.ts";
import type { Cell, Exhibit, Grid, Lab, Paper, Plan, Shown } from "./paper.ts";
import { readScoreFiles, type ScoreFile } from "./score-files.ts";

export interface RunOptions {
  readonly data?: string; // directory of the data sets; without it only those of the package are there
  readonly scores?: string; // directory of the score files of other tools; default: that of this repository
  readonly out: string;
  readonly quick: boolean;
  readonly fresh: boolean;
  readonly threads: number;
  readonly only?: readonly string[]; // exhibits, by id
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly done: number; // cells, those of earlier runs included
  readonly cells: number;
  readonly title: string; // of the cell that is computed now
  readonly share: number; // of the work, by weight
  readonly left?: number; // seconds, once something was measured
}

export interface Written {
  readonly folder: string;
  readonly exhibits: readonly { readonly id: string; readonly title: string; readonly page: string; readonly shown: Shown }[];
  readonly computed: number; // cells, in this run
  readonly kept: number; // from earlier runs
  readonly stale: number; // of those computed: that other code had computed before
  readonly missing: readonly DataSet[];
}

export async function runPaper(paper: Paper, options: RunOptions): Promise<Written> {
  const { out, quick, threads, only } = options;
  const wanted = paper.exhibits.filter(({ id }) => !only || only.includes(id));
  const finds = new Map<string, Found | undefined>();
  let files: readonly ScoreFile[] | undefined;
  const lab: Lab = {
    ...{ quick, threads },
    scores: () => (files ??= readScoreFiles(options.scores)),
    find(set) {
      if (!finds.has(set.id)) finds.set(set.id, findSet(set, options.data ?? ""));
      return finds.get(set.id);
    },
  };
  const store = openStore(join(out, "cells", `${paper.id}.jsonl`), options.fresh);
  const plans = wanted.map((exhibit) => ({ exhibit, plan: exhibit.plan(lab) }));
  const cells = plans.flatMap(({ plan }) => plan.cells);
  const todo = distinct(cells.filter((cell) => !store.has(cell)));
  const kept = distinct(cells).length - todo.length;
  const stale = todo.filter((cell) => store.isStale(cell)).length;
  const folder = join(out, paper.id);
  makeFolder(folder);

  const timer = stopwatch(todo, kept, options.onProgress);
  const exhibits: { id: string; title: string; page: string; shown: Shown }[] = [];
  for (const { exhibit, plan } of plans) {
    for (const cell of plan.cells) {
      if (store.has(cell)) continue;
      timer.begin(cell);
      store.put(cell, await cell.run());
      timer.end(cell);
    }
    const shown = plan.show((cell) => store.get(cell));
    exhibits.push({ id: exhibit.id, title: exhibit.title, page: writeExhibit(folder, paper, exhibit, plan, shown, lab), shown });
  }
  writePage(folder, paper);
  const sets = wanted.flatMap((exhibit) => exhibit.sets);
  const missing = [...new Map(sets.filter((set) => !lab.find(set)).map((set) => [set.id, set])).values()];
  return { folder, exhibits, computed: todo.length, kept, stale, missing };
}

/** Exhibits may share cells. */
function distinct(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [JSON.stringify(cell.settings), cell])).values()];
}

/** Reports progress, from the time that the cells so far took for their weight. */
function stopwatch(todo: readonly Cell[], kept: number, onProgress?: (progress: Progress) => void) {
  const total = todo.reduce((sum, { weight }) => sum + weight, 0);
  const begun = Date.now();
  let [done, weighed] = [0, 0];
  const report = (title: string) => {
    const spent = (Date.now() - begun) / 1000;
    const left = weighed > 0 ? { left: (spent * (total - weighed)) / weighed } : {};
    onProgress?.({ done: kept + done, cells: kept + todo.length, title, share: total > 0 ? weighed / total : 1, ...left });
  };
  return {
    begin: (cell: Cell) => report(cell.title),
    end(cell: Cell) {
      done++;
      weighed += cell.weight;
      if (done === todo.length) report("done");
    },
  };
}

/** The words that bring an exhibit out again. */
export const commandFor = (paper: Paper, exhibit: Exhibit, quick: boolean) =>
  `tierwise papers ${paper.id} --only ${exhibit.id}${exhibit.sets.some(({ bundled }) => !bundled) ? " --data DIR" : ""}${quick ? " --quick" : ""}`;

function writeExhibit(folder: string, paper: Paper, exhibit: Exhibit, plan: Plan, shown: Shown, lab: Lab): string {
  const command = commandFor(paper, exhibit, lab.quick);
  const [here, absent] = [exhibit.sets.filter((set) => lab.find(set)), exhibit.sets.filter((set) => !lab.find(set))];
  const used = here.length > 0 ? `Data: ${here.map(({ title }) => title).join(", ")}.` : "";
  const not = absent.length > 0 ? `Not there: ${absent.map(({ title }) => title).join(", ")}.` : "";
  const page = [
    `# ${exhibit.title}`,
    `\`\`\`\n${command}\n\`\`\``,
    [used, not, lab.quick ? "Quick: one fold, small settings, and larger data sets left out." : ""]
      .filter((one) => one !== "")
      .join(" "),
    shown.findings.map((finding) => `- ${finding}`).join("\n"),
    ...shown.blocks.map(blockText),
  ];
  const path = join(folder, `${exhibit.id}.md`);
  writeDurably(path, `${page.filter((one) => one !== "").join("\n\n")}\n`);
  for (const block of shown.blocks) if (block.kind === "plot") writeDurably(join(folder, `${block.name}.svg`), block.svg);
  const numbers = {
    ...{ paper: paper.id, exhibit: exhibit.id, title: exhibit.title, command, quick: lab.quick, cells: plan.cells.length },
    data: here.map((set) => ({ id: set.id, digest: lab.find(set)!.digest })),
    findings: shown.findings,
    tables: shown.blocks.flatMap((block) => (block.kind === "table" ? [bare(block.table)] : [])),
  };
  // A row of a table on a line, so that a change is seen where it is.
  const lines = JSON.stringify(numbers, null, 1).replace(/\[[^[\]{}]*\]/g, (row) => row.replace(/\n\s*/g, ""));
  writeDurably(join(folder, `${exhibit.id}.json`), `${lines}\n`);
  return path;
}

/** A table without what concerns its looks. */
const bare = ({ title, head, rows }: Grid) => ({
  ...{ title, head },
  rows: rows.map((row) =>
    row.map((entry) => (typeof entry === "object" && entry !== null ? digits(entry.value) : digits(entry))),
  ),
});

const digits = (value: string | number | null) => (typeof value === "number" ? Number(value.toPrecision(7)) : value);

/** The page of a paper: what came out of each exhibit that was ever run into this folder. */
function writePage(folder: string, paper: Paper): void {
  const parts = paper.exhibits.flatMap(({ id, title }) => {
    const path = join(folder, `${id}.json`);
    if (!existsSync(path)) return [];
    const { findings } = JSON.parse(readFileSync(path, "utf8")) as { findings: readonly string[] };
    return [
      [`## [${title}](${id}.md)`, ...(findings.length > 0 ? [findings.map((one) => `- ${one}`).join("\n")] : [])].join("\n\n"),
    ];
  });
  writeDurably(join(folder, "README.md"), `${[`# ${paper.title}`, paper.source, ...parts].join("\n\n")}\n`);
}
