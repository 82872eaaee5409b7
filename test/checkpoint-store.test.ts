/** Stores of one's own with `train`: promises, slow and failing ones, and requests to stop, with threads and without. */
import { describe, expect, it } from "vitest";
import type { CheckpointOptions, CheckpointStore, TrainOptions, Trial } from "../src/index.ts";

// Workers run the built JavaScript, so these tests do too.
const built = (await import(new URL("../dist/src/index.js", import.meta.url).href)) as typeof import("../src/index.ts");
const { adam, build, cv, folds, linear, ndcg, serializeModel, train, TrainingInterrupted, tune } = built;

const data = build(
  Array.from({ length: 60 }, (_, i) => ({
    list: Math.floor(i / 5),
    label: (i * 7) % 3,
    features: [(i % 4) - 1, ((i * i) % 7) / 7],
  })),
);
const training: TrainOptions = { model: linear({ optimizer: adam({ epochs: 6 }) }) };
const expected = serializeModel(await train(data, { ...training, threads: 1, blocking: true }));

/** A store whose functions return promises. */
function slow(failing = () => false) {
  const saved = new Map<string, Uint8Array[]>();
  const later = () => new Promise((resolve) => setTimeout(resolve));
  const store: CheckpointStore = {
    where: "slow",
    async load(name) {
      await later();
      return (saved.get(name) ?? []).slice(0, 2);
    },
    async save(name, bytes) {
      await later();
      if (failing()) throw new Error("no connection");
      saved.set(name, [bytes.slice(), ...(saved.get(name) ?? [])]);
    },
    async remove(name) {
      await later();
      saved.delete(name);
    },
  };
  return { store, saved };
}

/** A store in memory that returns no promises. */
function memory() {
  const saved = new Map<string, Uint8Array[]>();
  const store: CheckpointStore = {
    where: "memory",
    load: (name) => (saved.get(name) ?? []).slice(0, 2),
    save: (name, bytes) => void saved.set(name, [bytes.slice(), ...(saved.get(name) ?? [])]),
    remove: (name) => void saved.delete(name),
  };
  return { store, saved };
}

const trained = async (checkpoint: CheckpointOptions, more: Partial<TrainOptions> = {}) =>
  serializeModel(await train(data, { ...training, threads: 2, checkpoint, ...more }));

describe("a store that returns promises", () => {
  it.each([1, 2])("on %i threads, no round ends before the checkpoint of the one before is saved", async (threads) => {
    let [rounds, saves] = [0, 0];
    const late: number[] = []; // rounds that ended while a checkpoint was being saved
    const { store } = slow();
    const patient: CheckpointStore = {
      ...store,
      async save(name, bytes) {
        const before = rounds;
        await new Promise((resolve) => setTimeout(resolve, 30));
        late.push(rounds - before);
        saves++;
        await store.save(name, bytes);
      },
    };
    const onRound = () => void rounds++;
    expect(await trained({ store: patient, rounds: 1 }, { threads, onRound })).toBe(expected);
    expect(saves).toBe(5);
    expect(late).toEqual([0, 0, 0, 0, 0]);
    const left: number[] = [];
    await trained({ store }, { onRound: ({ round }) => left.push(round) });
    expect(left).toEqual([6]);
  });

  it("is waited for, and a training continues on another number of threads", async () => {
    const { store, saved } = slow();
    const interrupt = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    await expect(trained({ store, interrupt })).rejects.toThrow(TrainingInterrupted);
    await expect(trained({ store, interrupt }, { threads: 3 })).rejects.toThrow(
      "training was interrupted; its state is in slow, and the same training continues from it",
    );
    expect(saved.get("training")!.length).toBe(2);
    interrupt[0] = 0;
    const lines: string[] = [];
    const rounds: number[] = [];
    const checkpoint = { store, interrupt, onNotice: (line: string) => lines.push(line) };
    expect(await trained(checkpoint, { threads: 1, onRound: ({ round }) => rounds.push(round) })).toBe(expected);
    expect(lines).toEqual(["slow: continuing after round 2"]);
    expect(rounds).toEqual([3, 4, 5, 6]);
  });

  it("that fails is reported, or ends the training where nobody listens", async () => {
    const { store } = slow(() => true);
    const lines: string[] = [];
    const checkpoint = { store, rounds: 5, onNotice: (line: string) => lines.push(line) };
    expect(await trained(checkpoint)).toBe(expected);
    expect(lines).toEqual(["slow: the checkpoint could not be saved: no connection"]);
    await expect(trained({ store, rounds: 5 })).rejects.toThrow("slow: the checkpoint could not be saved: no connection");
    const interrupt = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    await expect(trained({ ...checkpoint, interrupt })).rejects.toThrow("the checkpoint could not be saved"); // its state is lost
  });

  it("cannot be used where training blocks", async () => {
    const blocked = trained({ store: slow().store, rounds: 1 }, { threads: 1, blocking: true });
    await expect(blocked).rejects.toThrow(/^train, option checkpoint: training blocks this thread/);
  });
});

it("a request that threads could not see is refused", async () => {
  await expect(trained({ store: slow().store, interrupt: new Int32Array(1) })).rejects.toThrow(
    "train, option checkpoint, option interrupt: expected an Int32Array on a SharedArrayBuffer, which threads can see",
  );
});

/** Runs with a request from the beginning until it ends; how often it was interrupted, and the result. */
async function untilDone<T>(checkpoint: CheckpointOptions, run: (checkpoint: CheckpointOptions) => Promise<T>) {
  const interrupt = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  for (let times = 0; times < 60; times++)
    try {
      return { times, result: await run({ ...checkpoint, interrupt }) };
    } catch (error) {
      if (!(error instanceof TrainingInterrupted)) throw error;
    }
  throw new Error("never done");
}

const metrics = [ndcg({ k: 3 })];

it("cv continues with the fold that was interrupted, and refuses other folds", async () => {
  const { store, saved } = memory();
  const parts = folds(data, 3, 1);
  const options = { model: training.model, metrics, threads: 1, blocking: true, patience: 0 };
  const { times, result } = await untilDone({ store }, (checkpoint) => cv(parts, { ...options, checkpoint }));
  expect(result).toEqual(await cv(parts, options));
  expect(times).toBe(3 * 5); // of 6 rounds each, the last of which is the end
  expect([...saved.keys()]).toEqual(["training-fold-1", "training-fold-2", "training-fold-3"]);
  await expect(cv(folds(data, 3, 2), { ...options, checkpoint: { store } })).rejects.toThrow(
    "memory: the checkpoint was made with other training data; use what it was made with, or remove it to begin again",
  );
});

it("tune continues with the trial that was interrupted, and refuses other data instead of a failed trial", async () => {
  const { store, saved } = memory();
  const parts = folds(data, 3, 1).map((fold) => ({ train: fold.train, valid: fold.valid }));
  const options = {
    model: "linear:optimizer=adam(epochs=3)",
    objective: "ranknet",
    space: { l2: "0.1,1" },
    metrics,
    threads: 1,
    blocking: true,
  };
  const done: Trial[] = [];
  const search = (checkpoint: CheckpointOptions) =>
    tune(parts.slice(0, 1), {
      ...{ ...options, checkpoint, done: [...done] },
      onTrial: (trial) => done.push(trial),
    });
  const { times, result } = await untilDone({ store }, search);
  expect(result).toEqual(await tune(parts.slice(0, 1), options));
  expect(times).toBe(2 * 2);
  expect([...saved.keys()]).toEqual([]);
  const interrupt = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  await expect(tune(parts.slice(0, 1), { ...options, checkpoint: { store, interrupt } })).rejects.toThrow(TrainingInterrupted);
  await expect(tune(parts.slice(1, 2), { ...options, checkpoint: { store } })).rejects.toThrow(/made with other training data/);
});
