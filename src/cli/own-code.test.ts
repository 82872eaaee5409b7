import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ownArgument } from "./own-code.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-own-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "mine.mjs");
writeFileSync(
  path,
  'export const metric = (options) => ({ id: "mine", spec: JSON.stringify(options), variant: "", better: "higher", measure: () => 0 });',
);

it("a function is given options as the values that code would give it", async () => {
  const { options } = await ownArgument(
    "--metrics",
    "metric",
    `${path}:on=true,off=false,some=2,less=-1e-3,name=x,none=,far=Infinity,truth=True`,
  );
  expect(options).toEqual({
    ...{ on: true, off: false, some: 2, less: -0.001, name: "x", none: "", far: "Infinity", truth: "True" },
  });
});

it.each([
  ["mine", '--metrics: expected the path of a module, such as ./mine.js or ./mine.js:alpha=2, got "mine"'],
  [`${path}:a`, `--metrics ${path}: expected options as key=value, got "a"`],
  [`${path}:a=1,a=2`, `--metrics ${path}: option a is given twice`],
])("%s is refused", async (text, message) => {
  await expect(ownArgument("--metrics", "metric", text)).rejects.toThrow(message);
});
