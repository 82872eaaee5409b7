import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { complaints, open } from "../../test/page.ts";
import { ballots } from "../data/ballots.ts";
import { build } from "../data/build.ts";
import { type Fitted, fit } from "../fit.ts";
import { parseData } from "../formats/data/parse.ts";
import { parseModel } from "../formats/models/native.ts";
import { metricList } from "../metrics/index.ts";
import { learner } from "../models/index.ts";
import { random } from "../numeric/random.ts";
import { objective } from "../objectives/index.ts";
import type { Dataset } from "../types.ts";
import type { Markup } from "./markup.ts";
import { type ReportOptions, report } from "./report.ts";
import { script, scriptHash } from "./script.ts";
import { subject } from "./sections/subject.ts";

const hostile = `<img src=x onerror="alert(1)">&'`;

/** Lists of 7 items: the label follows features 1 and 2, feature 3 is often missing, and one list has one tier. */
function made(lists: number, seed: number): Dataset {
  const draw = random(seed);
  const rows = Array.from({ length: lists * 7 }, (_, i) => {
    const [a, b, c] = [draw(), draw(), draw() < 0.4 ? Number.NaN : draw()] as const;
    const worth = a + 0.5 * b + 0.4 * draw();
    const list = Math.floor(i / 7);
    return {
      list: `${hostile} ${list}`,
      id: `doc ${hostile} ${i}`,
      label: list === 0 ? 0 : worth > 1.2 ? 2 : worth > 0.7 ? 1 : 0,
      features: [a, b, c],
    };
  });
  return build(rows, { features: [hostile, "second", "third"], absent: "missing" });
}

const [train, test] = [made(30, 1), made(20, 2)];
const metrics = metricList("ndcg@5,map,err");

function trained(model: string, cost: string, data: Dataset, valid?: Dataset): { fitted: Fitted; options: ReportOptions } {
  const validation = valid ? { valid, metrics: metricList("ndcg@5,map") } : {};
  const fitted = fit(data, { model: learner(model), objective: objective(cost), ...validation });
  const training = { model, objective: cost, seed: 1, rounds: fitted.rounds, best: fitted.best.round, cost: fitted.best.cost };
  const file = { model: fitted.model, training, metrics: fitted.best.metrics };
  return { fitted, options: { name: `${hostile}.json`, file, metrics, commands: ["tierwise one", "tierwise two"] } };
}

const named = (name: string, data: Dataset) => ({ name: `${name} ${hostile}`, data });
const titles = (html: string) => [...open(html).querySelectorAll("h2")].map(({ textContent }) => textContent);

describe("a report", () => {
  const { fitted, options } = trained("trees:rounds=30,leaves=4,min-items=5", "lambdarank", train, test);
  const whole = {
    ...options,
    judged: named("test", test),
    role: "validation" as const,
    train: named("train", train),
    history: fitted.history,
    against: [{ ...named("linear", test), model: trained("linear", "pl-partition", train).fitted.model }],
  };

  it("has facts of training only where the file has them", () => {
    const names = (training: object) =>
      [
        ...open(
          (subject({ ...options, file: { ...options.file, training: training as never } }).body as Markup).markup,
        ).querySelectorAll("dt, th"),
      ].map(({ textContent }) => textContent);
    const { seed: _, rounds: __, best: ___, cost: ____, ...rest } = options.file.training;
    const all = names(options.file.training);
    expect(all).toEqual(expect.arrayContaining(["seed", "rounds", "training cost"]));
    expect(names(rest)).toEqual(all.filter((name) => !["seed", "rounds", "training cost"].includes(name!)));
  });

  it("has a table of up to eight labels, and the range of more", () => {
    const facts = (labels: number) => {
      const data = build(Array.from({ length: labels }, (_, i) => ({ list: 1, label: i, features: [i] })));
      const { markup } = subject({ ...options, judged: { name: "test", data } }).body as Markup;
      const range = [...open(markup).querySelectorAll("dt")].some(({ textContent }) => textContent === "labels");
      return { range, table: markup.includes("Labels of test") };
    };
    expect(facts(8)).toEqual({ range: false, table: true });
    expect(facts(9)).toEqual({ range: true, table: false });
  });

  it("compares short and long lists where lists differ in length", async () => {
    const same = { ...options, judged: named("test", test) };
    expect(await report(same)).not.toContain("Short and long lists");
    const shorter = { ...test, starts: test.starts.map((start, q) => (q === 1 ? start - 2 : start)) };
    expect(await report({ ...same, judged: named("test", shorter) })).toContain("Short and long lists");
  });

  it("draws the effects of yes and no and of categories at their values, and those of numbers as lines", async () => {
    const draw = random(5);
    const lines = Array.from({ length: 120 }, (_, i) => {
      const [brand, yes, price] = [Math.floor(3 * draw()), draw() < 0.5, draw()];
      return `${i >> 3},${Math.min(2, Math.round(0.5 * brand + (yes ? 0.5 : 0) + price))},${price},${yes ? "yes" : "no"},${"ABC"[brand]}`;
    });
    const { data } = parseData([{ name: "a.csv", content: `qid,label,price,available,brand\n${lines.join("\n")}\n` }]);
    const html = await report({ ...trained("linear", "pl-partition", data).options, judged: named("test", data) });
    expect(complaints(html)).toEqual([]);
    const figures = [...open(html).querySelectorAll("figure")].filter(({ textContent }) =>
      / four of five items/.test(textContent),
    );
    const drawn = Object.fromEntries(
      figures.map((one) => [
        /Feature ([\w=]+)/.exec(one.textContent)![1]!.replace(/price.*/, "price"),
        {
          line: one.outerHTML.includes('aria-label="line"'),
          yes: one.outerHTML.includes(">no</text>") && one.outerHTML.includes(">yes</text>"),
          dots: one.textContent.includes("The large dots are means"),
        },
      ]),
    );
    const points = { line: false, yes: true, dots: true };
    expect(drawn).toMatchObject({ price: { line: true, yes: false, dots: false } });
    const others = Object.entries(drawn).filter(([name]) => name !== "price");
    expect(others.length).toBeGreaterThanOrEqual(4);
    for (const [name, how] of others) expect([name, how]).toEqual([name, points]);
  });

  it("on trees has every section, and nothing to complain of", async () => {
    const html = await report(whole);
    expect(complaints(html)).toEqual([]);
    expect(titles(html)).toEqual([
      ...["Model and data", "Quality", "List by list", "Feature effects", "Calibration"],
      ...["Tiers and places", "Learning curves", "How to reproduce it"],
    ]);
    expect(html).not.toContain("<img src=x");
    expect(html.length).toBeLessThan(400_000);
    const main = open(html).querySelector("main")!.textContent;
    for (const words of [
      "best single feature",
      "all features, no labels",
      "random order",
      "tierwise two",
      "Mind:",
      "Validation metrics",
    ])
      expect(main).toContain(words);
    expect(main).toMatch(/\d+ lists? of one tier left out/);
  });

  it("permits its own script by digest, and nothing else", async () => {
    expect(`sha256-${createHash("sha256").update(script).digest("base64")}`).toBe(scriptHash);
    const policy = open(await report(whole))
      .querySelector('meta[http-equiv="Content-Security-Policy"]')!
      .getAttribute("content")!;
    expect(policy.split("; ")).toEqual([
      ...["default-src 'none'", `script-src '${scriptHash}'`, "style-src 'unsafe-inline'", "img-src data:"],
      ...["base-uri 'none'", "form-action 'none'"],
    ]);
  });

  it("is the same for the same model and data", async () => {
    expect(await report(whole)).toBe(await report(whole));
  });

  it("shows the means that evaluation gives", async () => {
    const document = open(await report(whole));
    const [first] = [...document.querySelectorAll("table[data-sortable] tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => Number(cell.getAttribute("data-value"))),
    );
    const { evaluate } = await import("../evaluate.ts");
    const { metrics: means } = evaluate(fitted.model, test, metrics);
    expect(first).toEqual(metrics.map(({ spec }) => means[spec]));
  });

  it("sorts a table by a touch on its head, and turns dark by a touch on a button", async () => {
    const document = open(await report(whole));
    const table = document.querySelector("table[data-sortable]")!;
    const values = () =>
      [...table.querySelectorAll("tbody tr")].map((row) => Number(row.querySelector("td")!.getAttribute("data-value")));
    const before = values();
    const button = [...table.querySelectorAll("thead button")][1]!;
    button.click();
    expect(values()).toEqual([...before].sort((a, b) => b - a));
    button.click();
    expect(values()).toEqual([...before].sort((a, b) => a - b));
    document.querySelector("button.theme")!.click();
    expect(document.documentElement.dataset.theme).toBe("dark");
  });

  it("without history says so, and still has the curve of the trees", async () => {
    const { history: _, ...rest } = whole;
    const html = await report(rest);
    expect(complaints(html)).toEqual([]);
    expect(html).toContain("No history of the training is at hand");
    expect(html).toContain("ndcg@5 after so many rounds");
  });

  it.each([
    ["linear", "pl-partition", "What a feature adds"],
    ["linear:scale=list", "mcrank", "permutation importance is shown"],
    ["mlp:hidden=8,epochs=5", "ranknet", "permutation importance is shown"],
  ])("on %s under %s stands as well", async (model, cost, how) => {
    const html = await report({ ...trained(model, cost, train).options, judged: named("test", test) });
    expect(complaints(html)).toEqual([]);
    expect(html).toContain(how);
  });

  it("without data describes the model", async () => {
    const html = await report(options);
    expect(complaints(html)).toEqual([]);
    expect(titles(html)).toEqual(["Model and data", "What it learned", "Learning curves", "How to reproduce it"]);
  });

  it("on ballots has the worths with their intervals", async () => {
    const data = ballots([["a", ["b", hostile]], [hostile, "a", "b"], ["b", "a", hostile], ["a", "b"], [["a", "b"], hostile]]); // biome-ignore format: ballots
    const { options: own, fitted: done } = trained("utilities", "pl-partition", data);
    const html = await report({
      ...own,
      judged: named("ballots", data),
      history: done.history,
      metrics: metricList("kendall,spearman"),
    });
    expect(complaints(html)).toEqual([]);
    expect(titles(html)).toContain("Worths of the items");
    expect(html).toContain("best with probability");
    expect(complaints(await report({ ...own, metrics: metricList("kendall") }))).toEqual([]);
  });

  it("on a label space has metrics and lists, and says why it has no curves of features", async () => {
    const draw = random(5);
    const rows = Array.from({ length: 40 }, () => Array.from({ length: 6 }, () => draw()));
    const judged = rows.map((row) => row.map((_, item) => item).filter((item) => row[item]! > 0.6));
    const data: Dataset = {
      starts: Uint32Array.from([0, ...judged.map((_, q) => judged.slice(0, q + 1).flat().length)]),
      labels: new Float32Array(judged.flat().length).fill(1),
      items: Uint32Array.from(judged.flat()),
      features: { kind: "dense", rows: 40, columns: 6, values: Float32Array.from(rows.flat()) },
      ...{ labelSpaceSize: 6, base: 0, names: {} },
    };
    const wanted = metricList("precision@1,ndcg@3,psp@3");
    const { options: own } = trained("mlp:hidden=8,epochs=3", "pl-partition", data);
    const html = await report({ ...own, judged: named("labels", data), metrics: wanted });
    expect(complaints(html)).toEqual([]);
    expect(html).toContain("most frequent in training");
    expect(html).toContain("Every list ranks the whole label space");
  });

  it("on one list of one item, and on lists for which metrics are undefined, does not fail", async () => {
    const one = build([{ list: 1, label: 1, features: [1, 2, 3] }], { features: [hostile, "second", "third"] });
    const same = build([1, 2, 3].map((a) => ({ list: 1, label: 0, features: [a, a, a] })), { features: [hostile, "second", "third"] }); // biome-ignore format: one line
    for (const data of [one, same]) expect(complaints(await report({ ...options, judged: named("few", data) }))).toEqual([]);
  });

  it("on a model read from a file is the report on the model", async () => {
    const { serializeModel } = await import("../formats/models/native.ts");
    const file = parseModel(serializeModel(options.file), "m.json");
    const judged = named("test", test);
    expect(await report({ ...options, file, judged })).toBe(await report({ ...options, judged }));
  });
});
