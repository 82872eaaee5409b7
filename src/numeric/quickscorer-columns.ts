/**
 * The columns of a packet: those of the data that some split uses, then those derived from them. A split that takes zero for missing has a
 * column in which zeros are NaN; walks, which compare and nothing else, ask a column with -Infinity for NaN where missing values go left;
 * splits by sets ask for the code of the category: 0 of an unknown one, 1 of NaN, 2 and above of those in the sets of the feature.
 */

import type { ForestOptions, SplitTree } from "./quickscorer.ts";
import type { Image } from "./quickscorer-image.ts";

/** What a column is derived by; the kernels know these numbers. */
const TINY_TO_ZERO = 0;
const ZERO_TO_NAN = 1;
const NAN_TO_LOWEST = 2;
const CODE_BY_TABLE = 3;
const CODE_BY_SEARCH = 4;

const LONGEST = 65536; // entries of a table of codes, one for each whole number

interface Step {
  readonly kind: number;
  readonly from: number; // columns of the packet
  readonly to: number;
  readonly categories?: Float64Array;
}

export interface Columns {
  readonly used: Uint32Array;
  readonly targets: Int32Array;
  /** How many columns a packet has by now. */
  count(): number;
  /** The column that a split by threshold compares. `lowest`: NaN is -Infinity there. */
  values(feature: number, zeroMissing: boolean, lowest: boolean): number;
  /** The column of a feature's codes. */
  codes(feature: number): number;
  /** How many codes a feature has. */
  codeCount(feature: number): number;
  /** Sets a bit for each code of a feature that goes right. */
  mark(feature: number, set: ArrayLike<number>, image: Image, at: number): void;
  /** Writes the steps; packets begin at `tile` and have columns of `width` bytes. */
  write(image: Image, tile: number, width: number): { steps: number; count: number };
}

export function columnsOf(trees: readonly SplitTree[], { columns, tiny = 0, truncate = false }: ForestOptions): Columns {
  const asked = new Set<number>();
  const members = new Map<number, Set<number>>();
  for (const { feature, sets } of trees) {
    for (let node = 0; node < feature.length; node++) if (feature[node]! >= 0) asked.add(feature[node]!);
    for (const [node, set] of sets) {
      const all = members.get(feature[node]!) ?? new Set();
      members.set(feature[node]!, all);
      for (let i = 0; i < set.length; i++) if (!Number.isNaN(set[i]!)) all.add(category(set[i]!, truncate));
    }
  }
  const used = Uint32Array.from(asked).sort();
  const targets = new Int32Array(columns).fill(-1);
  used.forEach((column, at) => {
    targets[column] = at;
  });
  const categories = new Map([...members].map(([feature, all]) => [feature, Float64Array.from(all).sort()]));
  const whole = (x: number) => Number.isInteger(x) && x >= 0 && x < LONGEST;
  const kinds = new Map([...categories].map(([feature, all]) => [feature, all.every(whole) ? CODE_BY_TABLE : CODE_BY_SEARCH]));
  const codes = new Map([...categories].map(([feature, all]) => [feature, new Map(Array.from(all, (x, c) => [x, c + 2]))]));

  const steps: Step[] = tiny > 0 ? Array.from(used, (_, at) => ({ kind: TINY_TO_ZERO, from: at, to: at })) : [];
  const derived = new Map<number, number>();
  let count = used.length;
  function derive(kind: number, from: number, categories?: Float64Array): number {
    const key = 8 * from + kind;
    let to = derived.get(key);
    if (to === undefined) {
      to = count++;
      derived.set(key, to);
      steps.push({ kind, from, to, ...(categories && { categories }) });
    }
    return to;
  }
  const codeCount = (feature: number) => categories.get(feature)!.length + 2;

  return {
    ...{ used, targets, count: () => count, codeCount },
    values(feature, zeroMissing, lowest) {
      const raw = targets[feature]!;
      const column = zeroMissing ? derive(ZERO_TO_NAN, raw) : raw;
      return lowest ? derive(NAN_TO_LOWEST, column) : column;
    },
    codes: (feature) => derive(kinds.get(feature)!, targets[feature]!, categories.get(feature)!),
    mark(feature, set, image, at) {
      const known = codes.get(feature)!;
      const { u8 } = image;
      u8.fill(255, at, at + Math.ceil(codeCount(feature) / 8));
      for (let i = 0; i < set.length; i++) {
        const code = Number.isNaN(set[i]!) ? 1 : known.get(category(set[i]!, truncate))!;
        u8[at + (code >> 3)]! &= ~(1 << (code & 7));
      }
    },
    write(image, tile, width) {
      const at = image.take(32 * steps.length);
      steps.forEach(({ kind, from, to, categories: all }, s) => {
        const step = at + 32 * s;
        image.u32[step >> 2] = kind;
        image.point(step + 4, tile + from * width);
        image.point(step + 8, tile + to * width);
        if (!all) return;
        const longest = kind === CODE_BY_TABLE ? (all.at(-1) ?? -1) + 1 : all.length;
        const table = image.take((kind === CODE_BY_TABLE ? 4 : 8) * longest);
        image.point(step + 12, table);
        image.u32[(step + 16) >> 2] = longest;
        if (kind === CODE_BY_SEARCH) image.f64.set(all, table / 8);
        else for (let c = 0; c < all.length; c++) image.u32[table / 4 + all[c]!] = c + 2;
      });
      return { steps: at, count: steps.length };
    },
  };
}

/** -0 and 0 are one category. */
const category = (x: number, truncate: boolean | "down") =>
  (truncate === "down" ? Math.floor(x) : truncate ? Math.trunc(x) : x) + 0;
