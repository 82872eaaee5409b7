/** Every objective, in the order in which they are listed. */
import { type AnyPart, find } from "../part.ts";
import type { Objective } from "../types.ts";
import { plPartition } from "./pl-partition.ts";
import { listMle, plTopK } from "./pl-topk.ts";
import { rankNet } from "./ranknet.ts";

export { listMle, plPartition, plTopK, rankNet };

export const objectives: readonly AnyPart<Objective>[] = [plPartition, listMle, plTopK, rankNet];

export const objective = (text: string): Objective => find(objectives, "objective", text);
