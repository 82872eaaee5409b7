import { expect, it } from "vitest";
import { build } from "./build.ts";
import { decidingLists } from "./deciding-lists.ts";
import { labelSets } from "./label-sets.ts";

it("a list decides something if two of its labels differ", () => {
  const rows = Object.entries({ a: [1, 1, 2], b: [0, 0], c: [3], d: [0, 1] });
  const data = build(rows.flatMap(([list, labels]) => labels.map((label) => ({ list, label, features: [label] }))));
  expect(decidingLists(data)).toBe(2);
});

it("a document decides something if it has a label", () => {
  const documents = [{ tags: ["x"], words: [1] }, { tags: [], words: [2] }, { tags: ["x", "y"], words: [3] }]; // biome-ignore format: rows
  expect(decidingLists(labelSets(documents, { labels: "tags", features: "words" }))).toBe(2);
});
