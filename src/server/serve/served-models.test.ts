/** When versions of a served model are forgotten. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { RankPool } from "./rank-pool.ts";
import { ServedModels } from "./served-models.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-served-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Models whose file has a text as its content, in a pool that notes what it forgets. */
async function serving() {
  const [added, forgotten]: [string[], string[]] = [[], []];
  let digest = 0;
  const pool = {
    load: async () => ({ record: {}, facts: { digest: String(++digest), features: ["x"] } }),
    addModel: async (key: string) => void added.push(key),
    forget: (key: string) => void forgotten.push(key),
  } as unknown as RankPool;
  const models = new ServedModels(
    pool,
    Object.assign(() => {}, { flush() {} }),
    { loaded() {}, refused() {} },
    undefined,
  );
  const path = join(folder, "model.json");
  let length = 0;
  const change = async () => {
    writeFileSync(path, "x".repeat(++length));
    await models.check();
  };
  writeFileSync(path, "");
  await models.add({ name: "m", path });
  return { models, change, added, forgotten };
}

it("a version that no request needs is forgotten when another takes its place", async () => {
  const { models, change, added, forgotten } = await serving();
  const entry = models.find("m");
  models.release(entry, models.use(entry));
  expect(forgotten).toEqual([]);
  await change();
  expect(added).toEqual(["m@1", "m@2"]);
  expect(forgotten).toEqual(["m@1"]);
});

it("a version that requests need is forgotten after the last of them", async () => {
  const { models, change, forgotten } = await serving();
  const entry = models.find("m");
  const [first, second] = [models.use(entry), models.use(entry)];
  await change();
  const third = models.use(entry);
  expect([first.key, second.key, third.key]).toEqual(["m@1", "m@1", "m@2"]);
  models.release(entry, first);
  expect(forgotten).toEqual([]);
  models.release(entry, third);
  expect(forgotten).toEqual([]);
  models.release(entry, second);
  expect(forgotten).toEqual(["m@1"]);
});
