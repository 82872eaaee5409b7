/** The parts of scripts/mutation-check.mjs that decide what is changed and where it is seen. */
import { runInThisContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";

interface Site {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly changes: readonly string[];
  readonly probe: { readonly start: number; readonly end: number; readonly statement: boolean };
}
const scripts = new URL("../scripts/mutation/", import.meta.url).href;
const { sitesOf, nearby } = (await import(`${scripts}sites.mjs`)) as {
  sitesOf(source: ts.SourceFile): Site[];
  nearby(text: string, step: number): string;
};
const { withProbes } = (await import(`${scripts}probes.mjs`)) as {
  withProbes(text: string, sites: readonly (Site & { id: number })[]): string;
};

const sites = (text: string) => sitesOf(ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true));
const changed = (text: string) =>
  sites(text).flatMap(({ start, end, changes }) => changes.map((change) => text.slice(0, start) + change + text.slice(end)));

describe("changes of a source", () => {
  it.each([
    ["x = a < b;", ["x = a <= b;", "x = a > b;", ";"]],
    ["const y = a && !b;", ["const y = a || !b;", "const y = a && !!b;"]],
    ["const y = v[i];", ["const y = v[(i) + 1];", "const y = v[(i) - 1];"]],
    ["const y = c ? a : b;", ["const y = (a);", "const y = (b);"]],
    ["if (a) b();", ["{}", "if (a) ;"]],
    ["const y = Math.min(a, b);", ["const y = Math.min(b, a);", "const y = Math.max(a, b);"]],
    ["const y = 5;", ["const y = 6;", "const y = 4;"]],
    ["const y = -a;", ["const y = (a);"]],
  ])("%s", (text, wanted) => expect(changed(text).sort()).toEqual([...wanted].sort()));

  it("are not made to types, imports, names of properties and steps of loops", () => {
    expect(changed('import { a } from "b"; type A = 1 | 2; interface B { c: 3 }')).toEqual([]);
    expect(changed("for (;;i++) {}")).toEqual([]);
    expect(changed("const y = { 7: a };")).toEqual([]);
  });

  it("of a number are off by one in its last digit", () => {
    expect(["10", "0", "0x10", "1e-12", "0.5", "3n"].map((text) => nearby(text, 1))).toEqual([
      "11",
      "1",
      "17",
      "2e-12",
      "0.6",
      "4n",
    ]);
    expect(["10", "0", "1.50", "3n"].map((text) => nearby(text, -1))).toEqual(["9", "1", "1.51", "2n"]);
    expect(Number(nearby("0.333333333333333333", 1))).not.toBe(1 / 3);
  });
});

it("reports of sites leave a program as it is, also where sites contain one another", () => {
  const text = "function f(a, b) { if (a > 1) { return a * b + 2; } let s = 0; for (const x of b) s += x[a - a]; return s; }";
  const all = sites(text).map((site, i) => ({ ...site, id: i }));
  const program = ts.transpile(`${withProbes(text, all)}; ({ f, seen: __site })`, { target: ts.ScriptTarget.ES2022 });
  const { f, seen } = runInThisContext(program) as { f(a: number, b: unknown): number; seen: Record<number, true> };
  expect([f(3, 5), f(1, [[4], [6]])]).toEqual([17, 10]);
  expect(Object.keys(seen).length).toBe(all.length); // both branches have run
});
