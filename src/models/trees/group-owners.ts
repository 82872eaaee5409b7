/**
 * Which process has the histograms of which groups of columns. Every process sums the histograms of its own rows; then each gets the sums over all
 * processes of some groups (reduce-scatter), finds the best splits of their features, and all exchange what was found.
 */
import type { Team } from "../../types.ts";

export interface GroupOwners {
  /** The active groups of all processes, those of one after another. */
  readonly active: readonly number[];
  /** Those of this process. */
  readonly own: readonly number[];
  /** How many each process has. */
  readonly counts: readonly number[];
  /** The process that has a group; with one process, that. */
  ownerOf(group: number): number;
}

/** Shares the active groups out to the processes, in order. */
export function groupOwners({ processes: { rank, size } }: Pick<Team, "processes">, active: readonly number[]): GroupOwners {
  const cut = (process: number) => Math.floor((active.length * process) / size);
  const counts = Array.from({ length: size }, (_, process) => cut(process + 1) - cut(process));
  const owners = new Map<number, number>();
  for (let process = 0; process < size; process++)
    for (let k = cut(process); k < cut(process + 1); k++) owners.set(active[k]!, process);
  return { active, own: active.slice(cut(rank), cut(rank + 1)), counts, ownerOf: (group) => owners.get(group) ?? 0 };
}

/**
 * Exchanges what was found for each feature: `width` numbers in `found` for each, in `leaves` parts that have one place for every feature. A process writes
 * those of the features of its own groups; afterwards all have all of them. Begins after a barrier.
 */
export function foundExchange(
  team: Team,
  members: readonly (readonly number[])[], // features by group
  found: Float64Array,
  width: number,
  leaves = 1,
): (owners: GroupOwners) => void {
  const { rank, processes } = team;
  if (processes.size === 1) return () => {};
  const [sent, received] = [team.allocShared("f64", found.length), team.allocShared("f64", found.length)];
  const span = found.length / leaves;
  let known: GroupOwners | undefined;
  let order: number[][] = []; // where the numbers of each process's features begin

  return (owners) => {
    if (owners !== known) {
      let at = 0;
      order = owners.counts.map((count) => {
        const features = owners.active.slice(at, (at += count)).flatMap((group) => members[group]!);
        return Array.from({ length: leaves }, (_, leaf) => features.map((f) => leaf * span + f * width)).flat();
      });
      known = owners;
    }
    if (rank === 0)
      order[processes.rank]!.forEach((from, i) => {
        sent.set(found.subarray(from, from + width), i * width);
      });
    team.gather(
      sent,
      order.map(({ length }) => length * width),
      received,
    );
    if (rank === 0)
      order.flat().forEach((to, i) => {
        found.set(received.subarray(i * width, (i + 1) * width), to);
      });
    team.barrier();
  };
}
