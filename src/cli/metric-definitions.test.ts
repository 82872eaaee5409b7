import { describe, expect, it } from "vitest";
import { metric, metrics } from "../metrics/index.ts";
import { below, random } from "../numeric/random.ts";
import { definitionsText } from "./metric-definitions.ts";
import { wrapped } from "./output.ts";

const WIDE = 1000;
const lines = (...specs: string[]) => definitionsText(specs.map(metric), WIDE).split("\n");

describe("definitions below a table", () => {
  it("share a line where metrics differ in the cutoff alone, and otherwise have their own", () => {
    expect(lines("ndcg@1", "err", "ndcg@10", "ndcg", "ndcg@10;gain=lin", "dcg@10")).toEqual([
      "ndcg@1, ndcg@10: gain 2^l - 1, discount 1/log2(1 + rank), over the first k ranks, expected over tied scores, lists without a label above 0 left out",
      "err: stop chance (2^l - 1)/2^4, over all ranks, expected over tied scores, lists without a label above 0 left out",
      "ndcg: gain 2^l - 1, discount 1/log2(1 + rank), over all ranks, expected over tied scores, lists without a label above 0 left out",
      "ndcg@10;gain=lin: gain l, discount 1/log2(1 + rank), over the first 10 ranks, expected over tied scores, lists without a label above 0 left out",
      "dcg@10: gain 2^l - 1, discount 1/log2(1 + rank), over the first 10 ranks, expected over tied scores, lists without a label above 0 left out",
    ]);
    expect(lines("map@2", "map@3")).toEqual([
      expect.stringMatching(/^map@2, map@3: .* over the first k ranks divided by the smaller of relevant items and k, /),
    ]);
  });

  it("share a line under the names of two tools, with the cutoff that both have", () => {
    expect(lines("ndcg@10:lightgbm", "ndcg@10:xgboost")).toEqual([
      `ndcg@10:lightgbm, ndcg@10:xgboost: ${metric("ndcg@10:xgboost").variant}`,
    ]);
  });

  it("name k wherever the cutoff stands, in all metrics and nowhere else", () => {
    const specs = metrics.flatMap(({ id, fields }) => {
      if (!("k" in fields)) return [];
      const tools = /one of ([\w, -]+)/.exec((fields as { as?: { kind: string } }).as?.kind ?? "")?.[1]?.split(", ") ?? [];
      return ["", ...tools.map((tool) => `:${tool}`)].map((tool) => (k: number) => `${id}@${k}${tool}`);
    });
    expect(specs.length).toBeGreaterThan(20);
    for (const spec of specs) {
      const [line, ...rest] = lines(spec(3), spec(4));
      expect(rest).toEqual([]);
      const text = line!.slice(`${metric(spec(3)).spec}, ${metric(spec(4)).spec}: `.length);
      expect(text).not.toContain("7919");
      expect(text.replace(/\bk\b/g, "3")).toBe(metric(spec(3)).variant);
      expect(lines(spec(3))).toEqual([`${metric(spec(3)).spec}: ${metric(spec(3)).variant}`]);
    }
  });

  it("of the caller are what they say, also under a name of the library", () => {
    const own = [{ spec: "./mine.js", variant: "mine" }, { spec: "ndcg@10", variant: "not ours" }, { spec: "ndcg@5", variant: "not ours" }]; // biome-ignore format: one list
    expect(definitionsText(own)).toBe("./mine.js: mine\nndcg@10: not ours\nndcg@5: not ours");
  });
});

describe("wrapped text", () => {
  it("keeps all words in lines of the width, with parentheses whole", () => {
    expect(wrapped("ab cd (e f g) h", 8)).toBe("ab cd\n  (e f g)\n  h");
    expect(wrapped("abcdefghij kl", 4)).toBe("abcdefghij\n  kl");
    const draw = random(3);
    for (let k = 0; k < 300; k++) {
      const text = Array.from({ length: below(draw, 40) }, () => "x".repeat(1 + below(draw, 12))).join(" ");
      const width = 16 + below(draw, 60);
      const found = wrapped(text, width).split("\n");
      expect(found.map((line) => line.trim()).join(" ")).toBe(text);
      for (const [n, line] of found.entries()) {
        expect(line.length).toBeLessThanOrEqual(width);
        const next = found[n + 1]?.trim().split(" ")[0];
        if (next !== undefined) expect(line.length + 1 + next.length).toBeGreaterThan(width); // no earlier than needed
      }
    }
  });

  it("is as wide as the terminal, or 100 columns elsewhere", () => {
    const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
    const widest = (isTTY: boolean, columns: number | undefined) => {
      Object.assign(process.stdout, { isTTY, columns });
      return Math.max(...wrapped("ab ".repeat(200)).split("\n").map(({ length }) => length)); // biome-ignore format: one chain
    };
    try {
      expect([widest(false, 60), widest(true, 60), widest(true, undefined), widest(true, 5)]).toEqual([100, 59, 100, 40]); // words of two letters, and lines after the first have an indent
    } finally {
      Object.assign(process.stdout, before);
    }
  });
});
