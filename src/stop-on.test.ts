/** What chooses the best round: metrics, the held-out loss, and means over rounds. */
import { describe, expect, it } from "vitest";
import { build, type Row } from "./data/build.ts";
import { evaluate, score } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { heldOutCost } from "./held-out.ts";
import { serializeHistory } from "./history.ts";
import { kendall, metric, ndcg } from "./metrics/index.ts";
import { learner, linear, trees } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { objective, plPartition } from "./objectives/index.ts";
import { parseStopOn, roundsText, stopOnText } from "./stop-on.ts";
import { tune } from "./tune.ts";
import type { Dataset, Learner, Metric } from "./types.ts";

/** Lists of 2 to 9 items with three grades, two features that tell something and one that does not. */
function lists(count: number, seed: number, weighted = false): Dataset {
  const draw = random(seed);
  const rows: Row[] = [];
  for (let list = 0; list < count; list++) {
    const size = 2 + Math.floor(draw() * 8);
    for (let i = 0; i < size; i++) {
      const features = [draw(), draw(), draw()];
      rows.push({
        list,
        label: Math.floor(3 * Math.min(0.99, 0.5 * features[0]! + 0.2 * features[1]! + 0.3 * draw())),
        features,
      });
    }
  }
  const data = build(rows);
  if (!weighted) return data;
  return {
    ...data,
    listWeights: Float32Array.from({ length: count }, () => 0.5 + draw()),
    itemWeights: data.labels.map(() => 0.5 + draw()),
  };
}

const [data, valid] = [lists(40, 1), lists(15, 2)];
const metrics = [ndcg({ k: 10 })];
const small = trees({ rounds: 12, leaves: 4, minItems: 5, learningRate: 0.3 });

describe("the text", () => {
  it.each([
    ["loss", "loss", "held-out loss"],
    [" nDCG@10 ", "ndcg@10", "ndcg@10"],
    ["ndcg@10;gain=lin", "ndcg@10;gain=lin", "ndcg@10;gain=lin"],
    ["smooth(ndcg@10, 5)", "smooth(ndcg@10,5)", "ndcg@10, mean of 5 rounds"],
    ["smooth( loss ,3)", "smooth(loss,3)", "held-out loss, mean of 3 rounds"],
    ["smooth(P(rel=2)@5,4)", "smooth(precision@5;rel=2,4)", "precision@5;rel=2, mean of 4 rounds"],
  ])("%s", (text, spec, words) => {
    expect(parseStopOn("x", text, []).spec).toBe(spec);
    expect(parseStopOn("x", spec, []).spec).toBe(spec);
    expect(stopOnText(spec)).toBe(words);
  });

  it.each([
    ["", /^x: expected loss, a metric, or a mean over rounds such as smooth\(ndcg@10,5\), got ""$/],
    ["smooth(loss)", /^x: expected loss, a metric, or a mean/],
    ["smooth(smooth(loss,2),2)", /^x: expected loss, a metric, or a mean/],
    ["smooth(,3)", /^x: expected loss, a metric, or a mean/],
    ["smooth(loss,1)", /^x: expected a whole number of at least 2 rounds to smooth over, got "1"$/],
    ["smooth(loss,2.5)", /at least 2 rounds to smooth over, got "2.5"$/],
    ["smooth(loss,)", /at least 2 rounds to smooth over, got ""$/],
    ["los", /^x: expected loss or a metric; no metric is called "los"/],
  ])("refuses %j", (text, message) => expect(() => parseStopOn("x", text, [])).toThrow(message));

  it("finds metrics of the caller by their spec", () => {
    const own: Metric = { ...kendall(), id: "mine", spec: "mine 2" };
    expect(parseStopOn("x", "smooth(mine 2,3)", [own]).metric).toBe(own);
  });

  it("says which round was kept", () => {
    expect(roundsText(143, 200, "loss")).toBe("143 (the best of 200 by held-out loss)");
    expect(roundsText(20, 20, "loss")).toBe("20");
    expect(roundsText(3, 20, undefined)).toBe("3 (the best of 20)"); // of a file that does not say
  });
});

describe("the loss", () => {
  // On the training lists, and with weights, it is what trees report as cost: an evaluation of its own with the same result.
  it.each(["pl-partition", "lambdarank", "davidson", "mcrank:grades=3", "c-mart"])(
    "is the training cost where the training lists validate: %s",
    (text) => {
      const same = lists(30, 3, true);
      const { history } = fit(same, { model: small, objective: objective(text), valid: same, stopOn: "loss", patience: 0 });
      expect(history.length).toBe(12);
      for (const { cost, criterion } of history) expect(Math.abs(criterion! / cost - 1)).toBeLessThan(1e-14);
    },
  );

  it.each(["linear", "mlp:hidden=4,epochs=3", "linear:optimizer=adam(epochs=3)"])("and for other learners: %s", (text) => {
    for (const cost of ["davidson", "mcrank:grades=3"]) {
      const options = { model: learner(text), objective: objective(cost), valid, stopOn: "loss", patience: 0 };
      const { history, best, model } = fit(data, options);
      const byRound = history.map(({ criterion }) => criterion!);
      expect(new Set(byRound).size).toBeGreaterThan(1);
      expect(best.criterion).toBe(Math.min(...byRound));
      if (cost === "davidson") {
        const nu = Number(model.describe().facts["log nu"]);
        const wanted = heldOutCost(valid, options.objective, score(model, valid), [nu]) / 15;
        expect(Math.abs(best.criterion! / wanted - 1)).toBeLessThan(1e-6); // scores of networks are rounded
      }
    }
  });

  it("chooses the round with the least, and the model is of that round", () => {
    const objectiveUsed = plPartition();
    const fitted = fit(data, { model: trees({ rounds: 60, leaves: 8, minItems: 2, learningRate: 0.3, l2: 0, listFraction: 1 }), objective: objectiveUsed, valid, metrics, stopOn: "loss", patience: 5 }); // biome-ignore format: one line
    const { history, best, rounds, stopOn, model, training } = fitted;
    const wanted = heldOutCost(valid, objectiveUsed, score(model, valid), []) / 15;
    expect(best.criterion!).toBeCloseTo(wanted, 12);
    expect(best.criterion).toBe(Math.min(...history.map(({ criterion }) => criterion!)));
    expect([stopOn, training.stopOn, rounds]).toEqual(["loss", "loss", best.round + 5]);
    expect(rounds).toBeLessThan(60);
    expect(best.metrics).toEqual(evaluate(model, valid, metrics).metrics);
    expect(serializeHistory(fitted)).toContain(`"best": ${best.round}, "stopOn": "loss"`);
  });

  it("draws the same random numbers in every round", () => {
    const flat = trees({ rounds: 4, learningRate: 1e-300, minLearningRate: 1e-300, minItems: 2 });
    for (const cost of ["xendcg", "plrank"]) {
      const { history } = fit(data, { model: flat, objective: objective(cost), valid, stopOn: "loss", patience: 0 });
      expect(new Set(history.map(({ criterion }) => criterion)).size).toBe(1);
      expect(new Set(history.map(({ cost: own }) => own)).size).toBeGreaterThan(1); // those of training change
    }
  });

  it("of lists that say nothing keeps the last round", () => {
    const tied = { ...valid, labels: valid.labels.map(() => 1) };
    const { best, rounds } = fit(data, { model: small, valid: tied, stopOn: "loss", patience: 2 });
    expect([best.round, rounds, best.criterion]).toEqual([12, 12, Number.NaN]);
  });

  it.each([
    [learner("coordinate-ascent"), plPartition(), /the option stopOn: the model coordinate-ascent has a cost of its own/],
    [
      linear(),
      objective("pmop-gibbs"),
      /the option stopOn: the objective pmop-gibbs cannot compute its cost; name a metric instead/,
    ],
  ] as const)("is refused where there is none: %#", (model, cost, message) =>
    expect(() => fit(data, { model, objective: cost, valid, metrics, stopOn: "loss" })).toThrow(message),
  );
});

/** A learner whose metric takes given values round by round, in several trainings of one run. */
function scripted(trainings: readonly (readonly number[])[], stops: number[] = []): { model: Learner; metrics: Metric[] } {
  let value = Number.NaN;
  const inner = linear();
  const model: Learner = {
    ...{ id: "scripted", spec: "scripted" },
    learn(all, cost, run) {
      let round = 0;
      for (const [t, values] of trainings.entries()) {
        if (t > 0) run.resetPatience?.();
        for (const now of values) {
          value = now;
          const status = run.afterRound(++round, { cost: 0, scores: () => new Float64Array(run.validation!.labels.length) });
          if (status !== "stop") continue;
          stops.push(round);
          break;
        }
      }
      return inner.learn(all, cost, { ...run, afterRound: () => "improved" });
    },
  };
  return {
    model,
    metrics: [{ ...ndcg(), id: "scripted-metric", spec: "scripted-metric", better: "higher", measure: () => value }],
  };
}

describe("a mean over rounds", () => {
  const curve = [0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.45, 0.7, 0.1, 0.1, 0.1];

  it("is of the last rounds, and the first of them cannot be best", () => {
    const { best, history, stopOn } = fit(data, {
      ...scripted([curve]),
      valid,
      stopOn: "smooth(scripted-metric,3)",
      patience: 0,
    });
    const means = curve.map((_, i) => (i < 2 ? Number.NaN : (curve[i - 2]! + curve[i - 1]! + curve[i]!) / 3));
    history.forEach(({ criterion }, i) => {
      if (i < 2) expect(criterion).toBeNaN();
      else expect(criterion).toBeCloseTo(means[i]!, 14);
    });
    expect([best.round, stopOn]).toEqual([8, "smooth(scripted-metric,3)"]);
    expect(fit(data, { ...scripted([curve]), valid, patience: 0 }).best.round).toBe(1); // the lucky round
  });

  it("keeps the last of fewer rounds", () =>
    expect(fit(data, { ...scripted([[0.9, 0.1]]), valid, stopOn: "smooth(scripted-metric,3)" }).best.round).toBe(2));

  it("does not reach across a restart, and patience counts from there", () => {
    const stops: number[] = [];
    const twice = scripted([[0.5, 0.5, 0.1, 0.1, 0.1, 0.1], [0.9, 0.1, 0.6, 0.6, 0.1, 0.1, 0.1]], stops); // biome-ignore format: short
    const { best, rounds } = fit(data, { ...twice, valid, stopOn: "smooth(scripted-metric,2)", patience: 2 });
    // 0.5 in round 2, stopped in round 4; then (0.9 + 0.1) / 2 is no better, and (0.6 + 0.6) / 2 in round 8 is.
    expect([best.round, rounds, stops]).toEqual([8, 10, [4, 10]]);
  });
});

describe("all that trains", () => {
  it("measures a metric that is not among the metrics, and does not list it", () => {
    const { best, model, stopOn } = fit(data, { model: small, valid, metrics, stopOn: "kendall", patience: 0 });
    expect(Object.keys(best.metrics)).toEqual(["ndcg@10"]);
    expect(best.criterion).toBeCloseTo(evaluate(model, valid, [kendall()]).metrics.kendall!, 13);
    expect(stopOn).toBe("kendall");
  });

  it("needs no metric where it is the loss, given or by default", () => {
    expect(fit(data, { model: small, valid, stopOn: "loss" }).best.metrics).toEqual({});
    expect(fit(data, { model: small, valid }).stopOn).toBe("loss");
    const lambdarank = objective("lambdarank");
    expect(() => fit(data, { model: small, objective: lambdarank, valid })).toThrow("validation data are given, but no metric to evaluate on them"); // biome-ignore format: one line
  });

  it.each([
    ["pl-partition", "loss"],
    ["lambdarank", "ndcg@10"],
  ])("under %s is by default %s", (cost, by) => {
    const options = { model: small, objective: objective(cost), valid, metrics: [...metrics, kendall()], patience: 2 };
    const [one, other] = [fit(data, options), fit(data, { ...options, stopOn: by })];
    expect({ ...one, model: one.model.save() }).toEqual({ ...other, model: other.model.save() });
    expect(one.stopOn).toBe(by);
  });

  it("is the first metric for a learner of one's own, and its loss is refused where it cannot be computed", () => {
    const { model } = scripted([[0.1, 0.2, 0.3]]);
    expect(fit(data, { model, valid, metrics }).stopOn).toBe("ndcg@10");
    expect(() => fit(data, { model, valid, metrics, stopOn: "loss" })).toThrow(
      "the option stopOn: the model scripted does not report what a loss needs; name a metric instead",
    );
  });

  it("leaves out what chose where nothing was chosen", () => {
    const { training, best, stopOn } = fit(data, { model: small, stopOn: "loss" });
    expect([training.stopOn, best.criterion, stopOn]).toEqual([undefined, undefined, undefined]);
  });

  it("refuses a wrong text before it begins", async () => {
    expect(() => fit(data, { model: small, stopOn: "los" })).toThrow(/^the option stopOn: expected loss or a metric; no metric/);
    expect(() => fit(data, { model: small, stopOn: 3 as never })).toThrow("fit, option stopOn: expected a text, got 3");
    const searched = { model: "trees", objective: "pl-partition", space: { leaves: "4" }, metrics, stopOn: "los" };
    await expect(tune([{ train: data, valid }], searched)).rejects.toThrow(/^tune, option stopOn: expected loss or a metric/);
  });
});

it("networks with several outputs per item are judged by their scores", () => {
  const { best, model } = fit(data, { model: learner("mlp:hidden=4,epochs=3"), objective: objective("mcrank:grades=3"), valid, metrics: [metric("ndcg@10"), kendall()] }); // biome-ignore format: one line
  expect(best.metrics).toEqual(evaluate(model, valid, [metric("ndcg@10"), kendall()]).metrics);
});
