import { expect, it } from "vitest";
import { labelSets } from "../../data/label-sets.ts";
import { fit } from "../../fit.ts";
import { parseData } from "../../formats/data/parse.ts";
import { learner, leml } from "../index.ts";

it("counts that a header declares are refused before anything is allocated for them", () => {
  const { data } = parseData([{ name: "a.xc.txt", content: "2 2147483646 3\n0 0:1\n1 1:2\n" }]);
  expect(() => fit(data, { model: learner("leml:rank=2") })).toThrow(
    "leml: 2147483646 features and 3 labels of rank 2 make a model too large for memory",
  );
});

it("ends with zeros for a label that no document has, however small the residual", () => {
  const documents = [{ tags: [], words: { a: 1, b: 2 } }, { tags: ["x"], words: {} }]; // biome-ignore format: rows
  const data = labelSets(documents, { labels: "tags", features: "words", space: ["x", "y"] });
  for (const steps of [1, 2, 10])
    for (const rounds of [7, 40]) {
      const { model, history } = fit(data, { model: leml({ rank: 3, l2: 1e-8, rounds, steps }) });
      expect(history.every(({ cost }) => Number.isFinite(cost))).toBe(true);
      const { items, scores } = model.top!(data, 2);
      const unused = Array.from(scores).filter((_, i) => items[i] === 1); // of label y, which no document has
      expect(unused.map((score) => Math.abs(score) < 1e-6)).toEqual([true, true]);
    }
});
