/**
 * The objective of a training that names none, and what is worth saying about ties. Where ballots compare two items each and some are ties,
 * a tie is an outcome, and `davidson` gives it a probability; everything else is fitted by the likelihood of tiers, for which a ballot that
 * ties all its items says nothing.
 */
import { areBallots, totalWeight } from "./data/voters.ts";
import { davidson, plPartition } from "./objectives/index.ts";
import type { Dataset, Learner, Objective } from "./types.ts";

/** The ballots of the data, and those among them that tie all their items; undefined where the data are no ballots. */
export function tiesOf(data: Dataset): { readonly ballots: number; readonly ties: number; readonly pairs: boolean } | undefined {
  if (!areBallots(data)) return undefined;
  const { starts, labels, listWeights } = data;
  let ties = 0;
  let pairs = true;
  for (let q = 0; q + 1 < starts.length; q++) {
    const own = labels.subarray(starts[q], starts[q + 1]);
    if (own.length !== 2) pairs = false;
    if (own.length > 1 && own.every((label) => label === own[0])) ties += listWeights ? listWeights[q]! : 1;
  }
  return { ballots: totalWeight(data), ties, pairs };
}

/** The objective that is taken where none is given. */
export function defaultObjective(data: Dataset): Objective {
  const found = tiesOf(data);
  return found?.pairs && found.ties > 0 ? davidson() : plPartition();
}

/** The objective of a training, given or not, and remarks about ties; `named` says how an objective is specified. */
export function objectiveFor(
  data: Dataset,
  model: Learner,
  given: Objective | undefined,
  named: (id: string) => string = (id) => `the objective ${id}`,
): { readonly objective: Objective; readonly notices: readonly string[] } {
  const objective = given ?? defaultObjective(data);
  const found = model.cost ? undefined : tiesOf(data);
  if (!found || found.ties === 0) return { objective, notices: [] };
  const fraction = `${figure(found.ties)} of ${figure(found.ballots)}`;
  if (objective.ties === "tier" || objective.ties === "silent")
    return {
      objective,
      notices: [
        `${fraction} ballots tie all their items, and ${objective.id} learns nothing from them; ${named("davidson")} or ${named("rao-kupper")} does`,
      ],
    };
  if (given) return { objective, notices: [] };
  return {
    objective,
    notices: [
      `the ballots are pairs and ${fraction} are ties, so the objective is ${objective.id}, which models ties (${named("pl-partition")} leaves them out)`,
    ],
  };
}

const figure = (count: number) => count.toLocaleString("en-US");
