/** Trees put together from nodes, in windows of any length, and classes of one byte or more, in memory and in files. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { labelSets } from "../../data/label-sets.ts";
import { fit } from "../../fit.ts";
import { readModel, writeModel } from "../../formats/models/files.ts";
import { Heap } from "../../numeric/heap.ts";
import { below, random } from "../../numeric/random.ts";
import { runSolo, soloTeam } from "../../teams/solo.ts";
import type { Dataset, SavedModel } from "../../types.ts";
import { labelTree, revive } from "../index.ts";
import { sharedForm } from "../shared-form.ts";
import type { NodeWeights } from "./classify.ts";
import { joined, joinNodes } from "./join.ts";

it("copies parts of any length through windows of any length", () => {
  const draw = random(5, 1);
  for (let round = 0; round < 60; round++) {
    const lengths = Array.from({ length: below(draw, 8) }, () => below(draw, 7));
    const length = lengths.reduce((sum, one) => sum + one, 0);
    const wanted = Uint32Array.from({ length }, () => below(draw, 1000));
    let at = 0;
    const parts = lengths.map((one) => {
      const part = { at, values: wanted.slice(at, at + one) };
      at += one;
      return part;
    });
    for (const window of [1, 3, 16, 1000])
      expect(joined(soloTeam(new Heap()), "u32", length, parts.toReversed(), undefined, window)).toEqual(wanted);
    expect(joined(soloTeam(), "u32", length, parts, new Heap())).toEqual(wanted);
  }
});

it("joins nodes in the order of their numbers, and empties them", () => {
  const nodes = (): Map<number, NodeWeights> =>
    new Map([
      [
        2,
        {
          ...{ features: Uint32Array.of(1, 4), starts: Uint32Array.of(0, 1, 3), cost: 1 },
          ...{ classes: Uint8Array.of(1, 0, 1), values: Float32Array.of(5, 6, 7) },
        },
      ],
      [
        0,
        {
          ...{ features: Uint32Array.of(3), starts: Uint32Array.of(0, 2), cost: 1 },
          ...{ classes: Uint8Array.of(0, 1), values: Float32Array.of(1, 2) },
        },
      ],
      [
        1,
        {
          features: new Uint32Array(),
          starts: Uint32Array.of(0),
          classes: new Uint8Array(),
          values: new Float32Array(),
          cost: 0,
        },
      ],
    ]);
  const [order, sizes] = [Uint32Array.of(2, 0, 1), Uint32Array.of(1, 2, 0, 0, 2, 3)];
  for (const kept of [undefined, new Heap()])
    for (const kind of ["u8", "u32"] as const) {
      const own = nodes();
      const tree = joinNodes(soloTeam(), order, sizes, own, kind, kept);
      expect(Object.fromEntries(Object.entries(tree).map(([name, array]) => [name, [...array]]))).toEqual({
        ...{ order: [2, 0, 1], nodes: [0, 1, 1, 3], features: [3, 1, 4], starts: [0, 2, 3, 5] },
        ...{ classes: [0, 1, 1, 0, 1], values: [1, 2, 5, 6, 7] },
      });
      expect(tree.classes.BYTES_PER_ELEMENT).toBe(kind === "u8" ? 1 : 4);
      expect(own.size).toBe(0);
    }
});

it("gives a tree that outlives the memory of the team", () => {
  const sizes = Uint32Array.of(1, 1);
  const weights = { ...{ starts: Uint32Array.of(0, 1), classes: Uint8Array.of(0), cost: 0 }, values: Float32Array.of(0.5) };
  const tree = runSolo((team) => {
    const order = team.allocShared("u32", 1);
    order[0] = 7;
    return joinNodes(team, order, sizes, new Map([[0, { ...weights, features: Uint32Array.of(9) }]]), "u8");
  });
  const other = new Heap();
  for (let i = 0; i < 100; i++) other.u32(1000).fill(1);
  other.close();
  expect([...tree.order, ...tree.features, ...tree.values]).toEqual([7, 9, 0.5]);
});

/** Documents with one of so many labels each, and the word of it. */
const documents = (labels: number, each: number): Dataset =>
  labelSets(
    Array.from({ length: each * labels }, (_, i) => ({ tags: [`t${i % labels}`], words: { [`w${i % labels}`]: 1, all: 0.5 } })),
    { labels: "tags", features: "words" },
  );

const classesOf = (saved: SavedModel) =>
  ((saved.inner as SavedModel).trees as { classes: Uint8Array | Uint32Array | number[] }[])[0]!.classes;

it("keeps classes as bytes up to 256 classes of a node, and reads files with and without", () => {
  for (const [labels, Kind] of [
    [256, Uint8Array],
    [257, Uint32Array],
  ] as const) {
    const data = documents(labels, 4);
    const { model } = fit(data, { model: labelTree({ trees: 1, leafLabels: 300, threshold: 0.001, passes: 3 }) });
    const saved = model.save();
    expect(classesOf(saved)).toBeInstanceOf(Kind);
    const top = model.top!(data, 3);
    expect(Array.from(top.items).filter((label, i) => i % 3 === 0 && label === (i / 3) % labels).length).toBeGreaterThan(
      3.9 * labels,
    );
    const home = mkdtempSync(join(tmpdir(), "tierwise-label-tree-"));
    try {
      const path = join(home, "model");
      writeModel(path, { model, training: { model: "label-tree", objective: "squares" }, metrics: {} });
      const read = readModel(path).model;
      expect(read.top!(data, 3)).toEqual(top);
      expect(read.save()).toEqual(saved);
    } finally {
      rmSync(home, { recursive: true });
    }
    const { inner } = saved as unknown as { inner: { trees: Record<string, ArrayLike<number>>[] } };
    const with32Bits = {
      ...saved,
      inner: { ...inner, trees: [{ ...inner.trees[0], classes: Uint32Array.from(classesOf(saved)) }] },
    };
    expect(revive(with32Bits, model.columns).save()).toEqual(saved);
    const tooMany = { ...with32Bits, inner: { ...inner, trees: [{ ...inner.trees[0], classes: Uint32Array.from(classesOf(saved), () => labels) }] } }; // biome-ignore format: one line
    expect(() => revive(tooMany, model.columns)).toThrow("the model file is damaged: classes should be those of their node");
    expect(classesOf(sharedForm(saved))).toEqual(classesOf(saved));
    expect(revive(sharedForm(saved), model.columns).top!(data, 3)).toEqual(top);
  }
});
