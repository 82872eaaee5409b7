/** What the page of the lab and its worker say to each other. */
import type { ColumnEncoding, Description } from "../../src/types.ts";

/** Options of reading a table, as on the command line; only those that were given. */
export type Reading = Readonly<Partial<Record<"label" | "qid" | "id" | "ignore" | "categories", string>>>;

export type LabRequest =
  | { readonly kind: "read"; readonly name: string; readonly content: ArrayBuffer; readonly reading: Reading }
  | { readonly kind: "train"; readonly model: string; readonly objective: string; readonly seed: number }
  | { readonly kind: "list"; readonly list: number }
  | { readonly kind: "score"; readonly rows: readonly (readonly number[])[] };

/** What was read. */
export interface ReadFacts {
  readonly ballots: boolean;
  readonly lists: number;
  readonly items: number;
  readonly features: number;
  readonly listNames: readonly string[];
  readonly notices: readonly string[];
  /** Whether kernels run on shared memory. */
  readonly kernels: boolean;
}

export interface Trained {
  /** The model file. */
  readonly file: string;
  readonly description: Description;
  readonly notices: readonly string[];
  readonly seconds: number;
  /** Metrics on the training lists, and on a fifth of the lists by a model that has not seen them. */
  readonly metrics: readonly { readonly name: string; readonly training: number; readonly heldOut: number | undefined }[];
}

/** A column of the data, whose features begin at `at`: one, or one for each category. */
export interface LabColumn extends Pick<ColumnEncoding, "name" | "kind" | "categories" | "origin"> {
  readonly at: number;
}

/** One list with the features of its items. */
export interface LabList {
  readonly columns: readonly LabColumn[];
  readonly rows: readonly { readonly id: string; readonly label: number; readonly values: readonly number[] }[];
  readonly ranges: readonly { readonly low: number; readonly high: number }[];
}

export type LabAnswer =
  /** The columns of a Parquet or Arrow file. */
  | { readonly kind: "columns"; readonly columns: readonly string[] }
  | ({ readonly kind: "read" } & ReadFacts)
  | {
      readonly kind: "round";
      readonly what: string;
      readonly round: number;
      readonly cost: number;
      readonly share: number | undefined;
    }
  | ({ readonly kind: "trained" } & Trained)
  | ({ readonly kind: "list" } & LabList)
  | { readonly kind: "scored"; readonly scores: readonly number[] }
  | { readonly kind: "failed"; readonly message: string; readonly bug: boolean };
