/** A leaderboard from battles of two with ties, as arenas of language models, leagues and A/B tests have them. */
import { ballots, compareTies, davidson, train, utilities } from "tierwise";

const battles = [
  { a: "lark", b: "wren", winner: "lark", times: 46 },
  { a: "lark", b: "wren", winner: "wren", times: 31 },
  { a: "lark", b: "wren", winner: "tie", times: 23 },
  { a: "wren", b: "finch", winner: "wren", times: 38 },
  { a: "wren", b: "finch", winner: "finch", times: 35 },
  { a: "wren", b: "finch", winner: "tie", times: 27 },
  { a: "finch", b: "lark", winner: "finch", times: 25 },
  { a: "finch", b: "lark", winner: "lark", times: 55 },
  { a: "finch", b: "lark", winner: "tie", times: 20 },
  { a: "crow", b: "finch", winner: "finch", times: 60 },
  { a: "crow", b: "finch", winner: "crow", times: 30 },
];

// A battle is a ballot of two items: the winner above the loser, or both in one tier.
const data = ballots(
  battles.map(({ a, b, winner }) => (winner === "tie" ? [[a, b]] : winner === a ? [a, b] : [b, a])),
  { weights: battles.map(({ times }) => times) },
);

// Davidson's model gives ties a probability of their own. A likelihood of tiers would learn nothing from a tie of two.
const { model } = await train(data, { model: utilities(), objective: davidson() });
for (const { rank, name, value, low, high } of model.describe().estimates!)
  console.log(`${rank.padEnd(4)} ${name.padEnd(6)} ${value.toFixed(2).padStart(5)}  [${low.toFixed(2)}, ${high.toFixed(2)}]`);

// Which model of ties predicts held-out battles best?
for (const { objective, own } of compareTies(data, { objectives: ["davidson", "rao-kupper"] }))
  console.log(`${objective}: log-likelihood of a held-out battle ${own.toFixed(3)}`);

// Prints:
// 1    lark    0.66  [0.39, 0.93]
// 2-3  wren    0.18  [-0.08, 0.45]
// 2-3  finch   0.01  [-0.19, 0.21]
// 4    crow   -0.85  [-1.25, -0.45]
// davidson: log-likelihood of a held-out battle -1.024
// rao-kupper: log-likelihood of a held-out battle -1.023
