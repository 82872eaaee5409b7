/** A tree as text: each split with its two children below it, each leaf with its value. */
import type { Columns } from "../../types.ts";
import { columnName } from "../shared/columns.ts";
import { MISSING_LEFT, type Tree } from "./tree.ts";

const short = (value: number) => String(Number(value.toPrecision(6)));

export function drawTree(tree: Tree, columns: Columns): string {
  const lines: string[] = [];
  const visit = (node: number, before: string, own: string, side: string) => {
    const feature = tree.feature[node]!;
    const rows = tree.items[0] === 0 ? "rows unknown" : `${tree.items[node]} rows`;
    if (feature < 0) {
      lines.push(`${before}${own}${side}adds ${short(tree.value[node]!)} (${rows})`);
      return;
    }
    const set = tree.sets.get(node);
    const test = set ? `in {${Array.from(set, short).join(", ")}}` : `<= ${short(tree.threshold[node]!)}`;
    const missing = set ? "" : `, missing goes ${tree.missing[node]! & MISSING_LEFT ? "yes" : "no"}`;
    lines.push(
      `${before}${own}${side}feature ${columnName(columns, feature)} ${test}? (gain ${short(tree.gain[node]!)}, ${rows}${missing})`,
    );
    const below = before + (own === "" ? "" : own === "├ " ? "│ " : "  ");
    visit(tree.left[node]!, below, "├ ", "yes: ");
    visit(tree.right[node]!, below, "└ ", "no: ");
  };
  visit(0, "", "", "");
  return lines.join("\n");
}
