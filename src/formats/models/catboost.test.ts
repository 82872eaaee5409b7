import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importModel } from "./import.ts";

const path = new URL("../../../test/fixtures/models/catboost-plain.json", import.meta.url);
interface Saved {
  readonly feature: readonly number[];
  readonly items: readonly number[];
  readonly left: readonly number[];
}

/** The items of the nodes of the fixture, whose weights of leaves may be other ones. */
function itemsWith(weightsOf: (own: readonly number[]) => readonly number[] | undefined): readonly number[] {
  const file = JSON.parse(readFileSync(path, "utf8"));
  for (const tree of file.oblivious_trees) tree.leaf_weights = weightsOf(tree.leaf_weights);
  return (importModel(JSON.stringify(file), { from: "catboost" }).model.save() as unknown as Saved).items;
}

it("a node has the items of the leaves below it, all of them at the root", () => {
  const file = JSON.parse(readFileSync(path, "utf8"));
  const wanted = file.oblivious_trees.map(({ leaf_weights: all }: { leaf_weights: number[] }) =>
    all.reduce((sum, one) => sum + one, 0),
  );
  const items = itemsWith((own) => own);
  const roots = file.oblivious_trees.map((_: unknown, t: number) => items[t * 31]); // 16 leaves and 15 nodes above
  expect(roots).toEqual(wanted);
});

it("without weights of leaves, no node has items", () => {
  for (const none of [[], undefined]) expect(new Set(itemsWith(() => none))).toEqual(new Set([0]));
});

it("another number of weights than of leaves is refused", () => {
  expect(() => itemsWith((own) => own.slice(1))).toThrow(/leaf_weights.*16 numbers/);
});
