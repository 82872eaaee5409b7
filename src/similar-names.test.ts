import { expect, it } from "vitest";
import { distance } from "./similar-names.ts";

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
