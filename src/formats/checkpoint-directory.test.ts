import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { checkpointDirectory } from "./checkpoint-directory.ts";

const root = mkdtempSync(join(tmpdir(), "tierwise-checkpoints-"));
afterAll(() => rmSync(root, { recursive: true }));
const bytes = (...values: number[]) => Uint8Array.from(values);

it("keeps the last two of each name, the newest first, and other files", () => {
  const path = join(root, "a", "b");
  const store = checkpointDirectory(path);
  expect([store.where, store.isEmpty(), store.load("x")]).toEqual([path, true, []]);
  for (let i = 1; i <= 12; i++) store.save("x", bytes(i));
  store.save("y", bytes(100));
  writeFileSync(join(path, "notes.txt"), "mine");
  writeFileSync(join(path, ".tierwise-00ff00ff.part"), "half"); // of a process that was killed
  expect(store.load("x").map((one) => [...one])).toEqual([[12], [11]]);
  expect(store.load("y").map((one) => [...one])).toEqual([[100]]);
  expect(store.isEmpty()).toBe(false);
  store.remove("x");
  expect(store.load("x")).toEqual([]);
  store.save("y", bytes(101));
  expect(readdirSync(path).sort()).toEqual(["notes.txt", "y.000001.checkpoint", "y.000002.checkpoint"]);
  store.clear();
  expect(store.isEmpty()).toBe(true);
  expect(readdirSync(path)).toEqual(["notes.txt"]);
});

it("saves bytes that threads share", () => {
  const store = checkpointDirectory(join(root, "shared"));
  const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(7);
  store.save("x", shared);
  expect([...store.load("x")[0]!]).toEqual([7, 7, 7]);
});

it("a name that begins like another is another", () => {
  const store = checkpointDirectory(join(root, "names"));
  store.save("fold-1", bytes(1));
  store.save("fold-1.000002", bytes(2));
  expect(store.load("fold-1").map((one) => [...one])).toEqual([[1]]);
});

it("refuses what is no path, and what cannot be written", () => {
  expect(() => checkpointDirectory("")).toThrow("checkpointDirectory: expected a text that is not empty");
  expect(() => checkpointDirectory(3 as never)).toThrow(InputError);
  writeFileSync(join(root, "file"), "");
  expect(() => checkpointDirectory(join(root, "file")).save("x", bytes(1))).toThrow(InputError);
});
