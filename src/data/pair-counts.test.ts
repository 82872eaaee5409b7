import { describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { objective } from "../objectives/index.ts";
import { build } from "./build.ts";
import { checkPairs } from "./pair-counts.ts";

const tiny = build([{ list: "q", label: 1, features: [1] }]);
/** A list of so many items, of which the first `higher` have label 1 and the others 0. */
const long = (items: number, higher: number) => ({
  ...tiny,
  starts: Uint32Array.of(0, items),
  labels: new Float32Array(items).fill(1, 0, higher),
});

describe("lists of too many pairs", () => {
  const items = 2_000_000;
  it("are refused under objectives that look at every pair", () => {
    expect(() => checkPairs(objective("ranknet"), long(items, items / 2))).not.toThrow(); // 10^12 pairs of different labels
    expect(() => checkPairs(objective("ranknet"), long(items + 2, items / 2))).toThrow(
      new InputError(
        'objective ranknet looks at every pair of a list, and list "q" has 2000002 items and 1.0e+12 pairs, which would take hours for each round; use an objective whose time grows with the items, such as softmax or lambdarank, or shorter lists',
      ),
    );
    for (const spec of ["davidson", "rao-kupper", "ranknet:ties=half"])
      expect(() => checkPairs(objective(spec), long(items, 1))).toThrow("2.0e+12 pairs");
  });

  it("are no matter where only pairs of different labels count, and there are few", () => {
    expect(() => checkPairs(objective("ranknet"), long(items, 100))).not.toThrow();
    expect(() => checkPairs(objective("approx-ndcg"), long(items, 100))).not.toThrow();
  });

  it("are no matter under objectives whose time grows with the items", () => {
    for (const spec of ["pl-partition", "softmax", "ranksvm", "lambdarank"]) checkPairs(objective(spec), long(items, items / 3));
  });
});
