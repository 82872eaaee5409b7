/** Table 4: running times of tree systems, as ratios to MART. Processor time of one thread, the least of three runs, by turns. */
import { codeDigest, TRAINING } from "../code-digest.ts";
import { type Found, mq2007Agg, mq2008, web30k } from "../data-sets.ts";
import { type Cell, type Entry, type Exhibit, table, text } from "../paper.ts";
import { published } from "../published.ts";
import { boostedTrees } from "../systems.ts";
import { loadFold, runTrial } from "../trial.ts";
import { treeSystems } from "./systems.ts";

type Published = { readonly table4: { readonly hours: Readonly<Record<string, number>> } };

const sets = [web30k, mq2007Agg, mq2008];
const RUNS = 3;

function timeCell(found: Found, name: string, run: number, trees: number): Cell<number> {
  const objective = treeSystems.find((system) => system.name === name)!.recipe(found).objective;
  return {
    settings: { kind: "plrank-time", data: found.set.id, digest: found.digest, objective, trees, run },
    get code() {
      return codeDigest(["papers/plrank/table-4", ...TRAINING], { model: ["trees"], objective: [objective] });
    },
    title: `${found.set.title}: time of ${trees} trees of ${name}`,
    weight: 1,
    run: async () => {
      const recipe = { model: boostedTrees(`rounds=${trees},leaves=30,learning-rate=0.1`), objective, metrics: "ndcg@10" };
      return (await runTrial(await loadFold(found, 0), recipe, 1, 1)).processor;
    },
  };
}

export const table4: Exhibit = {
  id: "table-4",
  title: "Table 4: running times",
  sets,
  plan(lab) {
    const { hours } = published<Published>("plrank").table4;
    const names = Object.keys(hours);
    const trees = lab.quick ? 10 : 50;
    const all = sets.flatMap((set) => {
      const found = lab.quick && set !== mq2008 ? undefined : lab.find(set);
      return found
        ? [{ found, cells: names.map((name) => Array.from({ length: RUNS }, (_, run) => timeCell(found, name, run, trees))) }]
        : [];
    });
    return {
      // By turns: all systems once, then all again, so that a busy machine hits all alike.
      cells: all.flatMap(({ cells }) => Array.from({ length: RUNS }, (_, run) => cells.map((mine) => mine[run]!)).flat()),
      show(value) {
        const least = all.map(({ found, cells }) => ({ found, seconds: cells.map((mine) => Math.min(...mine.map(value))) }));
        const ratio = (seconds: readonly number[], i: number) => seconds[i]! / seconds[0]!;
        const mcrank = names.indexOf("McRank");
        return {
          findings: least.map(
            ({ found, seconds }) =>
              `${found.set.title}: McRank takes ${ratio(seconds, mcrank).toFixed(1)} times as long as MART, LambdaMART ${ratio(seconds, names.indexOf("LambdaMART")).toFixed(2)}, PLRank(obj=3) ${ratio(seconds, names.indexOf("PLRank(obj=3)")).toFixed(2)} (the paper: 3.0 with 2.5 times the trees, ${(hours.LambdaMART! / hours["MART-1"]!).toFixed(2)}, ${(hours["PLRank(obj=3)"]! / hours["MART-1"]!).toFixed(2)}).`,
          ),
          blocks: [
            text(
              `Times as ratios to MART for ${trees} trees each, loading and binning included; on small data the sampled orders weigh more against the growing of trees. The paper grows 1,000 trees, and 2,500 for McRank.`,
            ),
            table({
              title: "",
              head: [
                "system",
                ...least.map(({ found }) => `${found.set.title}, ratio`),
                "the paper's hours",
                "the paper's ratio",
              ],
              rows: names.map((name, i): Entry[] => [
                name,
                ...least.map(({ seconds }) => ({ value: ratio(seconds, i), digits: 2 })),
                { value: hours[name]!, digits: 1 },
                { value: hours[name]! / hours["MART-1"]!, digits: 2 },
              ]),
            }),
          ],
        };
      },
    };
  },
};
