/** Suggests labels for documents: the labels of a document are one tier, all the others of the label space a second one. */
import { evaluate, labelSets, metricList, mlp, plPartition, rank, train } from "tierwise";

// Documents as counts of words, with their labels. A label makes its words likely, and a document has one or two labels.
const vocabulary: Record<string, readonly string[]> = {
  wine: ["grape", "oak", "cellar", "glass"],
  bread: ["flour", "yeast", "oven", "crust"],
  travel: ["train", "hotel", "map", "harbour"],
  music: ["piano", "choir", "score", "stage"],
};
const tags = Object.keys(vocabulary);
let state = 7;
const below = (n: number) => Math.floor((n * (state = (state * 48_271) % 2_147_483_647)) / 2_147_483_647);
const documents = Array.from({ length: 400 }, () => {
  const labels = [...new Set([tags[below(4)]!, tags[below(4)]!])];
  const words: Record<string, number> = {};
  for (let i = 0; i < 12; i++) {
    const source = vocabulary[below(4) === 0 ? tags[below(4)]! : labels[below(labels.length)]!]!;
    const word = source[below(source.length)]!;
    words[word] = (words[word] ?? 0) + 1;
  }
  return { labels, words };
});

const data = labelSets(documents.slice(0, 300), { labels: "labels", features: "words" });
const space = data.names.items!;
const test = labelSets(documents.slice(300), { labels: "labels", features: "words", space });

const { model } = await train(data, { model: mlp({ hidden: [16], epochs: 30 }), objective: plPartition() });
const { metrics } = evaluate(model, test, metricList("precision@1,ndcg@3"));
console.log(Object.entries(metrics).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ")); // biome-ignore format: one line

const [first] = rank(model, test, 2);
console.log(`${Object.keys(documents[300]!.words).join(" ")}: ${first!.items.map(({ id }) => id).join(", ")}`);

// Prints:
// precision@1 0.99, ndcg@3 0.97
// score hotel stage piano choir: music, travel
