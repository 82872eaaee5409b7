/** What the thread of the server and its workers say to each other. */
import type { Module } from "../../numeric/engine.ts";
import type { Columns } from "../../types.ts";
import type { Span } from "./batch-memory.ts";
import type { RankingDifference } from "./compare-rankings.ts";
import type { RankJob } from "./rank-jobs.ts";
import type { ModelDetails } from "./schemas.ts";
import type { WorkerEnd } from "./worker-link.ts";

/** A model as it goes to workers: numbers in shared memory (models/shared-form.ts), and the code of its transform by URL. */
export interface ModelRecord {
  readonly saved: unknown;
  readonly columns: Columns;
  readonly absent: number;
  readonly transform: TransformModule | undefined;
}

/** The module of a feature transform and the options that follow its path. */
export interface TransformModule {
  readonly url: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What is shown of a model. */
export type ModelFacts = Omit<ModelDetails, "name" | "version" | "loaded" | "error" | "role" | "comparison" | "features"> & {
  readonly features: ModelRecord["columns"];
};

export interface LoadedModel {
  readonly record: ModelRecord;
  readonly facts: ModelFacts;
}

export type ToWorker =
  | { readonly kind: "load"; readonly id: number; readonly path: string; readonly transform: TransformModule | undefined }
  | { readonly kind: "model"; readonly key: string; readonly record: ModelRecord }
  | { readonly kind: "forget"; readonly key: string }
  | { readonly kind: "rank"; readonly jobs: readonly SentJob[] };

/** A request, whose body is in the memory of the batch unless it is too large for it. */
export type SentJob = Omit<RankJob, "body"> & { readonly body: Span | Uint8Array<ArrayBuffer> };

export type FromWorker =
  | { readonly kind: "loaded"; readonly id: number; readonly model: LoadedModel }
  | { readonly kind: "refused"; readonly id: number; readonly message: string }
  | { readonly kind: "model"; readonly key: string; readonly error?: string }
  /** `done`: the batch is complete, and the worker is free. */
  | { readonly kind: "answers"; readonly parts: readonly AnswerPart[]; readonly done: boolean }
  | {
      readonly kind: "compared";
      readonly name: string;
      readonly difference?: RankingDifference;
      readonly skipped: number;
      readonly error?: string;
    };

/** A piece of the answer to a request, in the memory of the batch or on its own, or why there is no answer. */
export type AnswerPart =
  | {
      readonly id: number;
      readonly piece: Span | Uint8Array<ArrayBuffer>;
      readonly last: boolean;
      readonly head?: AnswerHead | undefined;
    }
  | { readonly id: number; readonly error: { readonly status: number; readonly code: string; readonly message: string } };

/** What a worker is started with. */
export interface WorkerStart {
  readonly module: Module | undefined;
  readonly budget: readonly [number, string];
  readonly memory: BatchMemories | undefined;
  readonly end: WorkerEnd;
}

/** Memory of bodies and of answers; the thread that loads models has none. */
export interface BatchMemories {
  readonly bodies: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
}

/** What comes with the first piece of an answer. */
export interface AnswerHead {
  readonly contentType: string;
  readonly lists: number;
  readonly rows: number;
  readonly impressions: string;
  readonly assigned: number;
  readonly otherError?: string | undefined;
}
