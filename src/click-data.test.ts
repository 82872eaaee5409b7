import { describe, expect, it } from "vitest";
import { clickData, comparedFeatures } from "./click-data.ts";
import { clickLog } from "./clicks/click-log.ts";
import { judgedLists } from "./clicks/reference-lists.ts";
import { simulateClicks } from "./clicks/simulate.ts";
import { build } from "./data/build.ts";
import { evaluate } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { ndcg } from "./metrics/index.ts";
import { linear } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { lambdaRank, plPartition } from "./objectives/index.ts";
import { type PositionBias, positionBias } from "./position-bias.ts";
import type { Dataset } from "./types.ts";

const data = build(["x", "y", "z"].map((id, i) => ({ list: "q", id, label: 0, features: [i] })));
const log = clickLog([
  ...[
    { query: "q", document: "x", position: 1, clicked: false },
    { query: "q", document: "y", position: 2, clicked: true },
    { query: "q", document: "other", position: 3, clicked: false },
  ],
  { query: "q", document: "x", position: 1, clicked: false },
]);
const bias = {
  ...{ method: "em", positions: ["1", "2", "3"], propensities: Float64Array.of(1, 0.25, 0.1) },
  ...{ shown: new Float64Array(3), clicks: new Float64Array(3) },
} satisfies PositionBias;

describe("clickData", () => {
  it("by impression: clicked above skipped, a click weighs the inverse of its propensity", () => {
    const found = clickData(log, data, { bias, by: "impression" });
    expect([...found.data.labels]).toEqual([1, 2]);
    expect([...found.data.itemWeights!]).toEqual([1, 4]);
    expect(found.data.names.entries).toEqual(["x", "y"]);
    expect([found.unknown, found.leftOut]).toEqual([1, 1]); // the document "other", and the page without a click
  });

  it("by impression: unseen documents are the last tier where asked, and weights are clipped", () => {
    const found = clickData(log, data, { bias, by: "impression", unseen: "last", clip: 2 }).data;
    expect([...found.labels]).toEqual([1, 2, 0]);
    expect([...found.itemWeights!]).toEqual([1, 2, 1]);
  });

  it("by query: labels of clicks over expected examinations, and one at the relevance of such features", () => {
    // Features are the same for all, so the relevance before clicks is 1 / (2 + 1): y was clicked once, and x examined twice.
    // x: (0 + 1/3) / (2 + 1), which is the lowest and has label 0, y: (1 + 1/3) / (0.25 + 1), at most 1, z: 1/3.
    const label = (relevance: number) => Math.round(2 * Math.log2(1 + (15 * (relevance - 1 / 9)) / (1 - 1 / 9))) / 2;
    const same = build(["x", "y", "z"].map((id) => ({ list: "q", id, label: 0, features: [1] })));
    const found = clickData(log, same, { bias }).data;
    expect([...found.labels]).toEqual([label(1 / 9), 4, label(1 / 3)]);
    expect([...found.labels]).toEqual([0, 4, 2]);
    expect(found.itemWeights).toBeUndefined();
    expect([...clickData(log, same, { bias, unseen: "last" }).data.labels]).toEqual([1, 5, 0]);
    expect([...clickData(log, same, { bias, unseen: "leave-out" }).data.labels]).toEqual([0, 4]);
    expect([...clickData(log, same, { bias, labelStep: 1 }).data.labels]).toEqual([0, 4, 2]);
  });

  it("by impression has no labels of predicted relevance", () => {
    expect(() => clickData(log, data, { by: "impression", unseen: "predicted" })).toThrow(
      /unseen "predicted" is for lists by query/,
    );
    expect(() => clickData(log, data, { by: "impression", labelStep: 1 })).toThrow(/labelStep is for lists by query/);
  });

  it("refuses a bias of other positions and logs without a document of the data", () => {
    expect(() => clickData(log, data, { bias: { ...bias, propensities: Float64Array.of(1) } })).toThrow(
      /3 positions and the bias 1/,
    );
    const others = build([{ list: "r", id: "x", label: 0, features: [1] }]);
    expect(() => clickData(log, others)).toThrow(/no document of the log is in the data, such as "x" of the query "q"/);
  });
});

describe("the features that relevance is predicted from", () => {
  it("are those of the data, z-scores within the list and marks of missing values", () => {
    const draw = random(3);
    for (let round = 0; round < 50; round++) {
      const values = Array.from({ length: 2 + Math.floor(draw() * 20) }, () =>
        Array.from({ length: 3 }, () => (draw() < 0.2 ? Number.NaN : Math.floor(draw() * 4))),
      );
      const lists = values.map((_, i) => Math.floor(i / 5));
      const made = build(values.map((features, i) => ({ list: `q${lists[i]}`, id: `d${i}`, label: 0, features })));
      const { columns, read } = comparedFeatures(made, Uint32Array.from(lists));
      expect(columns).toBe(9);
      const found = new Float64Array(columns);
      for (let i = values.length - 1; i >= 0; i--) {
        read(i, found);
        values[i]!.forEach((value, c) => {
          const others = values
            .filter((_, j) => lists[j] === lists[i])
            .flatMap((row) => (Number.isNaN(row[c]!) ? [] : [row[c]!]));
          expect([found[c], found[6 + c]]).toEqual([value, Number.isNaN(value) ? 1 : 0]);
          const mean = others.reduce((sum, one) => sum + one, 0) / others.length;
          const deviation = Math.sqrt(others.reduce((sum, one) => sum + (one - mean) ** 2, 0) / others.length);
          const z = Number.isNaN(value) || deviation > 0 ? (value - mean) / deviation : 0;
          if (Number.isNaN(z)) expect(found[3 + c]).toBeNaN();
          else expect(found[3 + c]).toBeCloseTo(z, 5);
        });
      }
    }
  });

  it("tell unseen documents apart where a feature has another scale in each query", () => {
    // The documents at positions 1 to 4 of each page have rising values, and only the highest two are clicked; d4 and d5 are shown nowhere.
    const scaleOf = (q: number) => 10 ** (q % 3);
    const made = build(
      Array.from({ length: 30 * 6 }, (_, i) => {
        const [q, d] = [Math.floor(i / 6), i % 6];
        return { list: `q${q}`, id: `d${d}`, label: 0, features: [1000 * (q % 7) + scaleOf(q) * (d === 4 ? 0 : d)] };
      }),
    );
    const shown = Array.from({ length: 30 * 4 * 4 }, (_, i) => {
      const [q, d] = [Math.floor(i / 16), i % 4];
      return { impression: String(Math.floor(i / 4)), query: `q${q}`, document: `d${d}`, position: d + 1, clicked: d > 1 };
    });
    const { labels } = clickData(clickLog(shown), made).data;
    for (let q = 0; q < 30; q++) expect(labels[6 * q + 5]).toBeGreaterThan(labels[6 * q + 4]!);
  });
});

describe("a ranker from clicks", () => {
  const { data: lists, shown } = judgedLists(150, 16, 5);
  const test = judgedLists(150, 16, 6).data;
  const clicks = simulateClicks(lists, shown, { impressions: 8000, temperature: 0.3 }).log;
  const found = positionBias(clicks);
  const metric = ndcg({ k: 10 });

  it.each([
    ["query", 0.5, lambdaRank()],
    ["impression", 0.25, plPartition()], // single clicks with weights are noisier than all clicks of a query
  ] as const)(
    "debiased by %s closes %s or more of the gap between clicks as they are and true labels",
    (by, share, objective) => {
      const result = (train: Dataset) =>
        evaluate(fit(train, { model: linear(), objective }).model, test, [metric]).metrics[metric.spec]!;
      const naive = result(clickData(clicks, lists, { by }).data);
      const debiased = result(clickData(clicks, lists, { by, bias: found }).data);
      const truth = result(lists);
      expect(truth).toBeGreaterThan(naive);
      expect((debiased - naive) / (truth - naive)).toBeGreaterThan(share);
    },
  );
});
