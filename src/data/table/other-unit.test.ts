import { describe, expect, it } from "vitest";
import { fit } from "../../fit.ts";
import { parseData } from "../../formats/data/parse.ts";
import { linear } from "../../models/linear/index.ts";
import { plPartition } from "../../objectives/index.ts";
import { rank } from "../../rank.ts";
import { otherUnit } from "./other-unit.ts";

const parcels = (weights: readonly string[]) =>
  `qid,label,weight,x\n${weights.map((weight, i) => `q${i % 4},${i % 3},"${weight}",${i % 7}`).join("\n")}\n`;
const read = (weights: readonly string[], scorer?: object) =>
  parseData([{ name: "a.csv", content: parcels(weights) }], { ...(scorer && { scorer }) });
const rows = (unit: (i: number) => string) => Array.from({ length: 40 }, (_, i) => unit(i));
const kilos = read(rows((i) => `${i + 1} kg`)).data;
const euros = read(rows((i) => `${i + 1} €`)).data;
const failure = (weights: readonly string[], { names: { encoding = [] } }: typeof kilos) => {
  try {
    read(weights, { encoding });
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("amounts in another unit than those of the training data", () => {
  it("are refused with both units and what to do", () => {
    expect(failure(rows((i) => `${i + 1}00 g`), kilos)).toBe('a.csv:2: column "weight": the numbers of the training data are in kg, and "100 g" is in g; convert the column to kg'); // biome-ignore format: one line
    expect(failure(rows((i) => `$${i + 5}`), euros)).toBe('a.csv:2: column "weight": the numbers of the training data are in €, and "$5" is in $; convert the column to €'); // biome-ignore format: one line
    const bare = read(rows((i) => String(i))).data;
    expect(failure(rows((i) => (i % 2 ? `${i + 1} kg` : `${i + 1} g`)), { ...bare, names: { ...bare.names, encoding: [{ name: "weight", kind: "number" }, { name: "x", kind: "number" }] } })).toBe('a.csv:2: column "weight": the numbers of the training data have no unit, and "1 g" has g; write the numbers without a unit, as they were there'); // biome-ignore format: one line
  });

  it("are missing values where they are few, and the notice says which unit they have", () => {
    const { notices } = read(rows((i) => (i === 7 ? "500 g" : `${i} kg`)), { encoding: kilos.names.encoding }); // biome-ignore format: one line
    expect(notices).toContain('a.csv: column "weight": 1 cell ("500 g") that are no numbers, read as missing values (the numbers of the training data are in kg, and "500 g" is in g; convert the column to kg)'); // biome-ignore format: one line
  });

  it("are refused in objects too", () => {
    const { model } = fit(kilos, { model: linear(), objective: plPartition() });
    expect(() => rank(model, [{ weight: "500 g", x: 1 }])).toThrow('item 1, feature "weight": the numbers of the training data are in kg, and "500 g" is in g; convert the column to kg'); // biome-ignore format: one line
    expect(() => rank(model, [{ weight: "heavy", x: 1 }])).toThrow('item 1, feature "weight": expected a number, got "heavy"');
  });

  it("are amounts, and no other texts", () => {
    const column = { name: "weight", kind: "number", unit: "kg" } as const;
    expect(["5 kg", "heavy", "5", "n.d."].map((text) => otherUnit(column, text))).toEqual([undefined, undefined, undefined, undefined]); // biome-ignore format: one line
    expect(otherUnit({ name: "weight", kind: "category" }, "5 g")).toBeUndefined();
  });
});
