import { expect, it } from "vitest";
import { fit } from "../fit.ts";
import { parseData } from "../formats/data/parse.ts";
import { learner } from "./index.ts";

it("counts that a header declares are refused before anything is allocated for them", () => {
  const { data } = parseData([{ name: "a.xc.txt", content: "2 2147483646 3\n0 0:1\n1 1:2\n" }]);
  expect(() => fit(data, { model: learner("leml:rank=2") })).toThrow(
    "leml: 2147483646 features and 3 labels of rank 2 make a model too large for memory",
  );
});
