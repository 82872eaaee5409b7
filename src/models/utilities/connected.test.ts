import { describe, expect, it } from "vitest";
import { type Ballot, ballots } from "../../data/ballots.ts";
import { below, random } from "../../numeric/random.ts";
import { davidson } from "../../objectives/davidson.ts";
import { plPartition } from "../../objectives/pl-partition.ts";
import { rankNet } from "../../objectives/ranknet.ts";
import { areConnected, requireConnected } from "./connected.ts";
import { stagesOf } from "./stages.ts";

/** Which items steps lead to from each, by Warshall's algorithm. */
function reached(n: number, steps: readonly (readonly [number, number])[]): boolean[][] {
  const reach = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => i === j));
  for (const [i, j] of steps) reach[i]![j] = true;
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) reach[i]![j] ||= reach[i]![k]! && reach[k]![j]!;
  return reach;
}

/** Whether steps lead from every item to every other. */
const isStrong = (n: number, steps: readonly (readonly [number, number])[]): boolean =>
  reached(n, steps).every((row) => row.every(Boolean));

/** What an error says of items outside the largest group that is connected both ways; undefined where two groups are the largest. */
function reasons(n: number, steps: readonly (readonly [number, number])[]): string | undefined {
  const reach = reached(n, steps);
  const all = Array.from({ length: n }, (_, i) => i);
  const groups = all.map((i) => all.filter((j) => reach[i]![j] && reach[j]![i]));
  const most = Math.max(...groups.map(({ length }) => length));
  const main = groups.find(({ length }) => length === most)!;
  if (groups.some((group) => group.length === most && group[0] !== main[0])) return undefined;
  const others = all.filter((i) => !main.includes(i));
  const below = others.filter((i) => reach[main[0]!]![i]);
  const above = others.filter((i) => reach[i]![main[0]!]);
  const apart = others.filter((i) => !below.includes(i) && !above.includes(i));
  const part = (what: string, items: readonly number[]) =>
    items.length > 0 ? [`${what} the others: ${items.map((i) => JSON.stringify(String(i))).join(", ")}`] : [];
  return [...part("never above", below), ...part("never below", above), ...part("never compared with", apart)].join("; ");
}

describe("whether an estimate exists", () => {
  it("comparisons of two connect all items exactly when steps from winners to losers do, at random", () => {
    const r = random(11);
    const seen = { yes: 0, no: 0 };
    for (let run = 0; run < 400; run++) {
      const n = 2 + below(r, 6);
      const rows = 1 + below(r, 2 * n);
      const first = Uint32Array.from({ length: rows }, () => below(r, n));
      const second = first.map((i) => (i + 1 + below(r, n - 1)) % n);
      const some = () => Float64Array.from({ length: rows }, () => (r() < 0.5 ? 1 : 0));
      const [wins, losses, ties] = [some(), some(), some()];
      for (const objective of [rankNet(), davidson()]) {
        const steps = Array.from(first).flatMap((i, at): [number, number][] => {
          const tied = objective.ties === "event" && ties[at]! > 0;
          const j = second[at]!;
          return [
            ...(tied || wins[at]! > 0 ? [[i, j] as [number, number]] : []),
            ...(tied || losses[at]! > 0 ? [[j, i] as [number, number]] : []),
          ];
        });
        const strong = isStrong(n, steps);
        seen[strong ? "yes" : "no"]++;
        expect(areConnected({ items: n, first, second, wins, losses, ties }, objective)).toBe(strong);
      }
    }
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(100);
  });

  it("ballots are refused exactly when steps from a tier to the next do not connect all items, at random", () => {
    const r = random(12);
    const seen = { yes: 0, no: 0 };
    let explained = 0;
    for (let run = 0; run < 300; run++) {
      const n = 2 + below(r, 5);
      const names = Array.from({ length: n }, (_, i) => String(i));
      const given = Array.from({ length: 1 + below(r, 4) }, (): Ballot => {
        const order = names
          .slice()
          .sort(() => r() - 0.5)
          .slice(0, 2 + below(r, n - 1));
        return order.length > 2 && r() < 0.4 ? [order.slice(0, 2), ...order.slice(2)] : order;
      });
      const steps = given.flatMap((ballot) =>
        ballot
          .slice(1)
          .flatMap((tier, at) =>
            [ballot[at]!].flat().flatMap((i) => [tier].flat().map((j): [number, number] => [Number(i), Number(j)])),
          ),
      );
      const strong = isStrong(n, steps);
      seen[strong ? "yes" : "no"]++;
      const data = ballots(given, { items: names });
      const check = () => requireConnected(data, stagesOf(data, n), plPartition());
      if (strong) expect(check).not.toThrow();
      else {
        expect(check).toThrow(/does not exist/);
        const words = reasons(n, steps);
        if (words === undefined) continue;
        expect(check).toThrow(words);
        explained++;
      }
    }
    expect(Math.min(seen.yes, seen.no, explained)).toBeGreaterThan(30);
  });
});
