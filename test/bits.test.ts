/** The same bits: a model does not depend on the number of threads, nor on whether kernels or their plain fallbacks computed it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, root, succeed } from "./cli.ts";

const { usePlain } = (await import(new URL("../dist/src/numeric/kernels.js", import.meta.url).href)) as { usePlain(): void };

const cwd = folder();
const search = `${root}examples/search/train.txt.gz`;
const tests = `${root}examples/search/test.txt.gz`;
const ballots = `${root}examples/ballots/lunch.orders`;

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["linear, pl-partition", [search, "--valid", tests, "--objective", "pl-partition"]],
  ["linear, a sampled objective", [search, "--objective", "plrank", "optimizer=adam(epochs=3)"]],
  ["linear, products of features", [tests, "--model", "linear:l2=1,products=0.25"]],
  ["coordinate-ascent", [tests, "--model", "coordinate-ascent:restarts=3,iterations=2,tolerance=0.5"]],
  ["trees, pl-partition", [search, "--valid", tests, "--model", "trees:rounds=6", "--objective", "pl-partition"]],
  ["trees, a sampled objective", [search, "--model", "trees:rounds=5,feature-fraction=0.5", "--objective", "xendcg"]],
  ["trees, several outputs", [search, "--model", "trees:rounds=3", "--objective", "mcrank"]],
  ["utilities, pl-partition", [ballots]],
  ["utilities, davidson", [ballots, "--objective", "davidson"]],
];

async function trained(words: readonly string[], threads: number, out: string): Promise<string> {
  await succeed(["train", ...words, "--threads", String(threads), "--out", out, "--quiet"], { cwd });
  return createHash("sha256")
    .update(readFileSync(join(cwd, out)))
    .digest("hex");
}

/** The scores of the model, or the bytes of its file where it has only utilities. */
async function scores(words: readonly string[], model: string): Promise<string[][]> {
  if (words[0] === ballots) return [[readFileSync(join(cwd, model), "utf8")]];
  const ranked = await succeed(["rank", model, tests, "--format", "tsv", "--quiet"], { cwd });
  return ranked.trim().split("\n").map((line) => line.split("\t")); // biome-ignore format: one chain
}

it.each(cases)("%s: 1, 2 and 3 threads write the same file", async (_, words) => {
  const hashes = new Set<string>();
  for (const threads of [1, 2, 3]) hashes.add(await trained(words, threads, "model.json"));
  expect(hashes.size).toBe(1);
});

// The last, because kernels stay off. Plain fallbacks are slow, so these trainings are small.
it("kernels and plain fallbacks give scores that agree to 1e-9", async () => {
  const small = cases.map(([name, words]) => [name, words.map((word) => (word === search ? tests : word))] as const);
  const byKernels: string[][][] = [];
  for (const [, words] of small) {
    await trained(words, 1, "fast.json");
    byKernels.push(await scores(words, "fast.json"));
  }
  usePlain();
  for (const [i, [name, words]] of small.entries()) {
    await trained(words, 1, "plain.json");
    const plain = await scores(words, "plain.json");
    const fast = byKernels[i]!;
    expect(plain.length, name).toBe(fast.length);
    fast.forEach(([list, , id, score], row) => {
      expect([plain[row]![0], plain[row]![2]], name).toEqual([list, id]);
      if (score !== undefined) expect(Number(plain[row]![3]), name).toBeCloseTo(Number(score), 9);
    });
  }
});
