/** Table 1: ERR and NDCG of nine methods with first- and second-order features, beside the paper's, and what it says about them. */
import { BY_LISTS, type Claim, check, claimsGrid, claimsSentence } from "../claims.ts";
import { mq2007Agg, mq2008, ohsumed, search, yahoo } from "../data-sets.ts";
import { markBest } from "../markdown.ts";
import { type Block, type Entry, type Exhibit, table, text, type Values } from "../paper.ts";
import { published } from "../published.ts";
import { type Contest, cellsOf, contests, emptyLists, meanOf, secondsOf } from "../systems.ts";
import { BASELINES, METHODS, METRICS, named, ORDERS, type Order, OURS, systems } from "./systems.ts";

type Published = Readonly<Record<Order, Readonly<Record<string, readonly number[]>>>> & { readonly source: string };

const sets = [yahoo, ohsumed, mq2008, mq2007Agg, search];

export const claims: readonly Claim[] = [
  ...OURS.flatMap((ours) =>
    ["ListMLE", "RankNet"].map((base) => ({
      ...{ better: ours, worse: base, metric: "err", claim: `${ours} above ${base} (first order)` },
    })),
  ),
  {
    better: named("PMOP-FD", "second"),
    worse: named("RankNet", "second"),
    metric: "err",
    claim: "PMOP-FD above RankNet (second order)",
  },
  ...[...BASELINES, "PMOP-FD"].map((name) => ({
    ...{ better: named(name, "second"), worse: name, metric: "err", claim: `${name}: second order above first` },
  })),
];

const HEAD = ORDERS.flatMap((order) => METRICS.map((metric) => `${metric}, ${order}`));

function ours(contest: Contest, value: Values): Block {
  const entrant = (name: string, order: Order) => contest.entrants.find(({ system }) => system.name === named(name, order))!;
  const rows = METHODS.map(({ name }): Entry[] => [
    name,
    ...ORDERS.flatMap((order) => METRICS.map((metric) => meanOf(entrant(name, order), metric, value))),
    ...ORDERS.map((order) => ({ value: secondsOf(entrant(name, order), value), digits: 2 })),
  ]);
  const folds = contest.entrants[0]!.folds.length;
  return table({
    title: `${contest.found.set.title}, ${folds === 1 ? "one split" : `mean of ${folds} folds`}; seconds of processor time to train`,
    head: ["method", ...HEAD, "s, first", "s, second"],
    rows: markBest(rows, 1, 1 + HEAD.length),
  });
}

function theirs(): Block {
  const figures = published<Published>("pmop");
  const rows = METHODS.map(({ name }): Entry[] => [name, ...ORDERS.flatMap((order) => figures[order][name]!)]);
  return table({ title: `The paper's: ${figures.source}`, head: ["method", ...HEAD], rows: markBest(rows, 1, 1 + HEAD.length) });
}

export const table1: Exhibit = {
  id: "table-1",
  title: "Table 1: performance with first- and second-order features",
  sets,
  plan(lab) {
    const all = contests(lab, sets, systems);
    return {
      cells: cellsOf(all),
      show(value) {
        const checked = all.flatMap((contest) => check(contest, claims, value));
        const best = all.map((contest) => {
          const top = [...contest.entrants].sort((a, b) => meanOf(b, "err", value) - meanOf(a, "err", value))[0]!;
          return `${contest.found.set.title}: ${top.system.name} has the highest ERR (${meanOf(top, "err", value).toFixed(4)}).`;
        });
        return {
          findings: [...best, claimsSentence(checked)],
          blocks: [
            text(
              "Features are standardised over the training set, and so are their products. ERR has V(r) = (2^r - 1)/16 as in the paper. Ours train on the training lists of each fold; nothing is tuned.",
            ),
            ...all.map((contest) => ours(contest, value)),
            text(all.map((contest) => emptyLists(contest, "ndcg@5", value)).join(" ")),
            theirs(),
            table(claimsGrid(checked, BY_LISTS)),
          ],
        };
      },
    };
  },
};
