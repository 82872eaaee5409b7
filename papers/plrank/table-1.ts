/** Table 1: boosted trees under many costs and two linear systems, with the trees over tiers that the paper could not have. */
import { BY_LISTS, type Claim, check, claimsGrid, claimsSentence } from "../claims.ts";
import { mq2007Agg, mq2008, web10k, web30k, yahoo } from "../data-sets.ts";
import { markBest } from "../markdown.ts";
import { type Block, type Entry, type Exhibit, table, text } from "../paper.ts";
import { published } from "../published.ts";
import { cellsOf, contestRows, contests, emptyLists, meanOf } from "../systems.ts";
import { linearSystems, METRICS, tierSystems, treeSystems } from "./systems.ts";

type Published = { readonly table1: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> };

const sets = [yahoo, web30k, web10k, mq2008, mq2007Agg];
export const systems = [...tierSystems, ...treeSystems, ...linearSystems];

const claim = (better: string, worse: string, metric = "ndcg@10"): Claim => ({
  better,
  worse,
  metric,
  claim: `${better} above ${worse}`,
});
export const claims: readonly Claim[] = [
  ...["LambdaMART", "McRank", "MART-1", "MART-2", "l-ListMLE"].map((worse) => claim("PLRank(obj=3)", worse)),
  claim("PLRank(obj=3)", "PLRank(obj=1)"),
  claim("LambdaMART", "McRank", "err"),
  claim("c-MART-1", "MART-1"),
  claim("c-CosMART", "CosMART"),
  claim("c-KLMART", "KLMART"),
  claim("LambdaMART", "CA"),
  claim("CA", "l-ListMLE"),
];

function theirs(set: "yahoo" | "mslr-web30k", title: string): Block {
  const figures = published<Published>("plrank").table1[set]!;
  const rows = Object.entries(figures).map(([name, values]): Entry[] => [name, ...values]);
  return table({ title: `The paper's: ${title}`, head: ["system", ...METRICS], rows: markBest(rows, 1, 1 + METRICS.length) });
}

export const table1: Exhibit = {
  id: "table-1",
  title: "Table 1: systems of boosted trees",
  sets,
  plan(lab) {
    const all = contests(lab, sets, systems);
    return {
      cells: cellsOf(all),
      show(value) {
        const checked = all.flatMap((contest) => check(contest, claims, value));
        const findings = all.map((contest) => {
          const ranked = [...contest.entrants].sort((a, b) => meanOf(b, "ndcg@10", value) - meanOf(a, "ndcg@10", value));
          const result = ranked.slice(0, 3).map((one) => `${one.system.name} (${meanOf(one, "ndcg@10", value).toFixed(4)})`);
          return `${contest.found.set.title}: highest NDCG@10 for ${result.join(", ")}.`;
        });
        return {
          findings: [...findings, claimsSentence(checked)],
          blocks: [
            text(
              "Trees of 30 leaves at rate 0.1, at most 1,000, stopped when 50 have not raised the validation NDCG@10; one seed per fold. The last columns compare NDCG@10 with LambdaMART list by list: paired randomization test, corrected by Holm over the rows; ▲ better and ▼ worse at 0.05.",
            ),
            ...all.map((contest) =>
              table({
                title: `${contest.found.set.title}, mean of ${contest.entrants[0]!.folds.length} fold(s)`,
                head: ["system", ...METRICS, "Δ NDCG@10", "p"],
                rows: contestRows(contest, METRICS, "LambdaMART", "ndcg@10", value),
              }),
            ),
            text(all.map((contest) => emptyLists(contest, "ndcg@10", value)).join(" ")),
            theirs("yahoo", "Yahoo 2010"),
            theirs("mslr-web30k", "Microsoft 30K"),
            table(claimsGrid(checked, BY_LISTS)),
          ],
        };
      },
    };
  },
};
