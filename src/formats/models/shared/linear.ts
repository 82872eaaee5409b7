/** A weighted sum out of another tool's file, in which missing values count as 0. */
import { revive } from "../../../models/index.ts";
import type { Columns, Model } from "../../../types.ts";

export const linearModel = (columns: Columns, weights: ArrayLike<number>, bias: number): Model =>
  revive(
    { id: "standardise", by: "none", inner: { id: "linear", weights: [...Array.from(weights), bias], extras: {} } },
    columns,
  );
