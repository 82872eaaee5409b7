/** How networks over a label space score data, as members of a `Model`. */
import { InputError } from "../../input-error.ts";
import { withHeap } from "../../numeric/heap.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, Dataset, LabelSpace, Model } from "../../types.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { allocTop, labelScores, type Network, topOf } from "./predict.ts";

export const labelScoring = (
  columns: Columns,
  network: Network,
  labelSpace: LabelSpace,
): Pick<Model, "labelSpace" | "score" | "top"> => ({
  labelSpace,
  score(data, into) {
    checkScoring(columns, data, into);
    withHeap((heap) => labelScores(network, sameLabels(data, labelSpace), soloTeam(heap), into));
  },
  top: (data, k) =>
    withHeap((heap) => {
      checkColumns(columns, data);
      const into = allocTop(data.starts.length - 1, k, soloTeam(heap));
      const { items, scores } = topOf(network, sameLabels(data, labelSpace), soloTeam(heap), into);
      return { k, items: items.slice(), scores: scores.slice() };
    }),
});

/** The data, which must have the labels of the model. */
export function sameLabels(data: Dataset, labelSpace: LabelSpace): Dataset {
  if (data.labelSpaceSize !== labelSpace.count)
    throw new InputError(
      data.labelSpaceSize === undefined
        ? `the model ranks ${labelSpace.count} labels, and these are not multi-label data`
        : `the model ranks ${labelSpace.count} labels, and the data have ${data.labelSpaceSize}`,
    );
  return data;
}
