/** Extreme labels from files to models and back: small data made here, and enron where the reference data are. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { split } from "../src/data/split.ts";
import { labelFrequency, topLists } from "../src/data/top-lists.ts";
import { evaluate, evaluateScores } from "../src/evaluate.ts";
import { fit } from "../src/fit.ts";
import { readData } from "../src/formats/data/read.ts";
import { readModel } from "../src/formats/models/files.ts";
import { metricList } from "../src/metrics/index.ts";
import { learner } from "../src/models/index.ts";
import { random } from "../src/numeric/random.ts";
import { objective } from "../src/objectives/index.ts";
import { folder, succeed, tierwise } from "./cli.ts";
import { sharedFile } from "./shared.ts";

/** Rows whose labels follow their features: label l is relevant where feature l or l + 1 occurs. */
function text(rows: number, seed: number): string {
  const draw = random(seed);
  const lines = Array.from({ length: rows }, () => {
    const features = Array.from({ length: 30 }, (_, f) => f).filter(() => draw() < 0.1);
    const labels = Array.from({ length: 29 }, (_, l) => l).filter((l) => features.includes(l) || features.includes(l + 1));
    return `${labels.join(",")} ${features.map((f) => `${f}:1`).join(" ")}`;
  });
  return `${rows} 30 29\n${lines.join("\n")}\n`;
}

const cwd = folder({ "train.xc.txt": text(300, 1), "test.xc.txt": text(60, 2) });
const train = (...more: string[]) => succeed(["train", "train.xc.txt", "--quiet", ...more], { cwd });

describe("on the command line", () => {
  it.each(["pl-partition", "ranknet"])("1, 2 and 3 threads give the same bytes under %s, sampled or not", async (cost) => {
    for (const more of ["hidden=300,dropout=0.2", "hidden=20/600,negatives=5", "hidden=16,negatives=5,sparse=lazy"]) {
      const files = new Set<string>();
      for (const threads of [1, 2, 3]) {
        const how = ["--model", `mlp:${more},epochs=2`, "--objective", cost, "--threads", `${threads}`, "--out", `m${threads}`];
        await train("--hold-out", "0.25", ...how);
        files.add(readFileSync(join(cwd, `m${threads}`), "latin1"));
      }
      expect(files.size).toBe(1);
    }
  });

  it("a model is trained, measured, shown and ranks labels", async () => {
    await train("--model", "mlp:hidden=32,epochs=30,rate=1e-2", "--out", "net");
    const out = await succeed(["evaluate", "net", "test.xc.txt", "--json", "-m", "P@1,ndcg@5;gain=lin,psp@3,recall@10,map"], {
      cwd,
    });
    const { metrics } = JSON.parse(out);
    expect(Object.keys(metrics)).toEqual(["precision@1", "ndcg@5;gain=lin", "psp@3", "recall@10", "map"]);
    for (const value of Object.values(metrics)) expect(value).toBeGreaterThan(0.8);
    const ranked = await succeed(["rank", "net", "test.xc.txt", "--top", "3", "--json"], { cwd });
    const first = JSON.parse(ranked.split("\n")[0]!);
    expect(first.items.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3]);
    expect(await succeed(["show", "net"], { cwd })).toMatch("30 x 32 x 29");
  });

  it("leml learns the same data, and takes no objective", async () => {
    await train("--model", "leml:rank=29,rounds=6,l2=0.1", "--out", "low");
    const out = await succeed(["evaluate", "low", "test.xc.txt", "--json", "-m", "P@1"], { cwd });
    expect(JSON.parse(out).metrics["precision@1"]).toBeGreaterThan(0.9);
    const { code, err } = await tierwise(["train", "train.xc.txt", "--model", "leml", "--objective", "ranknet"], { cwd });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching("leml has a built-in cost .squared error of all labels. and takes no --objective"),
    ]);
  });

  it("sleec learns the same data, with the same bytes for 1, 2 and 3 threads, from sparse embeddings too", async () => {
    for (const [more, least] of [
      ["learners=2", 0.9],
      ["learners=2,l1=0.05", 0.8],
    ] as const) {
      const files = new Set<string>();
      for (const threads of [1, 2, 3]) {
        const options = `rank=16,cluster-size=150,steps=10,voters=10,${more}`;
        await train("--hold-out", "0.25", "--model", `sleec:${options}`, "--threads", `${threads}`, "--out", `near${threads}`);
        files.add(readFileSync(join(cwd, `near${threads}`), "latin1"));
      }
      expect(files.size).toBe(1);
      const out = await succeed(["evaluate", "near1", "test.xc.txt", "--json", "-m", "P@1"], { cwd });
      expect(JSON.parse(out).metrics["precision@1"]).toBeGreaterThan(least);
    }
  });

  it("label-tree learns the same data, with the same bytes for 1, 2 and 3 threads, in narrow and wide trees", async () => {
    for (const more of ["leaf-labels=4", "leaf-labels=3,branches=3,beam=4"]) {
      const files = new Set<string>();
      for (const threads of [1, 2, 3]) {
        await train("--hold-out", "0.25", "--model", `label-tree:${more}`, "--threads", `${threads}`, "--out", `tree${threads}`);
        files.add(readFileSync(join(cwd, `tree${threads}`), "latin1"));
      }
      expect(files.size).toBe(1);
      const out = await succeed(["evaluate", "tree1", "test.xc.txt", "--json", "-m", "P@1"], { cwd });
      expect(JSON.parse(out).metrics["precision@1"]).toBeGreaterThan(0.9);
    }
  });

  it("models of items refuse catalogues", async () => {
    const { code, err } = await tierwise(["train", "train.xc.txt", "--model", "linear"], { cwd });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching("cannot be trained on multi-label data; use mlp, leml, sleec or label-tree"),
    ]);
  });
});

describe("large model files", () => {
  it("hold numbers as they lie in memory after a head of JSON, and give the same scores", async () => {
    await train("--model", "mlp:hidden=700,epochs=1", "--out", "large");
    const bytes = readFileSync(join(cwd, "large"));
    const head = bytes.subarray(0, bytes.indexOf("\n")).toString();
    expect(JSON.parse(head)).toMatchObject({
      format: "tierwise model",
      model: { id: "mlp", weights1: { kind: "f32", length: 21000 } },
    });
    expect(bytes.length).toBe(head.length + 1 + 4 * 21000 + ((-4 * 21000) & 63) + 4 * 20300 + ((-4 * 20300) & 63) + 64);
    const { data } = await readData([join(cwd, "train.xc.txt")]);
    const [stored, made] = [
      readModel(join(cwd, "large")).model,
      fit(data, { model: learner("mlp:hidden=700,epochs=1"), objective: objective("pl-partition") }).model,
    ];
    expect(stored.top!(data, 5)).toEqual(made.top!(data, 5));
  });

  it("cut off or damaged, they are refused in a line", () => {
    const bytes = readFileSync(join(cwd, "large"));
    const write = (name: string, content: Uint8Array) => {
      writeFileSync(join(cwd, name), content);
      return join(cwd, name);
    };
    expect(() => readModel(write("cut", bytes.subarray(0, bytes.length - 100)))).toThrow("the model file is truncated");
    expect(() => readModel(write("head", bytes.subarray(0, 200)))).toThrow("the model file is truncated: it has 200 bytes");
    const broken = Buffer.from(bytes.toString("latin1").replace('"kind":"f32"', '"kind":"f99"'), "latin1");
    expect(() => readModel(write("broken", broken))).toThrow("the model file is damaged");
  });
});

const enron = sharedFile("data/enron");
describe.skipIf(!existsSync(enron))("enron", () => {
  it("pl-partition ranks the labels of unseen mails better than their frequency does, and the first one better than pl-lb", async () => {
    const read = async (part: string) => (await readData([`${enron}/enron-${part}.xc.txt.gz`])).data;
    const [data, test] = [await read("train"), await read("test")];
    const metrics = metricList("P@1,P@3,P@5");
    /** The mean of three seeds. */
    const reach = (cost: string) => {
      const runs = [1, 2, 3].map((seed) => {
        const [part, valid] = split(data, [0.75, 0.25], seed) as [typeof data, typeof data];
        const how = { valid, metrics: metricList("ndcg@5;gain=lin"), patience: 5, seed };
        const { model } = fit(part, { ...how, model: learner("mlp:hidden=256,epochs=60"), objective: objective(cost) });
        return Object.values(evaluate(model, test, metrics).metrics);
      });
      return runs[0]!.map((_, i) => runs.reduce((sum, run) => sum + run[i]!, 0) / runs.length);
    };
    const { counts } = labelFrequency(data);
    const often = [...counts.keys()].sort((a, b) => counts[b]! - counts[a]!).slice(0, 5);
    const lists = test.starts.length - 1;
    const top = {
      k: 5,
      items: Uint32Array.from({ length: 5 * lists }, (_, i) => often[i % 5]!),
      scores: new Float64Array(5 * lists).map((_, i) => -(i % 5)),
    };
    const same = topLists(test, top);
    const frequent = Object.values(evaluateScores(same.scores, same.data, metrics).metrics);
    const [ours, theirs] = [reach("pl-partition"), reach("pl-lb")];
    ours.forEach((value, i) => {
      expect(value).toBeGreaterThan(frequent[i]! + 0.05);
    });
    expect(ours[0]).toBeGreaterThan(theirs[0]!);
  });
});
