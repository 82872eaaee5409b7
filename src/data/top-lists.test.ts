import { expect, it } from "vitest";
import { labelSets } from "./label-sets.ts";
import { labelFrequency } from "./top-lists.ts";

it("the frequency of a label is the number of documents that have it", () => {
  const tags = [["b"], ["a", "b"], [], ["c", "b"]];
  const data = labelSets(tags.map((own) => ({ own, words: { x: 1 } })), { labels: "own", features: "words", space: ["a", "b", "c", "d"] }); // biome-ignore format: one call
  expect(labelFrequency(data)).toEqual({ lists: 4, counts: Uint32Array.of(1, 3, 1, 0) });
});
