/** The nouns of the house, all in one place so that rooms need not know each other, and long for that. Nothing runs here. */

/** Every value stored, row after row. NaN is a missing value. */
export interface DenseMatrix {
  readonly kind: "dense";
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  readonly absent?: number; // what columns added later hold: 0 unless said, or NaN
}

/** Row r owns entries starts[r] to starts[r + 1]; its column indices ascend. What is not stored has the value `absent`. */
export interface SparseMatrix {
  readonly kind: "sparse";
  readonly rows: number;
  readonly columns: number;
  readonly starts: Float64Array | Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
  readonly absent: number; // 0, or NaN for "missing"
}

/** Features of rows, all stored or only some. */
export type Matrix = DenseMatrix | SparseMatrix;

/** Names from outside, kept so that results can speak of them. */
export interface Names {
  readonly lists?: readonly string[]; // query ids
  readonly entries?: readonly string[]; // document ids
  readonly features?: readonly string[]; // column names; without them columns are numbered from `base`
  readonly items?: readonly string[]; // of the catalogue
}

/** Lists of judged items as flat columns: list q owns entries starts[q] to starts[q + 1]. */
export interface Dataset {
  readonly starts: Uint32Array;
  readonly labels: Float32Array; // higher is better, equal is tied: equal labels are a tier
  readonly features: Matrix; // a row per entry; with a catalogue, a row per list
  readonly items?: Uint32Array; // which catalogue item an entry is, when items recur
  /**
   * How many items there are, where every list is the whole catalogue: its entries are the items that were judged, with labels above 0 and
   * each once, and all others form its last tier, with label 0.
   */
  readonly labelSpaceSize?: number;
  readonly labelFrequency?: LabelFrequency; // of the catalogue's items in training, for metrics of propensities
  readonly listWeights?: Float32Array; // one per list
  readonly itemWeights?: Float32Array; // one per entry
  readonly base: 0 | 1; // the number of the first feature where features have no names
  readonly names: Names;
}

/** In how many lists of the training data each item of a catalogue was judged above 0, from which propensities follow. */
export interface LabelFrequency {
  readonly lists: number;
  readonly counts: Uint32Array;
}

/** Where an objective writes how its cost changes with each score. Both are overwritten, never added to. */
export interface Derivatives {
  readonly gradient: Float64Array;
  readonly hessian?: Float64Array; // the diagonal of the second derivative, or a bound on it; absent when not wanted
}

/** Numbers in [0, 1), the same on every machine for the same seed. */
export type Random = () => number;

/** A number that an objective learns beside the model, such as the weight of ties. */
export interface AuxiliaryParameter {
  readonly name: string;
  readonly initial: number;
}

/** One score from several outputs per item: the mean of `values` under the softmax of the outputs. Plain data, kept in model files. */
export interface OutputReduction {
  readonly kind: "expected";
  readonly values: readonly number[];
}

/**
 * What equal labels are to an objective. "tier": their order is unknown, so one tier alone says nothing. "silent": nothing is learned from
 * two equal labels. "event": a tie is an outcome with a probability of its own. "order": the given order breaks them. "value": labels are
 * numbers, and equality has no meaning.
 */
export type Ties = "tier" | "silent" | "event" | "order" | "value";

/**
 * How the items of label 0 enter a cost when they are the lowest tier and far more than the others. "mass": only through the log of the sum
 * of their e^score, so that one item of that score may stand for all. "logistic" and "hinge": only through a cost of each pair with an item
 * above, log(1 + e^-margin) or max(0, 1 - margin).
 */
export type NegativesTerm = "log-sum-exp" | "logistic" | "hinge";

/** What one list's scores cost, and how that cost bends. Lower is better. */
export interface Objective {
  readonly id: string;
  readonly spec: string; // the name with its options, as the command line would write it
  readonly outputs: number; // numbers per item: 1, except class-wise objectives such as McRank
  readonly cost: "exact" | "sampled" | "none"; // "sampled": of this draw; "none": intractable, what is returned only hints at it
  readonly gradient: "exact" | "sampled" | "heuristic" | "none";
  readonly hessian: "exact" | "bound" | "none";
  readonly ties: Ties;
  readonly negatives?: NegativesTerm; // absent: only `evaluate` over all items knows
  /** The cost is minus the log of a probability: of tiers under Plackett-Luce (also of one order), or of another model. */
  readonly likelihood?: "tiers" | "other";
  readonly auxiliary: readonly AuxiliaryParameter[];
  readonly reduction?: OutputReduction; // how several outputs become one score; labels must then be among its values
  /**
   * The cost of one list. `scores` holds `outputs` numbers per item, then the extras; the derivatives have the same layout.
   * A term of the cost counts with the weight of the item it prefers (a tier with the mean of its items).
   */
  evaluate(scores: Float64Array, labels: Float32Array, into: Derivatives, random: Random, weights?: Float32Array): number;
}

/** How good an order is, for people to read. */
export interface Metric {
  readonly id: string;
  readonly spec: string; // name, cutoff and every option that differs from the default
  readonly variant: string; // the definition in words
  readonly better: "higher" | "lower";
  /**
   * NaN: this list cannot tell. `ids` are document ids, for rules that break ties by them. An item with score -Infinity is not ranked: it
   * has no place, but counts among what could have been found.
   */
  measure(scores: Float64Array, labels: Float32Array, ids?: readonly string[], frequency?: LabelFrequency): number;
  /**
   * Where it is there, the mean over lists is Σ measure / Σ ideal, a ratio of means. `popular` has a count per item of the list, and is
   * needed by metrics of propensities.
   */
  readonly ideal?: (labels: Float32Array, frequency?: LabelFrequency) => number;
  readonly depth?: number; // places that matter, from the top; absent: all
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

/** The best items of a catalogue for each list: list q owns places q * k to (q + 1) * k, best first. */
export interface TopItems {
  readonly k: number;
  readonly items: Uint32Array;
  readonly scores: Float64Array;
}

/** Gives scores to items. */
export interface Model {
  readonly id: string;
  readonly columns: Columns;
  /** One score per entry of the data, whose columns must be those of the model (see `align`). */
  score(data: Dataset, into: Float64Array): void;
  /** One score per row of numbers, a number for each column of the model and NaN for a missing value, without a `Dataset`. */
  readonly scoreRows?: (rows: readonly ArrayLike<number>[], into: Float64Array) => void;
  /** With a catalogue: the k best items of each list, equal scores by item number. */
  readonly top?: (data: Dataset, k: number) => TopItems;
  readonly labelSpace?: LabelSpace; // whose items it ranks
  /** All that is needed to build the model again, as plain JSON; long lists of numbers may be Float32Array or Uint32Array. */
  save(): SavedModel;
  /** What it is and what it learned, for people. */
  describe(): Description;
  /** What each feature adds to the scores of one list, where the model can tell. */
  explain?(data: Dataset, list: number): Explanation;
  /** The model as it was after fewer rounds, where it grows by rounds that stay. */
  readonly stages?: { readonly count: number; after(rounds: number): Model };
  /** Tree number `index` of the model as lines of text, where it has trees. */
  drawTree?(index: number): string;
}

/** The scores of one list taken apart by features. */
export interface Explanation {
  readonly expected: number; // score of an item of which nothing is known
  readonly scores: Float64Array; // by item of the list
  readonly contributions: readonly Float64Array[]; // by item, then feature: expected + the sum of an item's parts is its score
}

/** The features that a model was trained on. */
export interface Columns {
  readonly count: number;
  readonly base: 0 | 1;
  readonly names?: readonly string[];
}

/** The items that a model ranks, where every list is all of them. */
export interface LabelSpace {
  readonly count: number;
  readonly names?: readonly string[];
  readonly frequency: LabelFrequency;
}

/** A model as plain JSON, which `revive` builds again by its id. */
export interface SavedModel {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** A title, facts, and tables of rows, which the command line prints and JSON holds. */
export interface Description {
  readonly title: string;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly tables: readonly Table[];
  readonly estimates?: readonly Estimate[]; // what can be drawn as points with intervals, best first
}

/** A number with its interval, and the same for its rank in words: "2-4". */
export interface Estimate {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly rank: string;
}

/** Rows under a head. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a learner says after each round. */
export interface RoundReport {
  readonly cost: number; // mean over lists, with regularisation
  /** Scores of the watched data under the state of this round, computed when asked for. */
  scores(): Float64Array;
  /** The same with a catalogue: the k best items of each watched list. */
  readonly top?: (k: number) => TopItems;
}

/** "keep": the best state so far, remember it. "stop": end, and return the state last kept. */
export type RoundStatus = "improved" | "continue" | "stop";

/** What surrounds one training. */
export interface Run {
  readonly seed: number;
  readonly team: Team;
  readonly validation?: Dataset; // validation data
  readonly init?: Model; // where to begin, for learners that can
  afterRound(round: number, report: RoundReport): RoundStatus;
  /** Training begins anew, with another setting: patience counts from here, and what was kept stays the best until something beats it. */
  resetPatience?(): void;
  /** Within a round, where rounds are long: how much of all that may come is done, from 0 to 1. Early stopping can only shorten it. */
  progress?(fraction: number): void;
}

/** The kinds of arrays that live in shared memory. */
export interface ArrayTypes {
  f64: Float64Array;
  f32: Float32Array;
  u8: Uint8Array;
  i8: Int8Array;
  u16: Uint16Array;
  i16: Int16Array;
  u32: Uint32Array;
  i32: Int32Array;
  u64: BigUint64Array;
  i64: BigInt64Array;
}

/**
 * Who trains together. All members run the same program at the same time, each with its own memory for what it makes itself, and call
 * `barrier`, `share`, `each` and `sum` in the same order with the same arguments.
 *
 * The result must not depend on the size of the team, to the last bit. So work is cut into a number of blocks that depends on the data
 * alone (see `cutLists`), and what a block adds to a floating-point sum is kept apart until all are added in the order of blocks.
 */
export interface Team {
  readonly rank: number; // from 0
  readonly size: number;
  /** Returns when every member has come here. What any of them wrote before, all can read after. */
  barrier(): void;
  /**
   * The same array for every member, for as long as the team lives. Its contents are unspecified unless "zeros" are asked for: each member
   * writes its part, and a barrier comes before others read it.
   */
  allocShared<K extends keyof ArrayTypes>(kind: K, length: number, contents?: "zeros"): ArrayTypes[K];
  /** Visits blocks 0 to `blocks` - 1, each once, by whichever member is free. Returns when all are done. */
  parallelFor(blocks: number, visit: (block: number) => void): void;
  /**
   * Like `each`, where every visit adds its part of a sum into `width` zeros. Returns the sum of the parts in the order of blocks: one
   * array that all members read, valid until the next call.
   */
  sum(blocks: number, width: number, visit: (block: number, into: Float64Array) => void): Float64Array;
  /** Sends a word, which must be plain data, to who started the team. What members other than the first say is not sent. */
  post(message: unknown): void;
}

/** A way to fit a model to data under any objective that it can take. */
export interface Learner {
  readonly id: string;
  readonly spec: string;
  readonly supportsLabelSpace?: true; // it can learn from lists that are a whole catalogue
  readonly featureless?: true; // it learns from items without features
  readonly cost?: string; // its own cost in words, where it takes no objective
  readonly supportsWarmStart?: true; // it can begin with the model that the run names
  readonly rounds?: number; // at most, where that is known before
  /**
   * Whether rounds under this objective are steps to one optimum, so that the last is the fit and none before it: validation data then judge
   * it, and stop nothing.
   */
  readonly converges?: (objective: Objective) => boolean;
  learn(data: Dataset, objective: Objective, run: Run): Model;
}

/** A cost over a vector of numbers, as an optimizer sees it. */
export interface Problem {
  readonly size: number;
  readonly gradient: Objective["gradient"];
  readonly lists: number;
  /** Mean cost over the given lists (all of them when absent) and its gradient, written into `gradient`. */
  evaluate(params: Float64Array, gradient: Float64Array, round: number, lists?: Uint32Array): number;
  /** The second derivatives over all lists, where the problem knows them. */
  hessian?(params: Float64Array): Hessian;
}

/** Second derivatives at one place. */
export interface Hessian {
  readonly diagonal: Float64Array; // or a bound on it
  /** Writes the matrix of second derivatives times x. */
  times(x: Float64Array, into: Float64Array): void;
}

/** Moves params to lower the cost. Calls `proceed` after every round and stops when that says so. */
export interface Optimizer {
  readonly id: string;
  readonly spec: string;
  readonly rounds?: number; // at most, where that is known before
  readonly stochastic?: true; // it passes over the lists in batches, so often and no more, and need not come to a minimum
  minimize(
    problem: Problem,
    params: Float64Array,
    random: Random,
    afterRound: (round: number, cost: number) => "continue" | "stop",
  ): void;
}
