/** How often each document of a query was shown and clicked at each position: all that most estimates need of a log. */
import type { ClickLog } from "./click-log.ts";

/** Counts by document of a query: document p owns cells starts[p] to starts[p + 1], by position. */
export interface Exposures {
  /** Number of positions. */
  readonly positions: number;
  /** Offsets: document p owns cells starts[p] to starts[p + 1]. */
  readonly starts: Uint32Array;
  /** Query of each document. */
  readonly query: Uint32Array;
  /** Name of each document, a place in the names of the log. */
  readonly document: Uint32Array;
  /** Position of each cell. */
  readonly position: Uint32Array;
  /** How often the document was shown there. */
  readonly shown: Float64Array;
  /** How often it was clicked there. */
  readonly clicked: Float64Array;
  /** By entry of the log: its document, a place in `query`. */
  readonly entryOf: Uint32Array;
}

/** The counts of a log, documents in the order in which they first occur. */
export function exposuresOf(log: ClickLog): Exposures {
  const { queries, positions, starts, query, document, position, clicked } = log;
  const entryOf = new Uint32Array(document.length);
  const places: Map<number, number>[] = Array.from(queries, () => new Map()); // by query: document to place
  const queryOf: number[] = [];
  const documentOf: number[] = [];
  const cells: Map<number, number>[] = []; // by place: position to cell
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
      let cell = cells[place]!.get(position[e]!);
      if (cell === undefined) {
        cell = shown.length;
        cells[place]!.set(position[e]!, cell);
        shown.push(0);
        hits.push(0);
      }
      shown[cell]!++;
      hits[cell]! += clicked[e]!;
    }
  const offsets = new Uint32Array(cells.length + 1);
  const order: number[] = [];
  const positionOf: number[] = [];
  cells.forEach((one, place) => {
    for (const [k, cell] of [...one].sort(([a], [b]) => a - b)) {
      order.push(cell);
      positionOf.push(k);
    }
    offsets[place + 1] = order.length;
  });
  return {
    positions: positions.length,
    starts: offsets,
    query: Uint32Array.from(queryOf),
    document: Uint32Array.from(documentOf),
    position: Uint32Array.from(positionOf),
    shown: Float64Array.from(order, (cell) => shown[cell]!),
    clicked: Float64Array.from(order, (cell) => hits[cell]!),
    entryOf,
  };
}
