import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

const cwd = folder({ "b.orders": "a > b > c\nc > b > a\nb > a > c\na > c > b\n", "t.txt": svmlight(10) });
beforeAll(async () => {
  await succeed(["train", "b.orders", "--out", "u.json", "--quiet"], { cwd });
  await succeed(["train", "t.txt", "--out", "l.json", "--quiet"], { cwd });
});

it("show --plot says where the plot is, unless --quiet, and prints the same as without", async () => {
  const drawings = new Set<string>();
  for (const how of [[], ["--json"], ["--csv"], ["--markdown"], ["--all"]]) {
    const out = await succeed(["show", "u.json", ...how], { cwd });
    const plotted = ["show", "u.json", ...how, "--plot", "p.svg"];
    expect(await tierwise(plotted, { cwd })).toMatchObject({ code: 0, out, err: "The plot is in p.svg.\n" });
    drawings.add(readFileSync(join(cwd, "p.svg"), "utf8"));
    expect(await tierwise([...plotted, "--quiet"], { cwd })).toMatchObject({ code: 0, out, err: "" });
    drawings.add(readFileSync(join(cwd, "p.svg"), "utf8"));
  }
  expect(drawings.size).toBe(1);
  for (const item of "abc") expect([...drawings][0]).toContain(`>${item}</`);
});

it("show --plot of a model without utilities is refused, and writes nothing", async () => {
  const { code, err } = await tierwise(["show", "l.json", "--plot", "l.svg"], { cwd });
  expect([code, err]).toEqual([2, expect.stringMatching(/^tierwise: --plot draws utilities .*: linear[^\n]*\n$/)]);
  expect(existsSync(join(cwd, "l.svg"))).toBe(false);
});
