/** What the poll server and its page say to each other. */

/** A tier of a poll. */
export interface PollTier {
  readonly name: string;
  /** "#rrggbb". */
  readonly color: string;
}

/** An item as the page shows it. */
export interface PollItem {
  readonly name: string;
  /** "#rrggbb". */
  readonly color: string;
  /** Whether there is a picture, at pictures/NUMBER. */
  readonly picture: boolean;
}

/** Who may vote: anyone with the link, or one ballot for each code that was issued. */
export type PollAccess = "open" | "codes";

/** When voters see the results. */
export type ResultsVisibility = "always" | "closed";

/** An imported poll shows results only. */
export type PollStatus = "open" | "closed" | "imported";

export interface PollView {
  readonly title: string;
  readonly description: string;
  readonly tiers: readonly PollTier[];
  readonly items: readonly PollItem[];
  readonly access: PollAccess;
  readonly results: ResultsVisibility;
  readonly status: PollStatus;
  /** Milliseconds since 1970, or null where voting ends when the admin says so. */
  readonly closes: number | null;
  readonly ballots: number;
}

export interface NewPollItem {
  readonly name: string;
  readonly color: string;
  /** A picture as a data URL. */
  readonly picture?: string;
}

export interface NewPoll {
  readonly title: string;
  readonly description?: string;
  readonly tiers: readonly PollTier[];
  readonly items: readonly NewPollItem[];
  readonly access?: PollAccess;
  readonly results?: ResultsVisibility;
  readonly closes?: number | null;
  /** Number of codes to issue. */
  readonly codes?: number;
}

/** The secrets of a new poll. They are shown once: the database has only their hashes. */
export interface CreatedPoll {
  readonly poll: string;
  readonly admin: string;
  readonly codes: readonly string[];
}

/** For each tier of the poll the numbers of its items. Items that are in none are unranked. */
export type BallotTiers = readonly (readonly number[])[];

/** A row of the leaderboard. */
export interface ResultItem {
  /** Number of the item in the poll. */
  readonly item: number;
  readonly utility: number;
  /** Standard error of the utility. */
  readonly error: number;
  /** Probability that a voter places the item first among all. */
  readonly worth: number;
  /** Simultaneous rank interval. */
  readonly rankLow: number;
  readonly rankHigh: number;
  /** Probability that the item is truly the best. */
  readonly best: number;
  readonly expectedRank: number;
  /** How many ballots rank the item. */
  readonly ranked: number;
  /** How often the item was put into each tier. */
  readonly tiers: readonly number[];
}

/** One treatment of ties and how well it predicts ballots that it has not seen. */
export interface ResultTies {
  readonly objective: string;
  readonly tiers: number;
  readonly pairs: number;
}

/** Voters of like opinion. */
export interface ResultCluster {
  readonly share: number;
  /** Numbers of items, the best first, with the probability that one of these voters places the item first. */
  readonly items: readonly { readonly item: number; readonly worth: number }[];
}

/** What takes longer than a leaderboard. */
export interface ResultStudy {
  /** Ballots that were used. */
  readonly ballots: number;
  /** Treatments of ties, the best first. */
  readonly ties: readonly ResultTies[];
  /** One cluster where opinion does not split. */
  readonly clusters: readonly ResultCluster[];
  /** Gain of two clusters over one in the mean log-likelihood of a held-out ballot, and its standard error. */
  readonly gain: number;
  readonly error: number;
}

export interface PollResults {
  readonly ballots: number;
  /** The best first. */
  readonly items: readonly ResultItem[];
  /** For places i < j, row by row: the probability that the item in place i is truly better than that in place j. */
  readonly above: readonly number[];
  /** Absent until there are enough ballots. */
  readonly study?: ResultStudy;
}
