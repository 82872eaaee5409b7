/** `tierwise convert` and models of other tools in other commands. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, root, succeed, svmlight, tierwise } from "./cli.ts";

const fixture = (name: string) => readFileSync(join(root, "test/fixtures/models", name));

describe("convert", () => {
  const cwd = folder({ "train.txt": svmlight(20), "lgb.txt": fixture("lightgbm-plain.txt"), "names.txt": "a\nb\nc\n" });

  it("writes a model for other tools with rows that verify it, and reads it back", async () => {
    await succeed(["train", "train.txt", "--model", "trees:rounds=3,min-items=2", "--out", "m.json", "--quiet"], { cwd });
    for (const name of ["m.txt", "m.ubj", "m.xgboost.json", "m.onnx", "m.mjs", "m.elasticsearch.json"]) {
      const result = JSON.parse(await succeed(["convert", "m.json", name, "--json"], { cwd }));
      expect(result).toMatchObject({ in: "m.json", out: name, features: 3, trees: 3 });
      expect(JSON.parse(await succeed(["convert", "--check", name, "--json"], { cwd }))).toMatchObject({
        rows: 20,
        passed: true,
      });
    }
    const ranked = (model: string) => succeed(["rank", model, "train.txt", "--index-base", "1", "--quiet"], { cwd });
    expect(await ranked("m.txt")).toBe(await ranked("m.json"));
    writeFileSync(join(cwd, "m.txt"), readFileSync(join(cwd, "m.txt"), "utf8").replace(/leaf_value=\S+/g, "leaf_value=9"));
    expect(await tierwise(["convert", "--check", "m.txt"], { cwd })).toMatchObject({ code: 2 });
  });

  it("writes the name that is given", async () => {
    await succeed(["train", "train.txt", "--model", "linear", "--out", "named.json", "--quiet"], { cwd });
    await succeed(["convert", "named.json", "named.solr.json", "--name", "mine", "--missing", "zero"], { cwd });
    expect(JSON.parse(readFileSync(join(cwd, "named.solr.json"), "utf8"))).toMatchObject({ name: "mine" });
  });

  it("writes averaged ensembles as one model", async () => {
    await succeed(["train", "train.txt", "--model", "trees:rounds=3,min-items=2,bag=2", "--out", "bag.json", "--quiet"], { cwd });
    const result = JSON.parse(await succeed(["convert", "bag.json", "bag.txt", "--json"], { cwd }));
    expect(result).toMatchObject({ features: 3, trees: 6 });
    const ranked = (model: string) => succeed(["rank", model, "train.txt", "--index-base", "1", "--quiet"], { cwd });
    expect(await ranked("bag.txt")).toBe(await ranked("bag.json"));
  });

  it("shows and names an imported model", async () => {
    expect(await succeed(["show", "lgb.txt"], { cwd })).toMatch(/^objective +lambdarank$/m);
    const few = await tierwise(["convert", "lgb.txt", "x.json", "--features", "names.txt"], { cwd });
    expect(few).toMatchObject({ code: 2, err: "tierwise: the model has 10 features, and 3 names are given\n" });
  });

  it("refuses a model with a transform of one's own", async () => {
    const code = "export const transform = () => ({ id: 't', spec: 't', fit: () => null, apply: (_, data) => data });";
    writeFileSync(join(cwd, "t.mjs"), code);
    await succeed(["train", "train.txt", "--model", "linear", "--transform", "./t.mjs", "--out", "own.json", "--quiet"], { cwd });
    const { code: status, err } = await tierwise(["convert", "own.json", "own.onnx"], { cwd });
    expect([status, err]).toEqual([2, expect.stringContaining("no place for code; train without --transform")]);
  });

  it("refuses in one line what cannot be", async () => {
    const failed = async (...words: string[]) => {
      const { code, err } = await tierwise(["convert", ...words], { cwd });
      expect(code).toBe(2);
      expect(err.trimEnd()).not.toContain("\n");
      return err;
    };
    expect(await failed("m.json")).toContain("expected a model file and a file to write");
    expect(await failed("m.json", "m.xyz")).toContain("no format has files of such an ending");
    expect(await failed("m.json", "m.txt", "--to", "lightgmb")).toContain("no model format is called");
    expect(await failed("lgb.txt", "m.solr.json")).toContain("--missing zero writes the model nevertheless");
    expect(await failed("none.txt", "m.json")).toContain("none.txt");
    expect(await failed("--check", "names.txt")).toContain("names.txt.parity.json: there is no such file");
  });
});
