/** The recipe of Xia, Zhai, Wang. */
import { mq2007Agg, mq2008 } from "../data-sets.ts";
import type { Paper } from "../paper.ts";
import { repeatedExhibit } from "../repeated.ts";
import { figure2 } from "./figure-2.ts";
import { claims, systems, table1 } from "./table-1.ts";
import { table3 } from "./table-3.ts";
import { table4 } from "./table-4.ts";
import { table5 } from "./table-5.ts";

export const plrank: Paper = {
  id: "plrank",
  title: "Plackett-Luce Model for Learning-to-Rank Task",
  source: "Xia, Zhai, Wang, 2019",
  about: "boosted trees under the top-10 Plackett-Luce likelihood of random orders, against other trees and linear systems",
  exhibits: [table1, table3, table4, table5, figure2, repeatedExhibit([mq2008, mq2007Agg], systems, claims)],
};
