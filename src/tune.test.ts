import { describe, expect, it } from "vitest";
import { parseTrials, serializeTrial, serializeTrialsHeader, type Trial, type TrialContext } from "./formats/trials.ts";
import { candidatesOf } from "./tune.ts";

const texts = (options: Parameters<typeof candidatesOf>[0]) =>
  candidatesOf(options).candidates.map(({ model, objective }) => `${model.spec} ${objective.spec}`);
const base = { model: "trees:rounds=20", objective: "lambdarank" };

describe("the settings of a search", () => {
  it("are options of the model, then of the objective, under their aliases too", () => {
    expect(texts({ ...base, space: { num_leaves: "4,8", truncation: "5" } })).toEqual([
      "trees:rounds=20,leaves=4 lambdarank:truncation=5",
      "trees:rounds=20,leaves=8 lambdarank:truncation=5",
    ]);
  });

  it("may be models and objectives, and an option that one of them lacks does nothing there", () => {
    expect(
      texts({ ...base, space: { model: "linear,trees(rounds=5)", leaves: "4,8", objective: "ranknet,pl-topk(k=3)" } }),
    ).toEqual([
      ...["linear ranknet", "linear pl-topk:k=3", "trees:rounds=5,leaves=4 ranknet", "trees:rounds=5,leaves=4 pl-topk:k=3"],
      ...["trees:rounds=5,leaves=8 ranknet", "trees:rounds=5,leaves=8 pl-topk:k=3"],
    ]);
  });

  it("by chance are different ones, the same for the same seed, and more of them begin with the fewer", () => {
    const space = { "learning-rate": "0.01..0.1", leaves: "4..64" };
    const [five, ten] = [5, 10].map((trials) => texts({ ...base, space, trials, seed: 3 }));
    expect(ten!.slice(0, 5)).toEqual(five);
    expect(new Set(ten).size).toBe(10);
    expect(texts({ ...base, space, trials: 5, seed: 4 })).not.toEqual(five);
  });

  it("by chance end where there are no others", () => {
    expect(texts({ ...base, space: { leaves: "4,8" }, search: "random", trials: 50 })).toHaveLength(2);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ leavs: "1,2" }, /nothing that is tuned has an option "leavs"; did you mean leaves/],
    [{ rounds: "1,2" }, /trees: rounds is given and tuned as well/],
    [{ leaves: "1,2" }, /model trees, option leaves: expected a whole number from 2 to 65536, or "auto", got "1"/],
    [{ model: "tree" }, /no model is called "tree"; did you mean trees\?/],
    [{ objective: "1..2" }, /objective: expected comma-separated names/],
  ])("refuse %j", (space, message) => expect(() => candidatesOf({ ...base, space })).toThrow(message));
});

describe("the file of trials", () => {
  const grounds: TrialContext = { data: "abc", seed: 1 };
  const trial: Trial = { settings: { l2: "1" }, model: "linear:l2=1", objective: "ranknet", metrics: { map: 0.5 }, rounds: [3] };
  const failed: Trial = { ...trial, metrics: {}, rounds: [], failed: "too long steps" };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const whole = serializeTrialsHeader(grounds) + serializeTrial(trial) + serializeTrial(failed);

  it("holds what was written", () =>
    expect(parseTrials(bytes(whole), "t.jsonl", grounds)).toEqual({ trials: [trial, failed], whole: whole.length }));

  it("cut off anywhere has the trials that are whole", () => {
    const ends = [...whole].flatMap((letter, i) => (letter === "\n" ? [i + 1] : []));
    for (let cut = 0; cut <= whole.length; cut++) {
      const lines = ends.filter((end) => end <= cut);
      const found = parseTrials(bytes(whole.slice(0, cut)), "t.jsonl", grounds);
      expect(found).toEqual({ trials: [trial, failed].slice(0, Math.max(0, lines.length - 1)), whole: lines.at(-1) ?? 0 });
    }
  });

  it("keeps a metric that no list could tell", () => {
    const blank = { ...trial, metrics: { map: Number.NaN } };
    expect(parseTrials(bytes(serializeTrialsHeader(grounds) + serializeTrial(blank)), "t.jsonl", grounds).trials).toEqual([
      blank,
    ]);
  });

  it.each<[string, string, TrialContext, RegExp]>([
    [
      "of other data",
      whole,
      { ...grounds, data: "xyz" },
      /t\.jsonl: its trials were made under other conditions: data was abc and is xyz/,
    ],
    ["of another kind", '{"format":"tierwise model"}\n', grounds, /not a trials file written by tune/],
    ["of a later version", '{"format":"tierwise trials","version":2}\n', grounds, /version "2"/],
    ["with a damaged line", `${serializeTrialsHeader(grounds)}{"model":\n`, grounds, /t\.jsonl:2: expected a line of JSON/],
    [
      "with lists inside each other",
      `${serializeTrialsHeader(grounds)}${"[".repeat(5000)}\n`,
      grounds,
      /^t\.jsonl:2: brackets are nested/,
    ],
    ["with something else", `${serializeTrialsHeader(grounds)}{"model":3}\n`, grounds, /t\.jsonl:2: expected a trial, got/],
  ])("is refused %s", (_, text, wanted, message) => expect(() => parseTrials(bytes(text), "t.jsonl", wanted)).toThrow(message));
});
