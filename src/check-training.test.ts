import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { labelSets } from "./data/label-sets.ts";
import { fit } from "./fit.ts";
import { coordinateAscent, linear, mlp, trees } from "./models/index.ts";
import { davidson, lambdaRank, mart1, plPartition } from "./objectives/index.ts";
import { train } from "./train.ts";

const data = (...lists: readonly (readonly number[])[]) =>
  build(lists.flatMap((labels, list) => labels.map((label, i) => ({ list, label, features: [i] }))));

describe("data from which nothing is learned", () => {
  const model = linear({ l2: 1 });
  it("are an error, whatever learns", () => {
    const flat = data([1, 1, 1], [2, 2]);
    const message = "no order can be learned: no list has two different labels; check the columns of the label and the list";
    for (const objective of [plPartition(), lambdaRank(), mart1()])
      expect(() => fit(flat, { model, objective })).toThrow(message);
    expect(() => fit(flat, { model: trees({ rounds: 2 }), objective: lambdaRank() })).toThrow(message);
    expect(() => fit(flat, { model: coordinateAscent() })).toThrow(message);
    expect(() => fit(data([1], [2]), { model, objective: plPartition() })).toThrow("each of the 2 lists has one item");
  });
  it("are an error of train too", async () => {
    await expect(train(data([1, 1]), { model, objective: plPartition(), threads: 1, blocking: true })).rejects.toThrow(
      "no order can be learned",
    );
  });
  it("are those of documents without a label", () => {
    const documents = [{ tags: [], words: [1] }, { tags: [], words: [2] }]; // biome-ignore format: rows
    const sets = labelSets(documents, { labels: "tags", features: "words", space: ["x", "y"] });
    expect(() => fit(sets, { model: mlp({ epochs: 1 }), objective: plPartition() })).toThrow("no document has a relevant label");
  });
  it("are not those of ties where a tie is an outcome, nor those with one list that decides", () => {
    expect(fit(data([1, 1], [2, 2]), { model, objective: davidson() }).rounds).toBeGreaterThan(0);
    expect(fit(data([1, 1], [2, 0], [3]), { model, objective: plPartition() }).rounds).toBeGreaterThan(0);
  });
  it("may be learned from by the code of a user", () => {
    const objective = { ...plPartition(), spec: "mine" };
    expect(() => fit(data([1, 1]), { model, objective })).not.toThrow();
  });
});
