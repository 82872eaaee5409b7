/** How often each document of a query was shown and clicked at each position, and in each context: all that most estimates need of a log. */
import type { ClickLog } from "./click-log.ts";

/** Counts by document of a query: document p owns cells starts[p] to starts[p + 1], by position. */
export interface Exposures {
  /** Number of positions. */
  readonly positions: number;
  /** Number of contexts. */
  readonly contexts: number;
  /** Offsets: document p owns cells starts[p] to starts[p + 1]. */
  readonly starts: Uint32Array;
  /** Query of each document. */
  readonly query: Uint32Array;
  /** Name of each document, a place in the names of the log. */
  readonly document: Uint32Array;
  /** Position of each cell. */
  readonly position: Uint32Array;
  /** Context of each cell; 0 where contexts are not told apart. */
  readonly context: Uint32Array;
  /** How often the document was shown there. */
  readonly shown: Float64Array;
  /** How often it was clicked there. */
  readonly clicked: Float64Array;
  /** By entry of the log: its document, a place in `query`. */
  readonly entryOf: Uint32Array;
}

/**
 * By entry: what the clicks above say about whether the user came this far. 0: no click above; else the number of positions since the last one.
 * Fang, Agarwal and Joachims 2019, https://doi.org/10.1145/3331184.3331238, harvest interventions by context.
 */
export function clicksAbove({ starts, position, clicked }: ClickLog): Uint32Array {
  const found = new Uint32Array(position.length);
  for (let i = 0; i < starts.length - 1; i++)
    for (let e = starts[i]!, last = -1; e < starts[i + 1]!; e++) {
      if (last >= 0) found[e] = position[e]! - last;
      if (clicked[e] === 1) last = position[e]!;
    }
  return found;
}

/** The counts of a log, documents in the order in which they first occur. `contexts` has one for each entry. */
export function exposuresOf(log: ClickLog, contexts?: Uint32Array): Exposures {
  const { queries, positions, starts, query, document, position, clicked } = log;
  const different = contexts ? contexts.reduce((most, one) => Math.max(most, one), 0) + 1 : 1;
  const entryOf = new Uint32Array(document.length);
  const places: Map<number, number>[] = Array.from(queries, () => new Map()); // by query: document to place
  const queryOf: number[] = [];
  const documentOf: number[] = [];
  const cells: Map<number, number>[] = []; // by place: position and context to cell
  const [shown, hits]: [number[], number[]] = [[], []];
  for (let i = 0; i < query.length; i++)
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const q = query[i]!;
      let place = places[q]!.get(document[e]!);
      if (place === undefined) {
        place = queryOf.length;
        places[q]!.set(document[e]!, place);
        queryOf.push(q);
        documentOf.push(document[e]!);
        cells.push(new Map());
      }
      entryOf[e] = place;
      const key = position[e]! * different + (contexts?.[e] ?? 0);
      let cell = cells[place]!.get(key);
      if (cell === undefined) {
        cell = shown.length;
        cells[place]!.set(key, cell);
        shown.push(0);
        hits.push(0);
      }
      shown[cell]!++;
      hits[cell]! += clicked[e]!;
    }
  const offsets = new Uint32Array(cells.length + 1);
  const order: number[] = [];
  const keys: number[] = [];
  cells.forEach((one, place) => {
    for (const [key, cell] of [...one].sort(([a], [b]) => a - b)) {
      order.push(cell);
      keys.push(key);
    }
    offsets[place + 1] = order.length;
  });
  return {
    positions: positions.length,
    contexts: different,
    starts: offsets,
    query: Uint32Array.from(queryOf),
    document: Uint32Array.from(documentOf),
    position: Uint32Array.from(keys, (key) => Math.floor(key / different)),
    context: Uint32Array.from(keys, (key) => key % different),
    shown: Float64Array.from(order, (cell) => shown[cell]!),
    clicked: Float64Array.from(order, (cell) => hits[cell]!),
    entryOf,
  };
}
