/**
 * Solr as a real server: uploads features and a model as tierwise writes them, indexes documents, lets Solr rerank them, and compares order
 * and scores with the model's own.
 *
 *   cd scripts/solr && mvn dependency:copy-dependencies -DoutputDirectory=jars && javac -cp 'jars/*' Run.java
 *   cp -r home solr-home && java -Xmx512m -cp 'jars/*:.' Run solr-home 8984 &
 *   node scripts/solr/check.mjs http://127.0.0.1:8984/solr/ltr
 */
import {
  exportModel,
  featureStore,
  fit,
  lambdaRank,
  learner,
  linear,
  plPartition,
  readData,
  score,
} from "../../dist/src/index.js";

const [url = "http://127.0.0.1:8984/solr/ltr"] = process.argv.slice(2);
const { data } = await readData(["examples/search/train.txt.gz"]);
const { data: test } = await readData(["examples/search/test.txt.gz"]);
const DOCUMENTS = 50;
const { columns } = test.features;
const cell = densify(test.features);

async function call(method, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body ? { body, headers: { "content-type": "application/json" } } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

function densify(matrix) {
  return (row, column) => {
    if (matrix.kind === "dense") return matrix.values[row * matrix.columns + column];
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
      if (matrix.indices[at] === column) return matrix.values[at];
    return matrix.absent;
  };
}

const names = Array.from({ length: columns }, (_, c) => `f${c + test.base}`);
const documents = Array.from({ length: DOCUMENTS }, (_, r) => ({
  id: String(r),
  ...Object.fromEntries(names.map((name, c) => [name, cell(r, c)])),
}));
await call("POST", "/update?commit=true", JSON.stringify(documents));
const { store, query } = featureStore(
  names.map((name) => ({ name, field: name })),
  { to: "solr", name: "trees", rerank: DOCUMENTS },
);
await call("PUT", "/schema/feature-store", store);

const models = {
  trees: fit(data, { model: learner("trees:rounds=40,leaves=15"), objective: lambdaRank() }).model,
  linear: fit(data, { model: linear({ l2: 5 }), objective: plPartition() }).model,
  network: fit(data, { model: learner("mlp:hidden=16,epochs=3"), objective: plPartition() }).model,
};
let failed = false;
for (const [name, model] of Object.entries(models)) {
  const { content, notes } = exportModel(model, { to: "solr", missing: "zero", name });
  await call("PUT", "/schema/model-store", content);
  const asked = new URLSearchParams(Object.entries(JSON.parse(query.replace("model=trees", `model=${name}`))));
  const { response } = await call("GET", `/select?${asked}`);
  const own = score(model, test).slice(0, DOCUMENTS);
  const order = [...own.keys()].sort((a, b) => Math.fround(own[b]) - Math.fround(own[a]) || a - b);
  const theirs = response.docs.map(({ id }) => Number(id));
  const sameOrder = theirs.every(
    (id, place) => id === order[place] || Math.abs(own[id] - own[order[place]]) < 2e-6 * (1 + Math.abs(own[id])),
  );
  const shift = name === "linear" ? own[theirs[0]] - response.docs[0].score : 0;
  const worst = Math.max(...response.docs.map((doc) => Math.abs(doc.score + shift - own[Number(doc.id)])));
  const same = response.docs.filter((doc) => Math.fround(doc.score) === Math.fround(exact(model, Number(doc.id)))).length;
  console.log(
    `${name}: ${theirs.length} documents, ${sameOrder ? "same order" : "ANOTHER ORDER"}, ${same} scores identical to the float32 sum, worst difference from float64 ${worst.toPrecision(2)}; ${notes.join("; ")}`,
  );
  failed ||= !sameOrder || theirs.length !== DOCUMENTS || (name === "trees" && same !== DOCUMENTS);
}
process.exitCode = failed ? 1 : 0;

/** The float32 sum in the order of trees, which is what Solr computes. */
function exact(model, row) {
  if (!model.trees) return Number.NaN;
  let sum = 0;
  for (const tree of model.trees) {
    let node = 0;
    while (tree.feature[node] >= 0)
      node = cell(row, tree.feature[node]) <= tree.threshold[node] ? tree.left[node] : tree.right[node];
    sum = Math.fround(sum + Math.fround(tree.value[node]));
  }
  return sum;
}
