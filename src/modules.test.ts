import { describe, expect, it } from "vitest";
import { isModuleSource, loadOwn, moduleOf } from "./modules.ts";

/** A module that is written in its URL. */
const module = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const body = (name: string) =>
  `{ id: "first", spec: ${name}, better: "higher", variant: "first", measure: (scores) => scores[0] }`;

describe("a module that exports a metric", () => {
  it("as an object gives it, and takes no options", async () => {
    const source = { module: module(`export const metric = ${body('"first"')};`) };
    expect((await loadOwn("test", "metric", source)).measure(Float64Array.of(7), new Float32Array(1))).toBe(7);
    expect((await loadOwn("test", "metric", { ...source, options: {} })).spec).toBe("first");
    await expect(loadOwn("test", "metric", { ...source, options: { a: 1 } })).rejects.toThrow(
      'exports a finished metric, which has no options, got "a"',
    );
  });

  it("as a function is called with the options, and can be made again elsewhere", async () => {
    const source = { module: module(`export const metric = ({ name = "none" } = {}) => (${body("name")});`) };
    expect((await loadOwn("test", "metric", source)).spec).toBe("none");
    const made = await loadOwn("test", "metric", { ...source, options: { name: "x" } });
    expect([made.spec, moduleOf(made)]).toEqual(["x", { module: source.module, options: { name: "x" } }]);
    expect(moduleOf({ ...made })).toBeUndefined();
  });

  it("under another name, or with another key, is refused", async () => {
    await expect(loadOwn("test", "metric", { module: module("export const other = 1;") })).rejects.toThrow(
      'has no export named "metric"',
    );
    const source = { module: module(`export const metric = ${body('"a"')};`), option: {} };
    await expect(loadOwn("test", "metric", source)).rejects.toThrow('test: expected { module, options }, got also "option"');
  });
});

it("an object with an id is no source of a module", () => {
  expect([{ module: "a" }, { module: "a", id: "b" }, null, "a", {}].map(isModuleSource)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
