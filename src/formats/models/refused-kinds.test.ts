/** Files that are well formed, of a kind or with an operation that is not read. */
import { expect, it } from "vitest";
import { importModel } from "./import.ts";
import { Message } from "./shared/protobuf.ts";

it("an OpenSearch model of another type is refused by its name", () => {
  const upload = (type: string) => JSON.stringify({ model: { name: "m", model: { type, definition: '{"a": 1}' } } });
  expect(importModel(upload("model/linear"), { from: "opensearch" }).model.columns.count).toBe(1);
  expect(() => importModel(upload("model/other"), { from: "opensearch" })).toThrow(
    /expected model\/xgboost\+json, model\/linear or model\/ranklib, got "model\/other"/,
  );
});

/** A graph of one stump by the older operator, whose attributes may be other ones. */
function regressor(changed: Readonly<Record<string, number | string>>): Uint8Array {
  const node = new Message().put(1, "features").put(2, "score").put(4, "TreeEnsembleRegressor");
  const ints = { nodes_treeids: [0, 0, 0], nodes_nodeids: [0, 1, 2], nodes_featureids: [0, 0, 0] };
  const more = { nodes_truenodeids: [1, 0, 0], nodes_falsenodeids: [2, 0, 0] };
  const leaves = { target_treeids: [0, 0], target_nodeids: [1, 2], target_ids: [0, 0] };
  const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
  for (const [name, values] of Object.entries({ ...ints, ...more, ...leaves }))
    node.put(5, new Message().put(1, name).ints(8, values).int(20, 7));
  for (const [name, values] of [["nodes_values", floats(0.5, 0, 0)], ["target_weights", floats(-1, 1)]] as const) // biome-ignore format: pairs
    node.put(5, new Message().put(1, name).put(7, values).int(20, 6));
  const modes = new Message().put(1, "nodes_modes");
  for (const mode of ["BRANCH_LEQ", "LEAF", "LEAF"]) modes.put(9, mode);
  node.put(5, modes.int(20, 8));
  for (const [name, value] of Object.entries({ n_targets: 1, aggregate_function: "SUM", post_transform: "NONE", ...changed }))
    node.put(
      5,
      typeof value === "number"
        ? new Message().put(1, name).int(3, value).int(20, 2)
        : new Message().put(1, name).put(4, value).int(20, 3),
    );
  const shape = new Message().put(1, new Message().put(2, "rows")).put(1, new Message().int(1, 1));
  const input = new Message().put(1, "features").put(2, new Message().put(1, new Message().int(1, 1).put(2, shape)));
  const all = new Message().put(1, node.put(7, "ai.onnx.ml")).put(2, "g").put(11, input);
  return new Message().int(1, 8).put(2, "test").put(7, all).bytes().slice();
}

it("ONNX trees by the older operator are read if they are summed to one score, and refused otherwise", () => {
  expect(importModel(regressor({}), { from: "onnx" }).model.columns.count).toBe(1);
  for (const changed of [{ n_targets: 2 }, { aggregate_function: "AVERAGE" }, { post_transform: "SOFTMAX" }])
    expect(() => importModel(regressor(changed), { from: "onnx" })).toThrow(
      "expected trees whose values are summed to one score",
    );
});

/** A graph of one stump, and another node. */
function graph(op: string, attributes: Readonly<Record<string, number>>): Uint8Array {
  const ints = { tree_roots: [0], nodes_featureids: [0], nodes_truenodeids: [0], nodes_falsenodeids: [1], nodes_trueleafs: [1] };
  const more = { nodes_falseleafs: [1], leaf_targetids: [0, 0] };
  const tensor = (name: string, type: number, data: Uint8Array) =>
    new Message().put(1, name).put(
      5,
      new Message()
        .ints(1, [type === 2 ? data.length : data.length / 8])
        .int(2, type)
        .put(9, data),
    );
  const doubles = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);
  const trees = new Message().put(1, "features").put(2, "score").put(4, "TreeEnsemble");
  for (const [name, value] of Object.entries({ n_targets: 1, aggregate_function: 1 }))
    trees.put(5, new Message().put(1, name).int(3, value));
  for (const [name, values] of Object.entries({ ...ints, ...more })) trees.put(5, new Message().put(1, name).ints(8, values));
  trees.put(5, tensor("nodes_splits", 11, doubles(0.5))).put(5, tensor("nodes_modes", 2, Uint8Array.of(0)));
  trees.put(5, tensor("leaf_weights", 11, doubles(-1, 1)));
  const other = new Message().put(1, "score").put(2, "out").put(4, op);
  for (const [name, value] of Object.entries(attributes)) other.put(5, new Message().put(1, name).int(3, value));
  const shape = new Message().put(1, new Message().put(2, "rows")).put(1, new Message().int(1, 1));
  const input = new Message().put(1, "features").put(2, new Message().put(1, new Message().int(1, 1).put(2, shape)));
  const all = new Message().put(1, trees.put(7, "ai.onnx.ml")).put(1, other).put(2, "g").put(11, input);
  return new Message().int(1, 8).put(2, "test").put(7, all).bytes().slice();
}

it("an ONNX graph of trees may cast their sum to floats, and to nothing else", () => {
  for (const harmless of [graph("Identity", {}), graph("Cast", { to: 1 }), graph("Cast", { to: 11 })])
    expect(importModel(harmless, { from: "onnx" }).model.columns.count).toBe(1);
  expect(() => importModel(graph("Cast", { to: 7 }), { from: "onnx" })).toThrow('the graph computes "Cast" besides its trees');
  expect(() => importModel(graph("Neg", { to: 1 }), { from: "onnx" })).toThrow('the graph computes "Neg" besides its trees');
});
