/** Which code a digest is of. */
import { expect, it } from "vitest";
import { codeDigest, TRAINING } from "./code-digest.ts";

it("depends on the parts that specs name, and not on their options", () => {
  const of = (model: string, objective: string, metric = "ndcg@10") =>
    codeDigest(["papers/trial", ...TRAINING], { model: [model], objective: [objective], metric: [metric] });
  const usual = of("trees:leaves=8", "lambdarank");
  expect(of("trees:leaves=31", "lambdarank:truncation=3")).toBe(usual);
  expect(of("linear", "lambdarank")).not.toBe(usual);
  expect(of("trees", "pmop-fd")).not.toBe(usual);
  expect(of("trees", "lambdarank", "err")).not.toBe(usual);
});

it("depends on the optimizer that a model names", () => {
  const of = (model: string) => codeDigest([], { model: [model] });
  expect(of("linear:optimizer=sgd(rate=0.1)")).not.toBe(of("linear:optimizer=adam"));
});

it("a part that is declared beside another has its module", () => {
  const of = (objective: string) => codeDigest([], { objective: [objective] });
  expect(of("listmle")).toBe(of("pl-topk:k=3"));
  expect(of("listmle")).not.toBe(of("pl-lb"));
});

it("a name that no module declares stands for all of its kind", () => {
  const of = (objective: string) => codeDigest([], { objective: [objective] });
  expect(of("bradley-terry")).toBe(of("unheard-of"));
  expect(of("unheard-of")).not.toBe(of("ranknet"));
});

it("modules that cannot be read are an error of the program", () => {
  expect(() => codeDigest(["src/nowhere"])).toThrow("ENOENT");
});
