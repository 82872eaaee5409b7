/**
 * The entry `tierwise/testing`: checks of objectives, metrics and feature transforms of one's own, by the laws that those of the library keep.
 * Each throws a `LawError` of one line that names the law, the numbers and the list. They need no test framework.
 */
import { checkData, checkOptions, type Kind, numberAbove, oneOf, someData, someFunction, wholeFrom } from "../arguments.ts";
import { checkMembers } from "../members.ts";
import { random } from "../numeric/random.ts";
import type { Metric, Objective, Transform } from "../types.ts";
import { runLaws } from "./laws.ts";
import { type MetricCheckOptions, metricClaims, metricLaws } from "./metric-laws.ts";
import { type ObjectiveCheckOptions, objectiveLaws } from "./objective-laws.ts";
import { drawData, type TransformCheckOptions, transformLaws } from "./transform-laws.ts";

export { LawError } from "./laws.ts";
export type { MetricCheckOptions, ObjectiveCheckOptions, TransformCheckOptions };

/**
 * Checks that an objective keeps the laws of objectives: gradient and hessian are slopes, permuting items permutes the answer, lists with
 * nothing to learn cost nothing, large scores stay finite, weights scale the cost. What it declares about itself (`gradient`, `hessian`,
 * `ties`, ...) decides which laws apply.
 */
export function checkObjective(objective: Objective, options: ObjectiveCheckOptions = {}): void {
  checkMembers("checkObjective", "objective", objective);
  checkOptions("checkObjective", options, { tolerance: numberAbove(0) });
  runLaws("objective", objectiveLaws, objective, { tolerance: 1, ...options });
}

const numbers = (wanted: string, fits: (values: readonly number[]) => boolean): Kind => ({
  wanted,
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "number" && !Number.isNaN(one)) && fits(value),
});

/**
 * Checks that a metric keeps the laws of metrics: its range, that the ideal order is best, that neither the order of the data nor a monotone
 * change of the scores matters, and, with the option `definition`, its values.
 */
export function checkMetric(metric: Metric, options: MetricCheckOptions = {}): void {
  checkMembers("checkMetric", "metric", metric);
  checkOptions("checkMetric", options, {
    range: numbers("[least, greatest]", ({ length, 0: least, 1: most }) => length === 2 && least! <= most!),
    dependsOn: oneOf("order", "scores"),
    ties: oneOf("any", "order"),
    definition: someFunction,
    labels: numbers("an array of labels", ({ length }) => length > 0),
    cases: wholeFrom(1),
  });
  runLaws("metric", metricLaws, metric, metricClaims(options));
}

/**
 * Checks that a feature transform keeps the laws of transforms: its state is plain JSON, it leaves the data alone and does not look at labels,
 * and a list has the same features alone as among others. Data that it refuses with an `InputError` are left out.
 */
export function checkTransform(transform: Transform, options: TransformCheckOptions = {}): void {
  checkMembers("checkTransform", "transform", transform);
  checkOptions("checkTransform", options, { data: someData });
  const { data } = options;
  if (data) checkData("checkTransform, option data", data);
  const kinds = ["dense", "missing", "sparse"] as const;
  const cases = data ? [["the given", data] as const] : kinds.map((kind, i) => [kind, drawData(random(i + 1), kind)] as const);
  runLaws("transform", transformLaws, transform, { cases });
}
