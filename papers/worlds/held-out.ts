/**
 * Tier likelihoods on real data: linear models of judged lists and utilities of ballots, fitted under each likelihood and compared by the
 * likelihood of lists that they have not seen. Likelihoods compare only within a kind, the probability of the same event: who is in which tier
 * given the sizes of the tiers; sizes and members together; the outcomes of all pairs, ties among them.
 */
import { type Dataset, fit, isUtilities, learner, type Model, type Objective, objective, readData } from "../../src/index.ts";
import { codeDigest } from "../code-digest.ts";
import { arena, comparedSets, type DataSet, debian, type Found, skate, sushi } from "../data-sets.ts";
import { random, splitIntoParts, splitUnits, trainTestSplits } from "../internal.ts";
import { type Cell, type Entry, type Exhibit, table, text, type Values } from "../paper.ts";
import { loadFold, type Parts } from "../trial.ts";

/** A likelihood: the objective that it is fitted by, and the one that evaluates it where the cost of the first is sampled. */
interface Likelihood {
  readonly fitted: string;
  readonly evaluated?: string;
  /** For sampled gradients. */
  readonly optimizer?: string;
}

const SAMPLED = "adam(rate=0.05,batch=16,epochs=60)";
const KINDS: Readonly<Record<string, readonly Likelihood[]>> = {
  "tiers given their sizes": [
    { fitted: "pl-partition" },
    { fitted: "pmop-fd" },
    { fitted: "pmop-exact:sizes=given" },
    { fitted: "pmop-exact:potential=sum,sizes=given" },
  ],
  "tiers and their sizes": [
    { fitted: "pmop-exact" },
    { fitted: "pmop-exact:potential=sum" },
    { fitted: "pmop-gibbs", evaluated: "pmop-exact", optimizer: SAMPLED },
    { fitted: "pmop-mh", evaluated: "pmop-exact", optimizer: SAMPLED },
  ],
  pairs: [{ fitted: "davidson" }, { fitted: "rao-kupper" }],
};
const LIKELIHOODS = Object.values(KINDS).flat();

/** Penalties of linear models, of which the validation lists choose. */
const PENALTIES = [0.01, 0.1, 1, 10];
/** A weak prior of utilities, so that a fit exists for few ballots too. */
const PRIOR = "ghost=0.5,errors=no";
/** The voters of a file are split into so many parts, or into one for each if there are fewer. */
const PARTS = 5;

const ballotSets = [debian, skate, sushi, arena];

/** The weights of held-out lists and their log-likelihoods; a type, so that it counts as JSON. */
type Judged = { readonly weights: readonly number[]; readonly logs: readonly number[] };

/** The same under all likelihoods. */
interface Outcome {
  readonly weights: readonly number[];
  readonly logs: Readonly<Record<string, readonly number[]>>;
}

const digits = (value: number) => Math.round(value * 1e6) / 1e6;

/** A saved linear model, or one whose features are standardized first. */
type SavedLinear = { readonly extras?: Readonly<Record<string, number>>; readonly inner?: SavedLinear };

/** What a model learned beside its scores, such as the weight of ties. */
function auxiliaryOf(model: Model, { auxiliary }: Objective): number[] {
  if (auxiliary.length === 0) return [];
  const saved = model.save() as unknown as SavedLinear;
  const known = isUtilities(model) ? model.fit.auxiliary : (saved.extras ?? saved.inner?.extras);
  return auxiliary.map(({ name }) => known![name]!);
}

/** The log-likelihood of each list. */
function logsOf(model: Model, cost: Objective, data: Dataset): number[] {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  const auxiliary = auxiliaryOf(model, cost);
  return Array.from(data.starts.subarray(1), (to, q) => {
    const all = Float64Array.from([...scores.subarray(data.starts[q]!, to), ...auxiliary]);
    return -cost.evaluate(
      all,
      data.labels.subarray(data.starts[q]!, to),
      { gradient: new Float64Array(all.length) },
      random(1, q),
    );
  });
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Fits each penalty to the training lists, and evaluates the one that the validation lists prefer on the test lists. */
function judgedLists({ train, valid, test }: Parts, { fitted, evaluated = fitted, optimizer }: Likelihood): Judged {
  const [cost, judge] = [objective(fitted), objective(evaluated)];
  const fits = PENALTIES.map((l2) => {
    const model = learner(`linear:l2=${l2}${optimizer === undefined ? "" : `,optimizer=${optimizer}`}`);
    const found = fit(train, { model, objective: cost }).model;
    return { found, likelihood: sum(logsOf(found, judge, valid)) };
  });
  const best = fits.reduce((most, one) => (one.likelihood > most.likelihood ? one : most));
  return { weights: weightsOf(test), logs: logsOf(best.found, judge, test).map(digits) };
}

/** The ballots of a file, each left out once. */
async function judgedBallots(path: string, { fitted, evaluated = fitted, optimizer }: Likelihood): Promise<Judged> {
  const { data } = await readData([path], { threads: 1 });
  const splits = trainTestSplits(data, splitIntoParts(data, Math.min(PARTS, splitUnits(data).count), 1));
  const model = learner(`utilities:${PRIOR}${optimizer === undefined ? "" : `,optimizer=${optimizer}`}`);
  const [cost, judge] = [objective(fitted), objective(evaluated)];
  return {
    weights: splits.flatMap(({ test }) => weightsOf(test)),
    logs: splits.flatMap(({ train, test }) => logsOf(fit(train, { model, objective: cost }).model, judge, test).map(digits)),
  };
}

const weightsOf = ({ starts, listWeights }: Dataset) =>
  listWeights ? Array.from(listWeights) : Array.from({ length: starts.length - 1 }, () => 1);

const codeOf = (model: string, { fitted, evaluated = fitted, optimizer }: Likelihood) =>
  codeDigest(["papers/worlds/held-out", "papers/trial", "src/fit", "src/data/parts"], {
    ...{ model: [model], objective: [fitted, evaluated], optimizer: optimizer === undefined ? [] : [optimizer] },
  });

/** The cells of a data set under a likelihood: one for each fold of judged lists, or for each file of ballots, which are elections of their own. */
function cellsOf(found: Found, likelihood: Likelihood, quick: boolean): Cell<Judged>[] {
  const { set, digest, paths } = found;
  const settings = { kind: "held-out", data: set.id, digest, likelihood: { ...likelihood } };
  if (ballotSets.includes(set))
    return paths.slice(0, quick ? 1 : undefined).map((path, file) => ({
      settings: { ...settings, file, prior: PRIOR, parts: PARTS },
      get code() {
        return codeOf("utilities", likelihood);
      },
      title: `${set.title}, file ${file + 1} of ${paths.length}: ${likelihood.fitted}`,
      weight: 1,
      run: () => judgedBallots(path, likelihood),
    }));
  return set.folds.slice(0, quick ? 1 : undefined).map((_, fold) => ({
    settings: { ...settings, fold, penalties: PENALTIES },
    get code() {
      return codeOf("linear", likelihood);
    },
    title: `${set.title} fold ${fold + 1}: ${likelihood.fitted}`,
    weight: 20,
    run: async () => judgedLists(await loadFold(found, fold), likelihood),
  }));
}

/** How far a likelihood is below the best of its kind: the weighted mean over lists and its standard error. */
export function below({ weights, logs }: Outcome, one: string, best: string): { readonly loss: number; readonly error: number } {
  const total = sum(weights);
  const losses = logs[best]!.map((value, q) => value - logs[one]![q]!);
  const loss = sum(losses.map((value, q) => weights[q]! * value)) / total;
  const variance = sum(losses.map((value, q) => weights[q]! * (value - loss) ** 2)) / Math.max(1, total - 1);
  return { loss, error: Math.sqrt(variance / total) };
}

/** The lists of all folds or files of a data set. */
function together(cells: ReadonlyMap<string, readonly Cell<Judged>[]>, value: Values): Outcome {
  const judged = (likelihood: string) => cells.get(likelihood)!.map((cell) => value(cell));
  return {
    weights: judged(LIKELIHOODS[0]!.fitted).flatMap(({ weights }) => weights),
    logs: Object.fromEntries(LIKELIHOODS.map(({ fitted }) => [fitted, judged(fitted).flatMap(({ logs }) => logs)])),
  };
}

/** The likelihood of a kind that is best for these lists. */
export function bestOf({ weights, logs }: Outcome, kind: readonly { readonly fitted: string }[]): string {
  const mean = (name: string) => sum(logs[name]!.map((value, q) => weights[q]! * value));
  return kind.map(({ fitted }) => fitted).reduce((best, name) => (mean(name) > mean(best) ? name : best));
}

const sets: readonly DataSet[] = [...comparedSets, ...ballotSets];

export const heldOut: Exhibit = {
  id: "held-out",
  title: "Tier likelihoods on real data",
  sets,
  plan(lab) {
    const found = sets.flatMap((set) => lab.find(set) ?? []);
    const groups = found.map((one) => ({
      set: one.set,
      cells: new Map(LIKELIHOODS.map((likelihood) => [likelihood.fitted, cellsOf(one, likelihood, lab.quick)])),
    }));
    return {
      cells: groups.flatMap(({ cells }) => [...cells.values()].flat()),
      show: (value: Values) => {
        const results = groups.map(({ set, cells }) => ({ set, outcome: together(cells, value) }));
        const rows = results.map(({ set, outcome }): Entry[] => [
          set.title,
          { value: sum(outcome.weights), digits: 0 },
          ...Object.values(KINDS).flatMap((kind) => {
            const best = bestOf(outcome, kind);
            return kind.map(({ fitted }): Entry => {
              if (fitted === best) return "**best**";
              const { loss, error } = below(outcome, fitted, best);
              return `${loss.toFixed(4)} ± ${error.toFixed(4)}`;
            });
          }),
        ]);
        const findings = Object.entries(KINDS).map(([name, kind]) => {
          const counts = kind.map(({ fitted }) => {
            const on = results.filter(({ outcome }) => bestOf(outcome, kind) === fitted).map(({ set }) => set.title);
            return on.length === 0 ? "" : `${fitted} on ${on.join(", ")}`;
          });
          return `Of ${name}, the highest held-out likelihood is that of ${counts.filter((one) => one !== "").join("; ")}.`;
        });
        return {
          findings,
          blocks: [
            text(
              `Judged lists: linear models with the penalty of ${PENALTIES.join(", ")} that the validation lists of the fold prefer, evaluated on its test lists. Ballots: utilities with the prior ghost=0.5, ${PARTS} parts of the voters left out in turn, each file of a set an election of its own. Numbers are how far the log-likelihood of a list lies below that of the best likelihood of the same kind, in nats, ± the standard error of the paired difference. Kinds: ${Object.entries(
                KINDS,
              )
                .map(([name, kind]) => `${name} (${kind.map(({ fitted }) => fitted).join(", ")})`)
                .join("; ")}. The gradients of pmop-gibbs and pmop-mh are sampled, so they are evaluated by pmop-exact.`,
            ),
            table({
              title: "Held-out log-likelihood, below the best of its kind",
              head: ["data", "lists", ...LIKELIHOODS.map(({ fitted }) => fitted)],
              rows,
            }),
          ],
        };
      },
    };
  },
};
