/** Objectives, metrics and feature transforms of one's own, given as modules: in code, in threads and on the command line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type * as Library from "../src/index.ts";
import { folder, root, rows, searchFolder, succeed, svmlight, tierwise } from "./cli.ts";

const library = pathToFileURL(join(root, "dist/src/index.js")).href;
const { build, cv, evaluate, fit, folds, InputError, learner, loadMetric, loadObjective, loadTransform, ndcg, parseModel, score, serializeModel, train, tune } =
  (await import(library)) as typeof Library; // biome-ignore format: names

const hinge = `evaluate(scores, labels, { gradient, hessian }, _, weights) {
    gradient.fill(0);
    hessian?.fill(0);
    let cost = 0;
    for (let i = 0; i < labels.length; i++)
      for (let j = 0; j < labels.length; j++) {
        const lack = margin - (scores[i] - scores[j]);
        if (labels[i] <= labels[j] || lack <= 0) continue;
        const weight = weights?.[i] ?? 1;
        cost += weight * lack * lack;
        gradient[i] -= 2 * weight * lack;
        gradient[j] += 2 * weight * lack;
        if (hessian) for (const item of [i, j]) hessian[item] += 2 * weight;
      }
    return cost;
  }`;
const members = `id: "hinge", outputs: 1, cost: "exact", gradient: "exact", hessian: "exact", ties: "silent", auxiliary: []`;
const cwd = folder({
  "train.txt": svmlight(30),
  "part.mjs": `import { field, part } from ${JSON.stringify(library)};
    export const objective = part("hinge", "squared hinge", { margin: field.real(1, "of a pair", { above: 0 }) }, ({ margin }, spec) => ({ spec, ${members}, ${hinge} }));
    export const metric = part("pairs", "pairs in order", { tied: field.real(0.5, "value of a tied pair") }, ({ tied }, spec) => ({
      id: "pairs", spec, variant: "pairs in order", better: "higher",
      measure(scores, labels) {
        let [right, all] = [0, 0];
        for (let i = 0; i < labels.length; i++)
          for (let j = 0; j < labels.length; j++)
            if (labels[i] > labels[j]) { all++; right += scores[i] > scores[j] ? 1 : scores[i] === scores[j] ? tied : 0; }
        return right / all;
      } }));
    export const transform = part("scaled", "features over their largest size", { power: field.real(1, "of the size") }, ({ power }, spec) => ({
      id: "scaled", spec, keepsColumns: true,
      fit({ features: { columns, values, kind, indices } }) {
        const largest = new Array(columns).fill(0);
        values.forEach((value, at) => { const c = kind === "dense" ? at % columns : indices[at]; largest[c] = Math.max(largest[c], Math.abs(value) || 0); });
        return { largest };
      },
      apply({ largest }, data) {
        const { features } = data;
        const c = (at) => (features.kind === "dense" ? at % features.columns : features.indices[at]);
        return { ...data, features: { ...features, values: features.values.map((value, at) => value / (largest[c(at)] || 1) ** power) } };
      } }));`,
  "function.mjs": `export const objective = ({ margin = 1 }) => ({ spec: \`hinge:margin=\${margin}\`, ${members}, ${hinge} });
    export const transform = ({ squares = false }) => ({ id: "squares", spec: squares ? "squares:on=true" : "squares", fit: () => null,
      apply(_, data) {
        const { rows, columns, values } = data.features;
        const wide = new Float32Array(2 * values.length);
        for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
          const value = values[r * columns + c];
          wide.set([value, squares ? value * value : 0], 2 * (r * columns + c));
        }
        const names = Array.from({ length: columns }, (_, c) => ["x" + c, "x" + c + "^2"]).flat();
        return { ...data, features: { kind: "dense", rows, columns: 2 * columns, values: wide }, names: { ...data.names, features: names } };
      } });`,
  "finished.mjs": `const margin = 2; export const objective = { spec: "hinge:margin=2", ${members}, ${hinge} };`,
  "empty.mjs": "export const loss = 1;",
  "broken.mjs": "export const objective = ;",
  "throws.mjs": `export const objective = () => { throw new Error("no luck\\nat all"); };`,
  "lacking.mjs": `export const objective = { id: "mine", spec: "mine", outputs: 1, cost: "exact", gradient: "exact", hessian: "none", auxiliary: [], evaluate() {} };`,
  "outputs.mjs": `export const objective = { id: "mine", spec: "mine", outputs: 3, cost: "exact", gradient: "exact", hessian: "none", ties: "tier", auxiliary: [], evaluate() {} };`,
  "number.mjs": "export const objective = 3; export const metric = []; export const transform = async () => ({});",
}); // biome-ignore format: modules as text
const at = (name: string, options?: Record<string, unknown>) => ({
  module: pathToFileURL(join(cwd, name)),
  ...(options && { options }),
});

const all = rows(30);
const dense = build(all.map(({ list, label, features }) => ({ list, label, features })));
const sparse = build(
  all.map(({ list, label, features }) => {
    const kept = features.flatMap((value, i) => (value > 0.3 ? [i] : []));
    return { list, label, features: { numbers: kept.map((i) => i + 1), values: kept.map((i) => features[i]!) } };
  }),
);
const fileOf = ({ model }: Library.Fitted) => serializeModel({ model, training: { model: "", objective: "" }, metrics: {} });

describe("an objective of a module", () => {
  it.each(["linear:l2=0.1", "trees:rounds=5,leaves=4,min-items=2", "mlp:hidden=4,epochs=2"])("%s has the same bytes for 1, 2 and 3 threads", async (model) => {
    const alone = fileOf(fit(dense, { model: learner(model), objective: await loadObjective(at("part.mjs", { margin: 2 })) }));
    for (const threads of [1, 2, 3])
      expect(fileOf(await train(dense, { model: learner(model), objective: at("part.mjs", { margin: 2 }), threads, blocking: true }))).toBe(alone);
    expect(fileOf(await train(dense, { model: learner(model), objective: at("part.mjs"), threads: 2 }))).not.toBe(alone);
  }); // biome-ignore format: a title

  it("is a part, a function of options or a finished object", async () => {
    const model = learner("linear:l2=0.1");
    const trained = (objective: Library.ModuleSource) => train(dense, { model, objective, threads: 2 });
    const wanted = fileOf(await trained(at("part.mjs", { margin: 2 })));
    expect(fileOf(await trained(at("function.mjs", { margin: 2 })))).toBe(wanted);
    expect(fileOf(await trained(at("finished.mjs")))).toBe(wanted);
    expect((await loadObjective(at("part.mjs", { margin: "2" }))).spec).toBe("hinge:margin=2");
  });

  it("can be tuned and cross-validated, with metrics of modules and a transform", async () => {
    const parts = folds(dense, 3, 1);
    const options = { metrics: [at("part.mjs"), ndcg({ k: 3 })], transform: at("part.mjs") };
    const tuned = await Promise.all([1, 2].map((threads) =>
      tune(parts.slice(0, 1), { ...options, model: "linear:l2=0.1", objective: at("part.mjs"), space: { margin: "0.5,1,2" }, threads, blocking: true })));
    expect(tuned[0]!.trials).toEqual(tuned[1]!.trials);
    expect(new Set(tuned[0]!.trials.map(({ objective }) => objective))).toEqual(new Set(["hinge:margin=0.5", "hinge", "hinge:margin=2"]));
    const validated = await Promise.all([1, 2].map((threads) => cv(parts.slice(0, 2), { ...options, model: learner("linear:l2=0.1"), objective: at("part.mjs"), threads, blocking: true })));
    expect(validated[0]).toEqual(validated[1]);
    expect(Object.keys(validated[0]!.metrics)).toEqual(["pairs", "ndcg@3"]);
    await expect(tune(parts, { ...options, model: "linear", objective: at("finished.mjs"), space: { margin: "1,2" } })).rejects.toThrow('nothing that is tuned has an option "margin"');
    await expect(tune(parts, { ...options, model: "linear", objective: at("part.mjs"), space: { objective: "ranknet" } })).rejects.toThrow("cannot be tuned together");
  }, 120_000); // biome-ignore format: long calls

  it("is refused with threads where it was changed after it was built", async () => {
    const objective = { ...(await loadObjective(at("part.mjs"))) };
    await expect(train(dense, { model: learner("linear"), objective, threads: 2 })).rejects.toThrow(/^train: the objective hinge .* give it as a module/);
  }); // biome-ignore format: one call

  it.each<[string, Library.ModuleSource, RegExp]>([
    ["a file that is not there", at("none.mjs"), /^train, option objective: .*none\.mjs cannot be imported: Cannot find module '.*none\.mjs'$/],
    ["one that does not parse", at("broken.mjs"), /broken\.mjs cannot be imported: .+$/],
    ["no export of that name", at("empty.mjs"), /empty\.mjs has no export named "objective"; export an objective, a function of options that returns one, or a part$/],
    ["a number", at("number.mjs"), /number\.mjs: expected an objective, got 3$/],
    ["a member that lacks", at("lacking.mjs"), /lacking\.mjs: the objective "mine", member ties: expected one of "tier", .*, got undefined$/],
    ["outputs without a reduction", at("outputs.mjs"), /the objective "mine" has 3 outputs, so its reduction must have as many values, got none$/],
    ["a function that fails", at("throws.mjs"), /throws\.mjs: no luck$/],
    ["options of a finished object", at("finished.mjs", { margin: 1 }), /finished\.mjs exports a finished objective, which has no options, got "margin"/],
    ["an option that the part does not have", at("part.mjs", { margn: 1 }), /^objective hinge has no option "margn"; did you mean margin\?/],
    ["an option out of range", at("part.mjs", { margin: 0 }), /^objective hinge, option margin: expected a number above 0, got "0"$/],
    ["an option that cannot be sent", at("part.mjs", { margin: () => 1 }), /option margin: expected plain data .*, got the function "margin"$/],
    ["a relative path", { module: "./mine.js" }, /expected the URL of a module, as new URL\("\.\/mine\.js", import\.meta\.url\) .*, got the text "\.\/mine\.js"$/],
    ["another key", { ...at("part.mjs"), option: {} } as Library.ModuleSource, /expected { module, options }, got also "option"$/],
  ])("is refused in one line: %s", async (_, objective, message) => {
    const error = await train(dense, { model: learner("linear"), objective }).then(() => undefined, (error) => error);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("\n");
  }); // biome-ignore format: a table

  it("and metrics and transforms alike", async () => {
    await expect(loadMetric(at("number.mjs"))).rejects.toThrow("expected a metric, got an array of 0");
    await expect(loadTransform(at("number.mjs"))).rejects.toThrow("got a promise (await it first)");
    await expect(loadMetric(3 as never)).rejects.toThrow("loadMetric: expected { module, options }, got 3");
  }); // biome-ignore format: as above
});

describe("a metric of a module", () => {
  it("stops training at the same round for 1, 2 and 3 threads", async () => {
    const options = { model: learner("trees:rounds=8,leaves=4,min-items=2"), valid: dense, metrics: [at("part.mjs", { tied: 0 }), ndcg({ k: 3 })] };
    const runs = await Promise.all([1, 2, 3].map((threads) => train(dense, { ...options, threads })));
    expect(runs[1]!.history).toEqual(runs[0]!.history);
    expect(runs[2]!.history).toEqual(runs[0]!.history);
    expect(Object.keys(runs[0]!.best.metrics)).toEqual(["pairs:tied=0", "ndcg@3"]);
    const metric = await loadMetric(at("part.mjs", { tied: 0 }));
    const again = evaluate(runs[0]!.model, dense, [metric]).metrics["pairs:tied=0"];
    expect(again).toBeCloseTo(runs[0]!.best.metrics["pairs:tied=0"]!, 12);
  }); // biome-ignore format: long options
});

describe("a transform of a module", () => {
  const cases = [["part.mjs", dense], ["part.mjs", sparse], ["function.mjs", dense]] as const; // biome-ignore format: pairs
  it.each(["linear:l2=0.1", "trees:rounds=5,leaves=4,min-items=2", "mlp:hidden=4,epochs=2"])("%s has the same bytes for 1, 2 and 3 threads, and scores alike when read again", async (model) => {
    for (const [name, data] of cases) {
      const transform = await loadTransform(at(name));
      const options = { model: learner(model), valid: data, metrics: [ndcg({ k: 3 })] };
      const alone = fit(data, { ...options, transform });
      const text = fileOf(alone);
      for (const threads of [1, 2, 3]) {
        const together = await train(data, { ...options, transform: at(name), threads, blocking: true });
        expect(fileOf(together)).toBe(text);
        expect(together.history).toEqual(alone.history);
      }
      const read = parseModel(text, "m.json", { transforms: [transform] }).model;
      expect(score(read, data)).toEqual(score(alone.model, data));
      expect(fileOf({ ...alone, model: read })).toBe(text);
      // The scores of the inner model on transformed data, worked out apart.
      const saved = JSON.parse(text).model;
      const inner = parseModel(JSON.stringify({ ...JSON.parse(text), columns: saved.columns, model: saved.inner })).model;
      expect(score(inner, transform.apply(saved.state, data))).toEqual(score(alone.model, data));
    }
  }, 120_000); // biome-ignore format: a title

  it("is named where its code or its options are missing", async () => {
    const text = fileOf(fit(dense, { model: learner("linear"), transform: await loadTransform(at("function.mjs", { squares: true })) }));
    expect(() => parseModel(text, "m.json")).toThrow("m.json: the model was trained with the feature transform squares:on=true, whose code is not in the model file; pass it in the option transforms");
    const [plain, other] = [await loadTransform(at("function.mjs")), await loadTransform(at("part.mjs"))];
    expect(() => parseModel(text, "m.json", { transforms: [plain] })).toThrow("and the one given is squares; give it the same options");
    expect(() => parseModel(text, "m.json", { transforms: [other] })).toThrow("(given: scaled)");
    expect(() => parseModel(text, "m.json", { transforms: plain as never })).toThrow("parseModel, option transforms: expected an array");
  }); // biome-ignore format: long lines

  it("goes on from a model with the same transform, and from no other", async () => {
    const model = learner("trees:rounds=4,leaves=4,min-items=2");
    const transform = await loadTransform(at("part.mjs"));
    const [first, plain] = [fit(dense, { model, transform }).model, fit(dense, { model }).model];
    const alone = fit(dense, { model, transform, init: first });
    expect(fileOf(await train(dense, { model, transform, init: first, threads: 2 }))).toBe(fileOf(alone));
    expect(alone.model.stages!.count).toBe(8);
    expect(() => fit(dense, { model, transform, init: plain })).toThrow(
      "was trained without a transform, and cannot continue with scaled",
    );
    expect(() => fit(dense, { model, init: first })).toThrow(
      "was trained with the transform scaled; pass it in the option transform",
    );
  });

  it("is refused where its state is no JSON, or it changes more than features", () => {
    const base = { id: "mine", spec: "mine", fit: () => 1, apply: (_: unknown, data: Library.Dataset) => data };
    const fitted = (transform: Partial<Library.Transform>) => () => fit(dense, { model: learner("linear"), transform: { ...base, ...transform } });
    expect(fitted({ fit: () => ({ mean: [1, Number.NaN] }) })).toThrow("transform mine: expected fit to give plain JSON, and the state.mean[1] is NaN");
    expect(fitted({ fit: () => undefined })).toThrow("the state is undefined");
    expect(fitted({ fit: () => Float32Array.of(1) })).toThrow("the state is Float32Array of 1");
    expect(fitted({ apply: (_, data) => ({ ...data, labels: data.labels.map((label) => label + 1) }) })).toThrow("apply may change features only, and labels are not those of its data");
    expect(fitted({ apply: (_, data) => ({ ...data, features: { ...data.features, rows: 3 } }) })).toThrow("transform mine, the result of apply: ");
    expect(fitted({ apply: () => 3 as never })).toThrow("transform mine, the result of apply: expected data");
  }); // biome-ignore format: long lines
});

describe("on the command line", () => {
  const model = ["--model", "linear:l2=0.1"];
  it("an objective has the same bytes for 1, 2 and 3 threads, and the file holds no path", async () => {
    for (const threads of [1, 2, 3])
      await succeed(["train", "train.txt", ...model, "--objective", "./part.mjs:margin=2", "--threads", `${threads}`, "--out", `m${threads}.json`, "--quiet"], { cwd });
    await succeed(["train", "train.txt", ...model, "margin=2", "--objective", "./part.mjs", "--out", "m4.json", "--quiet"], { cwd });
    await succeed(["train", "train.txt", ...model, "--objective", "./function.mjs:margin=2", "--out", "m5.json", "--quiet"], { cwd });
    const [one, ...others] = [1, 2, 3, 4, 5].map((i) => readFileSync(join(cwd, `m${i}.json`), "utf8"));
    for (const other of others) expect(other).toBe(one);
    expect(JSON.parse(one!).training.objective).toBe("hinge:margin=2");
    expect(one).not.toContain("mjs");
  }, 120_000); // biome-ignore format: commands

  it("metrics stand beside those of the library", async () => {
    await succeed(["train", "train.txt", ...model, "--valid", "train.txt", "--metrics", "./part.mjs;tied=0,ndcg@3", "--out", "m.json", "--quiet"], { cwd });
    const out = await succeed(["evaluate", "m.json", "train.txt", "--metrics", "ndcg@3,./part.mjs;tied=0", "-c", "--json", "--quiet"], { cwd });
    expect(Object.keys(JSON.parse(out).metrics)).toEqual(["ndcg@3;empty=0", "pairs:tied=0"]);
    expect(JSON.parse(out).metrics["pairs:tied=0"]).toBeCloseTo(JSON.parse(readFileSync(join(cwd, "m.json"), "utf8")).metrics["pairs:tied=0"], 12);
  }, 120_000); // biome-ignore format: commands

  it("a transform is trained with, and later commands need its code", async () => {
    await succeed(["train", "train.txt", ...model, "--transform", "./part.mjs:power=2", "--out", "t.json", "--quiet"], { cwd });
    for (const words of [["rank", "t.json", "train.txt"], ["evaluate", "t.json", "train.txt"], ["explain", "t.json", "train.txt"], ["show", "t.json"]]) {
      const { code, err } = await tierwise(words, { cwd });
      expect({ code, err }, words[0]).toEqual({ code: 2, err: "tierwise: t.json: the model was trained with the feature transform scaled:power=2, whose code is not in the model file; --transform FILE names its module\n" });
      expect((await tierwise([...words, "--transform", "./part.mjs"], { cwd })).code, words[0]).toBe(0);
    }
    expect(await succeed(["show", "t.json", "--transform", "part.mjs"], { cwd })).toContain("3, transformed by scaled:power=2");
  }, 120_000); // biome-ignore format: commands

  it("tune ends with a command that names the module", async () => {
    const out = await succeed(["tune", "train.txt", "margin=1,2", ...model, "--objective", "./part.mjs", "--transform", "./part.mjs", "--metrics", "./part.mjs", "--json", "--quiet"], { cwd });
    const { command, trials } = JSON.parse(out);
    expect(trials).toHaveLength(2);
    expect(command).toMatch(/--objective \.\/part\.mjs(:margin=2)? .*--metrics \.\/part\.mjs .*--transform \.\/part\.mjs /);
    const again = command.replace(/^tierwise /, "").split(" ");
    await succeed([...again, "--quiet"], { cwd });
  }, 120_000); // biome-ignore format: commands

  it("a wrong module is one line and exit code 2", async () => {
    for (const [flag, text, message] of [
      ["--objective", "./none.mjs", /^tierwise: --objective: .*none\.mjs cannot be imported: Cannot find module .*\n$/],
      ["--objective", "./part.mjs:margin", /^tierwise: --objective \.\/part\.mjs: expected options as key=value, got "margin"\n$/],
      ["--objective", "./part.mjs:margin=0", /^tierwise: objective hinge, option margin: expected a number above 0, got "0"\n$/],
      ["--metrics", "./empty.mjs", /^tierwise: --metrics: .*empty\.mjs has no export named "metric"/],
      ["--transform", "scaled", /^tierwise: --transform: expected the path of a module, such as \.\/mine\.js or .*, got "scaled"\n$/],
    ] as const) {
      const { code, err } = await tierwise(["train", "train.txt", flag, text, "--out", "never.json"], { cwd });
      expect(code).toBe(2);
      expect(err).toMatch(message);
    }
  }); // biome-ignore format: a table
});

it("the example data train under an objective of a module, on trees, alike in 1 and 3 threads", async () => {
  const where = searchFolder();
  writeFileSync(join(where, "mine.mjs"), readFileSync(join(cwd, "part.mjs")));
  const files = [];
  for (const threads of ["1", "3"]) {
    const words = ["--model", "trees:rounds=5", "--objective", "./mine.mjs", "--transform", "./mine.mjs", "--threads", threads];
    await succeed(["train", "train.txt.gz", ...words, "--out", "m.json", "--quiet"], { cwd: where });
    files.push(readFileSync(join(where, "m.json"), "utf8"));
  }
  expect(files[1]).toBe(files[0]);
}, 120_000);
