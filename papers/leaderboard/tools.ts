/** Other tools with their defaults, and trees with theirs: means on each data set, and differences list by list. */
import { comparedSets } from "../data-sets.ts";
import { markBest } from "../markdown.ts";
import { type Entry, type Exhibit, type Grid, table, text, type Values } from "../paper.ts";
import { contestsWithScores } from "../score-files.ts";
import { type Contest, cellsOf, type Entrant, emptyLists, listsOf, meanOf, pText, secondsOf } from "../systems.ts";
import { DEFAULTS, defaultTrees, METRIC, METRICS, OTHERS } from "./defaults.ts";
import { type Difference, differences } from "./differences.ts";

const named = ({ entrants }: Contest, name: string): Entrant => entrants.find(({ system }) => system.name === name)!;

/** The systems that all data sets have. */
const namesOf = (all: readonly Contest[]) =>
  (all[0]?.entrants ?? [])
    .map(({ system }) => system.name)
    .filter((name) => all.every((contest) => named(contest, name) !== undefined));

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function meansGrid(all: readonly Contest[], value: Values): Grid {
  const rows = namesOf(all)
    .map((name) => ({ name, means: all.map((contest) => meanOf(named(contest, name), METRIC, value)) }))
    .sort((a, b) => average(b.means) - average(a.means))
    .map(({ name, means }): Entry[] => [
      name,
      ...means,
      average(means),
      ...all.map((contest) => ({ value: secondsOf(named(contest, name), value), digits: 2 })),
    ]);
  const titles = all.map(({ found }) => found.set.title);
  return {
    title: "NDCG@10, means of the folds, and seconds of processor time of one training",
    head: ["system", ...titles, "mean", ...titles.map((title) => `${title}, s`)],
    rows: markBest(rows, 1, 2 + all.length),
  };
}

/** Trees minus each other tool. */
function comparedTools(all: readonly Contest[], value: Values): { name: string; found: Difference[] }[] {
  const own = new Set(defaultTrees.map(({ name }) => name));
  return namesOf(all)
    .filter((name) => !own.has(name))
    .map((name) => ({
      name,
      found: differences(
        all.map((contest) => ({
          name: contest.found.set.title,
          a: listsOf(named(contest, DEFAULTS), METRIC, value),
          b: listsOf(named(contest, name), METRIC, value),
        })),
      ),
    }));
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
const differenceText = ({ difference, p }: Difference) => `${signed(difference)} (p ${pText(p)})`;

const differencesGrid = (compared: readonly { name: string; found: readonly Difference[] }[]): Grid => ({
  title: `${DEFAULTS} minus the other tool in NDCG@10, list by list, with p of the paired randomization test, not corrected`,
  head: ["other tool", ...(compared[0]?.found ?? []).map(({ name, lists }) => `${name} (${lists} lists)`)],
  rows: compared.map(({ name, found }) => [name, ...found.map(differenceText)]),
});

function findings(all: readonly Contest[], value: Values): string[] {
  const compared = comparedTools(all, value);
  if (compared.length === 0)
    return ["There are no score files of other tools on these data; those of the repository are not part of the package."];
  const mean = (name: string) => average(all.map((contest) => meanOf(named(contest, name), METRIC, value)));
  const means = namesOf(all)
    .map((name) => ({ name, mean: mean(name) }))
    .sort((a, b) => b.mean - a.mean)
    .map(({ name, mean }) => `${name} ${mean.toFixed(4)}`);
  return [
    `Mean NDCG@10 over ${all.length} data sets: ${means.join(", ")}.`,
    ...compared.map(
      ({ name, found }) =>
        `${DEFAULTS} minus ${name}, list by list: ${found.map((one) => `${one.name} ${differenceText(one)}`).join("; ")}.`,
    ),
  ];
}

export const tools: Exhibit = {
  id: "tools",
  title: "Beside CatBoost, LightGBM and XGBoost",
  sets: comparedSets,
  plan(lab) {
    const all = contestsWithScores(lab, comparedSets, defaultTrees, METRICS.join(","));
    return {
      cells: cellsOf(all),
      show: (value) => ({
        findings: findings(all, value),
        blocks: [
          text(`${OTHERS} The seed is the number of the fold, and nothing is tuned.`),
          table(meansGrid(all, value)),
          table(differencesGrid(comparedTools(all, value))),
          text(all.map((contest) => emptyLists(contest, METRIC, value)).join(" ")),
        ],
      }),
    };
  },
};
