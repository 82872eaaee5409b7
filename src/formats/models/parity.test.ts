/** A converted file with one number changed by the least that its precision can tell is found by the rows of its parity file. */
import { describe, expect, it } from "vitest";
import { treesModel } from "../../models/trees/index.ts";
import { above32, above64, floor32 } from "../../numeric/float32.ts";
import { checkModel, exportModel } from "./export.ts";
import { modelFormats } from "./formats.ts";
import { importModel } from "./import.ts";
import { contentDigest, type Parity } from "./parity.ts";
import { buildTree, type Node } from "./shared/build-tree.ts";

const THRESHOLD = Math.fround(0.3);
const LEAF = Math.fround(0.7);
const grown = (threshold: number, leaf: number, feature: number) => {
  const nodes: readonly Node[] = [
    { feature, threshold, rules: 1, left: 1, right: 2, gain: 1, items: 2 },
    { value: leaf, items: 1 },
    { value: -0.25, items: 1 },
  ];
  return buildTree({ nodes: 3, root: 0, features: 3, thresholds: "float32", where: "here" }, (node) => nodes[node]!);
};
/** Three trees of one split; the first has the given numbers. */
const model = (threshold: number, leaf: number) =>
  treesModel(
    { count: 3, base: 0, names: ["a", "b", "c"] },
    [0, 1, 2].map((feature) => grown(feature === 0 ? threshold : 1.5, feature === 0 ? leaf : 0.5, feature)),
    {},
  );

/** Scores alone decide. */
const withoutDigest = ({ digest: _, ...rest }: Parity): Parity => rest;

describe.each(modelFormats.filter(({ write, read }) => write && read).map(({ id }) => id))("%s", (id) => {
  const { content, parity } = exportModel(model(THRESHOLD, LEAF), { to: id, missing: "zero" });
  const changed = (threshold: number, leaf: number) =>
    checkModel(exportModel(model(threshold, leaf), { to: id, missing: "zero" }).content, withoutDigest(parity));

  it("passes as it was written", () => {
    expect(checkModel(content, parity)).toMatchObject({ identical: 20, passed: true });
    expect(importModel(content, { from: id }).model.columns.count).toBe(3);
  });

  it("fails with any byte changed, though no row may reach it", () => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    expect(checkModel(bytes, { ...parity, rows: [], scores: [] })).toMatchObject({ rows: 0, unchanged: true, passed: true });
    const longer = typeof content === "string" ? `${content}\n` : undefined;
    if (longer) expect(checkModel(longer, parity)).toMatchObject({ unchanged: false, passed: false });
    expect(contentDigest(bytes)).toBe(parity.digest);
  });

  it("fails with a threshold that is the next float32", () => {
    // Solr adds 1e-6 to thresholds, which are coarser than float32 there.
    const next = id === "solr" ? Math.fround(THRESHOLD + 1e-6) : above32(THRESHOLD);
    expect(changed(next, LEAF).passed).toBe(false);
  });

  it("fails with a leaf that is the next number", () => {
    if (parity.tolerance > 0) expect(changed(THRESHOLD, LEAF * (1 + 10 * parity.tolerance)).passed).toBe(false);
    else expect(changed(THRESHOLD, parity.precision === "float32" ? above32(LEAF) : above64(LEAF)).passed).toBe(false);
    expect(floor32(LEAF)).toBe(LEAF);
  });
});
