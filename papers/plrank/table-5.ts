/** Table 5: leaves and learning rate of PLRank(obj=1), chosen on the validation lists and judged on the test lists. */
import { type Found, mq2008, web10k, yahoo } from "../data-sets.ts";
import { markBest } from "../markdown.ts";
import { type Cell, type Entry, type Exhibit, table, text } from "../paper.ts";
import { published } from "../published.ts";
import { boostedTrees } from "../systems.ts";
import { type Outcome, trialCell } from "../trial.ts";

type Published = { readonly table5: Readonly<Record<string, readonly number[]>> };

const sets = [yahoo, web10k, mq2008];
const METRICS = ["ndcg@10", "err"];

interface Sweep {
  readonly found: Found;
  readonly base: Cell<Outcome>; // the settings of Table 1
  readonly trials: readonly { readonly leaves: number; readonly rate: number; readonly cell: Cell<Outcome> }[];
}

/** The words for `tierwise tune` that go through the same settings with the same data. */
function tuning({ set }: Found, sizes: readonly number[], rates: readonly number[], rounds: number): string {
  const { train, valid = [] } = set.folds[0]!;
  const files = (which: readonly number[]) => which.map((file) => `DIR/${set.files[file]}`).join(" ");
  const space = `leaves=${sizes.join(",")} learning-rate=${rates.join(",")}`;
  const model = `--model ${boostedTrees(`rounds=${rounds}`)} --objective plrank:permutations=1 --patience 50`;
  return `tierwise tune ${files(train)} ${space} ${model} --valid ${files(valid)}`;
}

export const table5: Exhibit = {
  id: "table-5",
  title: "Table 5: leaves and learning rate",
  sets,
  plan(lab) {
    const sizes = lab.quick ? [100, 400] : [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
    const rates = lab.quick ? [0.1] : [0.01, 0.04, 0.07, 0.1];
    const rounds = lab.quick ? 50 : 1000;
    const sweeps: Sweep[] = sets.flatMap((set) => {
      const found = lab.quick && set !== mq2008 ? undefined : lab.find(set);
      if (!found) return [];
      const trial = (leaves: number, rate: number) =>
        trialCell(lab, found, 0, 1, {
          model: boostedTrees(`rounds=${rounds},leaves=${leaves},learning-rate=${rate}`),
          ...{ objective: "plrank:permutations=1", watch: "ndcg@10", patience: 50, metrics: METRICS.join(","), keep: "ndcg@10" },
        });
      const trials = sizes.flatMap((leaves) => rates.map((rate) => ({ leaves, rate, cell: trial(leaves, rate) })));
      return [{ found, base: trial(30, 0.1), trials }];
    });
    return {
      cells: sweeps.flatMap(({ base, trials }) => [base, ...trials.map(({ cell }) => cell)]),
      show(value) {
        const { table5: theirs } = published<Published>("plrank");
        const result = sweeps.map(({ found, base, trials }) => {
          const best = trials.reduce((a, b) => ((value(b.cell).valid ?? 0) > (value(a.cell).valid ?? 0) ? b : a));
          return { found, best, chosen: value(best.cell).metrics, plain: value(base).metrics };
        });
        const four = (number: number | null | undefined) => (number ?? Number.NaN).toFixed(4);
        return {
          findings: result.map(
            ({ found, best, chosen, plain }) =>
              `${found.set.title}: validation chooses ${best.leaves} leaves at rate ${best.rate}, test NDCG@10 ${four(chosen["ndcg@10"])} and ERR ${four(chosen.err)}; 30 leaves at 0.1 give ${four(plain["ndcg@10"])} and ${four(plain.err)}.`,
          ),
          blocks: [
            text(
              "PLRank(obj=1) on the first fold. A tree has fewer leaves than allowed where a leaf would hold fewer than 20 items, so that on small data large numbers of leaves are the same trees.",
            ),
            ...sweeps.map(({ found }) =>
              text(
                `The same search on any data, from the command line:\n\n\`\`\`\n${tuning(found, sizes, rates, rounds)}\n\`\`\``,
              ),
            ),
            ...sweeps.flatMap(({ found, trials }) =>
              (["valid", "test"] as const).map((part) => {
                const cellOf = (leaves: number, rate: number) =>
                  value(trials.find((one) => one.leaves === leaves && one.rate === rate)!.cell);
                const of = (outcome: Outcome) => (part === "valid" ? outcome.valid : outcome.metrics["ndcg@10"]) ?? Number.NaN;
                const rows = sizes.map((leaves): Entry[] => [
                  { value: leaves, digits: 0 },
                  ...rates.map((rate) => of(cellOf(leaves, rate))),
                ]);
                return table({
                  title: `${found.set.title}: NDCG@10 of the ${part === "valid" ? "validation" : "test"} lists`,
                  head: ["leaves", ...rates.map((rate) => `rate ${rate}`)],
                  rows: markBest(rows, 1, 1 + rates.length),
                });
              }),
            ),
            table({
              title: "The paper's: Yahoo set 1",
              head: ["system", ...METRICS],
              rows: Object.entries(theirs)
                .filter(([name]) => name !== "metrics")
                .map(([name, values]): Entry[] => [name, ...values]),
            }),
          ],
        };
      },
    };
  },
};
