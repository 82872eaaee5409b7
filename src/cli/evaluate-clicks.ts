/** `tierwise evaluate --clicks`: the DCG that a ranking would have had, from a log of clicks on others. */
import { COUNTERFACTUAL_CLIP, type CounterfactualEstimate, counterfactualDcg } from "../counterfactual.ts";
import { InputError, quote } from "../input-error.ts";
import { metricList } from "../metrics/index.ts";
import { type BiasFlags, biasMethod, biasOf, columnsLike, loadClicks, numberOption } from "./click-input.ts";
import { type EvaluationInputOptions, loadForEvaluation } from "./evaluation-input.ts";
import { notice, print, printJson, tableText } from "./output.ts";

interface Options extends EvaluationInputOptions, BiasFlags {
  readonly clicks: readonly string[];
  readonly metrics: string;
  readonly perList?: true;
  readonly level?: string;
  readonly ties?: true;
  readonly explain?: true;
  readonly calibration?: true;
}

/** `given`: the metrics are not the default ones. */
export async function evaluateByClicks(path: string, files: readonly string[], options: Options, given: boolean): Promise<void> {
  const { complete, perList, level, ties, explain, calibration } = options;
  const judged = { complete, "per-list": perList, level, ties, explain, calibration };
  const [other] = Object.entries(judged).find(([, value]) => value !== undefined) ?? [];
  if (other)
    throw new InputError(`--${other} is for judged lists, and --clicks estimates DCG without judgments; leave out one of them`);
  const cutoffs = given ? cutoffsOf(options.metrics) : [10];
  const clip = numberOption("clip", options.clip, 1) ?? COUNTERFACTUAL_CLIP;
  biasMethod(options.bias);
  const quiet = options.quiet ?? false;
  const { data, scores, reading } = await loadForEvaluation(path, files, options, metricList("dcg@10"), "optional");
  const log = await loadClicks(options.clicks, {}, quiet, columnsLike(reading));
  const bias = biasOf(log, options, data.features.columns > 0 ? data : undefined, 0.95);
  const found = cutoffs.map((k) => counterfactualDcg(log, data, scores, { bias, k, clip }));
  if (options.json) return printJson({ bias: { method: bias.method, propensities: [...bias.propensities] }, estimates: found });
  const row = (what: string, { mean, low, high, error }: CounterfactualEstimate) => [what, mean, low, high, error];
  const rows = found.flatMap(({ k, ips, doublyRobust, logged, difference }) => [
    row(`dcg@${k}, inverse propensity`, ips),
    row(`dcg@${k}, doubly robust`, doublyRobust),
    row(`dcg@${k} of what was shown`, logged),
    row("doubly robust less what was shown", difference),
  ]);
  print(tableText({ head: ["estimate", "mean", "low", "high", "error"], rows }));
  const [{ queries, impressions, unseen, k }] = found as [(typeof found)[0]];
  if (quiet) return;
  notice(`${impressions} impressions of ${queries} queries; position bias by ${bias.method}; 95 % intervals, clustered by query`);
  if (unseen > 0)
    notice(
      `${(unseen * 100).toFixed(1)} % of the first ${k} documents were never shown: inverse propensity takes them as irrelevant`,
    );
}

function cutoffsOf(text: string): number[] {
  return text.split(",").map((one) => {
    const [, k] = /^\s*dcg@(\d+)\s*$/.exec(one) ?? [];
    if (k === undefined || !(Number(k) >= 1 && Number(k) <= 1e6))
      throw new InputError(`--metrics: clicks estimate dcg at a cutoff, such as dcg@10, got ${quote(one)}`);
    return Number(k);
  });
}
