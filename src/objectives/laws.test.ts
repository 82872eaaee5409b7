/** Every objective keeps the laws of testing/objective-laws.ts, at its defaults and at the variants named below. */
import { describe, expect, it } from "vitest";
import { runLaw } from "../testing/laws.ts";
import { objectiveLaws } from "../testing/objective-laws.ts";
import { objective, objectives } from "./index.ts";

const variants = [
  "pl-partition:top=3",
  "pl-partition:precision=single",
  "pl-partition:direction=backward",
  "pl-topk:k=2",
  "pl-topk:k=4,direction=backward",
  "listmle:direction=backward",
  "listmle:ties=random",
  "plrank:permutations=1,k=3",
  "lambdarank:norm=false,truncation=2",
  "softmax:target=exp",
  "xendcg:terms=1",
  "pmop-fd:direction=backward",
  "pmop-gibbs:direction=backward,steps=1",
  "pmop-mh:accept=paper",
  "approx-ndcg:temperature=2",
  "mcrank:grades=12",
];
const every = [...objectives.map(({ id }) => id), ...variants];

describe.each(every)("%s", (spec) => {
  const given = objective(spec);
  const options = { tolerance: spec.includes("single") ? 50 : 1 };

  it("is known by its own spec", () => {
    expect(objective(given.spec).spec).toBe(given.spec);
  });

  for (const law of objectiveLaws)
    it.skipIf(!law.applies(given, options))(law.name, () => runLaw("objective", law, given, options));
});
