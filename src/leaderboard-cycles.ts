/** Majorities that go round: a over b, b over c, c over a, each beyond chance after a correction for all triples. */
import type { Contests } from "./models/utilities/contests.ts";
import { logGamma } from "./numeric/chi-square.ts";
import { exp } from "./numeric/functions.ts";

/** Three items, each of which wins most battles against the next, and the last against the first. */
export interface Cycle {
  /** Names of the items. */
  readonly items: readonly [string, string, string];
  /** Wins and losses of each against the next. */
  readonly results: readonly (readonly [wins: number, losses: number])[];
  /** p-value of the least sure majority, corrected for the two directions of all triples. */
  readonly p: number;
}

/** The probability of at least this many wins among wins and losses, each as likely as the other. */
export function binomialAbove(wins: number, losses: number): number {
  const n = wins + losses;
  let [term, sum] = [exp(logGamma(n + 1) - logGamma(wins + 1) - logGamma(losses + 1) - n * Math.LN2), 0];
  for (let k = wins; k <= n && term > 0; k++) {
    sum += term;
    term *= (n - k) / (k + 1);
    if (k > n / 2 && term < 1e-18 * sum) break;
  }
  return Math.min(1, sum);
}

/** Cycles whose corrected p-value is below the threshold, and how many there are of any kind. */
export function cyclesOf(items: readonly string[], { first, second, wins, losses }: Contests, threshold: number) {
  const n = items.length;
  const won = new Float64Array(n * n);
  const known: Set<number>[] = Array.from({ length: n }, () => new Set());
  first.forEach((i, r) => {
    const j = second[r]!;
    won[i * n + j] = won[i * n + j]! + wins[r]!;
    won[j * n + i] = won[j * n + i]! + losses[r]!;
    known[i]!.add(j);
    known[j]!.add(i);
  });
  const lead = (i: number, j: number) => won[i * n + j]! > won[j * n + i]!;
  const sure = new Map<number, number>();
  const pOf = (i: number, j: number) => {
    const at = i * n + j;
    if (!sure.has(at)) sure.set(at, binomialAbove(won[at]!, won[j * n + i]!));
    return sure.get(at)!;
  };
  let [triples, seen] = [0, 0];
  const found: { cycle: [number, number, number]; p: number }[] = [];
  for (let a = 0; a < n; a++) {
    for (const b of known[a]!) {
      if (b < a) continue;
      for (const c of known[b]!) {
        if (c < b || !known[a]!.has(c)) continue;
        triples++;
        const round = lead(a, b) && lead(b, c) && lead(c, a);
        const back = lead(b, a) && lead(c, b) && lead(a, c);
        if (!round && !back) continue;
        seen++;
        const cycle: [number, number, number] = round ? [a, b, c] : [a, c, b];
        const p = Math.max(pOf(cycle[0], cycle[1]), pOf(cycle[1], cycle[2]), pOf(cycle[2], cycle[0]));
        if (p < threshold) found.push({ cycle, p });
      }
    }
  }
  found.sort((x, y) => x.p - y.p);
  const cycles: Cycle[] = [];
  let least = 0;
  for (const [k, { cycle, p }] of found.entries()) {
    least = Math.max(least, Math.min(1, p * (2 * triples - k))); // Holm's method; the others are above all of these
    if (least >= threshold) break;
    const [a, b, c] = cycle;
    const result = (i: number, j: number) => [won[i * n + j]!, won[j * n + i]!] as const;
    cycles.push({ items: [items[a]!, items[b]!, items[c]!], results: [result(a, b), result(b, c), result(c, a)], p: least });
  }
  return { cycles, triples, seen };
}
