/** Every objective, in the order in which they are listed. */
import { type AnyPart, find } from "../part.ts";
import type { Objective } from "../types.ts";
import { cMart } from "./c-mart.ts";
import { lambdaRank } from "./lambdarank.ts";
import { mart1 } from "./mart-1.ts";
import { mart2 } from "./mart-2.ts";
import { plPartition } from "./pl-partition.ts";
import { listMle, plTopK } from "./pl-topk.ts";
import { contextCompression, plRank } from "./plrank.ts";
import { rankNet } from "./ranknet.ts";
import { softmax } from "./softmax.ts";
import { xeNdcg } from "./xendcg.ts";

export { cMart, contextCompression, lambdaRank, listMle, mart1, mart2, plPartition, plRank, plTopK, rankNet, softmax, xeNdcg };

export const objectives: readonly AnyPart<Objective>[] = [
  plPartition,
  listMle,
  plTopK,
  plRank,
  rankNet,
  lambdaRank,
  mart1,
  mart2,
  cMart,
  softmax,
  xeNdcg,
];

export const objective = (text: string): Objective => find(objectives, "objective", text);
