/**
 * The sequence of trials of `autoTrain`: first a portfolio, what did best on validation lists of several data sets first (docs/models.md has
 * the numbers), then variations of the best trees so far. Trial t depends on the data, the seed and what trials before it reached, never on
 * time, so that a number of trials says what was done.
 */
import { models, trees } from "./models/index.ts";
import { type DataSize, defaultsFor } from "./models/trees/defaults.ts";
import { below, random } from "./numeric/random.ts";
import { objective as objectiveNamed } from "./objectives/index.ts";
import { buildPart, isBuiltBy, parseSpec } from "./part.ts";
import type { Learner, Objective, Random } from "./types.ts";

/** What a trial trains. */
export interface AutoSetting {
  readonly model: Learner;
  readonly objective: Objective;
  /** Expected time, in units of trees with default options. */
  readonly cost: number;
}

/** A setting and how good it is, higher being better; undefined if it could not be trained. */
export interface TriedSetting {
  readonly setting: AutoSetting;
  readonly worth: number | undefined;
}

/** The setting that follows those that were tried; undefined where there are no others. */
export type Sequence = (tried: readonly TriedSetting[]) => AutoSetting | undefined;

const TIERS = "pl-partition";

const PORTFOLIO: readonly (readonly [model: string, objective: string])[] = [
  ["trees", TIERS],
  ["linear:l2=1,within-list=z", TIERS],
  ["trees:within-list=rank", TIERS],
  ["trees:leaves=4", TIERS],
  ["trees", "lambdarank"],
  ["trees:shape=symmetric,leaves=16", TIERS],
  ["trees:within-list=z", TIERS],
  ["trees:leaves=16,learning-rate=0.03", TIERS],
  ["trees:list-fraction=0.7,feature-fraction=0.3", TIERS],
  ["linear:l2=1", TIERS],
  ["mlp:hidden=32,within-list=z", TIERS],
  ["trees", "yetirank"],
];

/** Values of options of trees through which variations step. */
const LADDERS: Readonly<Record<string, readonly string[]>> = {
  leaves: ["3", "4", "6", "8", "12", "16", "24", "31", "48", "64", "96", "128"],
  learningRate: ["0.02", "0.03", "0.05", "0.07", "0.1", "0.15"],
  l2: ["0.3", "1", "3", "10", "30", "100"],
  listFraction: ["0.3", "0.5", "0.7", "1"],
  featureFraction: ["0.2", "0.3", "0.5", "0.7", "1"],
  minItems: ["5", "10", "20", "40", "80"],
  withinList: ["none", "z", "rank", "best"],
};

const PARENTS = 3; // of the best trees, one is varied
const CHANGES = 3; // options that are changed at most
const ATTEMPTS = 100; // to draw a setting that is new

/** The sequence for data of this size. An objective that is given is that of all trials. */
export function sequenceFor(size: DataSize, seed: number, given?: Objective): Sequence {
  const portfolio: AutoSetting[] = [];
  for (const [model, objective] of PORTFOLIO) {
    const one = settingOf(parseSpec(models, "model", model), given ?? objectiveNamed(objective), size);
    if (portfolio.every((other) => keyOf(other) !== keyOf(one))) portfolio.push(one);
  }
  return (tried) => portfolio[tried.length] ?? variation(tried, size, random(seed, tried.length));
}

type ParsedModel = ReturnType<typeof parseSpec<Learner>>;

const settingOf = ({ part, options }: ParsedModel, objective: Objective, size: DataSize): AutoSetting => ({
  ...{ model: buildPart(part, "model", options), objective },
  cost: part === trees ? costOfTrees(options, objective, size) : COST_OF_OTHERS,
});

const keyOf = ({ model, objective }: AutoSetting) => `${model.spec} ${objective.spec}`;

/** One of the best trees with one to three options changed, such as was not tried yet. */
function variation(tried: readonly TriedSetting[], size: DataSize, draw: Random): AutoSetting | undefined {
  const parents = tried
    .filter(({ setting, worth }) => worth !== undefined && isBuiltBy([trees], setting.model))
    .sort((a, b) => b.worth! - a.worth!)
    .slice(0, PARENTS);
  if (parents.length === 0) return undefined;
  const known = new Set(tried.map(({ setting }) => keyOf(setting)));
  const names = Object.keys(LADDERS);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { model, objective } = parents[below(draw, parents.length)]!.setting;
    const { part, options } = parseSpec(models, "model", model.spec);
    for (let changes = 1 + below(draw, CHANGES); changes > 0; changes--) {
      const name = names[below(draw, names.length)]!;
      options[name] = step(LADDERS[name]!, options[name] ?? startOf(name, size), draw);
    }
    const one = settingOf({ part, options }, objective, size);
    if (!known.has(keyOf(one))) return one;
  }
  return undefined;
}

const LONGEST_STEP = 2;

/** Another value of a ladder, at most two steps from this one; of names rather than numbers, any other. */
function step(ladder: readonly string[], from: string, draw: Random): string {
  const at = ladder.indexOf(from);
  const near = Number.isNaN(Number(ladder[0])) ? ladder.length : LONGEST_STEP;
  const others = ladder.filter((_, i) => i !== at && Math.abs(i - Math.max(0, at)) <= near);
  return others[below(draw, others.length)]!;
}

/** The value that an option has where it is not given. */
function startOf(name: string, size: DataSize): string {
  const defaults: Readonly<Record<string, unknown>> = defaultsFor(size, true);
  return String(defaults[name] ?? { minItems: 20, withinList: "none" }[name]);
}

const COST_OF_OTHERS = 0.2;
/** Measured on four data sets of 3,000 to 56,000 items; only the order of magnitude matters. */
const COSTS = { withinList: 1.5, sampledGradient: 3 };

/** Expected time of trees, in units of those with default options. Shorter steps need more of them. */
function costOfTrees(options: Readonly<Record<string, string>>, { gradient }: Objective, size: DataSize): number {
  const { leaves, learningRate } = defaultsFor(size, true);
  const number = (name: string, start: number) => Number(options[name] ?? start);
  return (
    (learningRate / number("learningRate", learningRate)) *
    Math.sqrt(number("leaves", leaves) / leaves) *
    number("bag", 1) *
    ((options.withinList ?? "none") === "none" ? 1 : COSTS.withinList) *
    (gradient === "sampled" ? COSTS.sampledGradient : 1)
  );
}
