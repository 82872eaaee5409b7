/** All optimizers. */
import { type AnyPart, find } from "../part.ts";
import type { Optimizer } from "../types.ts";
import { adagrad } from "./adagrad.ts";
import { adam } from "./adam.ts";
import { autoOptimizer } from "./auto.ts";
import { lbfgs } from "./lbfgs.ts";
import { newton } from "./newton.ts";
import { sgd } from "./sgd.ts";
import { finiteDifferenceHessian } from "./shared/finite-differences.ts";

export type { AdagradOptions } from "./adagrad.ts";
export type { AdamOptions } from "./adam.ts";
export type { LbfgsOptions } from "./lbfgs.ts";
export type { NewtonOptions } from "./newton.ts";
export type { SgdOptions } from "./sgd.ts";

export { adagrad, adam, autoOptimizer, finiteDifferenceHessian, lbfgs, newton, sgd };

/** Every optimizer, as `tierwise list optimizers` has them. */
export const optimizers: readonly AnyPart<Optimizer>[] = [autoOptimizer, lbfgs, newton, adam, adagrad, sgd];

/** The optimizer that a text names: `adam:rate=0.1`. */
export const optimizer = (spec: string): Optimizer => find(optimizers, "optimizer", spec);
