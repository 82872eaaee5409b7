/**
 * Generated files in the formats of PrefLib, of the sizes of its collections and beyond: elections of many voters, charts and search results of many
 * alternatives, bids in categories, heats of few voters, files that leave utilities open, and files that are no ballots.
 */

import { normals } from "../src/numeric/normal.ts";
import { descending } from "../src/numeric/order.ts";
import { below, random } from "../src/numeric/random.ts";

export interface PreflibFile {
  /** With the extension that names the kind. */
  readonly name: string;
  readonly text: string;
}

export interface BallotShape {
  readonly kind: "soc" | "soi" | "toc" | "toi" | "cat";
  readonly alternatives: number;
  readonly voters: number;
  /** Alternatives that a voter ranks. Default: all. */
  readonly ranked?: number;
  /** Sizes of the tiers of a ballot, the best first; what is left is the last tier. Default: no ties. */
  readonly tiers?: readonly number[];
  /** Standard deviation of utilities. Default: 1. */
  readonly spread?: number;
  /** Voters that share a ballot. Default: 1. */
  readonly count?: number;
  /** Voters rank alternatives of their own half only, so that the halves are never compared. */
  readonly apart?: boolean;
}

/** Ballots drawn from a Plackett-Luce model, in the present syntax or that before 2022. */
export function ballotFile(shape: BallotShape, seed: number, old = false): PreflibFile {
  const { kind, alternatives: n, voters, ranked = n, tiers, spread = 1, count = 1, apart = false } = shape;
  const r = random(seed, 0x9f);
  const normal = normals(r);
  const utilities = Float64Array.from({ length: n }, () => spread * normal());
  const all = Array.from({ length: n }, (_, i) => i);
  const lines: string[] = [];
  for (let v = 0; v < voters; v++) {
    const half = Math.floor(n / 2);
    const [from, size] = apart ? (v % 2 === 0 ? [0, half] : [half, n - half]) : [0, n];
    const shown = size === ranked ? all.slice(from, from + size) : sample(r, from, size, Math.min(ranked, size));
    const order = descending(Float64Array.from(shown, (i) => utilities[i]! - Math.log(-Math.log(r()))));
    const names = Array.from(order, (k) => shown[k]! + 1);
    lines.push(`${count}${old ? "," : ": "}${tiers ? tied(names, tiers) : names.join(",")}`);
  }
  const name = `${kind}-${n}x${voters}${ranked < n ? `-${ranked}` : ""}${tiers ? `-ties${tiers.slice(0, 3).join("_")}` : ""}${apart ? "-apart" : ""}${old ? "-old" : ""}.${kind}`;
  const header = old
    ? [String(n), ...all.map((i) => `${i + 1},Alternative ${i + 1}`), `${voters * count},${voters * count},${voters}`]
    : [
        `# FILE NAME: ${name}`,
        `# DATA TYPE: ${kind}`,
        `# NUMBER ALTERNATIVES: ${n}`,
        `# NUMBER VOTERS: ${voters * count}`,
        `# NUMBER UNIQUE ORDERS: ${voters}`,
        ...all.map((i) => `# ALTERNATIVE NAME ${i + 1}: Alternative ${i + 1}`),
      ];
  return { name, text: `${[...header, ...lines].join("\n")}\n` };
}

/** `count` different numbers of those from `from`. */
function sample(r: () => number, from: number, size: number, count: number): number[] {
  const taken = new Set<number>();
  while (taken.size < count) taken.add(from + below(r, size));
  return [...taken];
}

function tied(names: readonly number[], sizes: readonly number[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const size of [...sizes, names.length]) {
    const tier = names.slice(at, at + size);
    if (tier.length > 0) parts.push(tier.length > 1 ? `{${tier.join(",")}}` : String(tier[0]));
    at += size;
  }
  return parts.join(",");
}

const tournamentHeader = (name: string, n: number, edges: number) => [
  `# FILE NAME: ${name}`,
  `# DATA TYPE: ${name.split(".")[1]}`,
  `# NUMBER ALTERNATIVES: ${n}`,
  `# NUMBER EDGES: ${edges}`,
  ...Array.from({ length: n }, (_, i) => `# ALTERNATIVE NAME ${i + 1}: Pair ${i + 1}`),
];

/** Files of PrefLib that hold no ballots: graphs of matchings and tournaments, and extra data. */
export const otherFiles = (): PreflibFile[] => {
  const graph = (name: string) => ({
    name,
    text: `${[...tournamentHeader(name, 16, 40), ...Array.from({ length: 40 }, (_, e) => `${1 + (e % 16)}, ${1 + ((e * 7 + 3) % 16)}, ${1 + (e % 3)}.0`)].join("\n")}\n`,
  });
  return [
    ...["kidney.wmd", "tournament.tog", "majority.mjg", "margins.wmg", "pairwise.pwg"].map(graph),
    { name: "extra.dat", text: `${Array.from({ length: 20 }, (_, i) => `${i} 1.5 0.25 ${i % 3}`).join("\n")}\n` },
    { name: "info.txt", text: "File Name, Title, Description\n00001-00000001.soc, Dublin North, an election\n" },
    {
      name: "extra.csv",
      text: `voter,age,income\n${Array.from({ length: 20 }, (_, i) => `${i},${20 + i},${i * 100}`).join("\n")}\n`,
    },
  ];
};

/** Shapes as in PrefLib's collections, and the largest that they suggest. */
export const SHAPES: readonly BallotShape[] = [
  { kind: "soc", alternatives: 5, voters: 100_000 },
  { kind: "soc", alternatives: 10, voters: 5_000 },
  { kind: "soc", alternatives: 30, voters: 20_000 },
  { kind: "soc", alternatives: 30, voters: 100_000 },
  { kind: "soc", alternatives: 100, voters: 30_000 },
  { kind: "soc", alternatives: 240, voters: 5 },
  { kind: "soc", alternatives: 2_600, voters: 4, spread: 0.2 },
  { kind: "soc", alternatives: 10_000, voters: 4, spread: 0.2 },
  { kind: "soc", alternatives: 10_000, voters: 100, spread: 0.5 },
  { kind: "soc", alternatives: 9, voters: 1 },
  { kind: "soc", alternatives: 400, voters: 2_000 },
  { kind: "soi", alternatives: 14, voters: 40_000, ranked: 5 },
  { kind: "soi", alternatives: 10_000, voters: 365, ranked: 200 },
  { kind: "soi", alternatives: 2_000, voters: 365, ranked: 200 },
  { kind: "soi", alternatives: 500, voters: 30_000, ranked: 10 },
  { kind: "soi", alternatives: 10_000, voters: 100_000, ranked: 5 },
  { kind: "soi", alternatives: 40, voters: 30_000, ranked: 20 },
  { kind: "soi", alternatives: 100, voters: 2_000, ranked: 4, apart: true },
  { kind: "soi", alternatives: 170, voters: 20, ranked: 150, spread: 0.3 },
  { kind: "toc", alternatives: 7, voters: 500, tiers: [2, 1, 2] },
  { kind: "toc", alternatives: 30, voters: 30_000, tiers: [5, 8, 3] },
  { kind: "toc", alternatives: 100, voters: 30_000, tiers: [1, 1, 1] },
  { kind: "toc", alternatives: 300, voters: 1_000, tiers: [150], spread: 0.3 },
  { kind: "toc", alternatives: 600, voters: 1_000, tiers: [300], spread: 0.3 },
  { kind: "toc", alternatives: 600, voters: 200, tiers: [20, 50] },
  { kind: "toc", alternatives: 2_600, voters: 5, tiers: [300, 300, 300, 300, 300], spread: 0.2 },
  { kind: "toc", alternatives: 10_000, voters: 10, tiers: [5_000, 2_000], spread: 0.2 },
  { kind: "toc", alternatives: 240, voters: 5, tiers: [10, 10, 10, 10, 10, 10, 10, 10], spread: 0.2 },
  { kind: "toi", alternatives: 50, voters: 20_000, ranked: 20, tiers: [3, 4, 5] },
  { kind: "toi", alternatives: 3_000, voters: 2_000, ranked: 300, tiers: [100, 100], spread: 0.3 },
  { kind: "toi", alternatives: 1_000, voters: 30_000, ranked: 12, tiers: [2, 3, 4] },
  { kind: "toi", alternatives: 9, voters: 100_000, ranked: 6, tiers: [2, 2] },
  { kind: "cat", alternatives: 6, voters: 476, tiers: [2, 3] },
  { kind: "cat", alternatives: 613, voters: 201, tiers: [12, 40] },
  { kind: "cat", alternatives: 54, voters: 31, tiers: [5, 9, 20] },
  { kind: "cat", alternatives: 20, voters: 30_000, tiers: [8] },
  { kind: "cat", alternatives: 1_000, voters: 300, tiers: [300, 300], spread: 0.3 },
];

/** A file of each shape, some with voters who share ballots and some in the syntax before 2022, and files that hold no ballots. */
export function* preflibFiles(seed = 1): Generator<PreflibFile> {
  for (const [at, shape] of SHAPES.entries())
    yield ballotFile(at % 5 === 3 ? { ...shape, count: 7 } : shape, seed + at, at % 7 === 5);
  yield* otherFiles();
}
