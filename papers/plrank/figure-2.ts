/** Figure 2: linear ListMLE and coordinate ascent with more and more of the features, in the order of their numbers. */
import { curve } from "../curve.ts";
import { mq2008, yahoo } from "../data-sets.ts";
import { type Entry, type Exhibit, plot, table, text } from "../paper.ts";
import { cellsOf, contests, meanOf, type System } from "../systems.ts";
import { coordinateAscent, linearListMle } from "./systems.ts";

const METRICS = ["ndcg@1", "ndcg@10"];
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  mq2008: [5, 10, 20, 30, 40, 46],
  yahoo: [50, 100, 200, 300, 400, 519],
};

const LINES = [
  { name: "l-ListMLE", base: linearListMle, model: undefined },
  { name: "CA", base: coordinateAscent, model: "coordinate-ascent:restarts=1" },
];

const systemsFor = (counts: readonly number[]): System[] =>
  LINES.flatMap(({ name, base, model }) =>
    counts.map((features) => ({
      name: `${name} ${features}`,
      weight: name === "CA" ? 1 : 0.3,
      recipe: (found: Parameters<System["recipe"]>[0]) => {
        const recipe = base.recipe(found);
        return { ...recipe, features, model: model ?? recipe.model };
      },
    })),
  );

export const figure2: Exhibit = {
  id: "figure-2",
  title: "Figure 2: number of features",
  sets: [yahoo, mq2008],
  plan(lab) {
    const all = [yahoo, mq2008].flatMap((set) => {
      const counts = lab.quick ? COUNTS[set.id]!.filter((_, i) => i % 2 === 1) : COUNTS[set.id]!;
      return contests(lab, [set], systemsFor(counts)).map((contest) => ({ contest, counts }));
    });
    return {
      cells: all.flatMap(({ contest }) => cellsOf([contest])),
      show(value) {
        const blocks = all.flatMap(({ contest, counts }) => {
          const mean = (name: string, count: number, metric: string) =>
            meanOf(contest.entrants.find(({ system }) => system.name === `${name} ${count}`)!, metric, value);
          const head = ["features", ...METRICS.flatMap((metric) => LINES.map(({ name }) => `${name}, ${metric}`))];
          const rows = counts.map((count): Entry[] => [
            { value: count, digits: 0 },
            ...METRICS.flatMap((metric) => LINES.map(({ name }) => mean(name, count, metric))),
          ]);
          const series = METRICS.flatMap((metric, m) =>
            LINES.map(({ name }) => ({
              name: `${name}, ${metric}`,
              points: counts.map((count) => [count, mean(name, count, metric)] as const),
              ...(m === 0 && { dashed: true as const }),
            })),
          );
          const { title, id } = contest.found.set;
          return [
            table({ title, head, rows }),
            plot(
              `features-${id}`,
              `NDCG against the number of features, ${title}`,
              curve(series, {
                title: `Number of features, ${title}`,
                note: "features in the order of their numbers",
                x: "features",
                y: "NDCG",
              }),
            ),
          ];
        });
        const findings = all.map(({ contest, counts }) => {
          const mean = (name: string, count: number) =>
            meanOf(contest.entrants.find(({ system }) => system.name === `${name} ${count}`)!, "ndcg@10", value);
          const ahead = counts.filter((count) => mean("l-ListMLE", count) > mean("CA", count));
          const result = ahead.length === 0 ? "at no number of features" : `with ${ahead.join(", ")} features`;
          return `${contest.found.set.title}: l-ListMLE is above CA in NDCG@10 ${result}; in the paper (Yahoo) from 100 features on.`;
        });
        return { findings, blocks: [text("CA with one climb here."), ...blocks] };
      },
    };
  },
};
