/** The recipe of Ma et al. */
import type { Paper } from "../paper.ts";
import { figure1 } from "./figure-1.ts";
import { figure2 } from "./figure-2.ts";
import { figure4 } from "./figure-4.ts";
import { labelTables } from "./tables.ts";

export const plPartition: Paper = {
  id: "pl-partition",
  title: "Learning-to-Rank with Partitioned Preference: Fast Estimation for the Plackett-Luce Model",
  source: "Ma, Yi, Tang, Zhao, Hong, Chi, Mei, AISTATS 2021",
  about: "the exact likelihood of tiers: recovery of utilities, cost, and large label sets",
  exhibits: [figure1, figure2, labelTables, figure4],
};
