/** Boosted regression trees under any objective that has a gradient. */
import { Mistake, quote } from "../../mistake.ts";
import { part } from "../../part.ts";
import type { Columns, Learner } from "../../types.ts";
import { columnName, columnsOf } from "../shared/columns.ts";
import { boost, refuse } from "./boost.ts";
import { treesModel } from "./model.ts";
import { fields } from "./options.ts";

export { readTrees } from "./model.ts";

export const trees = part(
  "trees",
  "boosted regression trees",
  fields,
  (options, text): Learner => ({
    id: "trees",
    text,
    learn(data, objective, run) {
      refuse(objective);
      const columns = columnsOf(data);
      const monotone = new Int8Array(columns.count);
      for (const { feature, sign } of mentioned(options.monotone, columns, "monotone")) monotone[feature] = sign === "-" ? -1 : 1;
      const categorical = new Set(mentioned(options.categorical, columns, "categorical").map(({ feature }) => feature));
      const both = [...categorical].find((feature) => monotone[feature] !== 0);
      if (both !== undefined)
        throw new Mistake(`trees: feature ${columnName(columns, both)} is categorical, so it can neither rise nor fall`);
      const boosted = boost(data, objective, run, options, { trees: [], monotone, categorical });
      return treesModel(columns, boosted.trees, objective.outputs);
    },
  }),
);

/** The features that an option names, each with a sign after it or none: "(3+,7-)" or "(price-,age)". */
function mentioned(text: string, columns: Columns, option: string): { feature: number; sign: string }[] {
  const names = text.replace(/^\((.*)\)$/, "$1").split(/[,\s]+/);
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const [, plain, sign] = /^(.*?)([+-]?)$/.exec(name)!;
      const feature = Array.from({ length: columns.count }, (_, c) => columnName(columns, c)).indexOf(plain!);
      if (feature >= 0) return { feature, sign: sign! };
      throw new Mistake(`trees, option ${option}: there is no feature ${quote(plain!)} in the data`);
    });
}
