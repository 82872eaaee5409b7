import { describe, expect, it } from "vitest";
import { fit } from "./fit.ts";
import { parseData } from "./formats/data/parse.ts";
import { inspect } from "./inspect.ts";
import { uselessFeatures } from "./inspect-same-in-lists.ts";
import { coordinateAscent } from "./models/coordinate-ascent/index.ts";
import { linear } from "./models/linear/index.ts";
import { mlp } from "./models/mlp/index.ts";
import { trees } from "./models/trees/index.ts";
import { plPartition } from "./objectives/index.ts";

const table = () => {
  const rows = Array.from({ length: 48 }, (_, i) => {
    const user = Math.floor(i / 6);
    return `u${user},${(i * 7) % 3},${20 + ((user * 5) % 9)},2024-0${1 + (user % 4)}-01,${["oslo", "rome"][user % 2]},${(i * i) % 11},${["red", "blue"][i % 2]}`;
  });
  return parseData([{ name: "a.csv", content: `qid,label,age,joined,city,price,color\n${rows.join("\n")}\n` }]).data;
};

describe("features that all items of a list share", () => {
  it("are warned of by their columns, and those that vary within a list are not", () => {
    const found = inspect(table()).warnings.filter(({ kind }) => kind === "same in lists");
    expect(found).toEqual([
      {
        ...{ kind: "same in lists", names: ["age", "joined", "city"] },
        text: "features age, joined, city are the same for all items of each list: alone, they change no order; trees and mlp can learn from them together with other features, a weighted sum cannot",
      },
    ]);
  });

  it("are told before a training of a weighted sum, and of no other model", () => {
    const data = table();
    expect(uselessFeatures(linear(), data)).toEqual([
      "features age, joined, city are the same for all items of each list, so in a weighted sum (linear) they change no order; leave them out (--ignore age,joined,city), or use trees or mlp",
    ]);
    expect(uselessFeatures(linear({ scale: "list" }), data)).toHaveLength(1);
    expect(uselessFeatures(coordinateAscent(), data)[0]).toContain("(coordinate-ascent)");
    const others = [trees(), mlp(), linear({ scale: "row" }), linear({ interactions: 0.1 }), coordinateAscent({ interactions: 0.1 })]; // biome-ignore format: one line
    for (const learner of others) expect(uselessFeatures(learner, data)).toEqual([]);
    const { names, ...rest } = data;
    expect(uselessFeatures(linear(), { ...rest, names: {} })[0]).toMatch(/^features 1, 2, 3, 4 are .*; leave them out, or use trees or mlp$/); // biome-ignore format: one line
  });

  it("have weights that are 0 but for rounding, and are not described as others", () => {
    const { model } = fit(table(), { model: linear({ l2: 0.001 }), objective: plPartition() });
    const { facts, tables } = model.describe();
    expect(facts["weights that are not 0"]).toBe(3);
    expect(tables[0]!.rows.map(([name]) => name).sort()).toEqual(["color=blue", "color=red", "price"]);
  });
});
