import { afterEach, expect, it } from "vitest";
import { memoryBudget, setMemoryBudget } from "../../memory-budget.ts";
import { withHeap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { groupOwners } from "./group-owners.ts";
import { COLUMNS, makeLayout } from "./layout.ts";
import { leafHistograms, partsOfLines } from "./leaf-histograms.ts";
import { rowLines } from "./row-lines.ts";
import type { Leaf } from "./search.ts";

const budget = memoryBudget();
afterEach(() => setMemoryBudget(budget));

/** Random bins of so many groups of columns. */
function binned(groups: number, rows: number): BinnedDataset {
  const draw = random(groups, rows);
  const layout = makeLayout(new Array(groups * COLUMNS).fill(256));
  return { rows, features: [], layout, bins: Uint8Array.from({ length: groups * rows * COLUMNS }, () => draw() * 256) };
}

it.each([
  [2, 1],
  [3, 70],
  [8, 129],
  [9, 64],
  [20, 200],
])("%i groups of %i rows are copied row by row", (groups, rows) => {
  withHeap((heap) => {
    const data = binned(groups, rows);
    const { bytes, placeOf } = rowLines(soloTeam(heap), data)!;
    const seen = new Set<number>();
    for (let group = 0; group < groups; group++)
      for (let row = 0; row < rows; row++) {
        const { first, stride } = placeOf(group);
        const at = first + row * stride;
        const from = (group * rows + row) * COLUMNS;
        expect(bytes.slice(at, at + COLUMNS)).toEqual(data.bins.slice(from, from + COLUMNS));
        seen.add(at);
      }
    expect(seen.size).toBe(groups * rows); // each has a place of its own
  });
});

it("one group needs no copy, and little memory allows none", () => {
  withHeap((heap) => {
    expect(rowLines(soloTeam(heap), binned(1, 100))).toBeNull();
    setMemoryBudget(16 * 2 * COLUMNS * 100 - 1);
    expect(rowLines(soloTeam(heap), binned(2, 100))).toBeNull();
    setMemoryBudget(16 * 2 * COLUMNS * 100);
    expect(rowLines(soloTeam(heap), binned(2, 100))).not.toBeNull();
  });
});

it("leaves have the same histograms with the copy and without", () => {
  withHeap((heap) => {
    const [rows, groups] = [9000, 11];
    const { bins: drawn, layout } = binned(groups, rows);
    const bins = heap.u8(drawn.length);
    bins.set(drawn);
    // Groups 3 and 9 have default bins in two of three rows.
    const defaultBins = layout.defaultBins.map((_, group) => (group % 6 === 3 ? new Uint8Array(COLUMNS).fill(7) : undefined));
    for (const group of [3, 9])
      for (let row = 0; row < rows; row++)
        if (row % 3 > 0) bins.fill(7, (group * rows + row) * COLUMNS, (group * rows + row + 1) * COLUMNS);
    const data = { rows, features: [], layout: { ...layout, defaultBins }, bins };
    const draw = random(5);
    const chosen = heap.u32(rows);
    const all = Uint32Array.from({ length: rows }, (_, row) => row);
    const some = all.filter(() => draw() < 0.49);
    expect(some.length).toBeGreaterThan(4096); // more than a tile
    chosen.set(some);
    const team = soloTeam(heap);
    const leaf = { starts: [0], counts: [some.length], slot: 0 } as unknown as Leaf;
    const sumsOf = (lines: ReturnType<typeof rowLines>) => {
      const histograms = leafHistograms(team, data, chosen, 3, lines);
      histograms.entries.set(Int32Array.from({ length: 2 * rows }, (_, i) => (i * 7919) % 1000));
      histograms.gather(leaf);
      histograms.sum(leaf, groupOwners(team, [0, 1, 3, 4, 7, 8, 9, 10]), "gathered");
      return histograms.sums.slice(0, 2 * groups * COLUMNS * 256);
    };
    const lines = rowLines(team, data)!;
    const found = sumsOf(lines);
    expect(found).toEqual(sumsOf(null));
    expect(found.some((one) => one !== 0)).toBe(true);
    lines.bytes.fill(0);
    expect(sumsOf(lines)).not.toEqual(found); // the copy is what is read
  });
});

it.each<[groups: number, members: number, lengths: readonly number[]]>([
  [16, 1, [8, 8]],
  [16, 2, [8, 8]], // one line for each
  [16, 3, [2, 2, 2, 2, 2, 2, 2, 2]],
  [16, 4, [4, 4, 4, 4]],
  [9, 1, [8, 1]],
  [9, 2, [2, 2, 2, 2, 1]], // 8 and 1 are not even, and three parts too few
  [17, 2, [4, 4, 4, 4, 1]],
  [4, 2, [2, 2]],
  [3, 4, [1, 1, 1]],
])("%i groups for %i members are summed in parts of %j", (groups, members, lengths) => {
  const parts = partsOfLines(
    Array.from({ length: groups }, (_, group) => group),
    members,
  );
  expect(parts.map(({ length }) => length)).toEqual(lengths);
  expect(parts.flat()).toEqual(Array.from({ length: groups }, (_, group) => group));
});
