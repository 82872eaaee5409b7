/** The same bits: a model does not depend on the number of threads, nor on whether kernels or their plain fallbacks computed it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tierwise-bits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const search = `${root}examples/search/train.txt.gz`;
const tests = `${root}examples/search/test.txt.gz`;

function tierwise(words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const main = `${root}dist/src/cli/main.js`;
  return execFileSync(process.execPath, [main, ...words, "--quiet"], { encoding: "utf8", env: { ...process.env, ...env } });
}

function trained(words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const out = join(folder, "model.json");
  tierwise(["train", ...words, "--out", out], env);
  return out;
}

const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

describe.each([
  ["linear, pl-partition", [search, "--valid", tests, "--objective", "pl-partition"]],
  ["linear, a sampled objective", [search, "--objective", "plrank", "optimizer=adam(epochs=3)"]],
  ["linear, products of features", [search, "--model", "linear:l2=1,products=0.25"]],
  ["coordinate-ascent", [search, "--model", "coordinate-ascent:restarts=3,iterations=2,tolerance=0.5"]],
  ["trees, pl-partition", [search, "--valid", tests, "--model", "trees:rounds=10", "--objective", "pl-partition"]],
  ["trees, a sampled objective", [search, "--model", "trees:rounds=5,feature-fraction=0.5", "--objective", "xendcg"]],
  ["trees, several outputs", [search, "--model", "trees:rounds=3", "--objective", "mcrank"]],
  ["utilities, pl-partition", [`${root}examples/ballots/lunch.orders`]],
  ["utilities, davidson", [`${root}examples/ballots/lunch.orders`, "--objective", "davidson"]],
])("%s", (_, words) => {
  it("1, 2 and 3 threads write the same file", () => {
    const hashes = [1, 2, 3].map((threads) => hash(trained([...words, "--threads", String(threads)])));
    expect(new Set(hashes).size).toBe(1);
  });

  it("kernels and plain twins give scores that agree to 1e-9", () => {
    if (words[0] !== search) return expect(hash(trained(words, { TIERWISE_PLAIN: "1" }))).toBe(hash(trained(words)));
    const scores = (env: Readonly<Record<string, string>>) =>
      tierwise(["rank", trained(words, env), tests, "--format", "tsv"], env)
        .trim()
        .split("\n")
        .map((line) => line.split("\t"));
    const [fast, plain] = [scores({}), scores({ TIERWISE_PLAIN: "1" })];
    expect(plain.length).toBe(fast.length);
    fast.forEach(([list, , id, score], i) => {
      expect(plain[i]![0]).toBe(list);
      expect(plain[i]![2]).toBe(id);
      expect(Number(plain[i]![3])).toBeCloseTo(Number(score), 9);
    });
  });
});
