/** The thread of studies (study.ts), which keep it busy for seconds. */
import { parentPort } from "node:worker_threads";
import { studyOf } from "./study.ts";
import type { BallotTiers, ResultStudy } from "./types.ts";

export interface StudyRequest {
  readonly poll: number;
  readonly items: number;
  readonly sample: readonly (readonly [tiers: BallotTiers, count: number])[];
}

export interface StudyAnswer {
  readonly poll: number;
  readonly study: ResultStudy | undefined;
}

parentPort!.on("message", ({ poll, items, sample }: StudyRequest) => {
  parentPort!.postMessage({ poll, study: studyOf(sample, items) } satisfies StudyAnswer);
});
