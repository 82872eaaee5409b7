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
  "lambdarank:metric=ndcg@3",
  "lambdarank:metric=ndcg@5,truncation=2,norm=false",
  "lambdarank:metric=mrr",
  "lambdarank:metric=map@4",
  "lambdarank:metric=err,gmax=500",
  "yetirank:permutations=2,decay=1,noise=gumbel",
  "yetirank:mode=dcg,permutations=3",
  "yetirank:mode=ndcg,top=3,neighbors=4",
  "yetirank:mode=mrr,neighbors=9",
  "yetirank:mode=map,permutations=1",
  "yetirank:mode=err,gmax=500,noise=gumbel",
  "softmax:target=exp",
  "xendcg:terms=1",
  "pmop-fd:direction=backward",
  "pmop-exact:sizes=given",
  "pmop-exact:potential=sum",
  "pmop-exact:potential=sum,direction=backward",
  "pmop-exact:potential=sum,sizes=given",
  "pmop-gibbs:direction=backward,steps=1",
  "pmop-mh:accept=paper",
  "approx-ndcg:temperature=2",
  "mcrank:grades=12",
  "ranknet:ties=half",
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
