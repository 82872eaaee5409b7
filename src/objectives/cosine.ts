/**
 * The angle between scores and gains: cost = (1 - G·s / (‖G‖ ‖s‖)) / 2, G_i = 2^y_i - 1. Qin et al. 2008, Query-Level Loss Functions for Information
 * Retrieval (RankCosine); CosMART of Xia, Zhai, Wang. Unlike c-cosine, it is not consistent with NDCG, and
 * it is not invariant to adding a constant to all scores.
 */
import { part } from "../part.ts";
import { angle } from "./shared/angle.ts";

/** Angle between scores and gains; `cosine` on the command line. */
export const cosine = part("cosine", "angle between scores and gains", {}, (_, spec) => angle(spec, (_gains, length) => length), [
  "rankcosine",
]);
