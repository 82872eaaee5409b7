/** Which likelihood for which world: data whose truth follows each model's own assumptions, under all of them. */
import { type Entry, type Exhibit, type Paper, table, text, type Values } from "../paper.ts";
import { likelihoodsOf, OF_PAIRS, OF_TIERS, type Outcome, worldCell } from "./fits.ts";
import { heldOut } from "./held-out.ts";
import { isPairs, WORLDS, type World } from "./simulate.ts";

const rightFor = (world: World) => Object.entries({ ...OF_TIERS, ...OF_PAIRS }).find(([, home]) => home === world)![0];

/** A pair says less than a ballot of seven items, so there are so many for each. */
const PAIRS = 10;

interface Compared {
  readonly loss: number; // of likelihood, to that of the right one
  readonly error: number; // standard error of the loss over repetitions
  readonly tau: number;
}

/** What a likelihood loses to the right one, over repetitions. */
export function compare(outcomes: readonly Outcome[], spec: string, right: string): Compared {
  const losses = outcomes.map((one) => one[right]!.likelihood - one[spec]!.likelihood);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const loss = mean(losses);
  const variance = losses.reduce((sum, value) => sum + (value - loss) ** 2, 0) / Math.max(1, losses.length - 1);
  return { loss, error: Math.sqrt(variance / losses.length), tau: mean(outcomes.map((one) => one[spec]!.tau)) };
}

const worlds: Exhibit = {
  id: "likelihoods",
  title: "Which likelihood for which world",
  sets: [],
  plan(lab) {
    const [counts, seeds] = lab.quick ? [[100], [1, 2]] : [[100, 1000], Array.from({ length: 20 }, (_, i) => i + 1)];
    const groups = WORLDS.flatMap((world) =>
      counts
        .map((few) => few * (isPairs(world) ? PAIRS : 1))
        .map((count) => ({ world, count, cells: seeds.map((seed) => worldCell(world, count, seed)) })),
    );
    return {
      cells: groups.flatMap(({ cells }) => cells),
      show(value: Values) {
        const found = groups.map(({ world, count, cells }) => ({ world, count, outcomes: cells.map((cell) => value(cell)) }));
        const rowsOf = (pairs: boolean) =>
          found
            .filter(({ world }) => isPairs(world) === pairs)
            .map(({ world, count, outcomes }): Entry[] => [
              world,
              { value: count, digits: 0 },
              ...likelihoodsOf(world).flatMap((spec): Entry[] => {
                const { loss, error, tau } = compare(outcomes, spec, rightFor(world));
                return [
                  spec === rightFor(world) ? "right" : `${loss.toFixed(4)} ± ${error.toFixed(4)}`,
                  { value: tau, digits: 3 },
                ];
              }),
            ]);
        const losses = found.flatMap(({ world, count, outcomes }) =>
          likelihoodsOf(world)
            .filter((spec) => spec !== rightFor(world))
            .map((spec) => ({ world, count, spec, ...compare(outcomes, spec, rightFor(world)) })),
        );
        const won = losses.filter(({ loss, error }) => loss > 2 * error);
        const lost = losses.filter(({ loss, error }) => loss < -2 * error);
        const worst = losses.reduce((most, one) => (one.loss > most.loss ? one : most));
        return {
          findings: [
            `The right likelihood predicts new ballots better than a wrong one, beyond two standard errors, in ${won.length} of ${losses.length} comparisons, and worse in ${lost.length}.`,
            `The most costly wrong assumption is ${worst.spec} in the world of ${worst.world} (${worst.count} ballots): ${worst.loss.toFixed(4)} nats for each ballot.`,
          ],
          blocks: [
            text(
              `Ballots of 7 of 20 items in two to four tiers, or pairs, whose truth follows one model (papers/worlds/simulate.ts); utilities are fitted under each likelihood with the prior ghost=0.5 and judged by 2,000 other ballots, ${seeds.length} repetitions. Loss: held-out log-likelihood of a ballot under the right model minus that under this one, in nats, ± its standard error. All likelihoods of the first table are probabilities of the tiers given their sizes, so that they compare. Tau: Kendall's between fitted and true utilities.`,
            ),
            table({
              title: "Tiers",
              head: ["world", "ballots", ...Object.keys(OF_TIERS).flatMap((spec) => [`loss of ${spec}`, "tau"])],
              rows: rowsOf(false),
            }),
            table({
              title: "Pairs with ties",
              head: ["world", "ballots", ...Object.keys(OF_PAIRS).flatMap((spec) => [`loss of ${spec}`, "tau"])],
              rows: rowsOf(true),
            }),
          ],
        };
      },
    };
  },
};

export const simulatedWorlds: Paper = {
  id: "worlds",
  title: "Which likelihood for which world",
  source: "Our own simulation and comparison",
  about: "ballots whose truth follows each likelihood's own assumptions, fitted under all of them; and real data",
  exhibits: [worlds, heldOut],
};
