/**
 * What a format of data files is: one object in one file, listed in formats.ts. There are three kinds, by what a file becomes: labeled
 * rows, ballots, or lists over a label space. Formats see bytes and lines, and never open files.
 */
import type { Ballots } from "../../data/ballots.ts";
import type { FeatureStorage } from "../../data/blocks.ts";
import type { Builder } from "../../data/builder.ts";
import type { LabelDirection } from "../../data/label-order.ts";
import type { MultiLabelBuilder } from "../../data/multilabel-builder.ts";
import type { KindOptions } from "../../data/table/decision.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import type { TierSource, VoterTiers } from "../../data/tier-sources.ts";
import type { Heap } from "../../numeric/heap.ts";
import type { ColumnOptions } from "./columns.ts";
import type { DataFormatId } from "./formats.ts";
import type { LineBuffer } from "./line-buffer.ts";
import type { Parser } from "./parse-summary.ts";
import type { ReadOptions } from "./read-options.ts";
import type { SideFile } from "./side-files.ts";

/** A format of data files, as `tierwise list formats` describes it. */
export interface DataFormat<Id extends string = DataFormatId> {
  /** Name of the format. */
  readonly id: Id;
  /** What it looks like. */
  readonly about: string;
  /** File name extensions that identify the format. */
  readonly extensions: readonly string[];
  /** Reading options that apply to it. */
  readonly options: readonly (keyof ReadOptions)[];
  /** What it has that the option `tiers` can make tiers from. */
  readonly tiers?: TierSource["from"];
}

/** How a file of the format is recognized, and what is special about reading it. */
interface Reading {
  /** File name extensions of related files that hold no data of this kind: the parser refuses them and says what they are. */
  readonly refused?: readonly string[];
  /**
   * Whether content looks like this format: `line` is the first line that is neither blank nor a comment, `text` the beginning of the file.
   * Without it, only the extension or the option `format` selects the format. The order of the tests is in formats.ts.
   */
  sniff?(line: string, text: string): boolean;
  /** Whether bytes are the beginning of a file of this format beyond doubt, whatever its name. */
  isMagic?(head: Uint8Array): boolean;
  /** The file is no text. */
  readonly binary?: true;
  /** Formats whose extensions a file of this format may have too, so that `sniff` decides. */
  readonly sharesExtensionsOf?: readonly string[];
  /** The file is one JSON value, so line ends do not matter. */
  readonly json?: true;
  /** Where files with the names of labels may be, beside a data file of this name. */
  labelFiles?(path: string): string[];
}

/** Settings for the parser of one file of rows. */
export interface RowContext extends ColumnOptions, KindOptions, LabelDirection {
  readonly labels: "required" | "optional";
  readonly label: string;
  readonly header: boolean;
  readonly separator: string;
  readonly decimal?: ReadOptions["decimal"];
  /** Rows are read in two rounds, in which no table can be collected as columns. */
  readonly sink?: unknown;
  /** Tables that are joined later; empty: none. */
  readonly items?: string;
  readonly lists?: string;
  /** Numbers come from a source of typed columns: only cells in quotes are texts. */
  readonly typed?: boolean;
  readonly ballots: ReadOptions["ballots"];
  readonly joinLists?: boolean;
  /** Takes the table at its end, where its rows are wanted as columns; otherwise they go to the builder. */
  readonly collect?: (table: SourceTable) => void;
  /** Set for a table that is joined to others: the column by which its rows are found. It has no other roles. */
  readonly keyOf?: (columns: readonly string[]) => number;
  readonly indexBase: ReadOptions["indexBase"];
  /** A side file defines the lists. */
  readonly grouped: boolean;
  /** Rows without a label: an error, or read with the label NaN and left out later. */
  readonly missingLabels: "error" | "leave-out";
  /** About how many bytes there are, in this file and those after it, where known. */
  readonly size?: number;
  /** Kernel memory that is freed when all files are read. */
  readonly scratch: Heap;
}

/** A format of labeled rows. */
export interface RowFormat<Id extends string = string> extends DataFormat<Id>, Reading {
  readonly kind: "rows";
  /** Whether features have names or numbers. Files of both cannot be combined. */
  readonly features: "named" | "numbered";
  /** The parser can collect its rows as columns. */
  readonly table?: true;
  /** The table of all bytes of a file, where the file is no separated text. */
  whole?(file: string, bytes: Uint8Array): SourceTable;
  /** A parser of the bytes of one file, which adds rows to the builder. */
  parser(file: string, builder: Builder, context: RowContext): Parser & Partial<LineBuffer>;
}

/** Parses the lines of one file of ballots. */
export interface BallotParser {
  readonly notices: string[];
  line(text: string): void;
  /** A line by its bytes, if the parser can do without decoding it: false, and nothing happened, if it wants the line as text. */
  bytes?(bytes: Uint8Array, from: number, to: number): boolean;
  /** The number of ballots in the file, each as often as it was cast. */
  end(): number;
}

/** A format of ballots, which are read as items in tiers, without features. */
export interface BallotFormat<Id extends string = string> extends DataFormat<Id>, Reading {
  /** Of a table with these columns, those that are read, where it is one of ballots; undefined where it is none. */
  columnsOf?(columns: readonly string[]): readonly string[] | undefined;
  readonly kind: "ballots";
  /** A newline between double quotes does not end a line. */
  readonly quotes?: true;
  /** A parser of the lines of one file; `source` makes one ballot of the pairs of a voter, `direction` says which end of the tiers is the best; `place` names a line in notices. */
  parser(
    file: string,
    ballots: Ballots,
    source?: VoterTiers,
    direction?: LabelDirection,
    place?: (line: number) => string,
  ): BallotParser;
}

/** Parses one file of multi-label data. */
export interface MultiLabelParser extends Parser {
  /** What the rows were added to: that of the preceding files, or a new one. */
  builder(): MultiLabelBuilder;
}

/** A format of multi-label data: lists over one label space. */
export interface MultiLabelFormat<Id extends string = string> extends DataFormat<Id>, Reading {
  readonly kind: "multi-label";
  /** A parser of the bytes of one file; `before` has the rows of the preceding files, `names` is the file with the names of labels. */
  parser(file: string, before: MultiLabelBuilder | undefined, storage: FeatureStorage, names?: SideFile): MultiLabelParser;
}

/** A format of any kind. */
export type AnyDataFormat<Id extends string = string> = RowFormat<Id> | BallotFormat<Id> | MultiLabelFormat<Id>;
