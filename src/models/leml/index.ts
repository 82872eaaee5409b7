/**
 * LEML: labels of low rank, Y ≈ X W Hᵀ, by least squares over all labels, relevant (1, or the grade) and not (0):
 *
 *   cost = ½ ‖Y - X W Hᵀ‖² + λ/2 (‖W‖² + ‖H‖²)
 *
 * W has a row of `rank` numbers for each feature, and one for a feature that is always 1, and H has one for each label. Each round solves for
 * H, where all labels share one matrix of rank by rank, and then improves W by conjugate gradients on X'X W H'H + λ W = X'Y H. Y and X stay
 * sparse. Rows have length 1 unless said otherwise, as is usual with these data. The cost is its own, so it takes no objective. Yu, Jain,
 * Kar and Dhillon 2014, Large-scale Multi-label Learning with Missing Labels, section 4.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { InputError } from "../../input-error.ts";
import { Heap, withHeap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice } from "../../numeric/matmul.ts";
import { gatherRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import { choice, type Fields, integer, part, real } from "../../part.ts";
import { splitEvenly } from "../../teams/blocks.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, Dataset, LabelSpace, Learner, Model, Run, SavedModel, TopItems } from "../../types.ts";
import { sameItems } from "../mlp/model.ts";
import { allocTop, labelScores, type Network, topOf } from "../mlp/predict.ts";
import { factorize, solve } from "../shared/cholesky.ts";
import { checkColumns, checkScoring, columnsOf } from "../shared/columns.ts";
import { savedFloats, savedIntegers, savedLabelSpace, saveLabelSpace, writable } from "../shared/saved.ts";
import { type Entries, entriesOf, type Transposed, transpose, withOnes } from "../shared/sparse.ts";
import { standardize } from "../standardize.ts";

/** Options of `leml`. */
export interface LemlOptions {
  /** Rank of the factorization. A whole number above 0. Default: 100. */
  readonly rank: number;
  /** Weight of the squared numbers in the cost. A number above 0. Default: 1. */
  readonly l2: number;
  /** Alternating rounds. A whole number above 0. Default: 10. */
  readonly rounds: number;
  /** Steps of conjugate gradients in each round. A whole number above 0. Default: 10. */
  readonly steps: number;
  /** Rows of length 1, features standardized over all the data, or unscaled. Default: "row". */
  readonly scale: "row" | "all" | "none";
}

const fields: Fields<LemlOptions> = {
  rank: integer(100, "rank of the factorization", { above: 0, aliases: ["dimension"] }),
  l2: real(1, "weight of the squared numbers in the cost", { above: 0, aliases: ["lambda", "reg-lambda"] }),
  rounds: integer(10, "alternating rounds", { above: 0, aliases: ["iterations"] }),
  steps: integer(10, "steps of conjugate gradients in each round", { above: 0 }),
  scale: choice(["row", "all", "none"], "rows of length 1, features standardized over all the data, or unscaled"),
};

interface Options {
  readonly rank: number;
  readonly l2: number;
  readonly rounds: number;
  readonly steps: number;
}

/** Labels of low rank by least squares; `leml` on the command line. */
export const leml = part("leml", "labels of low rank by least squares", fields, ({ scale, ...options }, spec): Learner => {
  const plain: Learner = {
    id: "leml",
    spec,
    supportsLabelSpace: true,
    cost: "squared error of all labels",
    learn: (data, _objective, run) => {
      const network = fitFactors(data, run, options);
      const names = data.names.items;
      const labelSpace = { count: data.labelSpaceSize!, frequency: labelFrequency(data), ...(names && { names }) };
      return lemlModel(columnsOf(data), network, labelSpace);
    },
  };
  const scaled = scale === "none" ? plain : standardize(plain, scale);
  return {
    ...scaled,
    learn(data, objective, run) {
      checkSize(data, options.rank);
      return scaled.learn(data, objective, run);
    },
  };
});

/** Refuses counts that a header declares before anything is allocated for them. */
function checkSize({ features: { columns }, labelSpaceSize = 0 }: Dataset, rank: number): void {
  if ((columns + labelSpaceSize) * rank > MOST)
    throw new InputError(
      `leml: ${columns} features and ${labelSpaceSize} labels of rank ${rank} make a model too large for memory; lower the rank, or check the counts that the data declare`,
    );
}

const MOST = 2 ** 28; // numbers of a model: as many again are needed several times while it is fitted

/** Alternates between labels and features. Every sum is one thread's, or is taken block by block. */
function fitFactors(data: Dataset, run: Run, { rank: k, l2, rounds, steps }: Options): Network {
  const { team, validation } = run;
  const heap = new Heap();
  const [rows, columns, items] = [data.features.rows, data.features.columns + 1, data.labelSpaceSize!];
  const x = withOnes(entriesOf(data.features), columns - 1);
  const across = transpose(x, columns);
  const relevant: Entries = { starts: data.starts, indices: data.items!, values: data.labels };
  const byItem = transpose(relevant, items);

  const alloc = (n: number) => team.allocShared("f32", n * k);
  const [w, h, seen, wanted] = [alloc(columns), alloc(items), alloc(rows), alloc(columns)];
  const [residual, direction, image, middle] = [alloc(columns), alloc(columns), alloc(columns), alloc(rows)];
  const square = team.allocShared("f32", k * k);
  const bounds = { rows: splitEvenly(rows), columns: splitEvenly(columns), items: splitEvenly(items) };
  const gram = new Float64Array(k * k);

  team.parallelFor(1, () => {
    const draw = random(run.seed, 0x1e31);
    for (let i = 0; i < w.length; i++) w[i] = (2 * draw() - 1) / Math.sqrt(k);
  });

  /** into = the rows of `entries` times the rows of `from`. */
  const times = (entries: Entries | Transposed, from: Float32Array, into: Float32Array, parts: Uint32Array) =>
    team.parallelFor(parts.length - 1, (block) => {
      for (let r = parts[block]!; r < parts[block + 1]!; r++) {
        const out = into.subarray(r * k, (r + 1) * k).fill(0);
        gatherRows(entries.indices, entries.values, entries.starts[r]!, entries.starts[r + 1]!, from, out);
      }
    });
  /** gram = from' from, in float64. */
  const gramOf = (from: Float32Array, parts: Uint32Array) => {
    const sums = team.sum(parts.length - 1, k * k, (block, into) => {
      for (let r = parts[block]!; r < parts[block + 1]!; r++)
        for (let i = 0; i < k; i++) {
          const a = from[r * k + i]!;
          if (a !== 0) for (let j = 0; j <= i; j++) into[i * k + j] = into[i * k + j]! + a * from[r * k + j]!;
        }
    });
    for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) gram[i * k + j] = gram[j * k + i] = sums[i * k + j]!;
    return gram;
  };
  const dot = (a: Float32Array, b: Float32Array) =>
    team.sum(bounds.columns.length - 1, 1, (block, into) => {
      let sum = 0;
      for (let i = bounds.columns[block]! * k; i < bounds.columns[block + 1]! * k; i++) sum += a[i]! * b[i]!;
      into[0] = sum;
    })[0]!;
  const eachColumn = (visit: (i: number) => void) =>
    team.parallelFor(bounds.columns.length - 1, (block) => {
      for (let i = bounds.columns[block]! * k; i < bounds.columns[block + 1]! * k; i++) visit(i);
    });
  /** image = X'(X direction square) + l2 direction. */
  const apply = (from: Float32Array, into: Float32Array) => {
    times(x, from, seen, bounds.rows);
    team.parallelFor(bounds.rows.length - 1, (block) => {
      const [a, b] = [bounds.rows[block]!, bounds.rows[block + 1]!];
      if (b > a)
        matmul(rowSlice(matrixView(seen, rows, k), a, b), matrixView(square, k, k), rowSlice(matrixView(middle, rows, k), a, b));
    });
    times(across, middle, into, bounds.columns);
    eachColumn((i) => {
      into[i] = into[i]! + l2 * from[i]!;
    });
  };

  const now: Network = {
    activation: "none",
    hidden: [{ inputs: columns - 1, outputs: k, w: w.subarray(0, (columns - 1) * k), b: w.subarray((columns - 1) * k) }],
    last: { inputs: k, outputs: items, w: h, b: new Float32Array(items) },
  };
  const shown = validation ?? data;
  let best: Network | undefined;
  let found: TopItems | undefined;
  const top = (places: number) => {
    found ??= allocTop(shown.starts.length - 1, places, team);
    return topOf(now, shown, team, found);
  };

  for (let round = 1; round <= rounds; round++) {
    solveLabels();
    const cost = costNow();
    const status = run.afterRound(round, { cost, top, scores: () => scored(now, shown) });
    if (status === "improved" && team.rank === 0 && validation) best = copy(now);
    if (status === "stop") break;
    if (round < rounds) solveFeatures();
  }
  const network = best ?? copy(now);
  team.barrier();
  heap.close();
  return network;

  /** H = (A'A + l2)⁻¹ A'Y with A = X W. */
  function solveLabels(): void {
    times(x, w, seen, bounds.rows);
    const factor = factorize(gramOf(seen, bounds.rows), k, l2);
    times(byItem, seen, h, bounds.items);
    team.parallelFor(bounds.items.length - 1, (block) => {
      for (let item = bounds.items[block]!; item < bounds.items[block + 1]!; item++)
        solve(factor, k, h.subarray(item * k, (item + 1) * k));
    });
  }

  /** Conjugate gradients from where W is. */
  function solveFeatures(): void {
    const sums = gramOf(h, bounds.items);
    team.parallelFor(1, () => square.set(sums));
    times(relevant, h, middle, bounds.rows);
    times(across, middle, wanted, bounds.columns);
    apply(w, image);
    eachColumn((i) => {
      residual[i] = wanted[i]! - image[i]!;
      direction[i] = residual[i]!;
    });
    let size = dot(residual, residual);
    const enough = 1e-10 * dot(wanted, wanted);
    for (let step = 0; step < steps && size > enough; step++) {
      apply(direction, image);
      const length = size / dot(direction, image);
      if (!Number.isFinite(length)) break; // the squares of a residual near 0 underflow
      eachColumn((i) => {
        w[i] = w[i]! + length * direction[i]!;
        residual[i] = residual[i]! - length * image[i]!;
      });
      const next = dot(residual, residual);
      const beta = next / size;
      size = next;
      eachColumn((i) => {
        direction[i] = residual[i]! + beta * direction[i]!;
      });
    }
  }

  /** Per list. ‖Y - A Hᵀ‖² = ‖Y‖² - 2 Σ_{relevant} y a·h + Σ (A'A)(H'H), so that no label need be looked at twice. */
  function costNow(): number {
    const a = gramOf(seen, bounds.rows).slice();
    const b = gramOf(h, bounds.items);
    let sum = 0;
    for (let i = 0; i < k * k; i++) sum += a[i]! * b[i]!;
    const [fit, own] = team.sum(bounds.rows.length - 1, 2, (block, into) => {
      for (let r = bounds.rows[block]!; r < bounds.rows[block + 1]!; r++)
        for (let e = relevant.starts[r]!; e < relevant.starts[r + 1]!; e++) {
          const [item, y] = [relevant.indices[e]!, relevant.values[e]!];
          let score = 0;
          for (let i = 0; i < k; i++) score += seen[r * k + i]! * h[item * k + i]!;
          into[0] = into[0]! + y * score;
          into[1] = into[1]! + y * y;
        }
    });
    let trace = 0;
    for (let i = 0; i < k; i++) trace += b[i * k + i]!;
    const penalty = (l2 / 2) * (trace + dot(w, w));
    return ((own! - 2 * fit! + sum) / 2 + penalty) / rows;
  }

  function scored(network: Network, shown: Dataset): Float64Array {
    const into = team.allocShared("f64", shown.labels.length);
    labelScores(network, shown, team, into);
    return into;
  }
}

function copy({ activation, hidden, last }: Network): Network {
  const plain = ({ inputs, outputs, w, b }: Network["last"]) => ({
    inputs,
    outputs,
    w: Float32Array.from(w),
    b: Float32Array.from(b),
  });
  return { activation: activation!, hidden: hidden.map(plain), last: plain(last) };
}

function lemlModel(columns: Columns, network: Network, labelSpace: LabelSpace): Model {
  const [first, last] = [network.hidden[0]!, network.last];
  return {
    id: "leml",
    columns,
    labelSpace,
    score(data, into) {
      checkScoring(columns, data, into);
      withHeap((heap) => labelScores(network, sameItems(data, labelSpace), soloTeam(heap), into));
    },
    top: (data, k) =>
      withHeap((heap) => {
        checkColumns(columns, data);
        const into = allocTop(data.starts.length - 1, k, soloTeam(heap));
        const { items, scores } = topOf(network, sameItems(data, labelSpace), soloTeam(heap), into);
        return { k, items: items.slice(), scores: scores.slice() };
      }),
    save: () => ({
      id: "leml",
      rank: [first.outputs],
      features: writable(first.w),
      constant: writable(first.b),
      labels: writable(last.w),
      catalogue: saveLabelSpace(labelSpace),
    }),
    describe: () => ({
      title: "leml: labels of low rank by least squares",
      facts: {
        features: `${columns.count}`,
        rank: first.outputs,
        "labels ranked": labelSpace.count,
        numbers: first.w.length + last.w.length,
      },
      tables: [],
    }),
  };
}

export function readLeml(saved: SavedModel, columns: Columns): Model {
  const k = savedIntegers(saved, "rank", 1)[0]!;
  const labelSpace = savedLabelSpace({ ...saved, catalogue: saved.catalogue ?? null }, "catalogue")!;
  const { count } = labelSpace;
  const network: Network = {
    activation: "none",
    hidden: [
      {
        inputs: columns.count,
        outputs: k,
        w: savedFloats(saved, "features", columns.count * k),
        b: savedFloats(saved, "constant", k),
      },
    ],
    last: { inputs: k, outputs: count, w: savedFloats(saved, "labels", count * k), b: new Float32Array(count) },
  };
  return lemlModel(columns, network, labelSpace);
}
