/** Ballots from which on there is a study (study.ts, which the thread of the server need not load). */
export const STUDIED = 12;
