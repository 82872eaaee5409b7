/** Ballots of a poll as text, in formats that `tierwise train` reads: PrefLib, a table, and JSON tier lists. */
import type { CountedBallots } from "./store.ts";

export const EXPORT_FORMATS = ["preflib", "csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface Export {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export function exportBallots(
  format: ExportFormat,
  poll: {
    readonly title: string;
    readonly items: readonly { readonly name: string }[];
    readonly tiers: readonly { readonly name: string }[];
  },
  ballots: CountedBallots,
): Export {
  const names = poll.items.map(({ name }) => name);
  if (format === "preflib")
    return { name: "ballots.toi", type: "text/plain; charset=utf-8", text: preflib(poll.title, names, ballots) };
  if (format === "csv") return { name: "ballots.csv", type: "text/csv; charset=utf-8", text: table(names, ballots) };
  return { name: "ballots.json", type: "application/json; charset=utf-8", text: json(names, ballots) };
}

function preflib(title: string, names: readonly string[], ballots: CountedBallots): string {
  const counts = new Map<string, number>();
  for (const [tiers, count] of ballots) {
    const groups = tiers.filter((tier) => tier.length > 0).map((tier) => tier.map((item) => item + 1));
    const order = groups.map((tier) => (tier.length === 1 ? `${tier[0]}` : `{${tier.join(",")}}`)).join(",");
    counts.set(order, (counts.get(order) ?? 0) + count);
  }
  const voters = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...["# FILE NAME: ballots.toi", `# TITLE: ${title}`, "# DATA TYPE: toi", `# NUMBER ALTERNATIVES: ${names.length}`],
    ...[`# NUMBER VOTERS: ${voters}`, `# NUMBER UNIQUE ORDERS: ${counts.size}`],
    ...names.map((name, i) => `# ALTERNATIVE NAME ${i + 1}: ${name}`),
    ...[...counts].sort(([, a], [, b]) => b - a).map(([order, count]) => `${count}: ${order}`),
    "",
  ].join("\n");
}

/** A row for each item of each ballot; the tier is a number, 1 the best. */
function table(names: readonly string[], ballots: CountedBallots): string {
  const cells = names.map((name) => (/[",]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
  const rows = ballots.flatMap(([tiers, count], i) =>
    tiers.flatMap((tier, t) => tier.map((item) => `${i + 1},${cells[item]},${t + 1},${count}`)),
  );
  return ["ballot,item,tier,count", ...rows, ""].join("\n");
}

function json(names: readonly string[], ballots: CountedBallots): string {
  const rows = ballots.map(([tiers, count]) =>
    JSON.stringify({ tiers: tiers.filter((tier) => tier.length > 0).map((tier) => tier.map((item) => names[item])), count }),
  );
  return `{"ballots":[\n${rows.join(",\n")}\n]}\n`;
}
