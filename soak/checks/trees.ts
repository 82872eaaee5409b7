/** Trees with random options: those of the slow grower bit for bit, and the same bytes by 2 and 3 threads, with and without kernels. */
import { digestOf } from "../../fuzz/target.ts";
import { trees } from "../../src/models/trees/index.ts";
import { Heap } from "../../src/numeric/heap.ts";
import { runThreads } from "../../src/teams/threads.ts";
import type { SavedModel } from "../../src/types.ts";
import { compareWithReference } from "../../test/compare-trees.ts";
import { inHeap, randomCase } from "../../test/random-trees.ts";
import { attempt, type Check, Finding, type Outcome } from "../check.ts";
import type { TreeCase } from "../programs/grow-trees.ts";

const nameOf = (number: number) => {
  const { objective, options } = randomCase(number);
  return `${objective.spec}, ${trees(options).spec}`;
};

/** The model, as it is saved. */
function grow(number: number): SavedModel {
  const heap = new Heap();
  try {
    const given = randomCase(number);
    const { wrong, model } = compareWithReference({ ...given, data: inHeap(given.data, heap) });
    if (wrong) throw new Finding(wrong);
    return model.save();
  } finally {
    heap.close();
  }
}

async function growTogether(numbers: readonly number[], size: number): Promise<SavedModel[]> {
  const heap = new Heap();
  try {
    const payload: TreeCase[] = numbers.map(randomCase).map(({ data, objective, options, seed }) => ({
      ...{ data: inHeap(data, heap), model: trees(options).spec },
      ...{ objective: objective.spec, seed },
    }));
    return (await runThreads({ size, program: new URL("../programs/grow-trees.js", import.meta.url), payload })) as SavedModel[];
  } finally {
    heap.close();
  }
}

async function run(numbers: readonly number[], plain: boolean): Promise<readonly Outcome[]> {
  const saved = new Map<number, string>();
  const outcomes: Outcome[] = [];
  for (const number of numbers)
    outcomes.push(
      await attempt(() => {
        saved.set(number, JSON.stringify(grow(number)));
        return digestOf(saved.get(number));
      }),
    );
  const grown = numbers.filter((number) => saved.has(number));
  for (const size of plain ? [] : [2, 3]) {
    const files = await growTogether(grown, size);
    grown.forEach((number, i) => {
      if (JSON.stringify(files[i]) !== saved.get(number))
        outcomes[numbers.indexOf(number)] = { failure: `another model by ${size} threads` };
    });
  }
  return outcomes.map((outcome, i) =>
    "failure" in outcome ? { failure: `${nameOf(numbers[i]!)}: ${outcome.failure}` } : outcome,
  );
}

export const treesCheck: Check = {
  id: "trees",
  about: "trees against a slow grower that tries everything, and the bytes of 2 and 3 threads",
  batch: 60,
  run,
};
