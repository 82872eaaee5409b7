import { afterEach, expect, it } from "vitest";
import { memoryBudget, setMemoryBudget } from "../../memory-budget.ts";
import { withHeap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { CODES, COLUMNS, makeLayout } from "./layout.ts";
import { memberRows, newSideTable } from "./member-rows.ts";
import type { Leaf } from "./search.ts";

const budget = memoryBudget();
afterEach(() => setMemoryBudget(budget));

it("rows are split alike with copies of columns and where memory is too short for them", () => {
  const [groups, rows] = [3, 500];
  const sizes = Array.from({ length: rows / 10 + 1 }, (_, list) => 10 * list);
  withHeap((heap) => {
    const draw = random(7);
    const bins = heap.u8(groups * rows * COLUMNS);
    for (let i = 0; i < bins.length; i++) bins[i] = Math.floor(draw() * CODES);
    const original = bins.slice();
    const data: BinnedDataset = { rows, features: [], layout: makeLayout(new Array(groups * COLUMNS).fill(CODES)), bins };
    const right = newSideTable();
    for (let code = 0; code < CODES; code++) right[code] = code % 3 === 0 ? 1 : 0;
    const seen = Uint8Array.from(sizes, (_, list) => (list % 4 === 0 ? 0 : 1)).subarray(0, sizes.length - 1);

    /** The rows after splits by one column after another, some of them twice. */
    function ordersAfter(bytes: number): Uint32Array[] {
      setMemoryBudget(bytes);
      const member = memberRows(soloTeam(heap), data, Uint32Array.from(sizes), Uint32Array.of(0, sizes.length - 1));
      let leaf = member.reset(seen) as Leaf;
      return [5, 17, 5, 23, 0].map((column) => {
        const { lefts, leftTotal, outLeft } = member.partition(leaf, column, right);
        leaf = { ...leaf, counts: lefts, total: leftTotal, outCount: outLeft };
        return member.rows.slice();
      });
    }

    const copied = ordersAfter(16 * bins.length);
    expect(bins).toEqual(original);
    expect(ordersAfter(16 * bins.length - 1)).toEqual(copied);
    const expected = Array.from({ length: rows }, (_, row) => row).filter((row) => seen[Math.floor(row / 10)] === 1);
    const code = (row: number) => original[row * COLUMNS + 5]!;
    const left = expected.filter((row) => code(row) % 3 !== 0);
    expect(Array.from(copied[0]!.subarray(0, left.length))).toEqual(left);
  });
});
