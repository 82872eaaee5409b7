/** Features within the list: the same as writing them out by hand, in every function that scores, and explained by name. */
import { describe, expect, it } from "vitest";
import { dataset } from "../src/data/dataset.ts";
import { effects } from "../src/effects.ts";
import { evaluate, score } from "../src/evaluate.ts";
import { explain, whyAbove } from "../src/explain.ts";
import { fit } from "../src/fit.ts";
import { exportModel } from "../src/formats/models/export.ts";
import { modelFormats } from "../src/formats/models/formats.ts";
import { parseModel, serializeModel } from "../src/formats/models/native.ts";
import { ndcg } from "../src/metrics/index.ts";
import { learner, revive } from "../src/models/index.ts";
import { random } from "../src/numeric/random.ts";
import { plPartition } from "../src/objectives/index.ts";
import { rankProbabilities } from "../src/probabilities.ts";
import { rank } from "../src/rank.ts";
import { scoreRows } from "../src/score-rows.ts";
import type { Dataset, Model, SavedModel } from "../src/types.ts";
import { folder, succeed, tierwise } from "./cli.ts";
import { compared, randomCase, valuesOf, writtenOut } from "./random-trees.ts";

const statistics = ["z", "rank", "best"] as const;

/** Lists in which only the difference to the other items counts, with ties, missing values, a constant column and a list of one item. */
function shops(lists = 40): { rows: Record<string, number | string>[]; data: Dataset } {
  const draw = random(31);
  const rows = Array.from({ length: lists }, (_, q) => {
    const level = 100 * draw();
    return Array.from({ length: q === 3 ? 1 : 3 + (q % 7) }, () => {
      const cheap = Math.floor(6 * draw());
      return {
        ...{ list: `q${q}`, label: Math.min(3, Math.floor((6 - cheap) / 2 + draw())), price: level + cheap },
        ...{ stars: draw() < 0.2 ? Number.NaN : Math.floor(5 * draw()), fixed: q % 3 },
      };
    });
  }).flat();
  return { rows, data: dataset(rows, { list: "list", label: "label" }) };
}

const { data } = shops();

const trained = (text: string, on = data) => fit(on, { model: learner(text), objective: plPartition(), seed: 4 }).model;

/** The data with features within the list written out, raw ones before them or not. */
function byHand(given: Dataset, statistic: (typeof statistics)[number], raw: boolean): Dataset {
  const { columns, rows } = given.features;
  const values = valuesOf(given.features);
  const cells = Array.from({ length: rows }, (_, row) => {
    const list = given.starts.findIndex((_, q) => row < given.starts[q + 1]!);
    const own = Array.from({ length: columns }, (_, c) => {
      const known: number[] = [];
      for (let r = given.starts[list]!; r < given.starts[list + 1]!; r++) known.push(values[r * columns + c]!);
      return compared(
        values[row * columns + c]!,
        known.filter((one) => !Number.isNaN(one)),
        statistic,
      );
    });
    return [...(raw ? values.subarray(row * columns, (row + 1) * columns) : []), ...own];
  });
  const names = given.names.features!.flatMap((name) => (raw ? [name] : []));
  const label = { z: "z in list", rank: "rank in list", best: "minus best in list" }[statistic];
  return {
    ...given,
    features: { kind: "dense", rows, columns: cells[0]!.length, values: Float32Array.from(cells.flat()) },
    names: { ...given.names, features: [...names, ...given.names.features!.map((name) => `${name} (${label})`)] },
  };
}

describe("values", () => {
  it.each(statistics)("%s is what its definition says, on random data with ties, gaps and constants", (statistic) => {
    let seen = 0;
    for (let number = 1; number <= 60; number++) {
      const one = randomCase(number);
      const options = { ...one.options, withinList: statistic, withinListRaw: true };
      const wanted = writtenOut({ ...one, options, given: { ...one.given, categorical: new Set() } });
      const model = trained(`linear:optimizer=adam(epochs=1),within-list=${statistic}`, one.data);
      const got = valuesOf(model.derived!.of(one.data).features);
      expect(got).toEqual(valuesOf(wanted.data.features));
      seen += got.length;
    }
    expect(seen).toBeGreaterThan(1000);
  });

  it("of a list of one item, a constant list and ties are as documented", () => {
    const rows = [
      ...[5, 5].map((x, label) => ({ list: 1, label, x })),
      { list: 2, label: 1, x: 7 },
      ...[1, 3, 3, 5, Number.NaN].map((x) => ({ list: 3, label: 1, x })),
    ];
    const lists = dataset(rows, { list: "list", label: "label" });
    const of = (statistic: string) => [
      ...valuesOf(trained(`linear:l2=1,within-list=${statistic},within-list-raw=no`, lists).derived!.of(lists).features),
    ];
    const two = Math.fround(2 / Math.SQRT2); // 1, 3, 3, 5: mean 3, deviation √2
    expect(of("z")).toEqual([0, 0, 0, -two, 0, 0, two, Number.NaN]);
    expect(of("rank")).toEqual([0.5, 0.5, 0.5, 0, 0.5, 0.5, 1, Number.NaN]);
    expect(of("best")).toEqual([0, 0, 0, -4, -2, -2, 0, Number.NaN]);
  });
});

describe.each(["trees:rounds=6,leaves=5,min-items=3", "linear:l2=0.1", "mlp:hidden=4,epochs=5"])("%s", (text) => {
  it.each(statistics.flatMap((statistic) => [[statistic, true] as const, [statistic, false] as const]))(
    "with %s, raw %s, is the model of data with these columns",
    (statistic, raw) => {
      const model = trained(`${text},within-list=${statistic},within-list-raw=${raw ? "yes" : "no"}`);
      const expanded = byHand(data, statistic, raw);
      const other = trained(text, expanded);
      expect(model.derived!.columns.names).toEqual(expanded.names.features);
      expect(model.save().inner).toEqual(other.save());
      expect(score(model, data)).toEqual(score(other, expanded));
      expect(model.columns.names).toEqual(["price", "stars", "fixed"]);
    },
  );

  it("scores lists alike one by one, in rows, after being written, and in every function", () => {
    const model = trained(`${text},within-list=z`);
    const scores = score(model, data);
    const again = parseModel(serializeModel({ model, training: { model: text, objective: "pl-partition" }, metrics: {} })).model;
    expect(score(again, data)).toEqual(scores);
    const { columns } = data.features;
    const values = valuesOf(data.features);
    const rows = Array.from(scores, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)]);
    expect(scoreRows(model, rows, { starts: data.starts })).toEqual(scores);
    const items = shops().rows.filter(({ list }) => list === "q5");
    const first = data.starts[5]!;
    expect(score(model, items)).toEqual(scores.slice(first, data.starts[6]));
    expect(rank(model, items)[0]!.score).toBe(Math.max(...scores.subarray(first, data.starts[6])));
    expect([...rank(model, data)][5]!.items[0]!.score).toBe(Math.max(...scores.subarray(first, data.starts[6])));
    expect([...rankProbabilities(model, data)][5]!.items[0]!.score).toBe(Math.max(...scores.subarray(first, data.starts[6])));
    expect(evaluate(model, data, [ndcg()]).metrics.ndcg).toBeGreaterThan(0.5);
  });
});

describe("explanations", () => {
  it.each(["trees:rounds=20,leaves=6,min-items=3", "linear:l2=0.1", "linear:l2=0.1,interactions=0.05"])(
    "of %s add up",
    (text) => {
      for (const statistic of statistics) {
        const model = trained(`${text},within-list=${statistic}`);
        const scores = score(model, data);
        for (const list of [0, 3, 8]) {
          const { expected, scores: own, contributions } = model.explain!(data, list);
          own.forEach((value, i) => {
            expect(contributions[i]!.length).toBe(6);
            expect(contributions[i]!.reduce((a, b) => a + b, expected)).toBeCloseTo(scores[data.starts[list]! + i]!, 8);
            expect(value).toBeCloseTo(scores[data.starts[list]! + i]!, 8);
          });
        }
        const items = explain(model, data, 8);
        const reasons = whyAbove(items[0]!, items.at(-1)!);
        expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(
          items[0]!.score - items.at(-1)!.score,
          8,
        );
      }
    },
  );

  it("effects are of the features within the list, by their own values", () => {
    const model = trained("trees:rounds=20,leaves=6,min-items=3,within-list=rank");
    const found = effects(model, data, { metric: ndcg() })!;
    expect(found.how).toBe("contributions");
    expect(found.columns.names![found.effects[0]!.feature]).toBe("price (rank in list)");
    for (const { value } of found.effects[0]!.curve) expect(value >= 0 && value <= 1).toBe(true);
    const network = effects(trained("mlp:hidden=4,epochs=5,within-list=rank"), data, { metric: ndcg() })!;
    expect([network.how, network.columns.names]).toEqual(["permutation", ["price", "stars", "fixed"]]);
  });

  it("trees are drawn and described with the names", () => {
    const model = trained("trees:rounds=3,leaves=4,min-items=3,within-list=z");
    expect(model.drawTree!(0)).toContain("price (z in list)");
    expect(model.describe().facts.features).toMatch(/^3; with those within the list \(z\), 6, of which \d are used$/);
    expect(model.stages!.after(1).describe().facts.trees).toBe(1);
  });
});

describe("categorical features", () => {
  it("are not compared, and kept without raw features", () => {
    const model = trained("trees:rounds=4,leaves=4,min-items=2,categorical=(fixed),within-list=z,within-list-raw=no");
    expect(model.derived!.columns.names).toEqual(["fixed", "price (z in list)", "stars (z in list)"]);
  });
});

describe("refused in one line", () => {
  const model = trained("trees:rounds=2,min-items=3,within-list=z");
  const wrong: [string, () => unknown, string][] = [
    ["rows without lists", () => scoreRows(model, [[1, 2, 3]]), "scoreRows: this model compares the items of a list with each other"],
    ["rows of scale=list", () => scoreRows(trained("linear:scale=list,l2=1"), [[1, 2, 3]]), "give their offsets in the option starts, [0, 1]"],
    ["lists that end early", () => scoreRows(model, [[1, 2, 3]], { starts: [0] }), "expected ascending whole numbers from 0 to 1, the number of rows, got 0"],
    ["lists that fall", () => scoreRows(model, [[1, 2, 3]], { starts: [0, 2, 1] }), "got 0, 2, 1"],
    ["no list", () => scoreRows(model, [], { starts: [] }), "expected ascending whole numbers from 0 to 0"],
    ["no array", () => scoreRows(model, [], { starts: 3 as never }), "scoreRows, option starts: expected offsets of lists"],
    ["another option", () => scoreRows(model, [], { start: [0] } as never), 'scoreRows has no option "start"'],
    ["another word", () => learner("trees:within-list=mean"), "option within-list: expected one of none, z, rank, best"],
    ["a start without it", () => start(trained("trees:rounds=2,min-items=3"), "within-list=z"), "was trained without within-list, and cannot continue with within-list=z"],
    ["a start with it", () => start(model, "leaves=3"), "was trained with within-list=z, and cannot continue without it"],
    ["a start with another", () => start(model, "within-list=best"), "was trained with other features within the list"],
    ["a column too far", () => damaged({ compared: [7] }), "the model file is damaged: a feature within the list is of column 7"],
    ["an unknown statistic", () => damaged({ statistic: "mean" }), "statistic should be one of z, rank, best"],
  ]; // biome-ignore format: a table
  const start = (init: Model, more: string) =>
    fit(data, { model: learner(`trees:rounds=2,min-items=3,${more}`), objective: plPartition(), init });
  const damaged = (change: object) => revive({ ...(model.save() as SavedModel), ...change }, model.columns);

  it.each(wrong)("%s", (_, call, message) => {
    expect(call).toThrow(message);
    try {
      call();
    } catch (error) {
      expect((error as Error).name).toBe("InputError");
      expect((error as Error).message).not.toContain("\n");
    }
  });

  it("to every other tool", () => {
    for (const { id, write } of modelFormats)
      if (write)
        expect(() => exportModel(model, { to: id })).toThrow(
          "its features are compared within each list (within-list=z), and other tools score one document at a time; train without within-list",
        );
  });

  it("multi-label data", () => {
    const labels: Dataset = {
      ...{ starts: Uint32Array.of(0, 1, 2), labels: Float32Array.of(1, 1), items: Uint32Array.of(0, 1), labelSpaceSize: 2, base: 0, names: {} },
      features: { kind: "dense", rows: 2, columns: 1, values: Float32Array.of(1, 2) },
    }; // biome-ignore format: short
    expect(() => trained("mlp:epochs=1,within-list=z", labels)).toThrow("in multi-label data all labels of a list share one row");
  });
});

describe("warm start", () => {
  it("continues with the same features", () => {
    const begun = trained("trees:rounds=3,min-items=3,within-list=z");
    const { model } = fit(data, {
      ...{ model: learner("trees:rounds=2,min-items=3,within-list=z"), objective: plPartition(), init: begun, seed: 4 },
    });
    expect(model.stages!.count).toBe(5);
    expect(score(model.stages!.after(3), data)).toEqual(score(begun, data));
  });
});

describe("on the command line", () => {
  const table = shops().rows.map(({ list, label, price, stars, fixed }) =>
    [list, label, price, Number.isNaN(stars) ? "" : stars, fixed].join(","),
  );
  const cwd = folder({ "shops.csv": ["list,label,price,stars,fixed", ...table, ""].join("\n") });

  it("train, evaluate, rank, explain and show know the model, on any number of threads, and convert refuses it", async () => {
    const train = (threads: string, out: string) =>
      succeed(
        ["train", "shops.csv", "--qid", "list", "--label", "label", "--model", "trees:rounds=8,leaves=4,min-items=3,within-list=z", "--threads", threads, "--out", out, "--quiet"],
        { cwd },
      ); // biome-ignore format: one command
    await train("1", "a.json");
    for (const threads of ["2", "3"]) {
      await train(threads, "b.json");
      expect(await succeed(["rank", "b.json", "shops.csv", "--quiet"], { cwd })).toBe(
        await succeed(["rank", "a.json", "shops.csv", "--quiet"], { cwd }),
      );
    }
    expect(await succeed(["explain", "a.json", "shops.csv"], { cwd })).toContain("feature price (z in list)");
    expect(await succeed(["explain", "a.json", "shops.csv", "--json"], { cwd })).toContain('"price (z in list)"');
    expect(await succeed(["show", "a.json"], { cwd })).toContain("price (z in list)");
    expect(await succeed(["evaluate", "a.json", "shops.csv"], { cwd })).toContain("ndcg");
    for (const out of ["m.txt", "m.solr.json", "m.onnx", "m.mjs"]) {
      const { code, err } = await tierwise(["convert", "a.json", out], { cwd });
      expect([code, err.trimEnd().split("\n").length]).toEqual([2, 1]);
      expect(err).toContain("other tools score one document at a time");
    }
  });
});
