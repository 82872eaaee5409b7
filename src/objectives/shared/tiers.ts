/** Labels as tiers: positions from the best label to the worst, equal labels side by side in their given order. */
import { descending } from "../../numeric/order.ts";

const GRADES = 64; // whole labels below this are counted instead of sorted
const VIEWS = 1024;

/** `order[starts[t]]` to `order[starts[t + 1]]` are the items of tier t, the best first. Overwritten by the next call. */
export interface Tiers {
  order: Uint32Array;
  starts: Uint32Array;
  count: number;
}

/** Makes a function that finds the tiers of one list after another in memory of its own; backward, the worst tier comes first. */
export function tierFinder(direction: "forward" | "backward" = "forward"): (labels: Float32Array) => Tiers {
  const back = direction === "backward";
  const found: Tiers = { order: new Uint32Array(0), starts: new Uint32Array(GRADES + 1), count: 0 };
  const places = new Uint32Array(GRADES);
  const views: (Uint32Array | undefined)[] = []; // of the room, by length
  let room = found.order;

  return (labels) => {
    const n = labels.length;
    if (room.length < n) {
      room = new Uint32Array(2 * n);
      views.length = 0;
    }
    places.fill(0);
    let counted = true;
    for (let i = 0; i < n && counted; i++) {
      const label = labels[i]!;
      counted = label >= 0 && label < GRADES && label === (label | 0);
      if (counted) places[label] = places[label]! + 1;
    }
    if (!counted) return sorted(back ? labels.map((label) => -label) : labels, found);

    // Making a view costs more than sorting a short list, so those are kept.
    if (n < VIEWS) found.order = views[n] ??= room.subarray(0, n);
    else found.order = room.subarray(0, n);
    found.count = 0;
    for (let turn = 0, place = 0; turn < GRADES; turn++) {
      const grade = back ? turn : GRADES - 1 - turn;
      const size = places[grade]!;
      if (size === 0) continue;
      places[grade] = found.starts[found.count++] = place;
      place += size;
    }
    found.starts[found.count] = n;
    for (let i = 0; i < n; i++) {
      const label = labels[i]!;
      found.order[places[label]!] = i;
      places[label] = places[label]! + 1;
    }
    return found;
  };
}

function sorted(labels: Float32Array, found: Tiers): Tiers {
  const order = descending(labels);
  const n = order.length;
  if (found.starts.length <= n) found.starts = new Uint32Array(2 * n + 1);
  found.order = order;
  found.count = 0;
  for (let p = 0; p < n; p++) if (p === 0 || labels[order[p]!] !== labels[order[p - 1]!]) found.starts[found.count++] = p;
  found.starts[found.count] = n;
  return found;
}
