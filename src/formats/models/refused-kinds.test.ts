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
