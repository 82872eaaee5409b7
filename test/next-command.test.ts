/** Options of `next` are those of nextPairs. */
import { expect, it } from "vitest";
import { battles } from "../src/data/battles.ts";
import { nextPairs } from "../src/next-pairs.ts";
import { folder, succeed, tierwise } from "./cli.ts";

const names = ["a", "b", "c", "d"];
const fights = Array.from({ length: 60 }, (_, i) => {
  const [first, second] = [names[i % 4]!, names[(i + 1 + (i % 3)) % 4]!];
  return { first, second, winner: (i * 7) % 5 < 2 ? ("first" as const) : ("second" as const) };
});
const cwd = folder({
  "battles.csv": `model_a,model_b,winner\n${fights.map(({ first, second, winner }) => `${first},${second},${winner === "first" ? "model_a" : "model_b"}\n`).join("")}`,
});

it("level, ghost, pairs, battles, top and seed", async () => {
  const words = "--level 0.9 --ghost 1 --pairs 3 --battles 5 --top 2 --seed 4".split(" ");
  const found = JSON.parse(await succeed(["next", "battles.csv", "--json", "--quiet", ...words], { cwd }));
  const wanted = nextPairs(battles(fights), { level: 0.9, ghost: 1, pairs: 3, battles: 5, top: 2, seed: 4 });
  expect(found.pairs).toEqual(JSON.parse(JSON.stringify(wanted.pairs)));
  expect(found.widest).toBe(wanted.widest);
});

it.each(["0", "1", "x", ""])("--level %j is refused", async (level) => {
  const { code, err } = await tierwise(["next", "battles.csv", "--level", level], { cwd });
  expect(code).toBe(2);
  expect(err).toContain(`--level: expected a number between 0 and 1, got ${JSON.stringify(level)}`);
});
