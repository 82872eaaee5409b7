/** Rows of pairs that decide nothing, because an item meets itself or no winner is given. They are left out and counted. */
import { counted, thousands } from "../../counted.ts";
import { quote } from "../../input-error.ts";

export interface UndecidedRows {
  /** Counts a row at `where` that compares the item `name` with itself. */
  self(name: string, where: string): void;
  /** Counts a row at `where` that has no winner. */
  noWinner(where: string): void;
  /** What to say of the rows so far; empty if there are none. */
  notice(): string;
}

export function undecidedRows(): UndecidedRows {
  const selves = { rows: 0, first: "" };
  const open = { rows: 0, first: "" };
  const count = (kind: { rows: number; first: string }, first: string) => {
    if (kind.rows++ === 0) kind.first = first;
  };
  return {
    self: (name, where) => count(selves, `${where}: ${quote(name)}`),
    noWinner: (where) => count(open, where),
    notice() {
      const reasons = [
        ...(selves.rows > 0 ? [`${thousands(selves.rows)} of an item against itself (first ${selves.first})`] : []),
        ...(open.rows > 0 ? [`${thousands(open.rows)} without a winner (first ${open.first})`] : []),
      ];
      return reasons.length === 0 ? "" : `${counted(selves.rows + open.rows, "row")} left out: ${reasons.join(", ")}`;
    },
  };
}
