/** Every optimizer, in the order in which they are listed. */
import { type AnyPart, find } from "../part.ts";
import type { Optimizer } from "../types.ts";
import { adagrad } from "./adagrad.ts";
import { adam } from "./adam.ts";
import { auto } from "./auto.ts";
import { lbfgs } from "./lbfgs.ts";
import { sgd } from "./sgd.ts";

export { adagrad, adam, auto, lbfgs, sgd };

export const optimizers: readonly AnyPart<Optimizer>[] = [auto, lbfgs, adam, adagrad, sgd];

export const optimizer = (text: string): Optimizer => find(optimizers, "optimizer", text);
