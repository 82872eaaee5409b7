import { describe, expect, it } from "vitest";
import { parseHistory, serializeHistory } from "./history.ts";

const history = [
  { round: 1, cost: 2.5, metrics: { "ndcg@10": 0.5 } },
  { round: 2, cost: 1.25, metrics: { "ndcg@10": Number.NaN } },
];

describe("the history of a training", () => {
  it("comes back as it was, with NaN where no list could tell", () => {
    expect(parseHistory(serializeHistory({ history, best: history[1]! }), "h.json")).toEqual(history);
    expect(parseHistory(serializeHistory({ history: [], best: history[0]! }), "h.json")).toEqual([]);
  });

  it.each([
    ["{", "invalid JSON"],
    ['{"format":"tierwise model"}', "wrong format"],
    ["null", "wrong format"],
    ['{"format":"tierwise history","version":1,"rounds":[null]}', "entry 1 has no round"],
    [
      '{"format":"tierwise history","version":1,"rounds":[{"round":1,"cost":"x","metrics":{}}]}',
      'entry 1 has "x" where a number should be',
    ],
    [
      '{"format":"tierwise history","version":1,"rounds":[{"round":1,"cost":{"a":1},"metrics":{}}]}',
      'entry 1 has "{\\"a\\":1}" where a number should be',
    ],
    [
      '{"format":"tierwise history","version":1,"rounds":[{"round":1,"metrics":{}}]}',
      "entry 1 has nothing where a number should be",
    ],
    ['{"format":"tierwise history","version":1,"rounds":[{"round":1,"cost":1}]}', "entry 1 has no metrics"],
  ])("is refused where it is %s", (text, what) => {
    expect(() => parseHistory(text, "h.json")).toThrow(`h.json: not a history written by train --history: ${what}`);
  });

  it("without a version is refused", () => {
    expect(() => parseHistory('{"format":"tierwise history","rounds":[]}', "h.json")).toThrow(
      "h.json: the history has no version; this",
    );
  });

  it("of a later version is refused", () => {
    expect(() => parseHistory('{"format":"tierwise history","version":2,"rounds":[]}', "h.json")).toThrow(
      'h.json: the history has version "2"; this program reads 1',
    );
  });
});
