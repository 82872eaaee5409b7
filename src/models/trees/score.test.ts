import { describe, expect, it } from "vitest";
import { Heap } from "../../numeric/heap.ts";
import { below, random } from "../../numeric/random.ts";
import type { Matrix, Random } from "../../types.ts";
import { adder, addScores } from "./score.ts";
import { leafOf, type Tree } from "./tree.ts";

const COLUMNS = 6;

/** A tree of so many leaves with cuts anywhere; `sets`: the root asks for categories. */
function anyTree(leaves: number, draw: Random, sets = false): Tree {
  const size = 2 * leaves - 1;
  const feature = new Int32Array(size).fill(-1);
  const [left, right] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  const open = [0];
  for (let next = 1; next < size; next += 2) {
    const node = open.splice(below(draw, open.length), 1)[0]!;
    feature[node] = below(draw, COLUMNS);
    [left[node], right[node]] = [next, next + 1];
    open.push(next, next + 1);
  }
  return {
    ...{ feature, left, right },
    threshold: Float32Array.from({ length: size }, () => below(draw, 8) / 4 - 1),
    missing: Uint8Array.from({ length: size }, () => below(draw, 2)),
    value: Float64Array.from({ length: size }, () => draw() - 0.5),
    ...{ gain: new Float64Array(size), items: new Float64Array(size) },
    sets: new Map(sets && leaves > 1 ? [[0, Float32Array.of(-1, 0.5)]] : []),
  };
}

const special = [Number.NaN, Infinity, -Infinity, 0, -0];

/** Few values, so that many meet a threshold, and all that are out of the ordinary. */
function anyRows(rows: number, draw: Random): Matrix & { readonly kind: "dense" } {
  const value = () => (draw() < 0.3 ? special[below(draw, special.length)]! : below(draw, 10) / 4 - 1.25);
  const values = Float32Array.from({ length: rows * COLUMNS }, value);
  return { kind: "dense", rows, columns: COLUMNS, values };
}

describe("scores of trees", () => {
  const cases: [string, number, number, number, boolean][] = [
    ["few leaves, by vetoes", 40, 32, 1, false],
    ["few leaves and three outputs", 39, 31, 3, false],
    ["more trees than go together", 600, 5, 7, false],
    ["a tree of 33 leaves among them, by walks", 20, 33, 2, false],
    ["categories", 20, 9, 2, true],
  ];
  it.each(cases)("%s: each row gets the sum of its leaves, to the last bit", (_, count, leaves, outputs, sets) => {
    const draw = random(7, count, leaves);
    const trees = Array.from({ length: count }, (_, t) => anyTree(t === 0 ? leaves : 1 + below(draw, leaves), draw, sets));
    for (const rows of [1, 7, 8, 9, 300]) {
      const matrix = anyRows(rows, draw);
      const [fast, slow] = [new Float64Array(rows * outputs).fill(0.125), new Float64Array(rows * outputs).fill(0.125)];
      const room = new Heap();
      addScores(adder(trees, outputs, room), matrix, 0, rows, outputs, fast);
      room.close();
      for (let row = 0; row < rows; row++)
        trees.forEach((tree, t) => {
          slow[row * outputs + (t % outputs)]! += tree.value[leafOf(tree, matrix.values, row * COLUMNS)]!;
        });
      expect(fast).toEqual(slow);
    }
  });
});
