/** Learners whose defaults depend on the data: registers how to build the learner with its defaults resolved once the data are known. */
import type { Dataset, Learner } from "../../types.ts";

type ForData = (data: Dataset, validated: boolean) => Learner;

/** By learner rather than as a property, which a copy with other code, `{ ...trees(), learn: mine }`, would inherit. */
const known = new WeakMap<Learner, ForData>();

/** Declares that the learner is to be replaced by what `forData` gives; `validated` says whether validation data end training. */
export function dependsOnData(learner: Learner, forData: ForData): Learner {
  known.set(learner, forData);
  return learner;
}

/** The learner with the defaults for these data. */
export const learnerFor = (learner: Learner, data: Dataset, valid: Dataset | undefined): Learner =>
  known.get(learner)?.(data, valid !== undefined) ?? learner;
