/** All objectives. */
import { type AnyPart, find } from "../part.ts";
import type { Objective } from "../types.ts";
import { approxNdcg } from "./approx-ndcg.ts";
import { attRank } from "./attrank.ts";
import { cCosine } from "./c-cosine.ts";
import { cKl } from "./c-kl.ts";
import { cMart } from "./c-mart.ts";
import { cosine } from "./cosine.ts";
import { davidson } from "./davidson.ts";
import { kl } from "./kl.ts";
import { lambdaRank } from "./lambdarank.ts";
import { mart1 } from "./mart-1.ts";
import { mart2 } from "./mart-2.ts";
import { mcRank } from "./mcrank.ts";
import { plLb } from "./pl-lb.ts";
import { plPartition } from "./pl-partition.ts";
import { listMle, plTopK } from "./pl-topk.ts";
import { contextCompression, plRank } from "./plrank.ts";
import { pmopExact } from "./pmop-exact.ts";
import { pmopFd } from "./pmop-fd.ts";
import { pmopGibbs } from "./pmop-gibbs.ts";
import { pmopMh } from "./pmop-mh.ts";
import { rankRegress } from "./rank-regress.ts";
import { rankNet } from "./ranknet.ts";
import { rankSvm } from "./ranksvm.ts";
import { raoKupper } from "./rao-kupper.ts";
import { softmax } from "./softmax.ts";
import { uniqueSoftmax } from "./unique-softmax.ts";
import { xeNdcg } from "./xendcg.ts";
import { yetiRank } from "./yetirank.ts";

export type { ApproxNdcgOptions } from "./approx-ndcg.ts";
export type { LambdaRankOptions } from "./lambdarank.ts";
export type { McRankOptions } from "./mcrank.ts";
export type { PlPartitionOptions } from "./pl-partition.ts";
export type { ListMleOptions, PlTopKOptions } from "./pl-topk.ts";
export type { CompressionOptions, ContextCompression, PlRankOptions } from "./plrank.ts";
export type { PmopExactOptions } from "./pmop-exact.ts";
export type { PmopFdOptions } from "./pmop-fd.ts";
export type { PmopGibbsOptions } from "./pmop-gibbs.ts";
export type { PmopMhOptions } from "./pmop-mh.ts";
export type { RankNetOptions } from "./ranknet.ts";
export type { SoftmaxOptions } from "./softmax.ts";
export type { XeNdcgOptions } from "./xendcg.ts";
export type { YetiRankOptions } from "./yetirank.ts";

export {
  approxNdcg,
  attRank,
  cCosine,
  cKl,
  cMart,
  contextCompression,
  cosine,
  davidson,
  kl,
  lambdaRank,
  listMle,
  mart1,
  mart2,
  mcRank,
  plLb,
  plPartition,
  plRank,
  plTopK,
  pmopExact,
  pmopFd,
  pmopGibbs,
  pmopMh,
  rankNet,
  rankRegress,
  rankSvm,
  raoKupper,
  softmax,
  uniqueSoftmax,
  xeNdcg,
  yetiRank,
};

/** Every objective, as `tierwise list objectives` has them. */
export const objectives: readonly AnyPart<Objective>[] = [
  plPartition,
  plLb,
  attRank,
  listMle,
  plTopK,
  plRank,
  pmopExact,
  pmopFd,
  pmopGibbs,
  pmopMh,
  rankNet,
  rankSvm,
  rankRegress,
  raoKupper,
  davidson,
  lambdaRank,
  yetiRank,
  mart1,
  mart2,
  cMart,
  cosine,
  cCosine,
  kl,
  cKl,
  mcRank,
  softmax,
  uniqueSoftmax,
  xeNdcg,
  approxNdcg,
];

/** The objective that a text names: `pl-topk:k=5`. */
export const objective = (spec: string): Objective => find(objectives, "objective", spec);
