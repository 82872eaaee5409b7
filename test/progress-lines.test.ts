/**
 * What commands show on a terminal while they work, line by line, compared with fixtures/progress-lines.json. The clock advances a tenth of
 * a second whenever it is read, so that no line is left out for following too soon. After a change that is meant, `TIERWISE_STORE=1 npx vitest run test/progress-lines.test.ts` stores them again.
 */
import { afterAll, describe, expect, it, vi } from "vitest";
import { folder, svmlight, tierwise } from "./cli.ts";
import { storedResults } from "./stored.ts";

// Before the imports, because whether there is a terminal is found out when a command is loaded.
const before = vi.hoisted(() => {
  const { isTTY, columns } = process.stderr;
  Object.assign(process.stderr, { isTTY: true, columns: 200 });
  return { isTTY, columns };
});
afterAll(() => void Object.assign(process.stderr, before));

const CLEAR = "\r\u001b[2K";
const battles = Array.from({ length: 60 }, (_, i) => {
  const [first, second] = ["abc"[i % 3], "abc"[(i + 1) % 3]];
  return `${first},${second},${i % 4 ? "model_a" : "model_b"}`;
});
const clicks = Array.from({ length: 120 }, (_, i) =>
  [0, 1, 2].map((k) => `${i},q1,d${(i + k) % 3},${k + 1},${(i + 2 * k) % 3 === 0 ? 1 : 0}`).join("\n"),
);
const cwd = folder({
  "t.txt": svmlight(12),
  "battles.csv": ["model_a,model_b,winner", ...battles].join("\n"),
  "clicks.csv": ["session,query,doc,position,clicked", ...clicks].join("\n"),
});

/** The lines of bars and notices, without the time that is left. */
async function shown(words: readonly string[]): Promise<readonly string[]> {
  let now = 1e12;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 100));
  try {
    const { code, err } = await tierwise(words, { cwd });
    expect(code, err).toBe(0);
    return err
      .split(CLEAR)
      .slice(1)
      .map((line) =>
        line
          .split("\n")[0]!
          .replace(/ {2}[\d.]+ (s|min|h) left$/, "")
          .replace(/at most .*$/, "at most …"),
      );
  } finally {
    clock.mockRestore();
  }
}

const trees = "trees:rounds=4,min-items=2,leaves=3";
const cases: readonly (readonly string[])[] = [
  ["train", "t.txt", "--model", trees, "--out", "m.json"],
  ["train", "t.txt", "--model", trees, "--metrics", "ndcg@3", "--hold-out", "0.3"],
  ["cv", "t.txt", "--folds", "3", "--model", trees],
  ["cv", "t.txt", "--folds", "3", "--no-valid", "--model", "linear"],
  ["tune", "t.txt", "l2=1,2", "--folds", "2", "--model", "linear"],
  ["importance", "m.json", "t.txt"],
  ["rank", "m.json", "t.txt", "--probabilities"],
  ["leaderboard", "battles.csv", "--errors", "bootstrap", "--resamples", "20"],
  ["ratings", "battles.csv", "--compare"],
  ["next", "battles.csv"],
  ["clicks", "clicks.csv"],
];
const same = storedResults("progress-lines");

describe("what a terminal shows of", () => {
  it.each(cases.map((words) => [words.join(" "), words] as const))("%s", async (name, words) => {
    same(name, await shown(words));
  });
});
