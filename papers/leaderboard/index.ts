/**
 * Which one should I use? Every objective with every model that fits it, on every small data set, with the same settings of a model for all
 * objectives, trees with their default settings, and other tools from their score files; list by list against LambdaMART.
 */
import { objectives } from "../../src/index.ts";
import { comparedSets, type Found } from "../data-sets.ts";
import { type Heat, heatMap } from "../heat-map.ts";
import { type Entry, type Exhibit, type Paper, plot, table, text, type Values } from "../paper.ts";
import { contestsWithScores } from "../score-files.ts";
import {
  against,
  boostedTrees,
  type Contest,
  cellsOf,
  type Entrant,
  emptyLists,
  meanOf,
  pText,
  type System,
  secondsOf,
  verdict,
} from "../systems.ts";
import { defaultTrees, METRIC, METRICS, OTHERS } from "./defaults.ts";
import { tools } from "./tools.ts";

const REFERENCE = "trees × lambdarank";

/** Models that take any objective, with settings that suit data of this size. */
const MODELS = [
  { name: "linear", text: "linear", weight: 0.4 },
  { name: "trees", text: boostedTrees("rounds=300,leaves=31,learning-rate=0.1"), weight: 1 },
  { name: "mlp", text: "mlp:hidden=32,epochs=20,batch=16", weight: 1.5 },
] as const;

const withGrades = (id: string, { set }: Found) => (id === "mcrank" ? `mcrank:grades=${set.grades}` : id);

const systems: readonly System[] = [
  ...MODELS.flatMap(({ name, text: model, weight }) =>
    objectives.map(({ id }) => ({
      name: `${name} × ${id}`,
      weight,
      recipe: (found: Found) => ({
        model,
        objective: withGrades(id, found),
        watch: METRIC,
        patience: 20,
        metrics: METRICS.join(","),
      }),
    })),
  ),
  ...defaultTrees,
  {
    name: "coordinate-ascent",
    weight: 4,
    recipe: () => ({
      model: "coordinate-ascent:restarts=1",
      objective: "pl-partition",
      watch: METRIC,
      metrics: METRICS.join(","),
    }),
  },
];

/** How often a system is among the best: its rank on each data set, and their mean. Systems that some data set lacks have none. */
function meanRanks(all: readonly Contest[], value: Values): Map<string, number> {
  const sums = new Map<string, number>();
  for (const contest of all) {
    const ranked = [...contest.entrants].sort((a, b) => meanOf(b, METRIC, value) - meanOf(a, METRIC, value));
    ranked.forEach(({ system }, i) => {
      sums.set(system.name, (sums.get(system.name) ?? 0) + (i + 1) / all.length);
    });
  }
  const everywhere = (name: string) => all.every(({ entrants }) => entrants.some(({ system }) => system.name === name));
  return new Map([...sums].filter(([name]) => everywhere(name)));
}

function advice(all: readonly Contest[], ranks: ReadonlyMap<string, number>, value: Values): string[] {
  const order = [...ranks].sort((a, b) => a[1] - b[1]);
  const best = (start: string) => order.find(([name]) => name.startsWith(start))!;
  const result = MODELS.map(({ name }) => {
    const [winner, rank] = best(`${name} × `);
    return `${winner} (mean rank ${rank.toFixed(1)})`;
  });
  const tests = all.map((contest) => ({ contest, tests: against(contest, REFERENCE, METRIC, value) }));
  const beaten = tests.map(({ contest, tests }) => {
    const count = (sign: string) => tests.filter((one) => verdict(one) === sign).length;
    return `${contest.found.set.title} ${count("▲")} above and ${count("▼")} below`;
  });
  const climbs = all.map((contest) => {
    const mean = (entrant: Entrant) => meanOf(entrant, METRIC, value);
    const climb = contest.entrants.find(({ system }) => system.name === "coordinate-ascent")!;
    const linear = contest.entrants.filter(({ system }) => system.name.startsWith("linear × "));
    const top = linear.reduce((a, b) => (mean(b) > mean(a) ? b : a));
    return `${contest.found.set.title} ${mean(climb).toFixed(4)} against ${mean(top).toFixed(4)} (${top.system.name})`;
  });
  return [
    `Of ${ranks.size} systems, the best mean rank in NDCG@10 over ${all.length} data sets have ${order
      .slice(0, 3)
      .map(([name, rank]) => `${name} (${rank.toFixed(1)})`)
      .join(", ")}.`,
    `The best objective of each model: ${result.join("; ")}.`,
    `How many systems differ from LambdaMART beyond chance: ${beaten.join("; ")}.`,
    `Coordinate ascent against the best linear model, NDCG@10: ${climbs.join("; ")}.`,
  ];
}

function page(contest: Contest, value: Values) {
  const tests = against(contest, REFERENCE, METRIC, value);
  const rows = contest.entrants
    .map((entrant, i) => ({ entrant, test: tests[i], mean: meanOf(entrant, METRIC, value) }))
    .sort((a, b) => b.mean - a.mean)
    .map(({ entrant, test }): Entry[] => [
      entrant.system.name,
      ...METRICS.map((metric) => meanOf(entrant, metric, value)),
      test ? { value: test.difference } : null,
      test ? `${pText(test.corrected)} ${verdict(test)}`.trim() : "",
      { value: secondsOf(entrant, value), digits: 2 },
    ]);
  const folds = contest.entrants[0]!.folds.length;
  return table({
    title: `${contest.found.set.title}, ${folds === 1 ? "one split" : `mean of ${folds} folds`}`,
    head: ["system", ...METRICS, "Δ NDCG@10", "p", "s"],
    rows,
  });
}

/** Objectives by data sets and models. */
function heat(all: readonly Contest[], ranks: ReadonlyMap<string, number>, value: Values): string {
  const total = (id: string) => MODELS.reduce((sum, { name }) => sum + ranks.get(`${name} × ${id}`)!, 0);
  const rows = objectives.map(({ id }) => id).sort((a, b) => total(a) - total(b));
  const tests = all.map((contest) => against(contest, REFERENCE, METRIC, value));
  const cell = (c: number, model: string, id: string): Heat => {
    const at = all[c]!.entrants.findIndex(({ system }) => system.name === `${model} × ${id}`);
    return { value: meanOf(all[c]!.entrants[at] as Entrant, METRIC, value), mark: verdict(tests[c]![at]) };
  };
  return heatMap(
    rows.map((id) => all.flatMap((_, c) => MODELS.map(({ name }) => cell(c, name, id)))),
    {
      title: "NDCG@10 of every objective with every model",
      note: "darker is better within a column; ▲ better and ▼ worse than LambdaMART (trees × lambdarank) beyond chance; rows by mean rank",
      columns: all.flatMap(() => MODELS.map(({ name }) => name)),
      rows,
      groups: all.map(({ found }) => ({ name: found.set.title, columns: MODELS.length })),
    },
  );
}

const board: Exhibit = {
  id: "leaderboard",
  title: "Every objective with every model",
  sets: comparedSets,
  plan(lab) {
    const all = contestsWithScores(lab, comparedSets, systems, METRICS.join(","));
    return {
      cells: cellsOf(all),
      show(value) {
        const ranks = meanRanks(all, value);
        return {
          findings: advice(all, ranks, value),
          blocks: [
            plot("heat-map", "NDCG@10 of every objective with every model on every data set", heat(all, ranks, value)),
            text(
              `The same settings for every objective: linear by L-BFGS or Adam; trees of 31 leaves at rate 0.1, at most 300; a network of 32 hidden units, at most 20 passes in batches of 16 lists; coordinate ascent with one climb. The round with the best validation NDCG@10 is kept, patience 20. ${OTHERS} Nothing is tuned, and one seed per fold. Compared with LambdaMART in NDCG@10 list by list: paired randomization test, corrected by Holm over the rows of a table; s is processor time of one training.`,
            ),
            ...all.map((contest) => page(contest, value)),
            text(all.map((contest) => emptyLists(contest, METRIC, value)).join(" ")),
          ],
        };
      },
    };
  },
};

export const leaderboard: Paper = {
  id: "leaderboard",
  title: "Leaderboard: which one should I use?",
  source: "Every objective of this library with every model that fits it, and other tools, judged the same way.",
  about: "every objective with every model on four data sets, against LambdaMART; CatBoost, LightGBM and XGBoost",
  exhibits: [board, tools],
};
