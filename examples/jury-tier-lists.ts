/** Tier lists of a jury: each juror puts entries into tiers, leaves some out, and the likelihood of tiers adds the opinions up. */
import { type Ballot, ballots, plPartition, rank, train, utilities } from "tierwise";

const jury: Record<string, Record<"S" | "A" | "B", readonly string[]>> = {
  Ada: { S: ["Rye"], A: ["Spelt", "Oat"], B: ["Corn"] },
  Ben: { S: ["Spelt", "Rye"], A: ["Corn"], B: [] },
  Cleo: { S: ["Oat"], A: ["Rye"], B: ["Spelt", "Corn"] },
  Dan: { S: ["Rye", "Oat"], A: ["Spelt"], B: ["Corn"] },
  Eve: { S: ["Corn"], A: ["Rye", "Spelt"], B: ["Oat"] },
};

// The order within a tier is unknown, and a juror who left an entry out says nothing about it.
const data = ballots(Object.values(jury).map(({ S, A, B }): Ballot => [S, A, B]));

// A weak prior keeps the estimates finite, however unanimous the jury is.
const { model } = await train(data, { model: utilities({ ghost: 0.5 }), objective: plPartition() });
for (const { rank: places, name, value } of model.describe().estimates!)
  console.log(`places ${places.padEnd(4)} ${name.padEnd(6)} ${value.toFixed(2)}`);

// The same model orders any selection of the entries.
console.log(rank(model, ["Corn", "Oat", "Rye"]).map(({ item }) => item).join(" > ")); // biome-ignore format: one line

// Prints:
// places 1-4  Rye    1.00
// places 1-4  Oat    0.27
// places 1-4  Spelt  -0.08
// places 1-4  Corn   -1.20
// Rye > Oat > Corn
