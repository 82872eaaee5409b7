/**
 * As cosine, but with the gains divided by the list's ideal DCG instead of their length: cost = (1 - G·s / (DCG* ‖s‖)) / 2, which makes it consistent
 * with NDCG. It may fall below 0. Ravikumar, Tewari, Yang 2011, On NDCG Consistency of Listwise Ranking Methods; c-CosMART of Xia, Zhai, Wang.
 */
import { part } from "../part.ts";
import { angle } from "./shared/angle.ts";

/** Angle between scores and gains over ideal DCG; `c-cosine` on the command line. */
export const cCosine = part("c-cosine", "angle between scores and gains over ideal DCG", {}, (_, spec) =>
  angle(spec, ({ ideal }) => ideal),
);
