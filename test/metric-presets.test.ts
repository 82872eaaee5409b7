/** Our metrics in the presets of other tools, against what these tools printed (test/metric-presets.py made the values). */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readData } from "../src/formats/data/read.ts";
import { average, metric } from "../src/metrics/index.ts";
import { tools as presets } from "../src/metrics/presets.ts";
import { descending } from "../src/numeric/order.ts";
import type { Dataset } from "../src/types.ts";
import { sharedFile } from "./shared.ts";

interface Case {
  readonly name: string;
  readonly expected: Readonly<Record<string, number>>;
}
interface Small extends Case {
  readonly lists: readonly { readonly labels: number[]; readonly scores: number[]; readonly ids: string[] }[];
}
interface Large extends Case {
  readonly file: string;
  readonly feature: number;
}

const {
  tools: versions,
  cases,
  mq2008,
} = JSON.parse(readFileSync(new URL("./metric-presets.json", import.meta.url), "utf8")) as {
  readonly tools: Readonly<Record<string, string>>;
  readonly cases: readonly Small[];
  readonly mq2008: readonly Large[];
};

function disagreements(expected: Case["expected"], scores: Float64Array, data: Dataset): string[] {
  return Object.entries(expected).flatMap(([text, theirs]) => {
    const ours = average(metric(text), scores, data).mean;
    return Math.abs(ours - theirs) <= 1e-6 ? [] : [`${text}: ${ours} instead of ${theirs}`];
  });
}

describe("adversarial lists", () => {
  it.each(cases.map((one) => [one.name, one] as const))("%s", (_, { lists, expected }) => {
    const starts = Uint32Array.from([
      0,
      ...lists.map((_, q) => lists.slice(0, q + 1).reduce((n, { labels }) => n + labels.length, 0)),
    ]);
    const labels = Float32Array.from(lists.flatMap((list) => list.labels));
    const features = { kind: "dense", rows: labels.length, columns: 0, values: new Float32Array(0) } as const;
    const data: Dataset = { starts, labels, features, base: 1, names: { entries: lists.flatMap(({ ids }) => ids) } };
    expect(Object.keys(expected).length).toBeGreaterThan(100);
    expect(disagreements(expected, Float64Array.from(lists.flatMap((list) => list.scores)), data)).toEqual([]);
  });
});

describe("a part of MQ2008, scored by a feature with many ties", () => {
  it.each(mq2008.map((one) => [one.name, one] as const))("%s", async (name, { file, feature, expected }) => {
    const path = sharedFile(`data/${file}`);
    if (!existsSync(path)) return;
    const { data } = await readData([path]);
    const { features, labels, starts } = data;
    if (features.kind !== "dense") throw new Error("MQ2008 is dense");
    const scores = Float64Array.from(labels, (_, i) => features.values[i * features.columns + feature - 1]!);
    if (name.endsWith("without ties"))
      for (let q = 0; q + 1 < starts.length; q++) {
        const list = scores.subarray(starts[q], starts[q + 1]);
        descending(list.slice()).forEach((item, place) => {
          list[item] = -place;
        });
      }
    const binary = name.endsWith("relevant and not");
    const seen = binary ? { ...data, labels: labels.map((label) => Math.min(1, label)) } : data;
    expect(disagreements(expected, scores, seen)).toEqual([]);
  });
});

it("every tool that has a passport has values here", () => {
  const tool = (text: string) => /:([a-z-]+)/.exec(text)![1]!;
  const measured = new Set(cases.flatMap(({ expected }) => Object.keys(expected).map(tool)));
  expect([...measured].sort()).toEqual(Object.keys(presets).sort());
  expect(Object.keys(versions).sort()).toEqual([...measured].filter((one) => !one.endsWith("-")).sort());
});
