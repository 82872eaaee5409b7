import { expect, it } from "vitest";
import { distance, similarNames, suggest } from "./similar-names.ts";

it.each([
  ["ndcg", "ndcg", 0],
  ["ndcg", "dncg", 1], // two letters exchanged, at the beginning
  ["ndcg", "ncdg", 1],
  ["ndcg", "ndgc", 1],
  ["ndcg", "ncg", 1],
  ["ndcg", "nddcg", 1],
  ["ndcg", "mdcg", 1],
  ["ndcg", "dngc", 2],
  ["ndcg", "", 4],
])("%j and %j: distance %d", (a, b, steps) => {
  expect([distance(a, b), distance(b, a)]).toEqual([steps, steps]);
});

it.each([
  ["price", ["Price", "stars"], "did you mean Price? (there are Price, stars)"],
  ["price", [" price\u00a0", "stars"], 'did you mean " price\u00a0"? (there are " price\u00a0", stars)'],
  ["hours_baked", ["Hours baked"], "did you mean Hours baked? (there is Hours baked)"],
  ["price", ["price_per_unit"], "did you mean price_per_unit? (there is price_per_unit)"],
  ["price", ["title"], "there is title"],
])("%j among %j: %s", (name, known, answer) => {
  expect(suggest(name, known)).toBe(answer);
});

it("similar names are misspelled, not longer, and the nearest comes first", () => {
  expect(similarNames("prices", ["price_per_unit", "prize", "price", "title"])).toEqual(["price", "prize"]);
  expect(similarNames("lebal", ["label"])).toEqual(["label"]); // letters in another order
});
