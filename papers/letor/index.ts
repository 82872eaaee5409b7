/** The published baselines of LETOR on OHSUMED, to compare our linear models and metrics with. */
import { ohsumed } from "../data-sets.ts";
import { type Entry, type Exhibit, type Paper, table, text } from "../paper.ts";
import { published } from "../published.ts";
import { cellsOf, contests, meanOf, type System } from "../systems.ts";

const METRICS = ["ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10"].map((name) => `${name};discount=letor;empty=0`).concat("map;empty=0");
const [NDCG5, MAP] = [METRICS[2]!, METRICS[4]!];
/** How far our means may be from the published ones. */
const NEAR: Readonly<Record<string, number>> = { [MAP]: 0.01, [NDCG5]: 0.02 };

const linear = (name: string, objective: string): System => ({
  name,
  recipe: () => ({ model: "linear:scale=list", objective, watch: "map;empty=0", metrics: METRICS.join(",") }),
});

/** With what was published for the same cost. ListMLE was not, and stands beside ListNet. */
const SYSTEMS = [
  { system: linear("ranksvm", "ranksvm"), same: "Ranking SVM" },
  { system: linear("softmax", "softmax"), same: "ListNet" },
  { system: linear("listmle:ties=random", "listmle:ties=random"), same: "ListNet" },
];

type Published = Readonly<Record<string, readonly number[]>>;

const baselines: Exhibit = {
  id: "ohsumed",
  title: "OHSUMED: linear models against the published baselines",
  sets: [ohsumed],
  plan(lab) {
    const all = contests(
      lab,
      [ohsumed],
      SYSTEMS.map(({ system }) => system),
    );
    return {
      cells: cellsOf(all),
      show(value) {
        const figures = published<Published>("letor");
        const known = Object.keys(figures).filter((name) => name !== "source" && name !== "metrics");
        const theirs = known.map((name): Entry[] => [`${name}, published`, ...figures[name]!]);
        const found = all.flatMap(({ entrants }) =>
          entrants.map((entrant, i) => ({
            same: SYSTEMS[i]!.same,
            name: entrant.system.name,
            means: METRICS.map((metric) => meanOf(entrant, metric, value)),
          })),
        );
        const compared = found.flatMap(({ name, same, means }) =>
          Object.entries(NEAR).map(([metric, near]) => {
            const m = METRICS.indexOf(metric);
            const far = means[m]! - figures[same]![m]!;
            return `${name}, ${metric.split(";")[0]}: ${means[m]!.toFixed(4)}, ${Math.abs(far).toFixed(4)} ${far < 0 ? "below" : "above"} the published ${same} (${figures[same]![m]!.toFixed(4)}), ${Math.abs(far) <= near ? "within" : "NOT within"} ${near}.`;
          }),
        );
        return {
          findings: lab.quick ? ["One fold alone, which published means over five folds cannot be compared with."] : compared,
          blocks: [
            text(
              "Discount 1 at places 1 and 2, then 1/log2(place), as the tools of LETOR had it; grades 1 and 2 are relevant; a list without a relevant item counts 0. Features are standardised within lists, and the round with the best validation MAP is kept.",
            ),
            table({
              title: lab.quick
                ? "Fold 1 alone, which the published means over five folds are not comparable with"
                : "Means of five folds",
              head: ["system", ...METRICS.map((metric) => metric.split(";")[0]!)],
              rows: [...found.map(({ name, means }): Entry[] => [`${name}, ours`, ...means]), ...theirs],
            }),
          ],
        };
      },
    };
  },
};

export const letor: Paper = {
  id: "letor",
  title: "LETOR: baselines on OHSUMED",
  source: "LETOR 2.0, published baselines; Qin, Liu, Xu, Li, https://doi.org/10.1007/s10791-009-9123-y",
  about: "linear models against published figures, as a check of models and metrics",
  exhibits: [baselines],
};
