import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { breakCycles, findCycles, type Preference, preferenceGraph, topologicalOrder } from "./preference-graph.ts";
import { tiersFromClicks } from "./tiers-from-clicks.ts";
import { tiersFromPairs } from "./tiers-from-pairs.ts";
import { tiersFromRatings } from "./tiers-from-ratings.ts";

/** "ab bc" is a over b and b over c; a digit after a pair is its weight. */
const pairs = (text: string): Preference[] =>
  text.split(" ").map((pair) => ({
    winner: pair.charCodeAt(0) - 97,
    loser: pair.charCodeAt(1) - 97,
    ...(pair[2] ? { weight: Number(pair[2]) } : {}),
  }));

/** "a bc d" for tiers, the best first. */
function shown(items: number, text: string, by: "layers" | "implied"): string {
  const { entries, labels } = tiersFromPairs(items, pairs(text), { by });
  const grades = [...new Set(labels)].sort((a, b) => b - a);
  return grades
    .map((grade) =>
      [...entries]
        .filter((_, k) => labels[k] === grade)
        .map((i) => String.fromCharCode(97 + i))
        .join(""),
    )
    .join(" ");
}

describe("tiers from pairs", () => {
  it("a chain, and one winner over two losers, read the same both ways", () => {
    for (const by of ["layers", "implied"] as const) {
      expect(shown(3, "ab bc", by)).toBe("a b c");
      expect(shown(3, "ab ac", by)).toBe("a bc");
      expect(shown(4, "ac ad bc bd", by)).toBe("ab cd");
    }
  });

  it("two separate pairs: layers keep both, and nothing is implied between them", () => {
    expect(shown(4, "ab cd", "layers")).toBe("ac bd");
    expect(shown(4, "ab cd", "implied")).toBe("abcd");
  });

  it("d beats only the last of a chain: as high as it can stand, or in one tier with those it was never compared to", () => {
    expect(shown(4, "ab bc dc", "layers")).toBe("ad b c");
    expect(shown(4, "ab bc dc", "implied")).toBe("abd c");
  });

  it("an item that no pair names is left out", () => {
    expect([...tiersFromPairs(5, pairs("bd")).entries]).toEqual([1, 3]);
  });

  it("a circle is refused by the names of its items", () => {
    const name = (item: number) => `"${"abcdef"[item]}"`;
    expect(() => tiersFromPairs(6, pairs("ab bc ca ad ef fe"), { name })).toThrow(
      'the preferences contain a cycle: "a" over "b" over "c" over "a" (and 1 more such cycle); drop one of them, or set cycles to "break"',
    );
  });

  it("a circle is broken at its weakest pair, votes added", () => {
    const { entries, labels, dropped } = tiersFromPairs(3, [...pairs("ab3 bc2 ca1 ab1")], { cycles: "break" });
    expect([...entries]).toEqual([0, 1, 2]);
    expect([...labels]).toEqual([2, 1, 0]);
    expect(dropped).toEqual([{ winner: 2, loser: 0, weight: 1 }]);
    expect(tiersFromPairs(2, pairs("ab1 ba4"), { cycles: "break" }).labels).toEqual(Float32Array.of(0, 1));
  });

  it("bad pairs are refused", () => {
    expect(() => tiersFromPairs(2, pairs("ac"))).toThrow("preferences: expected items from 0 to 1, got 2");
    expect(() => tiersFromPairs(2, pairs("aa"))).toThrow("preferences: item 0 cannot be preferred to itself");
    expect(() => tiersFromPairs(2, pairs("ab0"))).toThrow("preferences: expected a weight above 0, got 0");
  });

  const graph = fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 25 });

  it("property: layers keep every pair, and use no more tiers than the longest chain", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const given = edges.filter(([a, b]) => a < b).map(([winner, loser]) => ({ winner, loser })); // no circles
        const { entries, labels } = tiersFromPairs(9, given);
        const label = new Map([...entries].map((item, k) => [item, labels[k]!]));
        for (const { winner, loser } of given) expect(label.get(winner)).toBeGreaterThan(label.get(loser)!);
        const longest = (item: number): number =>
          Math.max(0, ...given.filter((g) => g.winner === item).map((g) => 1 + longest(g.loser)));
        expect(Math.max(0, ...labels)).toBe(Math.max(0, ...[...entries].map(longest)));
      }),
    );
  });

  it("property: implied tiers are the pieces that incomparable items tie together", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const given = edges.filter(([a, b]) => a < b).map(([winner, loser]) => ({ winner, loser }));
        const { entries, labels } = tiersFromPairs(9, given, { by: "implied" });
        const above = (a: number, b: number): boolean =>
          given.some((g) => g.winner === a && (g.loser === b || above(g.loser, b)));
        // Two items belong together when a path of incomparable items joins them.
        const piece = new Map([...entries].map((item) => [item, item]));
        for (const _ of entries)
          for (const a of entries)
            for (const b of entries)
              if (a !== b && !above(a, b) && !above(b, a)) {
                const least = Math.min(piece.get(a)!, piece.get(b)!);
                piece.set(a, least).set(b, least);
              }
        entries.forEach((a, k) => {
          entries.forEach((b, l) => {
            expect(labels[k] === labels[l]).toBe(piece.get(a) === piece.get(b));
            if (labels[k]! > labels[l]!) expect(above(a, b)).toBe(true);
          });
        });
      }),
    );
  });

  it("property: after breaking there is no circle, and each dropped pair would close one with pairs no lighter", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const given = preferenceGraph(
          9,
          edges.filter(([a, b]) => a !== b).map(([winner, loser], k) => ({ winner, loser, weight: 1 + (k % 3) })),
        );
        const { graph: kept, dropped } = breakCycles(given);
        expect(findCycles(kept)).toEqual([]);
        for (const edge of dropped) {
          const heavier = kept.edges.filter(({ weight }) => weight >= edge.weight);
          expect(findCycles(preferenceGraph(9, [...heavier, edge])).length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("a chain of 20,000 items is no trouble", () => {
    const chain = Array.from({ length: 19_999 }, (_, i) => ({ winner: i, loser: i + 1 }));
    for (const by of ["layers", "implied"] as const) expect(tiersFromPairs(20_000, chain, { by }).labels[0]).toBe(19_999);
  });
});

describe("tiers from ratings", () => {
  it("stars stay as they are, and what was not rated is left out", () => {
    const { entries, labels } = tiersFromRatings([5, Number.NaN, 3, 5]);
    expect([...entries]).toEqual([0, 2, 3]);
    expect([...labels]).toEqual([5, 3, 5]);
  });

  it("cuts make grades, and dense numbers them without gaps", () => {
    expect([...tiersFromRatings([0.1, 0.5, 0.9], { cuts: [0.5, 0.8] }).labels]).toEqual([0, 1, 2]);
    expect([...tiersFromRatings([10, -3.5, 10, 1e9], { dense: true }).labels]).toEqual([1, 0, 1, 2]);
    expect(() => tiersFromRatings([1], { cuts: [2, 1] })).toThrow(
      "tiersFromRatings, option cuts: expected an array of finite numbers that ascend, got an array of 2",
    );
  });
});

describe("tiers from clicks", () => {
  const page = [0, 1, 0, 1, 0, 0];

  it("what was passed over stands below what was clicked; what lies below the last click is left out", () => {
    expect([...tiersFromClicks(page).labels]).toEqual([0, 1, 0, 1]);
  });

  it("or stands between, or below", () => {
    expect([...tiersFromClicks(page, { unseen: "between" }).labels]).toEqual([0, 2, 0, 2, 1, 1]);
    expect([...tiersFromClicks(page, { unseen: "below" }).labels]).toEqual([0, 1, 0, 1, 0, 0]);
  });

  it("a page without a click says nothing", () => {
    expect(tiersFromClicks([false, false]).entries.length).toBe(0);
  });
});

describe("wrong arguments are an InputError that names the function", () => {
  const wrong: [() => unknown, string][] = [
    [
      () => tiersFromClicks("0101" as never),
      'tiersFromClicks: expected an array of clicks, each a number or true or false, got the text "0101"',
    ],
    [() => tiersFromClicks([1, -1]), "tiersFromClicks: expected a number of at least 0, true or false, got -1 at 1"],
    [() => tiersFromClicks([1, Number.NaN]), "tiersFromClicks: expected a number of at least 0, true or false, got NaN at 1"],
    [
      () => tiersFromClicks([1], { unseen: "above" as never }),
      'tiersFromClicks, option unseen: expected one of "leave-out", "between", "below"',
    ],
    [() => tiersFromClicks([1], { seen: 1 } as never), 'tiersFromClicks has no option "seen"; there is unseen'],
    [() => tiersFromRatings(undefined as never), "tiersFromRatings: expected an array of ratings, got undefined"],
    [
      () => tiersFromRatings([1, "2" as never]),
      'tiersFromRatings: expected finite numbers, or NaN for no rating, got the text "2" at 1',
    ],
    [() => tiersFromRatings([1e39]), "tiersFromRatings: expected finite numbers, or NaN for no rating, got 1e+39 at 0"],
    [() => tiersFromRatings([1], { cuts: [Number.NaN] }), "tiersFromRatings, option cuts: expected"],
    [() => tiersFromRatings([1], { dense: 1 as never }), "tiersFromRatings, option dense: expected true or false, got 1"],
    [() => tiersFromPairs(-1, []), "tiersFromPairs, the number of items: expected a whole number of at least 0, got -1"],
    [() => tiersFromPairs(2, 5 as never), "preferences: expected an array of pairs { winner, loser }, got 5"],
    [() => tiersFromPairs(2, [[0, 1]] as never), "preferences: expected items from 0 to 1, got undefined"],
    [() => tiersFromPairs(2, [null] as never), "preferences: expected pairs { winner, loser }, got null"],
    [() => tiersFromPairs(2, [], { by: "layer" as never }), 'tiersFromPairs, option by: expected one of "layers", "implied"'],
    [() => preferenceGraph(1.5, []), "preferenceGraph, the number of items: expected a whole number of at least 0, got 1.5"],
    [() => topologicalOrder({} as never), "topologicalOrder: expected a graph, as preferenceGraph returns it"],
    [() => findCycles(null as never), "findCycles: expected a graph, as preferenceGraph returns it, got null"],
    [() => breakCycles([] as never), "breakCycles: expected a graph, as preferenceGraph returns it"],
  ];
  it.each(wrong)("case %#", (call, message) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
  });
});
