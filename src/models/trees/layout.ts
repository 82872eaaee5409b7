/**
 * How features share the bytes of a row. A column is one byte; eight columns are a group. Features of few bins share a column: the byte is a
 * joint code, bin + step * bin' + ..., of at most 256 values, and its histogram summed over the others is each one's own. This saves the
 * histogram updates of all but one of them, and loses nothing.
 */
export interface Place {
  readonly column: number;
  readonly step: number; // what the feature's bin is multiplied by in the code
  readonly codes: number; // of the column
}

export interface Layout {
  readonly columns: number;
  readonly groups: number;
  /** By feature; undefined where a feature has a single bin and so nothing to tell. */
  readonly places: readonly (Place | undefined)[];
}

export const COLUMNS = 8; // of a group
export const CODES = 256; // of a column

/** Gives each feature its column; `bins` counts those of the missing too. Large features come first, small ones fill what they leave. */
export function layOut(bins: readonly number[]): Layout {
  const order = Array.from(bins.keys())
    .filter((feature) => bins[feature]! > 1)
    .sort((a, b) => bins[b]! - bins[a]! || a - b);
  const columns: { codes: number; members: number[] }[] = [];
  for (const feature of order) {
    const open = columns.find(({ codes }) => codes * bins[feature]! <= CODES);
    if (open) {
      open.members.push(feature);
      open.codes *= bins[feature]!;
    } else columns.push({ codes: bins[feature]!, members: [feature] });
  }
  const places: (Place | undefined)[] = bins.map(() => undefined);
  columns.forEach(({ codes, members }, column) => {
    let step = 1;
    for (const feature of members) {
      places[feature] = { column, step, codes };
      step *= bins[feature]!;
    }
  });
  return { columns: columns.length, groups: Math.ceil(columns.length / COLUMNS), places };
}
