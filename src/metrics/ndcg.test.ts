import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sharedFile } from "../../test/shared.ts";
import type { Dataset } from "../types.ts";
import { average } from "./mean.ts";
import { ndcg } from "./ndcg.ts";

const placed = (...labels: number[]) => [Float64Array.from(labels, (_, place) => -place), Float32Array.from(labels)] as const;

describe("ndcg", () => {
  it("one relevant item in second place", () => {
    expect(ndcg({ k: 3 }).measure(...placed(0, 1, 0))).toBeCloseTo(1 / Math.log2(3), 15);
  });
  it("agrees with gdeval", () => {
    expect(ndcg({ k: 20 }).measure(...placed(0, 1, 2, 1, 0))).toBeCloseTo(0.6201, 5);
    expect(ndcg({ k: 2 }).measure(...placed(0, 1, 2, 1, 0))).toBeCloseTo(0.17377, 5);
  });
  it("a constant model earns nothing from rows sorted by label, unless ties keep the order of the data", () => {
    const list = [new Float64Array(4), Float32Array.of(1, 0, 0, 0)] as const;
    expect(ndcg({ k: 1 }).measure(...list)).toBe(1 / 4);
    expect(ndcg({ k: 1, ties: "order" }).measure(...list)).toBe(1);
  });
  it("labels have no ceiling", () => {
    const value = ndcg().measure(...placed(4999, 5000));
    expect(value).toBeCloseTo((1 / 2 + 1 / Math.log2(3)) / (1 + 1 / 2 / Math.log2(3)), 14);
  });
  it("an item that is not ranked has no place, but belongs to the ideal", () => {
    const labels = Float32Array.of(0, 1, 1);
    const value = ndcg({ k: 2 }).measure(Float64Array.of(1, 0, -Infinity), labels);
    expect(value).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 15);
    expect(ndcg().measure(new Float64Array(3).fill(-Infinity), labels)).toBe(0);
  });
  it("says what it is", () => {
    expect(ndcg({ k: 10 }).variant).toBe(
      "gain 2^l - 1, discount 1/log2(1 + rank), over the first 10 ranks, expected over tied scores, lists without a label above 0 left out",
    );
    expect(ndcg({ gain: "lin", discount: "letor", ties: "worst", empty: "0" }).variant).toBe(
      "gain l, discount 1 at ranks 1 and 2, then 1/log2(rank), over all ranks, tied scores in the worst order, lists without a label above 0 count as 0",
    );
  });
});

const files = [1, 2, 3, 4, 5].map((fold) => sharedFile(`data/ohsumed/T${fold}.txt.gz`));

describe.skipIf(!files.every(existsSync))("published values of OHSUMED", () => {
  /** All five test sets as one data set whose only column is feature 10. */
  function featureTen(): { data: Dataset; scores: Float64Array } {
    const starts = [0];
    const labels: number[] = [];
    const scores: number[] = [];
    for (const file of files) {
      let last = "";
      for (const line of gunzipSync(readFileSync(file)).toString().split("\n")) {
        const found = /^(\d+) qid:(\S+) .*?\b10:(\S+)/.exec(line);
        if (!found) continue;
        if (last !== "" && found[2] !== last) starts.push(labels.length);
        last = found[2]!;
        labels.push(Number(found[1]));
        scores.push(Number(found[3]));
      }
      starts.push(labels.length);
    }
    const values = Float32Array.from(scores);
    const data: Dataset = {
      starts: Uint32Array.from(starts),
      labels: Float32Array.from(labels),
      features: { kind: "dense", rows: labels.length, columns: 1, values },
      base: 1,
      names: {},
    };
    return { data, scores: Float64Array.from(scores) };
  }

  // The mean is over all 106 queries at once, not over folds, and the query without a relevant document counts as 0.
  it("feature 10 under the old LETOR discount, ties in file order", () => {
    const { data, scores } = featureTen();
    expect([data.starts.length - 1, data.labels.length]).toEqual([106, 16140]);
    for (const [k, published] of [
      [1, 0.509434],
      [3, 0.471517],
      [5, 0.45338],
    ] as const) {
      const metric = ndcg({ k, discount: "letor", ties: "order", empty: "0" });
      expect(average(metric, scores, data).mean).toBeCloseTo(published, 6);
    }
    expect(average(ndcg({ k: 1 }), scores, data).skipped).toBe(1);
  });
});
