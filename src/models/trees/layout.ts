/**
 * How features are bundled into the bytes of a row. A column is one byte; eight columns are a group. Features of few bins share a column:
 * the byte is a joint code, bin + step * bin' + ..., of at most 256 values, and its histogram summed over the others is each one's own.
 * This saves the histogram updates of all but one of them, and loses nothing.
 *
 * Columns that often have their most frequent code in the same rows, as all that is said of a field which most documents lack, come into the
 * same group: then many rows have all eight, which are summed once and added together.
 */
import type { BundleLayout, BundleSlot } from "../../types.ts";

/** Of each feature its most frequent bin, and in which rows of a sample it has that. */
export interface DefaultBins {
  readonly bins: Int32Array;
  /** A bit for each row of the sample, `words` of them to a feature. */
  readonly marks: Uint32Array;
  readonly wordsPerFeature: number;
  readonly rows: number;
}

export const COLUMNS = 8; // of a group
/** Groups that may be summed together, at most (row-lines.ts); the last line may have fewer. */
export const LINE = 8;
export const CODES = 256; // of a column
const MOSTLY = 0.4; // share of rows with a column's most frequent code from which on it may go with others
const TOGETHER = 0.25; // share of rows with all eight from which on these are worth passing over
const CHOICE = 64; // columns among which the next of a group is chosen

interface Column {
  codes: number;
  readonly members: number[];
}

/** Gives each feature its column; `bins` counts those of the missing too. Large features come first, small ones fill what they leave. */
export function makeLayout(bins: readonly number[], defaultBins?: DefaultBins): BundleLayout {
  const order = Array.from(bins.keys())
    .filter((feature) => bins[feature]! > 1)
    .sort((a, b) => bins[b]! - bins[a]! || a - b);
  const columns: Column[] = [];
  for (const feature of order) {
    const open = columns.find(({ codes }) => codes * bins[feature]! <= CODES);
    if (open) {
      open.members.push(feature);
      open.codes *= bins[feature]!;
    } else columns.push({ codes: bins[feature]!, members: [feature] });
  }
  const groups = defaultBins ? groupColumns(columns, defaultBins) : [];
  const kept = new Set(groups.flat());
  const others = columns.filter((column) => !kept.has(column));
  const slow = Array.from({ length: Math.ceil(others.length / COLUMNS) }, (_, g) => others.slice(g * COLUMNS, (g + 1) * COLUMNS));
  const all = spread([...slow, ...groups]);
  const slots: (BundleSlot | undefined)[] = bins.map(() => undefined);
  const codesOf = all.map((group, g) =>
    Uint8Array.from({ length: COLUMNS }, (_, k) => {
      let [step, code] = [1, 0];
      for (const feature of group[k]?.members ?? []) {
        slots[feature] = { column: g * COLUMNS + k, step, codes: group[k]!.codes };
        code += step * (defaultBins?.bins[feature] ?? 0);
        step *= bins[feature]!;
      }
      return code;
    }),
  );
  return {
    ...{ columns: columns.length, groups: all.length, slots },
    defaultBins: codesOf.map((codes, g) => (slow.includes(all[g]!) ? undefined : codes)),
  };
}

const PLACES = [0, 4, 2, 6, 1, 5, 3, 7]; // of a line, so that halves and pairs get equal shares

/** Groups in such an order that lines, and halves and pairs of a line, have equal shares of the slow ones, which come first here. */
function spread(groups: readonly Column[][]): Column[][] {
  const lines = Array.from({ length: Math.ceil(groups.length / LINE) }, (_, line) => line * LINE);
  const places = PLACES.flatMap((place) => lines.map((line) => line + place)).filter((place) => place < groups.length);
  const all = new Array<Column[]>(groups.length);
  groups.forEach((group, g) => void (all[places[g]!] = group));
  return all;
}

/** Groups of eight columns whose most frequent codes often meet; columns that meet no others are left out. */
function groupColumns(columns: readonly Column[], { marks, wordsPerFeature, rows }: DefaultBins): Column[][] {
  const bits = (column: Column) => {
    const all = new Uint32Array(wordsPerFeature).fill(0xffffffff);
    for (const feature of column.members)
      for (let w = 0; w < wordsPerFeature; w++) all[w]! &= marks[feature * wordsPerFeature + w]!;
    return all;
  };
  const count = (a: Uint32Array, b: Uint32Array) => {
    let sum = 0;
    for (let w = 0; w < wordsPerFeature; w++) sum += ones(a[w]! & b[w]!);
    return sum;
  };
  let free = columns
    .map((column) => {
      const own = bits(column);
      return { column, own, share: count(own, own) / rows };
    })
    .filter(({ share: fraction }) => fraction >= MOSTLY)
    .sort((a, b) => b.share - a.share); // stable
  const groups: Column[][] = [];
  while (free.length >= COLUMNS) {
    const chosen = [free[0]!];
    const joint = free[0]!.own.slice();
    while (chosen.length < COLUMNS) {
      let [best, most] = [free[0]!, -1];
      for (const one of free.slice(0, CHOICE)) {
        if (chosen.includes(one)) continue;
        const met = count(joint, one.own);
        if (met > most) [best, most] = [one, met];
      }
      chosen.push(best);
      for (let w = 0; w < wordsPerFeature; w++) joint[w]! &= best.own[w]!;
    }
    const good = count(joint, joint) >= TOGETHER * rows;
    if (good) groups.push(chosen.map(({ column }) => column));
    const gone = new Set(good ? chosen : chosen.slice(0, 1));
    free = free.filter((one) => !gone.has(one));
  }
  return groups;
}

/** How many bits are set. */
function ones(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
