/** One ballot for each voter of a file, from the pairs that they judged. Voters of different files are different voters. */
import { counted } from "../../counted.ts";
import type { Ballots } from "../../data/ballots.ts";
import type { Preference } from "../../data/preference-graph.ts";
import type { VoterTiers } from "../../data/tier-sources.ts";
import { InputError, quote } from "../../input-error.ts";

export interface VoterBallots {
  /** A judged pair; a tie says nothing about the order and is only counted. */
  add(voter: string, pair: Preference, tie: boolean): void;
  /** Adds the ballots, and notices about what was left out. Gives the number of ballots. */
  end(notices: string[]): number;
}

export function voterBallots(file: string, ballots: Ballots, source: VoterTiers): VoterBallots {
  const voters = new Map<string, Preference[]>();
  let ties = 0;
  return {
    add(voter, pair, tie) {
      const judged = voters.get(voter) ?? [];
      voters.set(voter, judged);
      if (tie) ties++;
      else judged.push(pair);
    },
    end(notices) {
      let [added, dropped, silent] = [0, 0, 0];
      for (const [voter, judged] of voters) {
        const found = tiersOf(`${file}: voter ${quote(voter)}`, ballots, judged, source);
        dropped += found.dropped;
        if (found.tiers.length < 2) silent++;
        else {
          ballots.add(found.tiers);
          added++;
        }
      }
      if (ties > 0) notices.push(`${file}: ${counted(ties, "tie")} left out, because tiers from pairs use preferences only`);
      if (dropped > 0) notices.push(`${file}: ${counted(dropped, "preference")} dropped to break cycles`);
      if (silent > 0) notices.push(`${file}: ${counted(silent, "voter")} left out, whose pairs imply no order`);
      return added;
    },
  };
}

/** The items of a voter in tiers, the best first. Items are renumbered for each voter, who has judged few of all. */
function tiersOf(who: string, ballots: Ballots, judged: readonly Preference[], source: VoterTiers) {
  const items = [...new Set(judged.flatMap(({ winner, loser }) => [winner, loser]))];
  const place = new Map(items.map((item, i) => [item, i]));
  const local = judged.map((pair) => ({ ...pair, winner: place.get(pair.winner)!, loser: place.get(pair.loser)! }));
  try {
    const { entries, labels, dropped } = source.tiers(items.length, local, (i) => quote(ballots.names[items[i]!]!));
    const best = labels.reduce((most, label) => Math.max(most, label), -1);
    const tiers = Array.from({ length: best + 1 }, (): number[] => []);
    entries.forEach((entry, k) => {
      tiers[best - labels[k]!]!.push(items[entry]!);
    });
    return { tiers, dropped: dropped.length };
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${who}: ${error.message}`) : error;
  }
}
