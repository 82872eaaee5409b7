/**
 * Vespa's import of LightGBM models: LightGBM's dump as JSON, of which Vespa makes `feature < threshold`, so that the next float64 above each
 * threshold is written. default_left alone decides where missing values go; categories need feature_infos and pandas_categorical. Names of
 * features are ranking expressions, such as attribute(price). Not run by Vespa.
 */
import { InputError } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { MISSING_LEFT } from "../../models/trees/tree.ts";
import { above64, below64 } from "../../numeric/float32.ts";
import type { ModelFormat } from "./format.ts";
import { type DumpedRules, dumpedTree, dumpRecord } from "./lightgbm-json.ts";
import { checkTrees } from "./shared/build-tree.ts";
import { checkNames } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";

/** What distinguishes the file from a dump of LightGBM, whose thresholds mean something else. */
const MARK = "thresholds as Vespa compares them";

export const vespa: ModelFormat = {
  id: "vespa",
  about: "Vespa: LightGBM's JSON with thresholds as Vespa compares them",
  endings: [".vespa.json"],
  named: true,
  sniff: (head) => head.startsWith(`{"tierwise":${JSON.stringify(MARK)}`),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path);
    const names = root
      .at("feature_names")
      .list()
      .map((name) => name.text());
    checkNames(names, `${path}: feature_names`);
    const dumped = root.at("tree_info").list();
    checkTrees(dumped.length, path);
    const trees = dumped.map((tree) => dumpedTree(tree.at("tree_structure"), names.length, vespaRules));
    return {
      model: treesModel({ count: names.length, base: 0, names }, trees, {}, undefined, plainSum),
      objective: root.at("objective").text(),
      notes: [],
    };
  },
  write(model, options) {
    if (model.kind !== "trees")
      throw new InputError(
        "a LightGBM model for Vespa holds trees, and this model has none; onnx serves weighted sums and networks",
      );
    const { trees, tolerance, notes } = lower(
      model,
      { name: "Vespa", precision: "float64", missing: "side", sets: "missing right" },
      options,
    );
    const names = model.columns.names!;
    const root = { tierwise: MARK, ...dumpRecord(names, trees, above64, false) };
    return { content: `${JSON.stringify(root)}\n`, precision: "float64", tolerance, missing: "kept", notes };
  },
};

/** Vespa tests whether a value is below the threshold, and looks at default_left alone. */
const vespaRules: DumpedRules = (threshold, toLeft) => ({ threshold: below64(threshold), rules: toLeft ? MISSING_LEFT : 0 });
