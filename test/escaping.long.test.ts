/** Names out of files are text wherever they come out: in reports, drawings, tables for spreadsheets and on terminals. By random names. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvText } from "../src/cli/output.ts";
import { build } from "../src/data/build.ts";
import { parseData } from "../src/formats/data/parse.ts";
import { fit, linear, metricList, trees } from "../src/index.ts";
import { caterpillar } from "../src/report/caterpillar.ts";
import { policy } from "../src/report/page.ts";
import { report } from "../src/report/report.ts";
import { script } from "../src/report/script.ts";
import { folder, rows, succeed, tierwise } from "./cli.ts";
import { type Document, open } from "./page.ts";

/** Pieces of markup, of scripts and of styles, among ordinary letters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "<script>alert(1)</script>",
          "<img src=x onerror=alert(1)>",
          '"><svg onload=alert(1)>',
          "' onmouseover='alert(1)",
          "</title>",
        ],
        ...[
          "</style>",
          "</script>",
          "</svg>",
          "<!--",
          "-->",
          "]]>",
          "<![CDATA[",
          "javascript:alert(1)",
          "&lt;",
          "&#60;b&#62;",
          "{{1}}",
        ],
        ...[
          "<a href=//x>",
          "<base href=//x>",
          "<iframe>",
          "<meta http-equiv=refresh>",
          "url(//x)",
          "`",
          "\\",
          "\u2028",
          "\ufeff",
          "<",
        ],
      ),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(""));

interface Attributed {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

/** Each element with each of its attributes: "A href". */
function structure(page: Document): Set<string> {
  const found = new Set<string>();
  for (const element of page.querySelectorAll("*") as unknown as Iterable<Attributed>) {
    found.add(element.tagName);
    for (const { name } of element.attributes) found.add(`${element.tagName} ${name}`);
  }
  return found;
}

const values = rows(12);

async function reportWith(names: readonly string[], kind: "trees" | "linear"): Promise<string> {
  const name = (i: number) => names[i % names.length]!;
  const data = build(
    values.map(({ list, id, label, features }, i) => ({
      list: `${name(i % 3)} ${list}`,
      id: `${name(i)} ${id}`,
      label,
      features,
    })),
    { features: [`${name(0)} a`, `${name(1)} b`, `${name(2)} c`] },
  );
  const model = kind === "trees" ? trees({ rounds: 3, minItems: 2 }) : linear();
  const fitted = fit(data, { model, valid: data, metrics: metricList("ndcg@3") });
  const training = { ...fitted.training, objective: name(1), model: name(2) };
  return report({
    ...{ name: name(0), file: { model: fitted.model, training, metrics: fitted.metrics }, metrics: metricList("ndcg@3") },
    ...{ commands: [name(1)], judged: { name: name(2), data }, train: { name: name(0), data }, history: fitted.history },
    against: [{ name: name(1), data, model: fitted.model }],
  });
}

describe("a report", () => {
  it.each(["trees", "linear"] as const)("of %s has no element and no attribute that names brought in", async (kind) => {
    const plain = structure(open(await reportWith(["one", "two", "three"], kind)));
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 3, maxLength: 3 }), async (names) => {
        const page = open(await reportWith(names, kind));
        expect([...structure(page)].filter((one) => !plain.has(one))).toEqual([]);
        expect([...page.querySelectorAll("script")].map(({ textContent }) => textContent)).toEqual([script]);
        for (const link of page.querySelectorAll("[href]")) expect(link.getAttribute("href")).toMatch(/^(#[\w-]+|data:,)$/);
        const meta = page.querySelector('meta[http-equiv="Content-Security-Policy"]')!;
        expect(meta.getAttribute("content")).toBe(policy);
      }),
      { numRuns: 12, examples: [[["", "", "\n<script>alert(1)</script>"]]] },
    );
  });
});

it("a drawing has no element and no attribute that names brought in", () => {
  const drawn = (names: readonly string[]) =>
    structure(
      open(
        caterpillar(
          names.map((name, i) => ({ name, value: i, low: i - 1, high: i + 1, rank: name })),
          { title: names[0]!, axis: names[1]! },
        ),
      ),
    );
  const plain = drawn(["one", "two", "three"]);
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 3, maxLength: 3 }), (names) => {
      expect([...drawn(names)].filter((one) => !plain.has(one))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

const formulas = fc.oneof(
  fc.tuple(fc.constantFrom("=", "+", "-", "@", "'", "'=", "''-", "'x", ""), fc.string({ maxLength: 8 })).map(([a, b]) => a + b),
  fc.constantFrom('=HYPERLINK("x","y")', "@SUM(1)", "-5", "+1e3", "=1+1", "-1+1", "'", "'-5"),
);

describe("a table for spreadsheets", () => {
  it("begins no text cell like a formula, and is read back by our reader", () => {
    fc.assert(
      fc.property(fc.array(formulas, { minLength: 3, maxLength: 3 }), (drawn) => {
        const [list, id, feature] = drawn.map((text) => text.replace(/\p{Cc}/gu, "").trim()) as [string, string, string];
        fc.pre(list !== "" && id !== "" && feature !== "" && !["label", "qid", "id"].includes(feature.toLowerCase()));
        fc.pre(!/^"|"$/.test(list + id + feature));
        const table = csvText({ head: ["label", "qid", "id", feature], rows: [[1, list, id, -0.5], [0, list, "other", 2]] }); // biome-ignore format: rows
        for (const [, cell] of table.matchAll(/("(?:[^"]|"")*"|[^",\n]*)(?:[,\n]|$)/g))
          if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(/^"?[=+\-@]/);
        const { data } = parseData([{ name: "t.csv", content: table }], { id: "id" });
        expect(data.names.lists).toEqual([list]);
        expect(data.names.entries).toEqual([id, "other"]);
        expect(data.names.features).toEqual([feature]);
        expect([...data.features.values]).toEqual([-0.5, 2]);
      }),
      { numRuns: 300 },
    );
  });
});

const CONTROL = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const troubled = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\u001b[2J",
        "\u001b]0;x\u0007",
        "\u009b31m",
        "\u202e",
        "\u2066",
        "\u0008",
        "\u007f",
        "\u0085",
        "\u2028",
        "\r",
        "\u000b",
      ),
      fc.string({ maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => `n${pieces.join("").replace(/["#>=~\n]/g, "")}n`);

describe("on a terminal", () => {
  it("no command prints a control character of a name", async () => {
    const cwd = folder();
    const quoted = (text: string) => `"${text}"`;
    const how = ["--qid", "query", "--id", "doc"];
    for (const [a, b, c] of fc.sample(fc.tuple(troubled, troubled, troubled), { numRuns: 6, seed: 7 })) {
      const lines = values.map(({ list, id, label, features: [x, y] }) =>
        [quoted(a! + list), quoted(b! + id), label, x, y].join(","),
      );
      writeFileSync(join(cwd, "t.csv"), `query,doc,label,${quoted(`${c}x`)},y\n${lines.join("\n")}\n`);
      const [p, q] = [a, b].map((name, i) => quoted(`${i}${name!.replace(/[\u2028\u2029\u0085\r\v]/g, "")}`)); // a line ends nowhere else
      writeFileSync(join(cwd, "b.orders"), `${p} > ${q} > z\n${q} > ${p} > z\nz > ${q} > ${p}\n${p} > z > ${q}\n`);
      writeFileSync(
        join(cwd, "m.csv"),
        `model_a,model_b,winner\n${`${p},${q},model_a\n${q},${p},model_a\n${p},${q},tie\n`.repeat(5)}`,
      );
      await succeed(["train", "t.csv", ...how, "--out", "l.json", "--quiet"], { cwd });
      await succeed(["train", "t.csv", ...how, "--model", "trees:rounds=2,min-items=2", "--out", "t.json", "--quiet"], { cwd });
      await succeed(["train", "b.orders", "--out", "u.json", "--quiet"], { cwd });
      for (const words of [
        ["train", "t.csv", ...how, "--hold-out", "0.3"],
        ["train", "t.csv"],
        ["evaluate", "l.json", "t.csv", "-q"],
        ["evaluate", "l.json", "t.csv", "-q", "--json"],
        ...["trec", "tsv", "jsonl", "qrels"].map((format) => ["rank", "l.json", "t.csv", "--format", format]),
        ["rank", "l.json", "t.csv", "--probabilities"],
        ...["l.json", "t.json", "u.json"].flatMap((model) => [["show", model], ["show", model, "--json"]]), // biome-ignore format: two
        ["show", "t.json", "--tree", "0"],
        ["explain", "t.json", "t.csv"],
        ["inspect", "t.csv"],
        ["importance", "t.json", "t.csv", "--per-list"],
        ["compare", "l.json", "t.json", "t.csv", "--resamples", "50"],
        ["leaderboard", "m.csv"],
        ["leaderboard", "m.csv", "--json"],
        ["compare-ties", "b.orders", "--parts", "2"],
        ["blend", "l.json", "t.json", "--valid", "t.csv"],
        ["convert", "t.json", "t.txt"],
      ]) {
        const { out, err } = await tierwise(words, { cwd });
        expect(out + err, words.join(" ")).not.toMatch(CONTROL);
      }
    }
  });
});
