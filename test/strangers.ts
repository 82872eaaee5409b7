/**
 * A program of someone who installed the package: every public function with right and with wrong arguments. `package.long.test.ts` compiles it
 * with the oldest supported TypeScript and the current one, without skipLibCheck, and runs it beside the installed package. What is public
 * is taken from the modules themselves, so that a new name without a case is reported.
 */
import * as tierwise from "tierwise";
import { report } from "tierwise/report";

const { ballots, build, fit, linear, InputError, ndcg, plPartition, trees, utilities } = tierwise;

const rows: tierwise.Row[] = [];
for (let list = 0; list < 8; list++)
  for (let i = 0; i < 4; i++) rows.push({ list, label: (i + list) % 3, features: [i + (list % 2), (i * 7 + list) % 5] });
const data = build(rows);
const votes = ballots([
  ["a", ["b", "c"]],
  ["b", "a", "c"],
  ["c", "b", "a"],
  ["a", "c", "b"],
  ["b", "c", "a"],
]);
const fought = tierwise.battles(
  (["first", "second", "tie", "first"] as const).flatMap((winner) => [
    { first: "a", second: "b", winner, slice: "x", cluster: "one" },
    { first: "b", second: "a", winner, slice: "y", cluster: "two" },
  ]),
);
const judged = tierwise.battles(
  Array.from({ length: 60 }, (_, i) => ({
    ...{ first: "abc"[i % 3]!, second: "abc"[(i + 1) % 3]!, cluster: `judge ${i % 4}` },
    winner: (["first", "first", "second", "tie", "first", "second"] as const)[(i * 5 + Math.floor(i / 7)) % 6]!,
  })),
);
const board = tierwise.leaderboard(fought);
const timed = tierwise.battles(
  (["first", "second", "tie"] as const).flatMap((winner) =>
    [1, 2].map((t) => ({ first: "a", second: "b", winner, slice: String(t) })),
  ),
);
const fitted = fit(data, { model: linear({ l2: 1 }) });
const { model } = fitted;
const worths = fit(votes, { model: utilities() }).model;
const scores = tierwise.score(model, data);
const explained = tierwise.explain(model, data, 0);
const metrics = [ndcg({ k: 3 })];
const metric = ndcg({ k: 3 });
const file: tierwise.ModelFile = { model, training: { objective: "pl-partition", model: "linear" }, metrics: {} };
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const random = () => 0.5;
const ownModule = `data:text/javascript,${encodeURIComponent(
  `export const objective = { id: "o", spec: "o", outputs: 1, cost: "exact", gradient: "exact", hessian: "none", ties: "tier", auxiliary: [], evaluate() { return 0; } };
   export const metric = { id: "m", spec: "m", variant: "none", better: "higher", measure: () => 1 };
   export const transform = { id: "t", spec: "t", fit: () => null, apply: (state, data) => data };`,
)}`;
const measured = (name: string) => tierwise.systemValues(name, tierwise.evaluate(model, data, metrics), data);
const folds = tierwise.folds(data, 4, 1);
const tuning = { model: "linear", objective: "pl-partition", space: { l2: "0.1,1" }, metrics, threads: 1 };
const trial = { settings: { l2: "1" }, model: "linear", objective: "pl-partition", metrics: { ndcg: 1 }, rounds: [1] };
const shownOften = tierwise.clickLog(
  Array.from({ length: 24 }, (_, i) => ({
    ...{ query: `q${i % 2}`, document: String(1 + (i % 4)), position: 1 + ((i + Math.floor(i / 4)) % 3) },
    ...{ clicked: i % 5 < 2, impression: i },
  })),
);
const bias = tierwise.positionBias(shownOften);
const candidates = build(rows.map((row) => ({ ...row, list: `q${row.list}` })));
const problem: tierwise.Problem = { size: 1, gradient: "exact", lists: 1, evaluate: () => 0 };
const each = (all: Iterable<unknown>) => [...all].length;

const grown = tierwise.fit(data, { model: trees({ rounds: 2, minItems: 1 }) }).model;
const exported = tierwise.exportModel(grown, { to: "lightgbm" });
const preferences = tierwise.preferenceGraph(2, [{ winner: 0, loser: 1 }]);

/** A right call of every public function; parts such as `ndcg` are called without options. */
const right: Readonly<Record<string, () => unknown>> = {
  align: () => tierwise.align(data, model.columns),
  alignItems: () => tierwise.alignItems(votes, ["a", "b", "c"]),
  autoTrain: () => tierwise.autoTrain(data, { trials: 1, folds: 2, metrics, threads: 1 }),
  average: () => tierwise.average(metric, scores, data),
  ballots: () => votes,
  battles: () => fought,
  baselines: () => tierwise.baselines(data, { metric }),
  bestFeature: () => tierwise.bestFeature(data, metric),
  blend: () => tierwise.blend([model, grown], data),
  bootstrap: () => tierwise.bootstrap(votes, { model: utilities({ ghost: 0.5 }), objective: plPartition(), resamples: 3 }),
  bootstrapDifference: () => tierwise.bootstrapDifference([1, 2, 3], [1, 1, 1], { random }),
  bootstrapMean: () => tierwise.bootstrapMean([1, 2, 3], { random }),
  clickData: () => tierwise.clickData(shownOften, candidates, { bias }),
  clickLog: () => shownOften,
  counterfactualDcg: () => tierwise.counterfactualDcg(shownOften, candidates, tierwise.score(model, candidates), { bias }),
  positionBias: () => bias,
  readClicks: () => tierwise.readClicks(["clicks.csv"]),
  simulateClicks: () => tierwise.simulateClicks(data, scores, { impressions: 10 }),
  breakCycles: () => tierwise.breakCycles(preferences),
  build: () => data,
  calibrate: () => tierwise.calibrate(scores, data),
  candidatesOf: () => tierwise.candidatesOf(tuning),
  chainConvergence: () => tierwise.chainConvergence([scores, scores].map(() => [1, 2, 1, 3, 2])),
  chainDiagnostics: () => tierwise.chainDiagnostics(model, data, { objective: tierwise.pmopGibbs(), steps: 20, stages: 1 }),
  checkpointDirectory: () => tierwise.checkpointDirectory("checkpoints").isEmpty(),
  checkModel: () => tierwise.checkModel(exported.content, exported.parity),
  compare: () => tierwise.compare([measured("one"), measured("two")], { metrics }),
  compareTies: () => tierwise.compareTies(votes, { objectives: ["pl-partition"], parts: 2 }),
  voterClusters: () => tierwise.voterClusters(votes, { most: 2, parts: 2, starts: 1, rounds: 5 }),
  compareValues: () => tierwise.compareValues([1, 2], [2, 1]),
  concat: () => tierwise.concat([data, data]),
  contextCompression: () => tierwise.contextCompression(data),
  cv: () => tierwise.cv(folds.slice(0, 2), { model: linear(), metrics, threads: 1 }),
  dataset: () => tierwise.dataset([{ query: 1, grade: 0, price: 2 }], { list: "query", label: "grade" }),
  effects: () => tierwise.effects(model, data, { metric }),
  evaluate: () => tierwise.evaluate(model, data, metrics),
  evaluateScores: () => tierwise.evaluateScores(scores, data, metrics),
  evaluationScores: () => tierwise.evaluationScores(model, data, metrics),
  explain: () => tierwise.explain(model, data, 0),
  finiteDifferenceHessian: () => tierwise.finiteDifferenceHessian(problem, new Float64Array(1)),
  exportModel: () => tierwise.exportModel(grown, { to: "lightgbm" }),
  featureStore: () => tierwise.featureStore([{ name: "price", field: "price" }], { to: "solr" }),
  findCycles: () => tierwise.findCycles(preferences),
  fit: () => fitted,
  fitTemperature: () => tierwise.fitTemperature(scores, data, Uint32Array.of(0, 1)),
  folds: () => folds,
  foldsFromParts: () => tierwise.foldsFromParts(data, [Uint32Array.of(0), Uint32Array.of(1), Uint32Array.of(2)]),
  holm: () => tierwise.holm([0.1, 0.2]),
  importModel: () => tierwise.importModel(exported.content),
  isBlend: () => tierwise.isBlend(model),
  isTrees: () => tierwise.isTrees(model),
  isUtilities: () => tierwise.isUtilities(worths),
  joinScores: () => tierwise.joinScores(data, new Map([["1", new Map([["1", 0.5]])]])),
  labelSets: () => tierwise.labelSets([{ tags: ["a"], words: { b: 1 } }], { labels: "tags", features: "words" }),
  loadMetric: () => tierwise.loadMetric({ module: ownModule }),
  loadObjective: () => tierwise.loadObjective({ module: ownModule }),
  loadTransform: () => tierwise.loadTransform({ module: ownModule }),
  metricNames: () => tierwise.metricNames("ndcg@10,err"),
  leaderboard: () => board,
  leaderboardBySlice: () => tierwise.leaderboardBySlice(fought),
  leaderboardInfluence: () => tierwise.leaderboardInfluence(fought, { ghost: 0.5 }),
  leaderboardWithJudges: () => tierwise.leaderboardWithJudges(judged, { ghost: 0.5 }),
  compareInterleaved: () => tierwise.compareInterleaved([{ credit: [1, 0], clicks: [0] }]),
  interleave: () => tierwise.interleave([0, 1], [1, 0], { random }),
  parseInterleavingLog: () => tierwise.parseInterleavingLog([{ path: "log", text: "" }]),
  rankOverHttp: () => tierwise.rankOverHttp("data:,", [{ rows: [[1]] }]).catch(() => undefined), // no server is there
  nextPairs: () => tierwise.nextPairs(fought),
  nextPairsOf: () =>
    tierwise.nextPairsOf({ names: ["a", "b"], utilities: [1, 0], covariance: Float64Array.of(1, -1, -1, 1) }, { pairs: 1 }),
  onlineRatings: () => tierwise.onlineRatings(tierwise.elo()).items(),
  continueRatings: () => tierwise.continueRatings(tierwise.onlineRatings(tierwise.elo()).state()),
  compareRatings: () =>
    tierwise.compareRatings(
      Array.from({ length: 20 }, (_, i) => ({ first: "a", second: "b", winner: i % 3 === 0 ? "first" : "tie" })),
      { slices: 2 },
    ),
  eachBattle: () => tierwise.eachBattle(["battles.csv"], () => {}),
  ratingSystem: () => tierwise.ratingSystem("elo:k=16"),
  leaderboardChanges: () => tierwise.leaderboardChanges(board, board),
  compareBattleModels: () => tierwise.compareBattleModels(fought, { parts: 2 }),
  leaderboardDrift: () => tierwise.leaderboardDrift(timed, { step: 0.1 }),
  leaderboardOfRankings: () => tierwise.leaderboardOfRankings(votes),
  leaderboardFit: () => tierwise.leaderboardFit(fought, { simulations: 0 }),
  leaderboardWithFeatures: () => tierwise.leaderboardWithFeatures(fought, { names: [], items: new Map([["a", []], ["b", []]]) }), // biome-ignore format: one call
  learner: () => tierwise.learner("trees:leaves=8"),
  measureList: () => tierwise.measureList(metric, scores, data, 0),
  metric: () => tierwise.metric("ndcg@10"),
  metricDifference: () => tierwise.metricDifference(metric, ndcg({ k: 2 }), scores, data),
  metricList: () => tierwise.metricList("ndcg@10,err"),
  nativeVariant: () => tierwise.nativeVariant(metric),
  objective: () => tierwise.objective("pl-topk:k=5"),
  optimizer: () => tierwise.optimizer("adam:rate=0.1"),
  optionsOf: () => tierwise.optionsOf(metric),
  parseData: () => tierwise.parseData([{ name: "a.txt", content: "1 qid:1 1:2\n0 qid:1 1:1\n" }]),
  parityText: () => tierwise.parityText(exported.parity),
  parseFeatureDefinitions: () => tierwise.parseFeatureDefinitions('[{ "name": "price", "field": "price" }]', "features.json"),
  parseParity: () => tierwise.parseParity(tierwise.parityText(exported.parity), "parity.json"),
  preferenceGraph: () => preferences,
  parseHistory: () => tierwise.parseHistory(tierwise.serializeHistory(fitted), "history"),
  parseModel: () => tierwise.parseModel(tierwise.serializeModel(file), "model"),
  parseRun: () => tierwise.parseRun("run", bytes("q Q0 d 1 0.5 tag\n")),
  parseTrials: () =>
    tierwise.parseTrials(bytes(tierwise.serializeTrialsHeader({ a: 1 }) + tierwise.serializeTrial(trial)), "trials", { a: 1 }),
  parseValues: () => tierwise.parseValues(tierwise.serializeValues(measured("one")), "values"),
  part: () => tierwise.part("mine", "of my own", {}, () => ({ id: "mine" }))(),
  permutationImportance: () => tierwise.permutationImportance(model, data, { metric, repeats: 1 }),
  probabilities: () => tierwise.probabilities(scores.subarray(0, 4)),
  randomizationTest: () => tierwise.randomizationTest([1, 2], random),
  rank: () => each(tierwise.rank(model, data, { top: 2 })),
  rankProbabilities: () => each(tierwise.rankProbabilities(model, data, { top: 2 })),
  readBinned: () => tierwise.readBinned(["train.txt"], { model: trees(), threads: 1 }),
  readBattles: () => tierwise.readBattles(["battles.csv"]),
  readItemFeatures: () => tierwise.readItemFeatures("items.csv"),
  readData: () => tierwise.readData(["train.txt"], { threads: 1 }),
  readModel: () => tierwise.readModel("written.json"),
  report: () => report({ name: "model", file, metrics, judged: { name: "data", data } }),
  score: () => scores,
  scoreRows: () => tierwise.scoreRows(model, [[1, 2]]),
  serializeHistory: () => tierwise.serializeHistory(fitted),
  serializeModel: () => tierwise.serializeModel(file),
  serializeTrial: () => tierwise.serializeTrial(trial),
  serializeTrialsHeader: () => tierwise.serializeTrialsHeader({ data: "x" }),
  serializeValues: () => tierwise.serializeValues(measured("one")),
  split: () => tierwise.split(data, [0.5, 0.5], 1),
  subset: () => tierwise.subset(data, [0]),
  summary: () => tierwise.summary(data),
  systemValues: () => measured("one"),
  tiersFromClicks: () => tierwise.tiersFromClicks([0, 1, 0]),
  tiersFromPairs: () => tierwise.tiersFromPairs(2, [{ winner: 0, loser: 1 }]),
  tiersFromRatings: () => tierwise.tiersFromRatings([3, 1, 2]),
  topologicalOrder: () => tierwise.topologicalOrder(preferences),
  tieExposure: () => tierwise.tieExposure(metric, scores, data),
  inspect: () => tierwise.inspect(data, { test: data }),
  train: () => tierwise.train(data, { model: trees({ rounds: 2, minItems: 1 }), threads: 2 }),
  tune: () => tierwise.tune([{ train: data, valid: data }], tuning),
  utilityProbabilities: () => tierwise.isUtilities(worths) && tierwise.utilityProbabilities(worths).outcome.first("a"),
  variantOf: () => tierwise.variantOf(metric, { k: 2 }),
  whatIf: () => tierwise.whatIf(model, data, 0, [{ feature: "1", set: 3 }]),
  whyAbove: () => tierwise.whyAbove(explained[0]!, explained[1]!),
  writeModel: () => tierwise.writeModel("written.json", file),
};

const wrong: readonly unknown[] = [
  ...[undefined, null, -1, 0.5, Number.NaN, "", "no such thing", true, 10n, Symbol("symbol"), () => 1],
  ...[[], {}, [null], ["a"], [[]], { "no-such-option": 1 }, Object.create(null), new Map(), new Float64Array(3), new Date(0)],
  ...[Promise.resolve(data), data, model, votes, linear(), metric, plPartition(), { data }, fitted],
];

/** Data and no options: a right call, which searches for long. */
const isLong = ([first, ...rest]: readonly unknown[]) =>
  first === data && rest.every((one) => Object.keys((one ?? {}) as object).length === 0 && typeof one !== "string");

const problems: string[] = [];
let [calls, refused] = [0, 0];

async function outcome(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof result === "object" && result !== null && "next" in result) each(result as unknown as Iterable<unknown>);
    return undefined;
  } catch (error) {
    return error ?? "nothing was thrown";
  }
}

async function misuse(name: string, call: (...given: never[]) => unknown, given: readonly unknown[]): Promise<void> {
  calls++;
  const error = await outcome(() => call(...(given as never[])));
  if (error === undefined) return;
  if (!(error instanceof InputError)) problems.push(`${name}: ${String(error)}`);
  else if (/\n/.test(error.message) || error.message === "") problems.push(`${name}: not one line: ${error.message}`);
  else refused++;
}

await outcome(right.writeModel!); // before it is read
const names: Readonly<Record<string, unknown>> = { ...tierwise, report };
for (const [name, value] of Object.entries(names)) {
  if (typeof value !== "function" || value === InputError || value === tierwise.TrainingInterrupted) continue;
  const misused = value as (...given: never[]) => unknown;
  const isPart = "fields" in value;
  const call = isPart ? () => misused() : right[name];
  if (!call) {
    problems.push(`${name}: no case in test/strangers.ts`);
    continue;
  }
  const failed = await outcome(call);
  if (failed !== undefined) problems.push(`${name}: a right call failed: ${String(failed)}`);
  const before = isPart ? [[]] : [[], [data], [votes], [model], [model, data], [scores], [scores, data]];
  for (const given of before)
    for (const one of wrong) if (!(name === "autoTrain" && isLong([...given, one]))) await misuse(name, misused, [...given, one]);
}
for (const name of Object.keys(right)) if (!(name in names)) problems.push(`${name}: a case for what is not public`);
console.log(JSON.stringify({ calls, refused, problems: [...new Set(problems)] }));
process.exit(0); // what was started by mistake is not waited for
