import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { readData } from "./formats/data/read.ts";
import { inspect } from "./inspect.ts";
import { nearOrders } from "./inspect-orders.ts";
import { below, random } from "./numeric/random.ts";

/** Lists of `size` items with labels from 0 to 3, or fewer, and one feature, which `value` makes of the label and the place in the list. */
function lists(
  count: number,
  size: number,
  value: (label: number, list: number, place: number, draw: () => number) => number,
  tiers = 4,
) {
  const draw = random(7, 0, 0);
  return build(
    Array.from({ length: count * size }, (_, i) => {
      const [list, place, label] = [Math.floor(i / size), i % size, below(draw, tiers)];
      return { list, label, features: [value(label, list, place, draw), draw()] };
    }),
  );
}

const leaks = (data: ReturnType<typeof build>) => inspect(data).warnings.filter(({ kind }) => kind === "leak").map(({ text }) => text); // biome-ignore format: one chain

describe("features that order nearly all pairs of items as the labels do", () => {
  it("are leaks, where one item of a hundred is wrong and lists are long", () => {
    const wrong = (label: number, list: number, place: number) => (list < 8 && place === 3 ? 3 - label : label);
    expect(leaks(lists(100, 8, wrong))).toEqual([
      expect.stringMatching(/^feature 1 orders 9[78]\.\d % of the pairs of items with different labels as the labels do \(ascending\); if it is known/), // biome-ignore format: one line
    ]);
    // Each list has a mistake, and the longer it is, the less that says.
    expect(leaks(lists(30, 60, (label, _, place) => (place === 3 ? label - 3 : -label)))[0]).toMatch(/ % of the pairs .* \(descending\)/); // biome-ignore format: one line
  });

  it("are leaks where values are missing, and where what is missing is lowest", () => {
    const wrong = (list: number, place: number) => list < 8 && place === 3;
    const sparse = lists(100, 8, (label, list, place, draw) => (draw() < 0.3 ? Number.NaN : wrong(list, place) ? 3 - label : label)); // biome-ignore format: one line
    expect(leaks(sparse)[0]).toMatch(/% of the pairs of items with different labels as the labels do \(ascending\)/);
    const sold = lists(100, 8, (label, list, place, draw) => ((label === 0) !== wrong(list, place) ? Number.NaN : draw()), 2); // biome-ignore format: one line
    expect(leaks(sold).join()).toContain("(ascending, and missing where they are lowest)");
  });

  it("are none where they order nine of ten pairs, or there are few lists, pairs or items of a list", () => {
    const good = (label: number, _list: number, _place: number, draw: () => number) => label + 2.2 * draw();
    expect(leaks(lists(100, 8, good))).toEqual([]);
    const one = (label: number, list: number, place: number) => (list === 0 && place === 0 ? 3 - label : label);
    expect(leaks(lists(19, 20, one))).toEqual([]);
    expect(leaks(lists(20, 20, one))).toHaveLength(1);
    expect(nearOrders(lists(60, 3, (label) => label))(new Float64Array(180).map((_, i) => i))).toBeUndefined();
    const short = lists(400, 2, (label) => label);
    expect(nearOrders(short)(Float64Array.from(short.labels))).toBeUndefined();
  });

  it("are counted as all pairs compared one by one", () => {
    for (let seed = 0; seed < 40; seed++) {
      const draw = random(seed, 1, 0);
      const noise = draw() / 4;
      const data = lists(20 + below(draw, 5), 6 + below(draw, 30), (label) => label);
      const values = Float64Array.from(data.labels, (label) => (draw() < noise ? below(draw, 4) : draw() < 0.1 ? Number.NaN : -label)); // biome-ignore format: one line
      let [descending, pairs] = [0, 0];
      for (let q = 0; q + 1 < data.starts.length; q++)
        for (let a = data.starts[q]!; a < data.starts[q + 1]!; a++)
          for (let b = a + 1; b < data.starts[q + 1]!; b++) {
            const labels = data.labels[a]! - data.labels[b]!;
            if (labels === 0 || Number.isNaN(values[a]! + values[b]!)) continue;
            pairs++;
            descending += values[a] === values[b] ? 0.5 : labels > 0 === values[a]! < values[b]! ? 1 : 0;
          }
      const share = descending / pairs;
      const expected = share < 0.95 ? undefined : { way: "descending", what: `${Math.min(99.9, Math.floor(1000 * share) / 10)} % of the pairs of items with different labels` }; // biome-ignore format: one line
      expect(nearOrders(data)(values)).toEqual(expected);
    }
  });

  it("are not among those of the example of search", async () => {
    const { data } = await readData(["examples/search/train.txt.gz"]);
    expect(leaks(data)).toEqual([]);
  });
});
