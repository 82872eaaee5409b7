/** The nodes of a tree that is being grown. */
import type { Tree } from "./tree.ts";

export interface NodeSplit {
  readonly feature: number;
  readonly threshold: number;
  readonly missing: number;
  readonly left: number;
  readonly right: number;
  readonly gain: number;
  readonly set: Float32Array | undefined;
}

export type NodeList = ReturnType<typeof nodeList>;

/** An empty list. */
export function nodeList() {
  const items: number[] = [];
  const value: number[] = [];
  const splits: (NodeSplit | undefined)[] = [];
  return {
    value,
    add(count: number): number {
      items.push(count);
      value.push(0);
      splits.push(undefined);
      return items.length - 1;
    },
    setSplit(node: number, cut: NodeSplit): void {
      splits[node] = cut;
    },
    tree(): Tree {
      return {
        feature: Int32Array.from(splits, (cut) => cut?.feature ?? -1),
        threshold: Float32Array.from(splits, (cut) => cut?.threshold ?? 0),
        missing: Uint8Array.from(splits, (cut) => cut?.missing ?? 0),
        left: Int32Array.from(splits, (cut) => cut?.left ?? -1),
        right: Int32Array.from(splits, (cut) => cut?.right ?? -1),
        value: Float64Array.from(value),
        gain: Float64Array.from(splits, (cut) => cut?.gain ?? 0),
        items: Float64Array.from(items),
        sets: new Map(splits.flatMap((cut, node) => (cut?.set ? [[node, cut.set] as const] : []))),
      };
    },
  };
}
