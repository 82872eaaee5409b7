/** Learns from judged search results, which are ordinary objects, and reranks the hits of a new request. */
import { dataset, evaluate, metricList, plPartition, rank, split, train, trees } from "tierwise";

interface Judged {
  readonly query: number;
  readonly grade: number; // 0 to 3, by people
  readonly bm25: number;
  readonly popularity: number;
  readonly ageInDays: number | null; // unknown for some documents
}

// Judgements as they would come from a database: 300 queries of 12 documents.
let state = 1;
const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
const judged: Judged[] = Array.from({ length: 3600 }, (_, i) => {
  const [bm25, popularity, age] = [20 * uniform(), uniform(), 1000 * uniform()];
  const worth = bm25 / 10 + popularity - age / 1000 + uniform();
  const grade = Math.max(0, Math.min(3, Math.floor(worth)));
  return { query: i % 300, grade, bm25, popularity, ageInDays: uniform() < 0.1 ? null : age };
});

const data = dataset(judged, { list: "query", label: "grade", features: ["bm25", "popularity", "ageInDays"] });
const [learn, valid, test] = split(data, [0.6, 0.2, 0.2], 1);

// The validation queries decide how many trees are kept.
const metrics = metricList("ndcg@10");
const { model, best } = await train(learn!, { model: trees({ leaves: 8 }), objective: plPartition(), valid: valid!, metrics });
const { metrics: reached } = evaluate(model, test!, metrics);
console.log(`${best.round} trees, test NDCG@10 ${reached["ndcg@10"]!.toFixed(3)}`);

// A request: the hits of a search engine, in its order. The same objects come back in the order of the model.
const hits = [
  { url: "/rolls", bm25: 11.2, popularity: 0.1, ageInDays: 700 },
  { url: "/bread", bm25: 10.9, popularity: 0.9, ageInDays: 20 },
  { url: "/cakes", bm25: 8.3, popularity: 0.7, ageInDays: null },
  { url: "/flour", bm25: 2.5, popularity: 0.8, ageInDays: 300 },
];
for (const { rank: place, item, score } of rank(model, hits, { top: 3 }))
  console.log(`${place}. ${item.url} ${score.toFixed(2)}`);

// Prints:
// 230 trees, test NDCG@10 0.965
// 1. /bread 4.03
// 2. /cakes -0.24
// 3. /flour -0.54
