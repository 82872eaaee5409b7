/**
 * Figure 4: the paper shows that its result does not depend much on its two settings, the number T of nodes and the shift c. With the rule
 * used here there is nothing to choose: one training in double and one in single precision end at the same place. Beside it stands the
 * error of the paper's rule for the log-likelihood over both of its settings.
 */
import { objective } from "../../src/index.ts";
import { codeDigest } from "../code-digest.ts";
import { delicious } from "../data-sets.ts";
import { exp, expm1, lines, log, random } from "../internal.ts";
import { type Cell, type Entry, type Exhibit, plot, table, text } from "../paper.ts";
import { type Outcome, trialCell } from "../trial.ts";

const NODES = [10, 100, 1000, 10_000];
const SHIFTS = [0, 2, 4, 6, 8, 10, 12]; // w_R + c
const PRECISIONS = ["double", "single"];
const LOST = 1e3; // an error so large counts as infinite, which JSON cannot hold
/** Items and relevant items of the data sets of the paper. */
const SHAPES = [
  { name: "D-1K", items: 983, relevant: 19 },
  { name: "W-31K", items: 30_938, relevant: 19 },
];

type Errors = { readonly midpoint: readonly (readonly number[])[]; readonly single: number }; // by nodes, then shift

/** Errors of log P(S > R) against double precision, the largest of ten draws of normal-like utilities. */
function errorCell({ name, items, relevant }: (typeof SHAPES)[number]): Cell<Errors> {
  return {
    settings: { kind: "quadrature", lost: LOST, items, relevant, nodes: NODES, shifts: SHIFTS },
    get code() {
      return codeDigest(["papers/pl-partition/figure-4"], { objective: ["pl-partition"] });
    },
    title: `error of the quadrature at the shape of ${name}`,
    weight: 3,
    run: async () => {
      const labels = new Float32Array(items).fill(1, 0, relevant);
      const worst = { midpoint: NODES.map(() => SHIFTS.map(() => 0)), single: 0 };
      for (let draw = 0; draw < 10; draw++) {
        const r = random(4, draw);
        // What a trained network gives: relevant items a few units above the rest.
        const scores = Float64Array.from({ length: items }, (_, i) => 3 * (r() + r() - 1) + (i < relevant ? 4 : 0));
        const cost = (text: string) => -objective(text).evaluate(scores, labels, { gradient: new Float64Array(items) }, r);
        const exact = cost("pl-partition");
        worst.single = Math.max(worst.single, Math.abs(cost("pl-partition:precision=single") - exact));
        NODES.forEach((nodes, t) => {
          SHIFTS.forEach((shift, c) => {
            worst.midpoint[t]![c] = Math.max(
              worst.midpoint[t]![c]!,
              Math.min(LOST, Math.abs(midpoint(scores, relevant, nodes, shift) - exact)),
            );
          });
        });
      }
      return worst;
    },
  };
}

/**
 * The paper's rule: log of A ∫ v^(A - 1) Π (1 - v^(e^(w_i + c))) dv over T mid-points v, A = e^(w_R + c), the first items being the tier and
 * w_R the log of the others' mass. The shift c is a setting of the paper, which centres the utilities; `shift` is w_R + c.
 */
export function midpoint(scores: Float64Array, relevant: number, nodes: number, shift: number): number {
  let mass = 0;
  for (let i = relevant; i < scores.length; i++) mass += exp(scores[i]!);
  const c = shift - log(mass);
  const power = exp(shift);
  let sum = 0;
  for (let t = 0; t < nodes; t++) {
    const level = log((t + 0.5) / nodes);
    let product = exp((power - 1) * level);
    for (let i = 0; i < relevant; i++) product *= -expm1(level * exp(scores[i]! + c));
    sum += product;
  }
  return shift + log(sum / nodes);
}

export const figure4: Exhibit = {
  id: "figure-4",
  title: "Figure 4: sensitivity to the quadrature",
  sets: [delicious],
  plan(lab) {
    const found = lab.find(delicious);
    const trainings: Cell<Outcome>[] = found
      ? PRECISIONS.map((precision) =>
          trialCell(
            lab,
            found,
            0,
            1,
            {
              model: `mlp:hidden=256,batch=128,rate=0.001,epochs=${lab.quick ? 2 : 12}`,
              objective: precision === "double" ? "pl-partition" : `pl-partition:precision=${precision}`,
              metrics: "precision@1,precision@5,ndcg@5",
              keep: "precision@5",
              held: 0.25,
            },
            15,
          ),
        )
      : [];
    const errors = SHAPES.map(errorCell);
    return {
      cells: [...errors, ...trainings],
      show(value) {
        const found = errors.map(value);
        const trained = trainings.map((cell) => value(cell).metrics);
        const series = (s: number) => [
          ...SHIFTS.map((shift, c) => ({
            name: `mid-points, w_R + c = ${shift}`,
            points: NODES.map((nodes, t) => [nodes, Math.max(1e-16, found[s]!.midpoint[t]![c]!)] as const),
          })),
        ];
        const ends = (of: (...errors: number[]) => number) =>
          of(...found.map(({ midpoint }) => of(...midpoint.at(-1)!))).toExponential(1);
        const same =
          trained.length === 2
            ? [
                `Trained in double and in single precision, P@5 on Delicious is ${trained.map((one) => (100 * one["precision@5"]!).toFixed(2)).join(" and ")} per cent.`,
              ]
            : [];
        return {
          findings: [
            ...same,
            `The paper's rule errs in the log-likelihood, at T = 10,000, by ${ends(Math.min)} to ${ends(Math.max)}, depending on the shift; single precision here by ${Math.max(...found.map(({ single }) => single)).toExponential(1)}, with nothing to choose.`,
          ],
          blocks: [
            text(
              "Error of log P(S > R) against double precision, whose own error is below 1e-12: the largest of ten draws with relevant items about four units above the others. The paper's rule has a shift c of the utilities, for which it asks 2 < e^(w_R + c) < C with some C; its settings are T = 10,000 and c = 5, and what w_R is then depends on what the network learns.",
            ),
            ...SHAPES.flatMap(({ name, items, relevant }, s) => [
              table({
                title: `${name}: ${items} labels, ${relevant} relevant`,
                head: ["rule", ...SHIFTS.map((shift) => `w_R + c = ${shift}`)],
                rows: [
                  ...NODES.map((nodes, t): Entry[] => [
                    `mid-points, T = ${nodes}`,
                    ...found[s]!.midpoint[t]!.map((error) => (error < LOST ? error.toExponential(1) : "∞")),
                  ]),
                  ["ours, precision=single", ...SHIFTS.map(() => found[s]!.single.toExponential(1))],
                ],
              }),
              plot(
                `quadrature-${name.toLowerCase()}`,
                `error of the log-likelihood against the number of nodes, ${name}`,
                lines(series(s), {
                  title: `Error of the log-likelihood, ${name}`,
                  note: `here ${found[s]!.single.toExponential(1)} in single precision`,
                  x: "mid-points T",
                  y: "error",
                }),
              ),
            ]),
            ...(trained.length === 2
              ? [
                  table({
                    title: `Delicious, ${lab.quick ? 2 : 12} passes, per cent`,
                    head: ["precision", ...Object.keys(trained[0]!)],
                    rows: PRECISIONS.map((precision, i): Entry[] => [
                      precision,
                      ...Object.values(trained[i]!).map((one) => ({ value: 100 * (one ?? Number.NaN), digits: 2 })),
                    ]),
                  }),
                ]
              : []),
          ],
        };
      },
    };
  },
};
