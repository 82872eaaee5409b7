/**
 * The Hessian of the cost along the common shift of all items of a leaf: the sum of the leaf's block of the Hessian, including the
 * interactions of items of one list in the same leaf. For the Plackett-Luce likelihood it is Σ_C p (1 - p) with p the chance of the leaf's
 * items in context C: Xia, Zhai, Wang, Plackett-Luce Model for Learning-to-Rank Task, Eq. 9. The sum of the items' own Hessians leaves out
 * what lies between them.
 *
 * Taken as the change of the gradient's sum over the leaf under a small step, so that it serves every objective. It costs an evaluation of
 * each list for each of its leaves.
 */
import { random } from "../../numeric/random.ts";
import { firstList, listBlocks } from "../../teams/blocks.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { EnsembleState } from "./derivatives.ts";

const STEP = 2 ** -17; // half the digits for the step, half for the change

export const NO_LEAF = 0xffffffff; // in `leafOf`: the row's list was not seen by the tree

/**
 * Hessians by leaf of one output, where `leafOf` gives the leaf of every row. The gradient must be that of `round`, and the scores those at
 * which it was taken.
 */
export function blockHessians(
  data: Dataset,
  objective: Objective,
  team: Team,
  { scores, auxiliary, seed }: EnsembleState,
  gradient: Float64Array,
  round: number,
  output: number,
  leafOf: Uint32Array,
  leaves: number,
): Float64Array {
  const { starts, labels } = data;
  const { outputs } = objective;
  const more = auxiliary.length;
  const blocks = listBlocks(data);
  const { bounds } = blocks;
  let longest = 0;
  for (let list = 0; list + 1 < starts.length; list++) longest = Math.max(longest, starts[list + 1]! - starts[list]!);
  const [moved, slope] = [new Float64Array(longest * outputs + more), new Float64Array(longest * outputs + more)];

  return team.sum(blocks, leaves, (block, into) => {
    for (let list = bounds[block]!; list < bounds[block + 1]!; list++) {
      const [first, last] = [starts[list]!, starts[list + 1]!];
      const [from, size] = [first * outputs, (last - first) * outputs];
      const weight = data.listWeights?.[list] ?? 1;
      for (const leaf of new Set(leafOf.subarray(first, last))) {
        if (leaf === NO_LEAF) continue;
        const [s, g] = [moved.subarray(0, size + more), slope.subarray(0, size + more)];
        s.set(scores.subarray(from, from + size));
        s.set(auxiliary, size);
        const entry = (row: number) => (row - first) * outputs + output;
        for (let row = first; row < last; row++) if (leafOf[row] === leaf) s[entry(row)]! += STEP;
        // The same stream as before the step, so that a sampled objective draws the same.
        const draw = random(seed, round, firstList(data) + list);
        objective.evaluate(s, labels.subarray(first, last), { gradient: g }, draw, data.itemWeights?.subarray(first, last));
        let change = 0;
        for (let row = first; row < last; row++)
          if (leafOf[row] === leaf) change += weight * g[entry(row)]! - gradient[from + entry(row)]!;
        into[leaf]! += change / STEP;
      }
    }
  });
}
