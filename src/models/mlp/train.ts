/**
 * Training of a network by mini-batches: forward, cost, back, one step of Adam, over all lists in a new random order each round. With
 * several learning rates the whole training is run for each, and the best round of all is kept, as a line search on the validation data.
 */
import { InputError } from "../../input-error.ts";
import { random, shuffle } from "../../numeric/random.ts";
import type { Dataset, Objective, RoundReport, Run, Team, TopItems } from "../../types.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import type { Head } from "./head.ts";
import { drawLabels, labelLayer, labelsHead } from "./labels.ts";
import { finiteLayers, initialize, type Layer, newLayer } from "./layers.ts";
import { type AdamState, LazyAdam } from "./lazy-adam.ts";
import { allocTop, labelScores, type Network, rowOutputs, topOf, type Weights } from "./predict.ts";
import { batchRows, fill } from "./rows.ts";
import { sampledHead } from "./sampled-labels.ts";
import { mostRows, scoresHead } from "./scores.ts";
import { trunk } from "./trunk.ts";

export interface TrainingOptions {
  readonly hidden: readonly number[];
  readonly rate: readonly number[];
  readonly batch: number;
  readonly epochs: number;
  readonly dropout: number;
  readonly l2: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly sparse: "exact" | "lazy";
  /** Of the last tier, sampled at each step; 0: all. */
  readonly negatives: number;
}

export interface Trained {
  /** Outside shared memory. */
  readonly network: Network;
  readonly auxiliary: Readonly<Record<string, number>>;
}

/** The output layer and its cost: for scores of rows, of all labels, or of a sample of them. */
function headFor(
  data: Dataset,
  objective: Objective,
  { team, seed }: Pick<Run, "team" | "seed">,
  last: Layer,
  { batch, negatives, sparse }: TrainingOptions,
  sampling: number,
): Head {
  const { labelSpaceSize } = data;
  const lists = Math.min(batch, data.starts.length - 1);
  if (labelSpaceSize === undefined) return scoresHead(team, last, data, objective, lists, seed);
  if (negatives > 0 && negatives < labelSpaceSize)
    return sampledHead(team, last, data, objective, lists, { negatives, seed: sampling, exact: sparse === "exact" });
  return labelsHead(team, last, data, objective, lists, seed);
}

type SessionState = { readonly arrays: readonly (Float32Array | Uint32Array)[]; readonly adam: AdamState };

/** All that one training holds, and its steps. */
export function session(
  data: Dataset,
  objective: Objective,
  run: Pick<Run, "team" | "seed">,
  options: TrainingOptions,
  sampling = run.seed,
) {
  const { team, seed } = run;
  const { hidden, dropout, sparse, l2 } = options;
  const { features, labelSpaceSize } = data;
  const layers = hidden.map((size, l) => newLayer(team, l === 0 ? features.columns : hidden[l - 1]!, size));
  const top = hidden.at(-1)!;
  const last = labelSpaceSize === undefined ? newLayer(team, top, objective.outputs) : labelLayer(team, top, labelSpaceSize);
  const head = headFor(data, objective, run, last, options, sampling);
  const body = trunk(team, layers, head.most, { dropout, seed, sparse, l2 });
  const input = batchRows(team.allocShared, features, head.most);
  const rows = new Uint32Array(head.most);
  let adam = new LazyAdam({ ...options, rate: options.rate[0]! });
  /** All that changes from step to step, in shared memory. */
  const arrays = [
    ...[...layers, last].flatMap(({ weights, biases }) => [weights, biases].flatMap(({ w, m, v }) => [w, m, v])),
    ...body.memory,
    ...head.memory,
  ];

  return {
    layers,
    last,
    clock: () => adam,
    /** New weights, and nothing remembered. */
    restart(rate: number) {
      layers.forEach((layer, l) => {
        initialize(team, layer, layer.outputs, seed, l);
      });
      if (labelSpaceSize === undefined) initialize(team, last, last.outputs, seed, layers.length);
      else drawLabels(team, last, seed, layers.length);
      body.restart();
      head.restart();
      adam = new LazyAdam({ ...options, rate });
      adam.nextStep();
    },
    /** One step on the given lists; their mean cost before it. */
    step(lists: Uint32Array): number {
      const count = head.rowsOf(lists, rows);
      team.parallelFor(1, () => fill(input, features, rows, count));
      body.forward(input, count, adam);
      const cost = head.step(lists, body.out, body.back, adam);
      body.backward(input, count, adam);
      adam.nextStep();
      return cost;
    },
    catchUp() {
      body.catchUp(adam);
      head.catchUp(adam);
    },
    state: (): SessionState => ({ arrays, adam: adam.state() }),
    /** Goes on from a state, which a session of the same shape was in. */
    restore(rate: number, state: SessionState) {
      if (team.rank === 0) arrays.forEach((array, i) => void array.set(state.arrays[i]!));
      adam = new LazyAdam({ ...options, rate });
      adam.restore(state.adam);
      team.barrier();
    },
    auxiliary: head.auxiliary,
    close() {
      body.close();
      head.close();
    },
  };
}

const weightsOf = ({ inputs, outputs, weights, biases }: Layer): Weights => ({ inputs, outputs, w: weights.w, b: biases.w });

/** Copies the numbers of a network to ordinary memory, into the copy before where there is one. */
function copyNetwork({ hidden, last }: Network, before: Network | undefined): Network {
  const copy = ({ inputs, outputs, w, b }: Weights, old: Weights | undefined): Weights => {
    const into = old ?? { inputs, outputs, w: new Float32Array(w.length), b: new Float32Array(outputs) };
    into.w.set(w);
    into.b.set(b.subarray(0, outputs));
    return into;
  };
  return { hidden: hidden.map((layer, l) => copy(layer, before?.hidden[l])), last: copy(last, before?.last) };
}

/** What is reported of a round: the mean cost, and scores of the data shown, computed when first asked for. */
function reporter(objective: Objective, team: Team, shown: Dataset, now: Network, auxiliary: Head["auxiliary"]) {
  let scores: Float64Array | undefined;
  let found: TopItems | undefined;
  const reduced = objective.reduction && new Float64Array(shown.labels.length);

  const top = (k: number) => {
    if (found?.k !== k) found = allocTop(shown.starts.length - 1, k, team);
    return topOf(now, shown, team, found);
  };
  const labelReport = (cost: number): RoundReport => ({
    ...{ cost, top },
    scores() {
      scores ??= team.allocShared("f64", shown.labels.length);
      labelScores(now, shown, team, scores);
      return scores;
    },
  });
  const rowReport = (cost: number): RoundReport => {
    let scored = false; // once a round, whoever asks first
    const outputs = () => {
      scores ??= team.allocShared("f64", shown.labels.length * objective.outputs);
      if (!scored) rowOutputs(now, shown.features, team, scores);
      scored = true;
      return scores;
    };
    return {
      cost,
      scores() {
        const all = outputs();
        if (reduced) reduceOutputs(all, objective.reduction, reduced);
        return reduced ?? all;
      },
      outputs() {
        const learned = auxiliary();
        return { scores: outputs(), auxiliary: objective.auxiliary.map(({ name }) => learned[name]!) };
      },
    };
  };
  return shown.labelSpaceSize === undefined ? rowReport : labelReport;
}

/** What a checkpoint keeps: the place in the loops over learning rates, rounds and steps, and what was learned up to there. */
type State = {
  readonly tried: number;
  readonly epoch: number;
  readonly round: number;
  /** Lists of the epoch that are done, and the sum of their costs. */
  readonly from: number;
  readonly cost: number;
  readonly session: SessionState;
  readonly best: Network | undefined;
  readonly auxiliary: Readonly<Record<string, number>>;
};

export function trainNetwork(data: Dataset, objective: Objective, run: Run, options: TrainingOptions): Trained {
  check(data, objective, run, options);
  const { team, validation, checkpoint } = run;
  const { rate: rates, epochs, batch } = options;
  const one = session(data, objective, run, options);
  const now: Network = { hidden: one.layers.map(weightsOf), last: weightsOf(one.last) };
  const report = reporter(objective, team, validation ?? data, now, one.auxiliary);
  const lists = data.starts.length - 1;
  let restored = checkpoint?.restored as State | undefined;
  let best = restored?.best && copyNetwork(restored.best, undefined);
  let auxiliary = restored?.auxiliary ?? {};
  let round = restored?.round ?? 0;

  for (let tried = restored?.tried ?? 0; tried < rates.length; tried++) {
    const order = Uint32Array.from({ length: lists }, (_, q) => q);
    if (restored) one.restore(rates[tried]!, restored.session);
    else {
      if (round > 0) {
        run.resetPatience?.();
        team.barrier(); // every member has copied the best network of the rate before
      }
      one.restart(rates[tried]!);
    }
    for (let epoch = 1; epoch <= epochs; epoch++) {
      shuffle(order, random(run.seed, 0x0bde, epoch));
      if (epoch < (restored?.epoch ?? 0)) continue; // its order leads to that of the next
      let [from, sum] = [restored?.from ?? 0, restored?.cost ?? 0];
      restored = undefined;
      while (from < lists) {
        const some = order.subarray(from, Math.min(lists, from + batch));
        sum += one.step(some) * some.length;
        from += some.length;
        if (team.rank === 0) run.progress?.((tried * epochs + (epoch - 1 + from / lists)) / (rates.length * epochs));
        if (from < lists) save(tried, epoch, from, sum);
      }
      one.catchUp();
      const finite = finiteLayers(team, [...one.layers, one.last]);
      const status = run.afterRound(++round, report(finite ? sum / lists : Number.NaN));
      if (status === "improved") auxiliary = one.auxiliary();
      // Without validation data every round is kept, and the last is what remains.
      if (status === "improved" && validation && team.rank === 0) best = copyNetwork(now, best);
      if (status === "stop") break;
      if (epoch < epochs) save(tried, epoch + 1, 0, 0);
    }
  }
  const network = best ?? copyNetwork(now, undefined);
  team.barrier();
  one.close();
  return { network, auxiliary };

  /** Rounds can take long, so that a checkpoint may be written after any step. */
  function save(tried: number, epoch: number, from: number, cost: number): void {
    checkpoint?.save((): State => ({ tried, epoch, round, from, cost, session: one.state(), best, auxiliary }));
  }
}

function check(data: Dataset, objective: Objective, run: Run, { rate, negatives, l2 }: TrainingOptions): void {
  if (objective.gradient === "none") throw new InputError(`mlp needs a gradient, and the objective ${objective.id} has none`);
  if (rate.length > 1 && !run.validation) throw new InputError("mlp: several learning rates need validation data");
  if (data.labelSpaceSize === undefined) {
    if (mostRows(data, 1) === 0) throw new InputError("mlp: all lists are empty");
    return;
  }
  if (negatives > 0 && !objective.negatives)
    throw new InputError(`mlp: the objective ${objective.id} must see all labels, so negatives cannot be sampled`);
  if (negatives > 0 && l2 > 0)
    throw new InputError("mlp: l2 updates all labels at each step and cannot be combined with negatives");
  if (objective.outputs > 1 || objective.auxiliary.length > 0)
    throw new InputError(
      `mlp: the objective ${objective.id} has several outputs or parameters of its own, which multi-label data do not support`,
    );
}
