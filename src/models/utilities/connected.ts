/**
 * Whether the maximum-likelihood estimate of utilities exists. For a likelihood of orders they do exactly when every item can be reached
 * from every other by steps from a winner to one it beat (Hunter 2004, Assumption 1): otherwise one group of items never loses to the rest
 * and could always be moved further up. Ties connect both ways where the objective gives them a probability.
 */
import { InputError, quote } from "../../input-error.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective } from "../../types.ts";
import type { Contests } from "./contests.ts";
import type { Stages } from "./stages.ts";

const PRIOR = "ghost=0.5 (half a win and half a loss of each item against a ghost item) or l2=0.01";

/** Refuses data that leave utilities open, and names the items. */
export function requireConnected(data: Dataset, stages: Stages, objective: Objective, prior = PRIOR): void {
  if (objective.ties === "value") return;
  if (reachesAll(stages)) return;
  const { items } = stages;
  const graph = winGraph(stages, objective);
  const group = strongGroups(graph, items);
  const groups = new Set(group.subarray(0, items)).size;
  if (groups === 1) return;

  const main = largest(group.subarray(0, items));
  const from = reached(graph.starts, graph.targets, group, main); // what the main group beats, directly or through others
  const back = reversed(graph);
  const to = reached(back.starts, back.targets, group, main);
  const sort = { lost: [] as number[], won: [] as number[], apart: [] as number[] };
  for (let i = 0; i < items; i++) if (group[i] !== main) sort[from[i] ? "lost" : to[i] ? "won" : "apart"].push(i);
  const won = new Set(sort.won);
  const upper = Uint8Array.from({ length: items }, (_, i) => (won.has(i) || (group[i] === main && won.size === 0) ? 1 : 0));
  // The likelihood of tiers always rises with the distance of the groups, if only by less than numbers can show.
  const certain = sort.apart.length > 0 || objective.likelihood === "tiers";
  if (!certain && !stillFalls(data, objective, upper)) return;

  const names = (numbers: readonly number[]) => {
    const shown = numbers.slice(0, 8).map((i) => quote(data.names.items?.[i] ?? String(i + 1)));
    return `${shown.join(", ")}${numbers.length > 8 ? ` and ${numbers.length - 8} more` : ""}`;
  };
  const reasons = [
    ...(sort.lost.length > 0 ? [`never above the others: ${names(sort.lost)}`] : []),
    ...(sort.won.length > 0 ? [`never below the others: ${names(sort.won)}`] : []),
    ...(sort.apart.length > 0 ? [`never compared with the others: ${names(sort.apart)}`] : []),
  ];
  throw new InputError(
    `the maximum-likelihood estimate does not exist, because of ${counted(items - sizeOf(group, main, items))} ${reasons.join("; ")}; remove them, or add a prior: ${prior}`,
  );
}

const PASSES = 20;

/** Whether a few passes over the lists lead from one item down to all others, and from all others to it; most data need a few lists only. */
function reachesAll({ items, starts, order, ends, tiers }: Stages): boolean {
  if (order.length === 0) return false;
  const [from, to] = [new Uint8Array(items), new Uint8Array(items)];
  from[order[0]!] = to[order[0]!] = 1;
  let left = 2 * (items - 1);
  /** Marks the items of a tier if `open`, and says whether it has a marked one. */
  const visit = (marks: Uint8Array, begin: number, end: number, open: boolean): boolean => {
    let marked = open;
    for (let p = begin; p < end; p++) {
      if (marks[order[p]!] === 1) marked = true;
      else if (open) {
        marks[order[p]!] = 1;
        left--;
      }
    }
    return marked;
  };
  for (let [pass, before] = [0, -1]; pass < PASSES && left !== before; pass++) {
    before = left;
    for (let q = 0; q + 1 < starts.length; q++) {
      const [first, last] = [tiers[q]!, tiers[q + 1]! - 1];
      const beginOf = (t: number) => (t === first ? starts[q]! : ends[t - 1]!);
      let open = false;
      for (let t = first; t <= last; t++) open = visit(from, beginOf(t), ends[t]!, open);
      open = false;
      for (let t = last; t >= first; t--) open = visit(to, beginOf(t), ends[t]!, open);
      if (left === 0) return true;
    }
  }
  return left === 0;
}

/** Whether a few passes over merged comparisons lead from the first item to all others and back; `requireConnected` finds out where they do not. */
export function areConnected({ items, first, second, wins, losses, ties }: Contests, objective: Objective): boolean {
  const even = objective.ties === "event";
  const [from, to] = [new Uint8Array(items), new Uint8Array(items)];
  from[0] = to[0] = 1;
  let left = 2 * (items - 1);
  const step = (winner: number, loser: number) => {
    if (from[winner] === 1 && from[loser] === 0) {
      from[loser] = 1;
      left--;
    }
    if (to[loser] === 1 && to[winner] === 0) {
      to[winner] = 1;
      left--;
    }
  };
  for (let [pass, before] = [0, -1]; pass < PASSES && left > 0 && left !== before; pass++) {
    before = left;
    for (let r = 0; r < first.length; r++) {
      const tied = even && ties[r]! > 0;
      if (tied || wins[r]! > 0) step(first[r]!, second[r]!);
      if (tied || losses[r]! > 0) step(second[r]!, first[r]!);
    }
  }
  return left === 0;
}

const counted = (items: number) => `${items} item${items === 1 ? "" : "s"}`;
const sizeOf = (group: Uint32Array, main: number, items: number) => group.subarray(0, items).filter((one) => one === main).length;

/** Whether the cost still falls when the upper items are already far above the others: then it has no minimum. */
function stillFalls({ starts, labels, items }: Dataset, objective: Objective, upper: Uint8Array): boolean {
  const far = 20;
  let slope = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const mine = items!.subarray(starts[q], starts[q + 1]);
    const auxiliary = objective.auxiliary.map(({ initial }) => initial);
    const scores = Float64Array.from([...Array.from(mine, (item) => far * upper[item]!), ...auxiliary]);
    const gradient = new Float64Array(scores.length);
    objective.evaluate(scores, labels.subarray(starts[q], starts[q + 1]), { gradient }, random(1));
    for (let p = 0; p < mine.length; p++) slope += upper[mine[p]!]! * gradient[p]!;
  }
  return slope < 0;
}

interface Graph {
  readonly starts: Uint32Array; // node i points at targets[starts[i]] to targets[starts[i + 1]]
  readonly targets: Uint32Array;
}

/** Items of neighboring tiers point down. Between two tiers of several items stands a node of its own, so that edges stay few. */
function winGraph({ items, order, ends, tiers, starts }: Stages, { ties }: Objective): Graph {
  const edges = { tails: new Uint32Array(order.length * 2), heads: new Uint32Array(order.length * 2), count: 0 };
  let nodes = items;
  const edge = (from: number, to: number) => {
    if (edges.count === edges.tails.length) {
      edges.tails = doubled(edges.tails);
      edges.heads = doubled(edges.heads);
    }
    edges.tails[edges.count] = from;
    edges.heads[edges.count++] = to;
  };
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let t = tiers[q]!, p = starts[q]!; t < tiers[q + 1]!; t++) {
      const end = ends[t]!;
      for (let e = p + 1; e < end; e++) {
        if (ties === "order" || ties === "event") edge(order[e - 1]!, order[e]!);
        if (ties === "event") edge(order[e]!, order[e - 1]!);
      }
      if (t + 1 < tiers[q + 1]!) {
        const after = ends[t + 1]!;
        const via = end - p > 1 && after - end > 1 ? nodes++ : -1;
        for (let e = p; e < end; e++) {
          if (via >= 0) edge(order[e]!, via);
          else for (let f = end; f < after; f++) edge(order[e]!, order[f]!);
        }
        if (via >= 0) for (let f = end; f < after; f++) edge(via, order[f]!);
      }
      p = end;
    }
  }
  return compact(nodes, edges.tails.subarray(0, edges.count), edges.heads.subarray(0, edges.count));
}

function doubled(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const into = new Uint32Array(Math.max(16, from.length * 2));
  into.set(from);
  return into;
}

function compact(nodes: number, tails: Uint32Array, heads: Uint32Array): Graph {
  const starts = new Uint32Array(nodes + 1);
  for (const tail of tails) starts[tail + 1]!++;
  for (let i = 0; i < nodes; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const targets = new Uint32Array(heads.length);
  tails.forEach((tail, e) => {
    targets[next[tail]!++] = heads[e]!;
  });
  return { starts, targets };
}

function reversed({ starts, targets }: Graph): Graph {
  const tails = new Uint32Array(targets.length);
  for (let i = 0; i + 1 < starts.length; i++) tails.fill(i, starts[i], starts[i + 1]);
  return compact(starts.length - 1, targets, tails);
}

/** Tarjan's algorithm without recursion: the number of the strong group of each node. */
function strongGroups({ starts, targets }: Graph, items: number): Uint32Array {
  const nodes = starts.length - 1;
  const [index, low] = [new Uint32Array(nodes), new Uint32Array(nodes)];
  const group = new Uint32Array(nodes);
  const next = starts.slice();
  const open = new Uint8Array(nodes);
  const stack: number[] = [];
  const path: number[] = [];
  let [count, groups] = [0, 0];
  for (let root = 0; root < items; root++) {
    if (index[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (index[node] === 0) {
        index[node] = low[node] = ++count;
        stack.push(node);
        open[node] = 1;
      }
      if (next[node]! < starts[node + 1]!) {
        const target = targets[next[node]!++]!;
        if (index[target] === 0) path.push(target);
        else if (open[target] === 1) low[node] = Math.min(low[node]!, index[target]!);
        continue;
      }
      path.pop();
      if (path.length > 0) low[path.at(-1)!] = Math.min(low[path.at(-1)!]!, low[node]!);
      if (low[node] !== index[node]) continue;
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        open[member] = 0;
        group[member] = groups;
      }
      groups++;
    }
  }
  return group;
}

function largest(group: Uint32Array): number {
  const sizes = new Map<number, number>();
  for (const one of group) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  return [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Marks what can be reached from the items of a group. */
function reached(starts: Uint32Array, targets: Uint32Array, group: Uint32Array, main: number): Uint8Array {
  const seen = new Uint8Array(starts.length - 1);
  const open: number[] = [];
  group.forEach((one, i) => {
    if (one === main) open.push(i);
  });
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen[node] === 1) continue;
    seen[node] = 1;
    for (let e = starts[node]!; e < starts[node + 1]!; e++) if (seen[targets[e]!] === 0) open.push(targets[e]!);
  }
  return seen;
}
