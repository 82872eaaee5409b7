/** Scripts import from dist/ without types, so renames in src can break them unnoticed: every imported name must exist. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../scripts/", import.meta.url));
const imports = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".mjs"))
  .flatMap((file) =>
    [...readFileSync(folder + file, "utf8").matchAll(/import \{([^}]*)\} from "([./]*\/dist\/[^"]+)"/g)].map(
      ([, names, from]) => [file, from!, names!.split(",").map((name) => name.trim().split(" as ")[0]!)] as const,
    ),
  );

describe("scripts", () => {
  it("are found", () => expect(new Set(imports.map(([file]) => file)).size).toBeGreaterThan(1));

  it.each(imports)("%s imports from %s what is there", async (file, from, names) => {
    const module = (await import(new URL(from, pathToFileURL(folder + file)).href)) as object;
    expect(Object.keys(module)).toEqual(expect.arrayContaining(names.filter((name) => name !== "")));
  });

  it("bench: lists what there is, and suggests a name", () => {
    const run = (...args: string[]) => spawnSync(process.execPath, [`${folder}bench.mjs`, ...args], { encoding: "utf8" });
    expect(run().stdout.split("\n")).toContain("trees");
    const wrong = run("tree");
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/^no bench is called "tree"; did you mean trees/);
  });
});
