/** The recipe of Truyen, Phung, Venkatesh. */
import { mq2007Agg, mq2008, ohsumed, search } from "../data-sets.ts";
import type { Paper } from "../paper.ts";
import { repeatedExhibit } from "../repeated.ts";
import { systems } from "./systems.ts";
import { claims, table1 } from "./table-1.ts";
import { table2 } from "./table-2.ts";

export const pmop: Paper = {
  id: "pmop",
  title: "Probabilistic Models over Ordered Partitions with Application in Learning to Rank",
  source: "Truyen, Phung, Venkatesh, 2010",
  about: "ties as subsets chosen stage by stage, against pairwise and listwise methods, linear models",
  exhibits: [table1, table2, repeatedExhibit([ohsumed, mq2008, mq2007Agg, search], systems, claims)],
};
