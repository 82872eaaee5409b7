import { describe, expect, it } from "vitest";
import { backgroundSaver, type CheckpointOptions, type CheckpointStore, TrainingInterrupted } from "./checkpoint.ts";
import { build } from "./data/build.ts";
import { type FitOptions, fit } from "./fit.ts";
import { serializeModel } from "./formats/models/native.ts";
import { InputError } from "./input-error.ts";
import { ndcg } from "./metrics/index.ts";
import { linear, trees } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { lambdaRank, plPartition } from "./objectives/index.ts";
import { adam } from "./optimizers/index.ts";
import type { Dataset, Learner } from "./types.ts";

function made(seed: number, lists: number): Dataset {
  const draw = random(seed);
  return build(
    Array.from({ length: 6 * lists }, (_, i) => {
      const features = [draw(), draw(), draw()];
      return { list: Math.floor(i / 6), label: Math.floor(2 * (features[0]! + draw())), features };
    }),
  );
}

const data = made(1, 20);
const model = trees({ rounds: 6, leaves: 4, minItems: 2 });
const options: FitOptions = { model, objective: lambdaRank(), valid: made(2, 8), metrics: [ndcg({ k: 3 })], patience: 0 };

/** A store in memory that keeps everything, the newest first. */
function memory(before: readonly Uint8Array[] = []): CheckpointStore & { readonly saved: Uint8Array[] } {
  const saved = [...before];
  return {
    ...{ where: "memory", saved },
    load: () => saved.slice(0, 2),
    save: (_, bytes) => void saved.unshift(bytes.slice()),
    remove: () => void saved.splice(0),
  };
}

const file = (given: FitOptions) => serializeModel(fit(data, given));
const expected = file(options);

/** What two rounds leave behind. */
function interrupted(more: Partial<FitOptions> = {}, keep: Partial<CheckpointOptions> = {}) {
  const store = memory();
  const interrupt = new Int32Array(1);
  const stops = (round: { round: number }) => {
    if (round.round === 2) interrupt[0] = 1;
  };
  const checkpoint = { store, rounds: 1, interrupt, ...keep };
  expect(() => fit(data, { ...options, ...more, checkpoint, onRound: stops })).toThrow(TrainingInterrupted);
  return store;
}

describe("a training with checkpoints", () => {
  it("gives the same model, and keeps a state for every round but the last", () => {
    const store = memory();
    expect(file({ ...options, checkpoint: { store, rounds: 1 } })).toBe(expected);
    expect(store.saved.length).toBe(5);
  });

  it("keeps them by rounds, by time, or by whichever comes first", () => {
    const count = (every: Partial<CheckpointOptions>) => {
      const store = memory();
      fit(data, { ...options, checkpoint: { store, ...every } });
      return store.saved.length;
    };
    expect(count({ rounds: 2 })).toBe(2);
    expect(count({ rounds: 100 })).toBe(0);
    expect(count({ seconds: 1e-9 })).toBe(5);
    expect(count({ seconds: 1e-9, rounds: 3 })).toBe(5);
    expect(count({})).toBe(0); // a minute
  });

  it("ends on request after the round, and continues from there", () => {
    const store = interrupted();
    expect(store.saved.length).toBe(2);
    const [lines, rounds]: [string[], number[]] = [[], []];
    const checkpoint = { store, onNotice: (line: string) => lines.push(line) };
    expect(file({ ...options, checkpoint, onRound: ({ round }) => rounds.push(round) })).toBe(expected);
    expect(lines).toEqual(["memory: continuing after round 2"]);
    expect(rounds).toEqual([3, 4, 5, 6]);
  });

  it("continues from the one before where the newest is damaged, and says so", () => {
    const { saved } = interrupted();
    saved[0]![saved[0]!.length - 200]! ^= 1;
    const lines: string[] = [];
    expect(file({ ...options, checkpoint: { store: memory(saved), onNotice: (line) => lines.push(line) } })).toBe(expected);
    expect(lines).toEqual([
      "memory: the checkpoint is damaged: its content does not match the digest at its end; the one before it is used",
      "memory: continuing after round 1",
    ]);
    saved[1]![100]! ^= 1;
    expect(() => fit(data, { ...options, checkpoint: { store: memory(saved) } })).toThrow(
      "memory: the checkpoint is damaged: its content does not match the digest at its end, and there is no other; remove it to begin again",
    );
  });

  it("is refused by a training that differs, with the first difference", () => {
    const { saved } = interrupted();
    const other = (more: Partial<FitOptions>, given = data) => {
      try {
        fit(given, { ...options, ...more, checkpoint: { store: memory(saved) } });
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return /made with (.*); use what it was made with, or remove it to begin again$/.exec((error as Error).message)?.[1];
      }
      return undefined;
    };
    expect(other({})).toBeUndefined();
    expect(other({ model: trees({ rounds: 6, leaves: 5, minItems: 2 }) })).toBe("leaves=4, and this run has leaves=5");
    expect(other({ model: trees({ rounds: 6, leaves: 4 }) })).toBe("min-items=2, and this run has the default of min-items");
    expect(other({ model: linear() })).toMatch(/^model trees:rounds=6.*, and this run has model linear$/);
    expect(other({ objective: plPartition() })).toBe("objective lambdarank, and this run has objective pl-partition");
    expect(other({ objective: lambdaRank({ sigmoid: 2 }) })).toBe("the default of sigmoid, and this run has sigmoid=2");
    expect(other({ metrics: [ndcg({ k: 5 })] })).toBe("metrics ndcg@3, and this run has metrics ndcg@5");
    expect(other({ stopOn: "loss" })).toBe("no stop-on, and this run has stop-on loss");
    expect(other({ patience: 3 })).toBe("patience 0, and this run has patience 3");
    expect(other({ seed: 2 })).toBe("seed 1, and this run has seed 2");
    expect(other({ valid: made(3, 8) })).toBe("other validation data");
    expect(other({ init: fit(data, options).model })).toBe("no initial model, which this run has");
    expect(other({}, made(4, 20))).toBe("other training data");
    const { valid: _, metrics: __, ...without } = options;
    expect(() => fit(data, { ...without, checkpoint: { store: memory(saved) } })).toThrow(
      /metrics ndcg@3, and this run has no metrics/,
    );
  });

  it("goes on when a checkpoint cannot be saved and there is someone to say it to, and ends otherwise", () => {
    const full = { ...memory(), save: () => fail("the disk is full") };
    const lines: string[] = [];
    expect(file({ ...options, checkpoint: { store: full, rounds: 3, onNotice: (line) => lines.push(line) } })).toBe(expected);
    expect(lines).toEqual(["memory: the checkpoint could not be saved: the disk is full"]);
    expect(() => fit(data, { ...options, checkpoint: { store: full, rounds: 3 } })).toThrow("the disk is full");
  });

  it("refuses promises where nothing can wait for them", () => {
    const slow = { ...memory(), load: async () => [] };
    expect(() => fit(data, { ...options, checkpoint: { store: slow } })).toThrow(
      /^fit, option checkpoint: training blocks this thread/,
    );
    const later = { ...memory(), save: async () => {} };
    const checkpoint = { store: later, rounds: 1, onNotice: () => {} };
    expect(() => fit(data, { ...options, checkpoint })).toThrow(/^fit, option checkpoint: training blocks this thread/);
  });

  it("refuses a learner that has no state to keep", () => {
    const own: Learner = {
      ...linear(),
      learn(given, objective, { checkpoint: _, ...run }) {
        return linear({ optimizer: adam({ epochs: 3 }) }).learn(given, objective, run);
      },
    };
    const rounds: number[] = [];
    const onRound = ({ round }: { readonly round: number }) => rounds.push(round);
    expect(() => fit(data, { ...options, model: own, checkpoint: { store: memory() }, onRound })).toThrow(
      "the model linear keeps no state that checkpoints could save; leave them out",
    );
    expect(rounds).toEqual([1]); // as soon as a round follows that it could have kept
  });

  it("refuses wrong options", () => {
    const wrong = (checkpoint: unknown) => () => fit(data, { ...options, checkpoint: checkpoint as CheckpointOptions });
    expect(wrong(true)).toThrow("fit, option checkpoint: expected { store: checkpointDirectory(path) }, got true");
    expect(wrong({})).toThrow(
      "fit, option checkpoint, option store: expected checkpointDirectory(path), or { where, load, save, remove }",
    );
    expect(wrong({ store: {} })).toThrow("option store: expected");
    expect(wrong({ store: memory(), seconds: 0 })).toThrow("option seconds: expected a number above 0, got 0");
    expect(wrong({ store: memory(), rounds: 0.5 })).toThrow("option rounds: expected a whole number of at least 1, got 0.5");
    expect(wrong({ store: memory(), name: "" })).toThrow("option name: expected a text that is not empty");
    expect(wrong({ store: memory(), interrupt: [0] })).toThrow("option interrupt: expected an Int32Array of length 1");
    expect(wrong({ store: memory(), onNotice: 1 })).toThrow("option onNotice: expected a function, got 1");
    expect(wrong({ store: memory(), every: 1 })).toThrow('fit, option checkpoint has no option "every"');
  });
});

function fail(why: string): never {
  throw new Error(why);
}

describe("saving for other threads", () => {
  const saver = (save: CheckpointStore["save"], onNotice?: (line: string) => void) => {
    const saved = new Int32Array(new SharedArrayBuffer(4));
    const store = { ...memory(), save };
    return { saved, ...backgroundSaver({ store, ...(onNotice && { onNotice }) }, saved) };
  };
  const bytes = (value: number) => Uint8Array.of(value);

  it("counts and reports each that fails at once or later, and saves again as soon as that is possible", async () => {
    const notices: string[] = [];
    const kept: number[] = [];
    let calls = 0;
    const failing = (_: string, [value]: Uint8Array) => {
      calls++;
      if (calls <= 2) throw new Error("the disk is full");
      if (calls === 3) return Promise.reject(new Error("the disk is slow and full"));
      kept.push(value!);
      return undefined;
    };
    const { saved, save, settled } = saver(failing, (line) => notices.push(line));
    for (let value = 1; value <= 5; value++) {
      save(bytes(value));
      await settled(false);
      expect(saved[0]).toBe(value); // training waits for this number
    }
    expect(kept).toEqual([4, 5]);
    expect(notices.map((line) => line.replace(/^.*saved: /, ""))).toEqual([
      "the disk is full",
      "the disk is full",
      "the disk is slow and full",
    ]);
  });

  it("ends the training without a handler of failures, and where the state is needed", async () => {
    const full = () => {
      throw new Error("the disk is full");
    };
    const alone = saver(full);
    alone.save(bytes(1));
    await expect(alone.settled(false)).rejects.toThrow("the checkpoint could not be saved: the disk is full");
    expect(() => alone.save(bytes(2))).toThrow("the disk is full");
    const warned = saver(full, () => {});
    warned.save(bytes(1));
    await warned.settled(false);
    await expect(warned.settled(true)).rejects.toThrow("the disk is full");
  });
});
