import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { fit } from "./fit.ts";
import { learner } from "./models/index.ts";
import { plPartition } from "./objectives/index.ts";
import type { Objective } from "./types.ts";

const data = build(
  Array.from({ length: 12 }, (_, i) => ({ list: Math.floor(i / 3), label: i % 3, features: [(i * 7) % 5, (i * 3) % 4] })),
);

/** A finite cost whose gradient is beyond the range of float32. */
const steep: Objective = {
  ...plPartition(),
  evaluate(scores, labels, into, draw, weights) {
    plPartition().evaluate(scores, labels, into, draw, weights);
    for (let i = 0; i < into.gradient.length; i++) into.gradient[i]! *= 1e300;
    return 1;
  },
};

describe("steps that leave the range of numbers while the cost stays finite", () => {
  it.each([
    ["mlp:epochs=1,hidden=8,batch=2", steep],
    ["linear:optimizer=sgd(rate=1000,epochs=1,batch=2),l2=1e305", plPartition()],
  ])("end the training instead of giving a model without numbers: %s", (spec, objective) => {
    expect(() => fit(data, { model: learner(spec), objective })).toThrow(
      /^(mlp|linear).* under pl-partition: the cost of round 1 is NaN: the steps are too large; try a lower learning rate or scaled features$/,
    );
  });
});
