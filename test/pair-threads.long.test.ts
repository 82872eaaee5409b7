/** Utilities of pairs and of longer ballots are the same bytes for one, two and three threads. */
import { expect, it } from "vitest";
import "./cli.ts"; // refuses an old build
import { below, random } from "../src/numeric/random.ts";

// Threads run the built JavaScript, so this test does too.
const library = (await import(new URL("../dist/src/index.js", import.meta.url).href)) as typeof import("../src/index.ts");

/** Ballots of two to `longest` items with ties, of forty items, each of which wins and loses. */
function draw(longest: number, count = 3000): ReturnType<typeof library.ballots> {
  const r = random(longest);
  return library.ballots(
    Array.from({ length: count }, () => {
      const items = [...new Set(Array.from({ length: 2 + below(r, longest - 1) }, () => `item ${below(r, 40)}`))];
      return items.length > 1 && r() < 0.3 ? [items.slice(0, 2), ...items.slice(2)] : items;
    }),
  );
}

it.each(["ranknet", "ranknet:ties=half", "davidson", "rao-kupper", "pl-partition"])(
  "%s",
  async (spec) => {
    for (const longest of [2, 5]) {
      // Of many ballots the likelihood of tiers is fitted to a sample first.
      const data = spec === "pl-partition" && longest === 5 ? draw(longest, 60_000) : draw(longest);
      const files = [];
      for (const threads of [1, 2, 3]) {
        const { model, training } = await library.train(data, {
          model: library.utilities(),
          objective: library.objective(spec),
          threads,
        });
        files.push(library.serializeModel({ model, training, metrics: {} }));
      }
      expect(files[1]).toEqual(files[0]);
      expect(files[2]).toEqual(files[0]);
    }
  },
  120_000,
);
