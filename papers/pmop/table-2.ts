/**
 * Table 2: cost against list length. The paper counts operations: N² for pairwise models, N for PMOP and ListMLE. Here is what one evaluation
 * of cost and gradient takes, measured, the least of several runs, and the power of N that the longer lists show.
 */
import { objective } from "../../src/index.ts";
import { codeDigest } from "../code-digest.ts";
import { lines, random } from "../internal.ts";
import { type Cell, type Entry, type Exhibit, plot, table, text } from "../paper.ts";
import { METHODS } from "./systems.ts";

const GRADES = 5;

type Times = readonly number[]; // microseconds, by length

function timeCell(cost: string, lengths: readonly number[]): Cell<Times> {
  return {
    settings: { kind: "pmop-time", objective: cost, lengths },
    get code() {
      return codeDigest(["papers/pmop/table-2"], { objective: [cost] });
    },
    title: `time of ${cost}`,
    weight: 1,
    run: async () => lengths.map((n) => timeOf(cost, n)),
  };
}

/** The least of many runs, within a tenth of a second or at least three of them. */
function timeOf(text: string, n: number): number {
  const cost = objective(text);
  const draw = random(n);
  const labels = Float32Array.from({ length: n }, () => Math.floor(GRADES * draw()));
  const scores = Float64Array.from({ length: n + cost.auxiliary.length }, () => draw());
  const gradient = new Float64Array(scores.length);
  let least = Infinity;
  for (let run = 0, until = performance.now() + 100; run < 3 || performance.now() < until; run++) {
    const begun = performance.now();
    cost.evaluate(scores, labels, { gradient }, random(run));
    least = Math.min(least, performance.now() - begun);
  }
  return Math.round(least * 1e5) / 100;
}

/** The slope of log time over log length from the fourth length on. */
function power(lengths: readonly number[], times: Times): number {
  const points = lengths.map((n, i) => [Math.log(n), Math.log(times[i]!)] as const).slice(-4);
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean(([x, y]) => (x - mx) * (y - my)) / mean(([x]) => (x - mx) ** 2);
}

export const table2: Exhibit = {
  id: "table-2",
  title: "Table 2: cost against list length",
  sets: [],
  plan(lab) {
    const lengths = (lab.quick ? [4, 5, 6, 7, 8, 9] : [5, 6, 7, 8, 9, 10, 11, 12]).map((power) => 2 ** power);
    const cells = METHODS.map(({ objective }) => timeCell(objective, lengths));
    return {
      cells,
      show(value) {
        const found = METHODS.map(({ name }, m) => ({ name, times: value(cells[m]!), power: power(lengths, value(cells[m]!)) }));
        const rows = found.map(({ name, times, power }): Entry[] => [
          name,
          ...times.map((time) => ({ value: time, digits: time < 100 ? 1 : 0 })),
          { value: power, digits: 2 },
        ]);
        const series = found.map(({ name, times }) => ({ name, points: lengths.map((n, i) => [n, times[i]!] as const) }));
        const steep = found.filter(({ power }) => power > 1.5).map(({ name }) => name);
        const flat = found.filter(({ power }) => power <= 1.5).map(({ name }) => name);
        return {
          findings: [
            `Time grows about as N² for ${steep.join(", ") || "none"}, and about as N for ${flat.join(", ") || "none"}.`,
          ],
          blocks: [
            text(
              `Microseconds of one evaluation of cost and gradient of a list of N items with ${GRADES} grades, one thread; the least of several runs, since machines are shared. The power is the slope over the four longest lists. Pairwise costs that are sums over margins can be had by sorting, and are here where that pays.`,
            ),
            table({ title: "", head: ["method", ...lengths.map((n) => `N = ${n}`), "power"], rows }),
            plot(
              "time",
              "time of an evaluation against list length",
              lines(series, {
                title: "One evaluation of cost and gradient",
                note: `${GRADES} grades, one thread`,
                x: "items N",
                y: "microseconds",
              }),
            ),
          ],
        };
      },
    };
  },
};
