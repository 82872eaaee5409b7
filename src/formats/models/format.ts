/** What a format of model files is: one object in one file, listed in formats.ts. Formats see bytes and texts, and never open files. */
import type { Model } from "../../types.ts";
import type { Portable } from "./shared/portable.ts";

/** A model out of another tool's file. */
export interface Imported {
  /** The model. */
  readonly model: Model;
  /** As the file calls it, or "unknown". */
  readonly objective: string;
  /** What a user should know, a sentence each. */
  readonly notes: readonly string[];
}

/** Options of writing. */
export interface WriteOptions {
  /** "zero": write the model even where the target counts missing values as 0 and the model does not. Default: "refuse". */
  readonly missing?: "refuse" | "zero";
  /** The name under which a search engine keeps the model. Default: "tierwise". */
  readonly name?: string;
}

/** A model as another tool reads it. */
export interface Exported {
  /** Content of the file. */
  readonly content: string | Uint8Array;
  /** Precision of the target's running sum. */
  readonly precision: "float64" | "float32";
  /** The target keeps float64 values of leaves where its sum is float32. Default: it rounds them, too. */
  readonly leaves?: "float64" | "float32";
  /** How far the target's scores may be from the expected ones, relative to 1 + |score|; 0: identical. */
  readonly tolerance: number;
  /** Whether the target sees missing values as the model does, or as 0. */
  readonly missing: "kept" | "zero";
  /** What a user should know, a sentence each. */
  readonly notes: readonly string[];
  /** What the target computes, where that is not quite the model. */
  readonly reference?: Portable;
}

/** A format of model files. */
export interface ModelFormat {
  /** Name of the format. */
  readonly id: string;
  /** What it is, in one line. */
  readonly about: string;
  /** Of file names, the longest that fits decides. */
  readonly endings: readonly string[];
  /** Features must have names; those without are called f and their number. */
  readonly named?: true;
  /** Whether a file looks like this format; `head` is its beginning as text. */
  sniff?(head: string, bytes: Uint8Array): boolean;
  /** The model in a file; `path` is what errors call it. */
  read?(bytes: Uint8Array, path: string): Imported;
  /** The model in this format. */
  write?(model: Portable, options: WriteOptions): Exported;
}
