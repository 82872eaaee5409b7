/**
 * All 25 features of OHSUMED as rankings, 21 metrics each, against a copy of the evaluation script of LETOR (test/metric-presets.py ran it): the
 * conventions under which that data set's figures were published. Three of the 525 values, of feature 10, are also known as published.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readData } from "../src/formats/data/read.ts";
import { average, metric } from "../src/metrics/index.ts";
import { sharedFile } from "./shared.ts";

const { features: theirs } = JSON.parse(readFileSync(new URL("./ohsumed-features.json", import.meta.url), "utf8")) as {
  readonly features: readonly Readonly<Record<string, number>>[];
};
const parts = [1, 2, 3, 4, 5].map((part) => sharedFile(`data/ohsumed/T${part}.txt.gz`));

it("the script itself gives what was published of feature 10", () => {
  for (const [name, published] of [["ndcg@1", 0.509434], ["ndcg@3", 0.471517], ["ndcg@5", 0.45338]] as const) // biome-ignore format: pairs
    expect(theirs[9]![name]).toBeCloseTo(published, 6);
});

it.runIf(parts.every((path) => existsSync(path)))("525 values agree with the script of LETOR", async () => {
  const { data } = await readData(parts);
  const { features, labels } = data;
  if (features.kind !== "dense") throw new Error("OHSUMED is dense");
  const wrong: string[] = [];
  let compared = 0;
  theirs.forEach((values, feature) => {
    const scores = Float64Array.from(labels, (_, i) => features.values[i * features.columns + feature]!);
    for (const [name, expected] of Object.entries(values)) {
      compared++;
      const { mean } = average(metric(`${name}:letor`), scores, data);
      if (!(Math.abs(mean - expected) <= 1e-6)) wrong.push(`feature ${feature + 1}, ${name}: ${mean} instead of ${expected}`);
    }
  });
  expect(compared).toBe(525);
  expect(wrong).toEqual([]);
});
