/** What a format of model files is: one object in one file, listed in formats.ts. Formats see bytes and texts, and never open files. */
import type { Model } from "../../types.ts";
import type { Portable } from "./shared/portable.ts";

/** A model out of another tool's file. */
export interface Imported {
  readonly model: Model;
  readonly objective: string; // as the file calls it, or "unknown"
  readonly notes: readonly string[]; // what a user should know, a sentence each
}

/** Options of writing. */
export interface WriteOptions {
  /** "zero": write the model even where the target counts missing values as 0 and the model does not; "refuse" is the default. */
  readonly missing?: "refuse" | "zero";
  /** The name under which a search engine keeps the model. Default: "tierwise". */
  readonly name?: string;
}

/** A model as another tool reads it. */
export interface Exported {
  readonly content: string | Uint8Array;
  readonly precision: "float64" | "float32"; // of the target's running sum
  readonly tolerance: number; // how far the target's scores may be from the expected ones, relative to 1 + |score|; 0: identical
  readonly missing: "kept" | "zero"; // whether the target sees missing values as the model does, or as 0
  readonly notes: readonly string[];
  readonly reference?: Portable; // what the target computes, where that is not quite the model
}

/** A format of model files. */
export interface ModelFormat {
  readonly id: string;
  readonly about: string;
  readonly endings: readonly string[]; // of file names, the longest that fits decides
  readonly named?: true; // features must have names; those without are called f and their number
  /** Whether a file looks like this format; `head` is its beginning as text. */
  sniff?(head: string, bytes: Uint8Array): boolean;
  /** The model in a file; `path` is what errors call it. */
  read?(bytes: Uint8Array, path: string): Imported;
  write?(model: Portable, options: WriteOptions): Exported;
}
