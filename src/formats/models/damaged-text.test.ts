/** Model files of other tools with one thing changed: what is read, or what the error says. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { build } from "../../data/build.ts";
import { score } from "../../evaluate.ts";
import { fit } from "../../fit.ts";
import { trees } from "../../models/index.ts";
import { lambdaRank } from "../../objectives/index.ts";
import { exportModel } from "./export.ts";
import { importModel } from "./import.ts";

const lightgbm = readFileSync(new URL("../../../test/fixtures/models/lightgbm-binary.txt", import.meta.url), "utf8");

it("LightGBM: lists of a wrong length are named with their length, and those that are not there as nothing", () => {
  const line = /^leaf_value=.*$/m.exec(lightgbm)![0];
  const count = line.split(" ").length;
  const number = lightgbm.slice(0, lightgbm.indexOf(line)).split("\n").length;
  const shorter = lightgbm.replace(line, line.slice(0, line.lastIndexOf(" ")));
  expect(() => importModel(shorter, { path: "m.txt" })).toThrow(
    `m.txt:${number}: Tree=0: expected ${count} numbers of leaf_value, got ${count - 1}`,
  );
  const none = lightgbm.replace(`${line}\n`, "");
  expect(() => importModel(none, { path: "m.txt" })).toThrow(
    new RegExp(`Tree=0: expected ${count} numbers of leaf_value, got nothing$`),
  );
});

it("ONNX: a split by >= goes to its first branch from the threshold on, and without a value where the file says", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ list: i >> 2, label: i & 1, features: [(i & 1) * 2 + (i % 7) / 10] }));
  const { model } = fit(build(rows), { model: trees({ rounds: 1, leaves: 2, minItems: 1 }), objective: lambdaRank() });
  const bytes = exportModel(model, { to: "onnx-float" }).content as Uint8Array;
  const [from, to] = ["BRANCH_LEQ", "BRANCH_GTE"].map((mode) => new TextEncoder().encode(mode)) as [Uint8Array, Uint8Array];
  const turned = bytes.slice();
  let changed = 0;
  for (let at = 0; at + from.length <= turned.length; at++)
    if (from.every((byte, i) => turned[at + i] === byte)) {
      turned.set(to, at);
      changed++;
    }
  expect(changed).toBe(1);
  const scores = (content: Uint8Array, values: readonly number[]) => {
    const data = build(values.map((value) => ({ list: 0, label: 0, features: [value] })));
    return [...score(importModel(content, { base: 1 }).model, data)];
  };
  const [low, high] = scores(bytes, [-100, 100]) as [number, number];
  expect(low).not.toBe(high);
  expect(scores(turned, [-100, 100])).toEqual([high, low]);
  const missing = scores(bytes, [Number.NaN])[0]!;
  expect(scores(turned, [Number.NaN])[0]).toBe(missing); // the file still says which branch it is
});
