/**
 * The data sets of the papers: which files are looked for, under which names, and where those that cannot be shipped are to be had. A file
 * may be gzipped. What a directory lacks is left out, and the command says so.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface DataSet {
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[]; // relative to the directory of the data, without .gz
  readonly folds: readonly FoldFiles[]; // by number of the file; without valid, lists are held out of train
  readonly obtain: string; // where it comes from
  readonly bundled?: string; // a folder of this package that has the files
  readonly pooled?: true; // the lists of all files are split at random into as many parts as there are folds, whose numbers are in `folds`
  readonly grades: number; // different labels
}

export interface FoldFiles {
  readonly train: readonly number[];
  readonly valid?: readonly number[];
  readonly test: readonly number[];
}

/** A data set whose files are there. */
export interface Found {
  readonly set: DataSet;
  readonly paths: readonly string[];
  readonly digest: string; // of what the files hold
}

/** Five parts, of which three train, the next validates and the one after tests; `first` is the part that the first fold begins with. */
const letor = (first: number): FoldFiles[] =>
  [0, 1, 2, 3, 4].map((fold) => {
    const part = (p: number) => (fold + p + first) % 5;
    return { train: [part(0), part(1), part(2)], valid: [part(3)], test: [part(4)] };
  });

const parts = (folder: string, letter: string) => [1, 2, 3, 4, 5].map((part) => `${folder}/${letter}${part}.txt`);

const mslr = (folder: string) => ({
  files: [1, 2, 3, 4, 5].flatMap((fold) => ["train", "vali", "test"].map((name) => `${folder}/Fold${fold}/${name}.txt`)),
  folds: [0, 1, 2, 3, 4].map((fold) => ({ train: [3 * fold], valid: [3 * fold + 1], test: [3 * fold + 2] })),
  grades: 5,
});

const LETOR =
  "LETOR, Microsoft Research: https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/";
const REPOSITORY = "The Extreme Classification Repository: http://manikvarma.org/downloads/XC/XMLRepository.html";

export const mq2008: DataSet = {
  ...{ id: "mq2008", title: "MQ2008", files: parts("mq2008", "S"), folds: letor(0), grades: 3 },
  obtain: `${LETOR} (LETOR 4.0, MQ2008: the parts S1 to S5)`,
};

export const ohsumed: DataSet = {
  ...{ id: "ohsumed", title: "OHSUMED", files: parts("ohsumed", "T"), folds: letor(1), grades: 3 },
  obtain: `${LETOR} (LETOR 2.0, OHSUMED: T1 to T5 are the test sets of folds 1 to 5)`,
};

export const mq2007Agg: DataSet = {
  ...{ id: "mq2007-agg", title: "MQ2007-agg", files: parts("mq2007-agg", "A"), folds: letor(0), grades: 3 },
  obtain: `${LETOR} (LETOR 4.0, MQ2007-agg: the parts A1 to A5)`,
};

export const search: DataSet = {
  ...{ id: "search", title: "LightGBM example", files: ["train.txt", "test.txt"], folds: [{ train: [0], test: [1] }], grades: 5 },
  obtain: "part of this package (examples/search)",
  bundled: "examples/search",
};

/** Its 251 lists in five parts, because 50 test lists decide little. */
export const searchFolds: DataSet = {
  ...{ id: "search-folds", title: "LightGBM example, pooled", files: search.files, folds: letor(0), pooled: true, grades: 5 },
  ...{ obtain: search.obtain, bundled: "examples/search" },
};

/** The data sets on which every system and the other tools are compared. */
export const comparedSets: readonly DataSet[] = [mq2008, ohsumed, mq2007Agg, searchFolds];

export const web10k: DataSet = {
  ...{ id: "mslr-web10k", title: "MSLR-WEB10K", ...mslr("mslr-web10k") },
  obtain: "Microsoft Research: https://www.microsoft.com/en-us/research/project/mslr/",
};

export const web30k: DataSet = {
  ...{ id: "mslr-web30k", title: "MSLR-WEB30K", ...mslr("mslr-web30k") },
  obtain: "Microsoft Research: https://www.microsoft.com/en-us/research/project/mslr/",
};

export const yahoo: DataSet = {
  ...{ id: "yahoo", title: "Yahoo LTRC set 1", grades: 5 },
  files: ["train", "valid", "test"].map((name) => `yahoo/set1.${name}.txt`),
  folds: [{ train: [0], valid: [1], test: [2] }],
  obtain: "Yahoo Webscope, data set C14: https://webscope.sandbox.yahoo.com/catalog.php?datatype=c",
};

const labels = (id: string, title: string, folder: string, train: string, test: string): DataSet => ({
  ...{ id, title, files: [`${folder}/${train}`, `${folder}/${test}`], folds: [{ train: [0], test: [1] }], grades: 2 },
  obtain: REPOSITORY,
});

export const delicious = labels("delicious", "Delicious (D-1K)", "delicious", "delicious-train.xc.txt", "delicious-test.xc.txt");
export const eurlex = labels("eurlex", "Eurlex (E-4K)", "eurlex", "eurlex_train.txt", "eurlex_test.txt");
export const wiki10 = labels("wiki10", "Wiki10 (W-31K)", "wiki10", "wiki10_train.txt", "wiki10_test.txt");
export const delicious200k = labels(
  "delicious-200k",
  "Delicious-200K (D-200K)",
  "delicious-200k",
  "deliciousLarge_train.txt",
  "deliciousLarge_test.txt",
);

/** Ballots of a folder of PrefLib, a file for each election. */
const ballots = (id: string, title: string, folder: string, files: readonly string[]): DataSet => ({
  ...{ id, title, files: files.map((file) => `preflib/${folder}/${folder.slice(0, 5)}-${file}`), folds: [], grades: 0 },
  obtain: "PrefLib: https://preflib.github.io/PrefLib-Jekyll/",
});

const elections = (numbers: readonly number[]) => numbers.map((n) => `${String(n).padStart(8, "0")}.toc`);

export const debian = ballots("debian", "Debian votes", "00002-debian", elections([1, 2, 3, 4, 5, 6, 7, 8]));
export const skate = ballots(
  "skate",
  "Figure skating",
  "00006-skate",
  elections([1, 2, 5, 6, 9, 10, 13, 14, 15, 16, 17, 19, 20, 23, 24, 25, 26, 27, 30, 31, 38, 39, 40, 41, 42, 43, 45, 47]),
);
export const sushi = ballots("sushi", "Sushi, 10 of 100 in tiers", "00014-sushi", ["00000003.toi"]);

export const arena: DataSet = {
  ...{ id: "arena", title: "Chatbot Arena", files: ["arena/chatbot-arena-2024-08-14.csv"], folds: [], grades: 3 },
  obtain: "LMArena (battles of 2024-08-14), counted by pair: columns model_a, model_b, winner, count",
};

export function findSet(set: DataSet, folder: string): Found | undefined {
  const base = set.bundled ? packageFolder(set.bundled) : folder;
  const paths = set.files.map((name) => [join(base, `${name}.gz`), join(base, name)].find((path) => existsSync(path)));
  if (!paths.every((path) => path !== undefined)) return undefined;
  let digest: string | undefined;
  return {
    ...{ set, paths },
    get digest() {
      digest ??= digestOf(paths);
      return digest;
    },
  };
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}

/** A folder of this package, whether this module runs from its sources or compiled. */
export function packageFolder(folder: string): string {
  for (const up of ["../", "../../"]) {
    const there = fileURLToPath(new URL(up + folder, import.meta.url));
    if (existsSync(there)) return there;
  }
  return folder;
}
