/**
 * The central types, in one place so that folders of one layer need not import each other; long for that reason, and because every member
 * has its comment. No code runs here.
 */

/** Every value stored, row after row. NaN is a missing value. */
export interface DenseMatrix {
  /** The kind of matrix. */
  readonly kind: "dense";
  /** Number of rows. */
  readonly rows: number;
  /** Number of columns. */
  readonly columns: number;
  /** The values, row after row. */
  readonly values: Float32Array;
  /** Value of columns that are added later: 0 by default, or NaN. */
  readonly absent?: number;
  /** The bin of each value instead of the values, which are then empty: what `readBinned` keeps. Only trees can be trained on it. */
  readonly binned?: BinnedFeatures;
}

/** A feature that was cut into bins. */
export interface BinnedFeature {
  /** Number of bins of values. */
  readonly bins: number;
  /** Whether one more bin, the last, holds rows without a value. */
  readonly missing: boolean;
  /** Upper ends of the bins, except that of the last; of categories, the categories themselves. */
  readonly edges: Float32Array;
  /** Whether its values are categories. */
  readonly categorical: boolean;
}

/** Where the bins of a feature stand in the bytes of a row. */
export interface BundleSlot {
  /** The byte of the row. */
  readonly column: number;
  /** What the bin is multiplied by before the bins of features that share the byte are added. */
  readonly step: number;
  /** Number of different values of the byte. */
  readonly codes: number;
}

/** How features are bundled into the bytes of a row, which stand in groups of eight. */
export interface BundleLayout {
  /** Number of bytes that are used. */
  readonly columns: number;
  /** Number of groups of eight bytes. */
  readonly groups: number;
  /** By feature; undefined where a feature has a single bin and so no information. */
  readonly slots: readonly (BundleSlot | undefined)[];
  /** By group: the default code of each of its eight bytes, if many rows have all of them. */
  readonly defaultBins: readonly (Uint8Array | undefined)[];
}

/** How values are cut into bins. */
export interface BinOptions {
  /** Maximum number of bins of a feature. */
  readonly most: number;
  /** Minimum number of sampled rows of a bin. */
  readonly fewest: number;
  /** Columns of categories. */
  readonly categorical: ReadonlySet<number>;
}

/** Features as bins, one byte for each value or less. */
export interface BinnedFeatures {
  /** By column. */
  readonly features: readonly BinnedFeature[];
  /** Where the bins of a feature stand. */
  readonly layout: BundleLayout;
  /** Byte k of row r in group g is bins[(g * rows + r) * 8 + k]. */
  readonly bins: Uint8Array;
  /** How the values were cut. */
  readonly options: BinOptions;
}

/** Row r owns entries starts[r] to starts[r + 1]; its column indices ascend. Entries that are not stored have the value `absent`. */
export interface SparseMatrix {
  /** The kind of matrix. */
  readonly kind: "sparse";
  /** Number of rows. */
  readonly rows: number;
  /** Number of columns. */
  readonly columns: number;
  /** Offsets: row r owns entries starts[r] to starts[r + 1]. One element longer than the number of rows. */
  readonly starts: Float64Array | Uint32Array;
  /** Column of each entry, from 0. */
  readonly indices: Uint32Array;
  /** Value of each entry. */
  readonly values: Float32Array;
  /** Value of entries that are not stored: 0, or NaN for missing. */
  readonly absent: number;
}

/** A feature matrix, dense or sparse. */
export type Matrix = DenseMatrix | SparseMatrix;

/** Names from the data, used in results and messages. */
export interface Names {
  /** Query ids. */
  readonly lists?: readonly string[];
  /** Document ids. */
  readonly entries?: readonly string[];
  /** Column names; without them columns are numbered from `base`. */
  readonly features?: readonly string[];
  /** Names of items or labels. */
  readonly items?: readonly string[];
  /** How the features were made of the columns of a table; absent where each column of numbers is a feature. */
  readonly encoding?: readonly ColumnEncoding[];
}

/**
 * How a column of a table becomes features. A number is a feature as it is; a boolean is 1 or 0; a date is the days since `origin`; a time is its
 * seconds; a category is a feature `column=name` for each of its `categories`, 1 for the one that the row has and 0 for the others; a set is the same
 * for arrays of texts, 1 for all that the row has; "none" is left out.
 */
export interface ColumnEncoding {
  /** Name of the column. */
  readonly name: string;
  /** What its values are. */
  readonly kind: "number" | "boolean" | "date" | "time" | "category" | "set" | "none";
  /**
   * The names of a category, or the elements of a set, in ascending order. A value that is not among them is 0 in all features of the column, and so is
   * a missing category; a missing set is missing in all of them.
   */
  readonly categories?: readonly string[];
  /** Day 0 of dates, in seconds since 1970-01-01 UTC. */
  readonly origin?: number;
  /** What comes first in dates such as 3/4/2024, where the column has such: day or month. */
  readonly order?: "dmy" | "mdy";
  /** What comes first in times such as 1:23, where the column has such. */
  readonly start?: "hours" | "minutes";
  /** Nothing showed what comes first in times such as 1:23. */
  readonly assumed?: boolean;
  /** The decimal mark of numbers that are written with groups of thousands, where that was found. */
  readonly decimal?: "." | ",";
  /** The currency sign or percent that all numbers are written with. */
  readonly unit?: string;
}

/** Lists of judged items as flat columns: list q owns entries starts[q] to starts[q + 1]. */
export interface Dataset {
  /** Offsets: list q owns entries starts[q] to starts[q + 1]. One element longer than the number of lists. */
  readonly starts: Uint32Array;
  /** Higher is better, equal is tied: equal labels are a tier. */
  readonly labels: Float32Array;
  /** A row per entry; in multi-label data, a row per list. */
  readonly features: Matrix;
  /** The item or label of each entry, in ballots and multi-label data. */
  readonly items?: Uint32Array;
  /**
   * The number of labels, in multi-label data: every list ranks all labels. Its entries are the relevant labels, each once and with a label
   * value above 0; all others form the last tier, with 0.
   */
  readonly labelSpaceSize?: number;
  /** Frequencies of the labels in the training data, for propensity-scored metrics. */
  readonly labelFrequency?: LabelFrequency;
  /** Weight of each list. Default: 1 each. */
  readonly listWeights?: Float32Array;
  /** Weight of each entry. Default: 1 each. */
  readonly itemWeights?: Float32Array;
  /** The number of the first feature where features have no names. */
  readonly base: 0 | 1;
  /** Names of lists, entries, features and items, where the data have them. */
  readonly names: Names;
  /** Set where these are the lists of one of several processes. */
  readonly shard?: Shard;
  /** Set where no entry came with a label, as in data to be ranked: all labels are 0. */
  readonly unlabelled?: boolean;
}

/** Which lists of all processes a dataset has: those from `list` on, as many as it has. */
export interface Shard {
  /** Number of its first list among those of all processes. */
  readonly list: number;
  /** Offsets of the entries of all lists of all processes. One element longer than the number of lists. */
  readonly starts: Uint32Array;
  /** How often each label occurs in the lists of all processes, labels ascending. */
  readonly labels: readonly (readonly [label: number, count: number])[];
  /** Number of lists of all processes without a label above 0. */
  readonly listsWithoutPositive: number;
  /** The digest of the data of all processes, where checkpoints need it. */
  readonly digest?: string;
}

/** In how many lists of the training data each label is relevant, from which propensities are computed. */
export interface LabelFrequency {
  /** Number of lists of the training data. */
  readonly lists: number;
  /** By label: the number of lists in which it is relevant. */
  readonly counts: Uint32Array;
}

/** Where an objective writes the derivatives of its cost. Both arrays are overwritten. */
export interface Derivatives {
  /** By item: the derivative of the cost by its score. */
  readonly gradient: Float64Array;
  /** The diagonal of the Hessian, or a bound on it; absent if not needed. */
  readonly hessian?: Float64Array;
  /** Whether six digits suffice, because derivatives are rounded: an objective may then save time. The cost needs no more either. */
  readonly rounded?: boolean;
}

/** A generator of numbers in [0, 1), identical on every machine for the same seed. */
export type Random = () => number;

/** A parameter that an objective learns in addition to the model, such as the weight of ties. */
export interface AuxiliaryParameter {
  /** Name of the parameter, as in model files. */
  readonly name: string;
  /** Initial value. */
  readonly initial: number;
}

/**
 * Reduces several outputs per item to one score: the mean of `values` under the softmax of the outputs. Plain data, stored in model files.
 */
export interface OutputReduction {
  /** The reduction; "expected" is the only one. */
  readonly kind: "expected";
  /** The value that each output stands for, such as a grade. */
  readonly values: readonly number[];
}

/**
 * How an objective treats equal labels. "tier": their order is unknown, so a single tier carries no information. "silent": nothing is
 * learned from two equal labels. "event": a tie is an outcome with its own probability. "order": ties are broken by the given order.
 * "value": labels are numbers, and equality has no special meaning.
 */
export type Ties = "tier" | "silent" | "event" | "order" | "value";

/**
 * How the negatives, the items of label 0 in the lowest tier, enter the cost. "log-sum-exp": only through the log-sum-exp of their scores,
 * so one item with that score can replace them all. "logistic" and "hinge": only through the cost of each pair with a higher item, log(1 +
 * e^-margin) or max(0, 1 - margin).
 */
export type NegativesTerm = "log-sum-exp" | "logistic" | "hinge";

/** The cost of one outcome of a pair: its value, and its derivatives in the margin of the scores and in the auxiliary parameter. */
export interface PairTerm {
  /** The cost. */
  readonly cost: number;
  /** First derivative by the margin. */
  readonly slope: number;
  /** Second derivative by the margin. */
  readonly curvature: number;
  /** First derivative by the auxiliary parameter; 0 where there is none. */
  readonly slopeX: number;
  /** Second derivative by the auxiliary parameter. */
  readonly curvatureX: number;
  /** Derivative by the margin and by the auxiliary parameter. */
  readonly mixed: number;
}

/** The cost of the outcomes of a pair, for fixed auxiliary parameters. A term is overwritten by the next call. */
export interface PairOutcomes {
  /** The first item wins, whose score minus the other's is the margin. */
  win(margin: number): PairTerm;
  /** The two tie; absent where a tie says nothing. */
  tie?(margin: number): PairTerm;
  /** The sum of the terms of these numbers of wins of the first item, of the second, and of ties, where it is cheaper than its parts. */
  sum?(margin: number, wins: number, losses: number, ties: number): PairTerm;
}

/** A cost that is a sum over the pairs of a list. */
export interface PairwiseCost {
  /** The cost of a pair, for these auxiliary parameters, at most one. */
  at(auxiliary: ArrayLike<number>): PairOutcomes;
}

/** The Markov chains behind a sampled gradient: one for each stage of a list, at which a subset of the items left is chosen. */
export interface SubsetChains {
  /** Steps of the chain that training takes. */
  readonly steps: number;
  /** The number of stages of a list. */
  stages(labels: Float32Array): number;
  /** Runs the chain of a stage from a random subset and writes the logarithm of the potential after each step. */
  trace(scores: Float64Array, labels: Float32Array, stage: number, random: Random, into: Float64Array): void;
}

/** The cost of one list's scores and its derivatives. Lower is better. */
export interface Objective {
  /** Name of the objective, without options. */
  readonly id: string;
  /** The name with its non-default options, as on the command line. */
  readonly spec: string;
  /** Numbers per item: 1, except class-wise objectives such as McRank. */
  readonly outputs: number;
  /** "sampled": of this sample; "none": intractable, the returned value is only indicative. */
  readonly cost: "exact" | "sampled" | "none";
  /** Kind of gradient: exact, exact for a random sample of the cost, a heuristic that is not the gradient of a cost, or none. */
  readonly gradient: "exact" | "sampled" | "heuristic" | "none";
  /** Kind of Hessian diagonal: exact, an upper bound, or none. */
  readonly hessian: "exact" | "bound" | "none";
  /** How equal labels are treated. */
  readonly ties: Ties;
  /** Absent: the cost can only be evaluated over all items. */
  readonly negatives?: NegativesTerm;
  /** Set if the cost is a negative log-likelihood: of tiers under Plackett-Luce (including single orders), or of another model. */
  readonly likelihood?: "tiers" | "other";
  /** Parameters that are learned in addition to the model. */
  readonly auxiliary: readonly AuxiliaryParameter[];
  /**
   * Set if the cost of a list is the sum over all its pairs of the cost of their outcome. A pair counts with the weight of its better item, a
   * tie with the mean of both. Equal pairs of many lists are then merged, and second derivatives are exact.
   */
  readonly pairs?: PairwiseCost;
  /**
   * Set if the time for a list grows with its pairs, all of them or those of different labels, so that very long lists are refused. Absent: it
   * grows about as the number of items.
   */
  readonly quadratic?: "all" | "different";
  /** How several outputs become one score; labels must then be among its values. */
  readonly reduction?: OutputReduction;
  /** Set if the gradient is a mean over the states of Markov chains, for `chainDiagnostics`. */
  readonly chains?: SubsetChains;
  /**
   * The cost of one list. `scores` holds `outputs` numbers per item, then the auxiliary parameters; the derivatives have the same layout. A
   * term of the cost counts with the weight of the item it prefers (a tier with the mean of its items).
   */
  evaluate(scores: Float64Array, labels: Float32Array, into: Derivatives, random: Random, weights?: Float32Array): number;
}

/** A measure of ranking quality. */
export interface Metric {
  /** Name of the metric, without options. */
  readonly id: string;
  /** Name, cutoff and non-default options. */
  readonly spec: string;
  /** The definition in words. */
  readonly variant: string;
  /** Whether higher or lower values are better. */
  readonly better: "higher" | "lower";
  /**
   * NaN if the metric is undefined for this list. `ids` are document ids, for rules that break ties by them. An item with score -Infinity
   * is not retrieved: it has no rank, but counts as an item that could have been.
   */
  measure(scores: Float64Array, labels: Float32Array, ids?: readonly string[], frequency?: LabelFrequency): number;
  /**
   * If present, the mean over lists is Σ measure / Σ ideal, a ratio of means. `frequency` has a count per item of the list, and is needed by
   * propensity-scored metrics.
   */
  readonly ideal?: (labels: Float32Array, frequency?: LabelFrequency) => number;
  /** Cutoff: number of ranks that matter; absent: all. */
  readonly depth?: number;
  /** Set if the value depends on the order of the scores alone. Absent: it may depend on the scores themselves. */
  readonly ofOrder?: true;
}

/**
 * A change of features that is fitted to the training data and travels with the model: the model file holds its spec and its state, and every
 * score passes through it. In a team it runs in one worker.
 */
export interface Transform {
  /** The name, such as "log-counts". */
  readonly id: string;
  /** The name with its options, as the command line would write it: "log-counts:base=2". Model files hold it. */
  readonly spec: string;
  /** What is learned from the training data, as plain JSON. */
  fit(data: Dataset): unknown;
  /** The data with other features: a new matrix with as many rows, and names of columns where it has some. The rest may not change. */
  apply(state: unknown, data: Dataset): Dataset;
  /** Column c of the result follows from column c alone, so that contributions to a score are those of the columns of the data. */
  readonly keepsColumns?: true;
}

/** The k best labels of each list: list q owns entries q * k to (q + 1) * k, best first. */
export interface TopItems {
  /** Number of labels per list. */
  readonly k: number;
  /** Numbers of the labels, from 0. */
  readonly items: Uint32Array;
  /** Score of each label in `items`. */
  readonly scores: Float64Array;
}

/** A trained model, which computes scores. */
export interface Model {
  /** Name of the model. */
  readonly id: string;
  /** The features that it was trained on. */
  readonly columns: Columns;
  /** Writes one score per entry of the data, whose columns must match those of the model (see `align`). */
  score(data: Dataset, into: Float64Array): void;
  /** Set if the score of an item depends on the other items of its list, as with features that are compared within the list. */
  readonly listwise?: true;
  /** The features that contributions to a score are of, where the model computes them from its columns. */
  readonly derived?: DerivedFeatures;
  /** One score per row of numbers, a number for each column of the model and NaN for a missing value, without a `Dataset`. */
  readonly scoreRows?: (rows: readonly ArrayLike<number>[], into: Float64Array) => void;
  /** For multi-label models: the k best labels of each list, equal scores by label number. */
  readonly top?: (data: Dataset, k: number) => TopItems;
  /** The labels that a multi-label model ranks. */
  readonly labelSpace?: LabelSpace;
  /** Everything needed to restore the model, as plain JSON; long arrays may be Float32Array or Uint32Array. */
  save(): SavedModel;
  /** A human-readable description of the model and what it learned. */
  describe(): Description;
  /** Contributions of features to the scores of one list, if the model supports it. */
  explain?(data: Dataset, list: number): Explanation;
  /** The model after fewer rounds, for additive models such as trees. */
  readonly stages?: {
    /** Number of rounds. */
    readonly count: number;
    /** Trees of each round that are averaged. Default: 1. */
    readonly trees?: number;
    /** The model after that many rounds. */
    after(rounds: number): Model;
  };
  /** Tree number `index` as text, for tree models. */
  drawTree?(index: number): string;
}

/** Features that a model computes from those of the data, such as ranks within the list. */
export interface DerivedFeatures {
  /** Their number and names. */
  readonly columns: Columns;
  /** The data with these features in the place of their own. */
  of(data: Dataset): Dataset;
}

/** The scores of one list, broken down by feature. */
export interface Explanation {
  /** Score of an item without known features. */
  readonly expected: number;
  /** Score of each item of the list. */
  readonly scores: Float64Array;
  /** By item, then feature of the model (of `derived`, where it has those): expected + the sum of an item's contributions is its score. */
  readonly contributions: readonly Float64Array[];
}

/** The features that a model was trained on. */
export interface Columns {
  /** Number of features. */
  readonly count: number;
  /** Number of the first feature where features have no names. */
  readonly base: 0 | 1;
  /** Names of the features. */
  readonly names?: readonly string[];
  /** How the features are made of the columns of a table, where not all of these are numbers. */
  readonly encoding?: readonly ColumnEncoding[];
}

/** The labels that a multi-label model ranks. */
export interface LabelSpace {
  /** Number of labels. */
  readonly count: number;
  /** Names of the labels. */
  readonly names?: readonly string[];
  /** Frequencies of the labels in the training data. */
  readonly frequency: LabelFrequency;
}

/** A model as plain JSON, from which `revive` restores it by its id. */
export interface SavedModel {
  /** Name of the model. */
  readonly id: string;
  readonly [key: string]: unknown;
}

/** A title, facts and tables, as printed by the command line. */
export interface Description {
  /** What is described, in one line. */
  readonly title: string;
  /** Values by name. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Tables, the most important first. */
  readonly tables: readonly Table[];
  /** Estimates with intervals that can be plotted, best first. */
  readonly estimates?: readonly Estimate[];
}

/** An estimate with its interval, and its rank interval as text: "2-4". */
export interface Estimate {
  /** What is estimated. */
  readonly name: string;
  /** The estimate. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Rank interval as text: "2-4". */
  readonly rank: string;
}

/** A table with a header. */
export interface Table {
  /** What the table shows. */
  readonly title: string;
  /** Names of the columns. */
  readonly head: readonly string[];
  /** Cells, row by row. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What an objective sees of the validation data after a round. */
export interface RoundOutputs {
  /** By entry, then output of the objective. */
  readonly scores: Float64Array;
  /** The objective's auxiliary parameters, in their order. */
  readonly auxiliary: ArrayLike<number>;
}

/** What a learner reports after each round. */
export interface RoundReport {
  /** Mean over lists, with regularization. */
  readonly cost: number;
  /** Scores of the validation data after this round, computed on demand. */
  scores(): Float64Array;
  /** The same before several outputs become one score, for the loss; absent for learners with a cost of their own and multi-label data. */
  readonly outputs?: () => RoundOutputs;
  /** The same for multi-label data: the k best labels of each validation list. */
  readonly top?: (k: number) => TopItems;
}

/** "improved": the best round so far, save the state. "stop": end training and return the saved state. */
export type RoundStatus = "improved" | "continue" | "stop";

/** State of training as it is kept in a checkpoint, to the last bit: plain data and numeric arrays. */
export type Snapshot = {
  /** A part of the state. */
  readonly [name: string]: SnapshotValue;
};

/** What a snapshot may hold. */
export type SnapshotValue =
  | number
  | string
  | boolean
  | null
  | undefined
  | ArrayTypes[keyof ArrayTypes]
  | Snapshot
  | readonly SnapshotValue[];

/**
 * Keeps the state of a training loop, so that an interrupted run can be resumed. A loop that continues from what `save` was given must
 * compute the same bits as one that was never interrupted.
 */
export interface LoopCheckpoint {
  /** The state that an interrupted run kept; undefined: begin. Its arrays are read-only and shared by the team: copy what changes. */
  readonly restored: Snapshot | undefined;
  /**
   * To be called by all members of a team wherever the loop could be resumed, usually at the end of each round that another follows. Calls
   * `state` only where a checkpoint is due and only in the first member, while the others wait.
   */
  save(state: () => Snapshot): void;
}

/** The context of one training run. */
export interface Run {
  /** Seed of everything random. */
  readonly seed: number;
  /** The threads to use. */
  readonly team: Team;
  /** Data for early stopping. */
  readonly validation?: Dataset;
  /** Model to continue from, for learners that support warm starts. */
  readonly init?: Model;
  /** Keeps the state of the loop; absent where no checkpoints are kept. */
  readonly checkpoint?: LoopCheckpoint;
  /** To be called after each round, counted from 1; the result says whether to go on. */
  afterRound(round: number, report: RoundReport): RoundStatus;
  /** Training restarts with another setting: patience counts from here, and the saved state remains the best until it is improved on. */
  resetPatience?(): void;
  /** Progress within long rounds: the fraction of the maximum work that is done, from 0 to 1. Early stopping can shorten it. */
  progress?(fraction: number): void;
}

/** The array types available in shared memory. */
export interface ArrayTypes {
  /** 64-bit floats. */
  f64: Float64Array;
  /** 32-bit floats. */
  f32: Float32Array;
  /** Unsigned 8-bit integers. */
  u8: Uint8Array;
  /** Signed 8-bit integers. */
  i8: Int8Array;
  /** Unsigned 16-bit integers. */
  u16: Uint16Array;
  /** Signed 16-bit integers. */
  i16: Int16Array;
  /** Unsigned 32-bit integers. */
  u32: Uint32Array;
  /** Signed 32-bit integers. */
  i32: Int32Array;
  /** Unsigned 64-bit integers. */
  u64: BigUint64Array;
  /** Signed 64-bit integers. */
  i64: BigInt64Array;
}

/**
 * Blocks of work over the lists or rows of all processes. Where data are sharded, a process has the things of some blocks, and a block may begin
 * in one process and end in another.
 */
export interface Blocks {
  /** Number of blocks of all processes. */
  readonly count: number;
  /** Block b has things bounds[b] to bounds[b + 1] of this process. */
  readonly bounds: Uint32Array;
  /** The first block of this process. */
  readonly first: number;
  /** The block after its last. */
  readonly last: number;
  /** Whether its first block begins in a process before. */
  readonly continues: boolean;
  /** Whether its last block goes on in a process after. */
  readonly continued: boolean;
  /** Whether other processes have other things; false: every process has them all, and works on all blocks. */
  readonly divided: boolean;
}

/** The arrays that collectives of processes add up, send and receive. */
export type Exchanged = ArrayTypes["f64" | "f32" | "u32" | "i32" | "u8" | "i64"];

/**
 * A team: threads of one process, or of several processes. All members run the same program at the same time, each with its own local memory,
 * and call every function in the same order with the same arguments. Arrays of `allocShared` are shared by the members of one process;
 * processes exchange what they hold by `sum`, `addUp`, `maximum`, `gather` and `broadcast`, which do nothing where there is one process.
 *
 * Results must be bit-identical for any number of processes and threads. So work is split into blocks that depend on the data alone (see
 * `listBlocks`), and floating-point partial sums of blocks are added in block order.
 */
export interface Team {
  /** Number of this member in its process, from 0. */
  readonly rank: number;
  /** Number of members of this process. */
  readonly size: number;
  /** The number of this process, from 0, and how many there are. */
  readonly processes: {
    /** Number of this process, from 0. */
    readonly rank: number;
    /** Number of processes. */
    readonly size: number;
  };
  /** Returns when all members of this process have reached it. Writes before the barrier are visible to all of them after it. */
  barrier(): void;
  /**
   * Allocates an array shared by all members of this process, for the lifetime of the team. Its contents are unspecified unless "zeros" are
   * requested: each member writes its part, and a barrier comes before others read it.
   */
  allocShared<K extends keyof ArrayTypes>(kind: K, length: number, contents?: "zeros"): ArrayTypes[K];
  /**
   * Runs `visit` for blocks 0 to `blocks` - 1, each once, on whichever member of this process is free. Returns when all are done.
   */
  parallelFor(blocks: number, visit: (block: number) => void): void;
  /**
   * Like `parallelFor`, where every visit adds its partial sum into `width` zeros. Returns the total, added in block order: one array that
   * all members read, valid until the next call. Blocks of a sharded dataset are given as `Blocks`: then the total is that of all processes,
   * and a block that begins in one process is continued by the next. A number of blocks is summed by each process for itself.
   */
  sum(blocks: number | Blocks, width: number, visit: (block: number, into: Float64Array) => void): Float64Array;
  /** Adds arrays of whole numbers of all processes, element by element, in place. A shared array of each process; begins with a barrier. */
  addUp(array: ArrayTypes["f64" | "i32" | "i64"]): void;
  /** Replaces each element by the largest of all processes. A shared array of each process; begins with a barrier. */
  maximum(array: ArrayTypes["f64"]): void;
  /**
   * Writes the arrays of all processes one after another into `into`; process p gives lengths[p] elements. Shared arrays of each process; begins
   * with a barrier.
   */
  gather<A extends Exchanged>(part: A, lengths: readonly number[], into: A): void;
  /** Replaces the contents of a shared array by those of one process. Begins with a barrier. */
  broadcast(array: Exchanged, process: number): void;
  /**
   * Adds 64-bit whole numbers of all processes and gives each process its share of the sums: lengths[p] elements for process p, one share after
   * another in `from`, into the beginning of `into`. Shared arrays; begins with a barrier. For several processes only.
   */
  reduceScatter(from: ArrayTypes["i64"], lengths: readonly number[], into: ArrayTypes["i64"]): void;
  /**
   * Posts a message, which must be plain data, to the thread that started the team. Messages of members other than the first are ignored.
   */
  post(message: unknown): void;
}

/** Fits a model to data under an objective. */
export interface Learner {
  /** Name of the model, without options. */
  readonly id: string;
  /** Name with its non-default options, as on the command line. */
  readonly spec: string;
  /** Set if it can be trained on multi-label data. */
  readonly supportsLabelSpace?: true;
  /** Set if it needs no features. */
  readonly featureless?: true;
  /** Set if processes can train it together, each on its own lists. Others train with the threads of one process. */
  readonly supportsProcesses?: true;
  /** Set if scores are sums over features, so that a feature that all items of a list share does not change their order. */
  readonly additive?: true;
  /** Description of its built-in cost, if it takes no objective. */
  readonly cost?: string;
  /** Set if it can continue training from `run.init`. */
  readonly supportsWarmStart?: true;
  /**
   * How it cuts features into bins, if it can be trained on nothing but these; throws if an option of it needs the values. Without columns, that
   * is all it does, and no feature is categorical.
   */
  readonly binOptions?: (columns?: Columns) => BinOptions;
  /** Maximum number of rounds, if known. */
  readonly rounds?: number;
  /**
   * Whether rounds under this objective are steps to one optimum, so that the last is the fit and none before it: validation data then judge
   * it, and stop nothing.
   */
  readonly converges?: (objective: Objective) => boolean;
  /** Fits a model to the data. */
  learn(data: Dataset, objective: Objective, run: Run): Model;
}

/** An optimization problem: a cost over a parameter vector. */
export interface Problem {
  /** Number of parameters. */
  readonly size: number;
  /** Kind of gradient, as of the objective. */
  readonly gradient: Objective["gradient"];
  /** Number of lists. */
  readonly lists: number;
  /** Mean cost over the given lists (default: all); writes its gradient into `gradient`. */
  evaluate(params: Float64Array, gradient: Float64Array, round: number, lists?: Uint32Array): number;
  /** The Hessian over all lists, if the problem provides it. */
  hessian?(params: Float64Array): Hessian;
}

/** The Hessian at one point. */
export interface Hessian {
  /** The diagonal, or an upper bound on it. */
  readonly diagonal: Float64Array;
  /** Writes the Hessian times x. */
  times(x: Float64Array, into: Float64Array): void;
}

/** Minimizes the cost over `params`. Calls `afterRound` after every round and stops if it returns "stop". */
export interface Optimizer {
  /** Name of the optimizer, without options. */
  readonly id: string;
  /** Name with its non-default options, as on the command line. */
  readonly spec: string;
  /** Maximum number of rounds, if known. */
  readonly rounds?: number;
  /** Set if it uses mini-batches for a fixed number of epochs and need not converge. */
  readonly stochastic?: true;
  /** Changes `params` to reduce the cost of the problem. A checkpoint keeps all that it needs to continue, except `params`. */
  minimize(
    problem: Problem,
    params: Float64Array,
    random: Random,
    afterRound: (round: number, cost: number) => "continue" | "stop",
    checkpoint?: LoopCheckpoint,
  ): void;
}
