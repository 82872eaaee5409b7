/** Table 3: how many contexts remain when those that recur among several ground-truth orders are kept once. */
import { contextCompression } from "../../src/index.ts";
import { codeDigest, TRAINING } from "../code-digest.ts";
import { type Found, mq2007Agg, mq2008, ohsumed, search, web10k, web30k, yahoo } from "../data-sets.ts";
import { type Cell, type Entry, type Exhibit, table, text } from "../paper.ts";
import { published } from "../published.ts";
import { loadFold } from "../trial.ts";

type Published = {
  readonly table3: {
    readonly permutations: readonly number[];
    readonly yahoo: readonly number[];
    readonly "mslr-web30k": readonly number[];
  };
};

const sets = [yahoo, web30k, web10k, ohsumed, mq2008, mq2007Agg, search];

const ratioCell = (found: Found, permutations: readonly number[]): Cell<readonly number[]> => ({
  settings: { kind: "compression", data: found.set.id, digest: found.digest, permutations, k: 10, seed: 1 },
  get code() {
    return codeDigest(["papers/plrank/table-3", ...TRAINING], { objective: ["plrank"] });
  },
  title: `contexts of ${found.set.title}`,
  weight: 1,
  run: async () => {
    const { train } = await loadFold(found, 0);
    return permutations.map((count) => contextCompression(train, { permutations: count, k: 10, seed: 1 }).ratio);
  },
});

export const table3: Exhibit = {
  id: "table-3",
  title: "Table 3: compression of contexts",
  sets,
  plan(lab) {
    const { permutations, ...theirs } = published<Published>("plrank").table3;
    const found = sets.flatMap((set) => lab.find(set) ?? []);
    const cells = found.map((one) => ratioCell(one, permutations));
    return {
      cells,
      show(value) {
        const columns = [
          ...found.map(({ set }, i) => ({ title: set.title, ratios: value(cells[i]!) })),
          { title: "Yahoo, the paper's", ratios: theirs.yahoo },
          { title: "Microsoft, the paper's", ratios: theirs["mslr-web30k"] },
        ];
        const last = permutations.length - 1;
        const result = columns.map(({ title, ratios }) => `${title} ${ratios[last]!.toFixed(2)}`);
        return {
          findings: [
            `Of the contexts of ${permutations[last]} orders there remain: ${result.join(", ")}. Fewer ties among the best ten places compress more.`,
          ],
          blocks: [
            text(
              "Contexts that remain of those named by so many random orders of the ten best places, as a share, and how many orders that is the work of. Training lists of the first fold.",
            ),
            table({
              title: "",
              head: ["orders", ...columns.flatMap(({ title }) => [title, ""])],
              rows: permutations.map((count, p): Entry[] => [
                { value: count, digits: 0 },
                ...columns.flatMap(({ ratios }) => [{ value: ratios[p]! }, { value: ratios[p]! * count, digits: 2 }]),
              ]),
            }),
          ],
        };
      },
    };
  },
};
