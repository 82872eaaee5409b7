import { describe, expect, it } from "vitest";
import { partField } from "../part.ts";
import { meanAveragePrecision, metric, metricList, metrics, ndcg } from "./index.ts";
import { presetDefaults, tools } from "./presets.ts";

const text = (given: string) => metric(given).spec;

describe("names of metrics", () => {
  it("a text holds the cutoff and what differs from the defaults", () => {
    expect(ndcg({ k: 10, gain: "lin", ties: "worst" }).spec).toBe("ndcg@10;gain=lin;ties=worst");
    expect([ndcg().spec, meanAveragePrecision({ k: 5, rel: 2 }).spec, text("ndcg:k=10"), text("kendall;ties=order")]).toEqual([
      "ndcg",
      "map@5;rel=2",
      "ndcg@10",
      "kendall;ties=order",
    ]);
  });
  it("every text names its own metric again", () => {
    for (const part of metrics) {
      const full = `${part.id}${"k" in part.fields ? "@7" : ""}${"ties" in part.fields ? ";ties=best" : ""};empty=0`;
      expect(text(full)).toBe(full);
      expect(text(text(full))).toBe(full);
    }
  });
  it.each([
    ["nDCG@10", "ndcg@10"],
    ["P@5", "precision@5"],
    ["P(rel=2)@5", "precision@5;rel=2"],
    ["R@100", "recall@100"],
    ["AP", "map"],
    ["AP@30", "map@30"],
    ["RR", "mrr"],
    ["RR@10", "mrr@10"],
    ["ERR@20", "err@20"],
    ["tau", "kendall"],
    ["ndcg_cut_10", "ndcg@10"],
    ["map_cut_10", "map@10"],
    ["recip_rank", "mrr"],
    ["P_5", "precision@5"],
    ["recall_100", "recall@100"],
    ["ndcg_cut_10;gain=lin", "ndcg@10;gain=lin"],
    ["ndcg@all", "ndcg"],
  ])("%s is %s", (theirs, ours) => expect(text(theirs)).toBe(ours));
  it("mistakes name the near misses", () => {
    expect(() => metric("ncdg@10")).toThrow('no metric is called "ncdg"; did you mean ndcg');
    expect(() => metric("ndcg@0")).toThrow('ndcg, option k: expected a whole number above 0 or "all", got "0"');
    expect(() => metric("ndcg@10;gian=lin")).toThrow('ndcg has no option "gian"; did you mean gain?');
    expect(() => metric("ndcg@10;ties=random")).toThrow("expected one of expected, order, worst, best, docno");
    expect(() => metric("kendall@5")).toThrow('kendall has no option "k"');
  });
});

describe("presets", () => {
  it("a bare word after the colon names a tool, whose definition the variant states", () => {
    expect(text("ndcg@10:lightgbm")).toBe("ndcg@10:lightgbm");
    expect(metric("ndcg@10:lightgbm").variant).toBe(
      "gain 2^l - 1, discount 1/log2(1 + rank), over the first 10 ranks, tied scores in the order of the data, lists without a label above 0 count as 1",
    );
    expect(metric("map:catboost").variant).toContain("relevant is a label above 0.5,");
  });
  it("are named by the option `as` of exactly the metrics that a tool has, the first of them as an example", () => {
    for (const part of metrics) {
      const own = Object.keys(tools).filter((tool) => tools[tool]!.metrics[part.id]);
      const { about, kind } = (part.fields.as ?? {}) as { about?: string; kind?: string };
      if (own.length === 0) expect(about).toBeUndefined();
      else {
        const all = ["tierwise", ...own].join(", ");
        expect(about).toBe(`preset of another tool, also without a key (${part.id}:${own[0]}): ${all}`);
        expect(kind).toBe(`one of ${all}`);
      }
      for (const tool of own) expect(text(`${part.id};as=${tool}`)).toBe(text(`${part.id}:${tool}`));
      for (const tool of Object.keys(tools).filter((one) => !own.includes(one)))
        expect(() => text(`${part.id}:${tool}`)).toThrow(part.id);
    }
  });
  it.each([
    ["ndcg@10:LightGBM", "ndcg@10:lightgbm"],
    ["ndcg@10;as=lightgbm", "ndcg@10:lightgbm"],
    ["ndcg(lightgbm)@10", "ndcg@10:lightgbm"],
    ["ndcg_cut_10:trec", "ndcg@10:trec"],
    ["ndcg@10:xgboost-", "ndcg@10:xgboost-"],
    ["ndcg@5:tierwise", "ndcg@5"],
    ["ndcg@5:catboost;gain=lin", "ndcg@5:catboost"],
    ["ndcg@5:catboost;gain=exp;ties=order", "ndcg@5:catboost;gain=exp;ties=order"],
    ["ndcg@5:lightgbm;ties=expected;empty=skip", "ndcg@5:lightgbm;ties=expected;empty=skip"],
    ["map:trec,rel=2", "map:trec;rel=2"],
  ])("%s is %s", (given, canonical) => {
    expect(text(given)).toBe(canonical);
    expect(text(canonical)).toBe(canonical);
  });
  it("an option that is given counts more than the tool's", () => {
    const list = [Float64Array.of(1, 1), Float32Array.of(1, 0)] as const;
    expect(metric("ndcg@1:lightgbm").measure(...list)).toBe(1);
    expect(metric("ndcg@1:lightgbm;ties=worst").measure(...list)).toBe(0);
    expect(ndcg({ k: 1, as: "catboost" }).measure(...list)).toBe(0);
    expect(ndcg({ k: 1, as: "catboost", ties: "expected" }).measure(...list)).toBe(0.5);
  });
  it("every tool declares options that its metrics have, and lists its presets", () => {
    for (const tool of Object.keys(tools))
      for (const id of Object.keys(tools[tool]!.metrics)) {
        const part = metrics.find((one) => one.id === id)!;
        expect(text(`${id}:${tool}`)).toBe(`${id}:${tool}`);
        expect(Object.keys(part.fields)).toEqual(expect.arrayContaining(Object.keys(presetDefaults(id, tool))));
        for (const [option, value] of Object.entries(presetDefaults(id, tool)))
          expect(metric(`${id};${option}=${part.fields[option]!.write(value)}`).variant).toBeTypeOf("string");
      }
  });
  it("a tool without the metric is a mistake that names those which have it", () => {
    expect(() => metric("mrr:lightgbm")).toThrow(/metric mrr, option as: expected one of tierwise, catboost, .*got "lightgbm"/);
    expect(() => metric("kendall:lightgbm")).toThrow('metric kendall: expected options as key=value, got "lightgbm"');
    expect(() => metric("ndcg:lightgbm;xgboost")).toThrow("option as is given twice");
  });
});

describe("lists of metrics", () => {
  it("commas part metrics, semicolons the options of one", () => {
    expect(metricList("ndcg@1, ndcg@10;gain=lin;ties=worst,P(rel=2,divisor=min)@5,err,ERR").map((one) => one.spec)).toEqual([
      "ndcg@1",
      "ndcg@10;gain=lin;ties=worst",
      "precision@5;rel=2;divisor=min",
      "err",
    ]);
  });
  it("an option after a comma is a mistake that says where it belongs", () => {
    expect(() => metricList("ndcg@10,gain=lin")).toThrow('"gain=lin" is not a metric; options follow their metric after ";"');
    expect(() => metricList(" , ")).toThrow(/expected metrics separated by ","/);
  });
});

it("a metric that is an option of another part keeps its own options in parentheses", () => {
  const field = partField(metrics, "metric", ndcg(), "what to watch", "measure");
  for (const given of ["ndcg@10;gain=lin;ties=best", "ndcg@10", "kendall;ties=order", "ndcg@10:catboost;gain=exp"]) {
    const written = field.write(metric(given));
    expect(field.read(written)?.spec).toBe(given);
  }
  expect(field.write(metric("ndcg@10;gain=lin;ties=best"))).toBe("ndcg(gain=lin;ties=best)@10");
});
