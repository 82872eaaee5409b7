/** Data and trials for tests of `autoTrain`. */
import type { AutoOptions, AutoTrained } from "../src/auto.ts";
import type { Dataset } from "../src/types.ts";

// Threads run the built JavaScript, so these tests do too.
export const at = (path: string) => new URL(`../dist/src/${path}`, import.meta.url).href;
export const library = (await import(at("index.js"))) as typeof import("../src/index.ts");
export const { autoFolds } = (await import(at("auto-folds.js"))) as typeof import("../src/auto-folds.ts");
export const { random, below } = (await import(at("numeric/random.js"))) as typeof import("../src/numeric/random.ts");
const { autoTrain, build, serializeModel } = library;

export function rowsOf(seed: number, lists: number, items = 6) {
  const draw = random(seed);
  return Array.from({ length: lists * items }, (_, i) => {
    const features = [draw(), draw(), draw()];
    return { list: `q${Math.floor(i / items)}`, label: below(draw, 2) + (features[0]! + features[1]! > 1 ? 1 : 0), features };
  });
}
export const data = build(rowsOf(1, 30));
export const quick = { folds: 2, patience: 2, threads: 1, blocking: true } as const;
export const bytes = (found: AutoTrained) => serializeModel(found);
export const run = (options: AutoOptions, from: Dataset = data) => autoTrain(from, { ...quick, ...options });

export const text = (seed: number, lists: number) =>
  rowsOf(seed, lists)
    .map(
      ({ list, label, features }) =>
        `${label} qid:${list.slice(1)} ${features.map((v, i) => `${i + 1}:${v.toFixed(4)}`).join(" ")}\n`,
    )
    .join("");
