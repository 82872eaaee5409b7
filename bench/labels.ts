/**
 * How many samples a second does a network over a large item set of labels train on? The shape of Wiki10-31K by default (--shape d200k:
 * Delicious-200K, a670k: Amazon-670K, which --negatives 1000 makes affordable), with features drawn evenly, so that hardly any occurs
 * twice: real text is kinder to sparse steps. PyTorch runs the same network in the same run where TORCH_PYTHON or python3 has it. Medians
 * and bests of single steps, and samples in a second of processor time, all threads and their waiting for each other counted, since machines
 * are shared. Then label trees beside omikuji, on a share of the shape of Amazon-670K (--share 1: all of it, which takes long; --files
 * TRAIN,TEST: on files; --shape none: only this).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { learner, objective, train } from "../src/index.ts";
import { random } from "../src/numeric/random.ts";
import type { Dataset } from "../src/types.ts";
import { peakAndProducts } from "./labels/peak.ts";
import { labelTrees } from "./labels/trees.ts";

const shapes = {
  w31k: { features: 101_938, nonzero: 670, labels: 30_938, relevant: 19, hidden: 256, batch: 128 },
  d200k: { features: 782_585, nonzero: 301, labels: 205_443, relevant: 75, hidden: 256, batch: 128 },
  a670k: { features: 135_909, nonzero: 76, labels: 670_091, relevant: 5, hidden: 256, batch: 128 },
} as const;

const { values: given } = parseArgs({
  options: {
    shape: { type: "string", default: "w31k" },
    steps: { type: "string", default: "12" },
    threads: { type: "string", default: "1,2" },
    objectives: { type: "string", default: "pl-partition,pl-lb,ranknet" },
    rivals: { type: "string", default: "pl-lb/dense,pl-lb/sparse,pl-partition/dense,pl-partition/sparse" },
    lists: { type: "string" },
    negatives: { type: "string", default: "0" },
    share: { type: "string", default: "0.02" },
    trees: { type: "string", default: "label-tree" },
    files: { type: "string" },
  },
});
const shape = shapes[given.shape as keyof typeof shapes];
if (!shape && given.shape !== "none") throw new Error(`--shape: expected ${Object.keys(shapes).join(", ")} or none`);
const steps = Number(given.steps);

/** k different numbers below n, ascending. */
function some(draw: () => number, n: number, k: number): Uint32Array {
  const found = new Set<number>();
  while (found.size < k) found.add(Math.floor(draw() * n));
  return Uint32Array.from(found).sort();
}

function made(lists: number): Dataset {
  const { features, nonzero, labels, relevant } = shape!;
  const draw = random(1);
  const [indices, items] = [new Uint32Array(lists * nonzero), new Uint32Array(lists * relevant)];
  for (let q = 0; q < lists; q++) {
    indices.set(some(draw, features, nonzero), q * nonzero);
    items.set(some(draw, labels, relevant), q * relevant);
  }
  return {
    starts: Uint32Array.from({ length: lists + 1 }, (_, q) => q * relevant),
    labels: new Float32Array(items.length).fill(1),
    items,
    labelSpaceSize: labels,
    features: {
      ...{ kind: "sparse", rows: lists, columns: features, absent: 0, indices },
      starts: Uint32Array.from({ length: lists + 1 }, (_, q) => q * nonzero),
      values: new Float32Array(indices.length).map(() => draw()),
    },
    base: 0,
    names: {},
  };
}

const row = (who: string, threads: number, cost: string, ...paces: readonly number[]) =>
  console.log(`${who.padEnd(24)} ${threads} ${cost.padEnd(14)}${paces.map((pace) => pace.toFixed(0).padStart(8)).join("")}`);

async function ours(data: Dataset, cost: string, threads: number, sparse: string): Promise<void> {
  const stamps: number[] = [];
  const spent: number[] = [];
  await train(data, {
    model: learner(`mlp:hidden=${shape!.hidden},batch=${shape!.batch},epochs=1,sparse=${sparse},negatives=${given.negatives}`),
    ...{ objective: objective(cost), threads },
    onProgress() {
      stamps.push(performance.now());
      const { user, system } = process.cpuUsage();
      spent.push((user + system) / 1000);
    },
  });
  const steps = (of: readonly number[]) => of.slice(3).map((at, i) => at - of[i + 2]!).sort((a, b) => a - b); // biome-ignore format: one chain
  const [times, work] = [steps(stamps), steps(spent)];
  const pace = (ms: number) => (1000 * shape!.batch) / ms;
  row(`tierwise, ${sparse} Adam`, threads, cost, pace(times[times.length >> 1]!), pace(times[0]!), pace(work[work.length >> 1]!));
}

function others(threads: number): void {
  const python = process.env.TORCH_PYTHON ?? "python3";
  if (spawnSync(python, ["-c", "import torch"]).status !== 0) {
    console.log(`PyTorch is not here (${python}; TORCH_PYTHON says where else): left out`);
    return;
  }
  const script = fileURLToPath(new URL("../../bench/labels.py", import.meta.url));
  const { stdout, stderr, status } = spawnSync(
    python,
    [script, JSON.stringify(shape), String(threads), String(steps), given.rivals],
    { encoding: "utf8" },
  );
  if (status !== 0) console.log(`PyTorch failed: ${stderr.trim().split("\n").at(-1)}`);
  for (const line of stdout.trim().split("\n").filter(Boolean)) {
    const { case: name, median, best, work } = JSON.parse(line) as Record<"median" | "best" | "work", number> & { case: string };
    const [cost, adam] = name.split("/") as [string, string];
    row(`PyTorch, ${adam} Adam`, threads, cost, median, best, work);
  }
}

async function networks({ features, nonzero, labels, relevant, hidden, batch }: NonNullable<typeof shape>): Promise<void> {
  console.log(
    `${features} features (${nonzero} nonzero), ${labels} labels (${relevant} relevant), hidden ${hidden}, batch ${batch}`,
  );
  await peakAndProducts(batch, hidden);
  console.log(`${"samples a second".padEnd(24)} threads  cost   median    best  per processor second`);
  const data = made(given.lists ? Number(given.lists) : (steps + 3) * batch);
  for (const threads of given.threads.split(",").map(Number)) {
    for (const cost of given.objectives.split(",")) await ours(data, cost, threads, "exact");
    await ours(data, given.objectives.split(",")[0]!, threads, "lazy");
    if (given.rivals !== "none") others(threads);
  }
  const memory = process.memoryUsage.rss() / 2 ** 30;
  console.log(
    `memory of this process at the end: ${memory.toFixed(1)} GiB, most ${(process.resourceUsage().maxRSS / 2 ** 20).toFixed(1)} GiB`,
  );
}

if (shape) await networks(shape);
const files = given.files?.split(",") as [string, string] | undefined;
for (const threads of given.threads.split(",").map(Number))
  if (Number(given.share) > 0)
    labelTrees({
      ...{ share: Number(given.share), threads, model: given.trees, rival: given.rivals !== "none" },
      ...(files && { files }),
    });
