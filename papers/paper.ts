/**
 * What a paper is here: exhibits (its tables and figures), each made of cells that can be computed one by one, kept as soon as they are
 * done, and shown together. A cell's settings are its name: as long as they, the data and the code stay the same, it is never computed twice.
 */
import type { DataSet, Found } from "./data-sets.ts";
import type { ScoreFile } from "./score-files.ts";

export interface Paper {
  readonly id: string;
  readonly title: string;
  readonly source: string; // authors, where, when
  readonly about: string; // one line for the list
  readonly exhibits: readonly Exhibit[];
}

export interface Exhibit {
  readonly id: string; // "table-1"
  readonly title: string;
  readonly sets: readonly DataSet[]; // that it can use; whichever are there are used
  plan(lab: Lab): Plan;
}

/** The cells of an exhibit, and what is made of them. */
export interface Plan {
  readonly cells: readonly Cell[];
  /** Called when all cells are done. */
  show(value: Values): Shown;
}

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Cell<T extends Json = Json> {
  readonly settings: Readonly<Record<string, Json>>;
  readonly title: string; // for the line of progress
  readonly code: string; // digest of the code that computes it (code-digest.ts)
  readonly weight: number; // about how long it takes, in any unit that the cells of the plan share
  run(): Promise<T>;
}

/** The value of a cell that is done. */
export type Values = <T extends Json>(cell: Cell<T>) => T;

export interface Lab {
  readonly quick: boolean;
  readonly threads: number;
  /** A data set, if its files are there. */
  find(set: DataSet): Found | undefined;
  /** The scores of other tools, of whatever data. */
  scores(): readonly ScoreFile[];
}

export interface Shown {
  readonly findings: readonly string[]; // what came out, a sentence each
  readonly blocks: readonly Block[];
}

/** A piece of a page: a paragraph, a table, or a drawing that is written beside the page. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "table"; readonly table: Grid }
  | { readonly kind: "plot"; readonly name: string; readonly alt: string; readonly svg: string };

export interface Grid {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Entry[])[];
}

/** What stands in a table: a number with so many digits after the point, perhaps marked as the best, or a text; null: nothing. */
export type Entry = null | string | number | { readonly value: number; readonly digits?: number; readonly best?: boolean };

export const text = (text: string): Block => ({ kind: "text", text });
export const table = (table: Grid): Block => ({ kind: "table", table });
export const plot = (name: string, alt: string, svg: string): Block => ({ kind: "plot", name, alt, svg });
