/** Figure 2: time and memory of 1,000 steps of batch 20, by number of items. */
import { codeDigest } from "../code-digest.ts";
import { lines } from "../internal.ts";
import { type Cell, type Entry, type Exhibit, plot, table, text } from "../paper.ts";
import { costOf } from "./cost.ts";
import { METHODS } from "./recovery.ts";

type Cost = { readonly seconds: number; readonly megabytes: number; readonly steps: number };

const costCell = (name: string, items: number, seconds: number): Cell<Cost> => ({
  settings: { kind: "cost", method: name, items, seconds },
  get code() {
    return codeDigest(["papers/pl-partition/cost", "src/fit"], {
      model: ["utilities:optimizer=adagrad"],
      objective: [METHODS.find((method) => method.name === name)!.objective],
    });
  },
  title: `cost of ${name} at ${items} items`,
  weight: seconds,
  run: async () => ({ ...costOf(name, items, seconds) }),
});

export const figure2: Exhibit = {
  id: "figure-2",
  title: "Figure 2: time and memory",
  sets: [],
  plan(lab) {
    const sizes = lab.quick ? [100, 1000] : [1000, 10_000, 100_000];
    const seconds = lab.quick ? 1 : 8;
    const cells = sizes.map((items) => METHODS.map(({ name }) => costCell(name, items, seconds)));
    return {
      cells: cells.flat(),
      show(value) {
        const costs = cells.map((row) => row.map(value));
        const [exact, bound] = ["PL-Partition", "PL-LB"].map((name) => METHODS.findIndex((method) => method.name === name)) as [
          number,
          number,
        ];
        const ratios = sizes.map(
          (items, s) => `${(costs[s]![exact]!.seconds / costs[s]![bound]!.seconds).toFixed(2)} at ${items}`,
        );
        const chart = (title: string, y: string, of: (cost: Cost) => number) =>
          lines(
            METHODS.map(({ name, oracle }, m) => ({
              ...{ name, points: sizes.map((items, s) => [items, Math.max(0.01, of(costs[s]![m]!))] as const) },
              ...(oracle && { dashed: oracle }),
            })),
            { title, note: "1,000 steps of batch 20, one thread", x: "items N", y },
          );
        return {
          findings: [`Time of PL-Partition over that of PL-LB: ${ratios.join(", ")} items; the paper: close at 100,000.`],
          blocks: [
            text(
              `Seconds of processor time and megabytes of 1,000 steps of batch 20 on one thread; ~ is scaled from the steps that ${seconds} seconds gave. The paper used a GPU.`,
            ),
            table({
              title: "",
              head: ["N", ...METHODS.map(({ name }) => name)],
              rows: sizes.map((items, s): Entry[] => [
                { value: items, digits: 0 },
                ...costs[s]!.map(
                  (cost) => `${cost.steps < 1000 ? "~" : ""}${cost.seconds.toFixed(1)} s, ${cost.megabytes.toFixed(0)} MB`,
                ),
              ]),
            }),
            plot(
              "time",
              "seconds of 1,000 steps against the number of items",
              chart("Time", "seconds", (cost) => cost.seconds),
            ),
            plot(
              "memory",
              "megabytes against the number of items",
              chart("Memory", "megabytes", (cost) => cost.megabytes),
            ),
          ],
        };
      },
    };
  },
};
