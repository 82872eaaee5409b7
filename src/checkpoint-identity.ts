/** What must be the same for a run to continue from a checkpoint: the program, what it trains and how, and the content of the data. */
import { digestOf } from "./data/digest.ts";
import { encodeCheckpoint } from "./formats/checkpoint.ts";
import { models } from "./models/index.ts";
import { digest } from "./numeric/digest.ts";
import { objectives } from "./objectives/index.ts";
import { type AnyPart, kebabCase, parseSpec } from "./part.ts";
import type { Dataset, Learner, Metric, Model, Objective, Snapshot, Transform } from "./types.ts";
import { VERSION } from "./version.ts";

/** By name; "" is what was not given. Paths and the number of threads are not part of it, since they do not change the result. */
export type Identity = Readonly<Record<string, string>>;

/** A training, as far as its result depends on it. */
export interface Identified {
  readonly model: Learner;
  readonly objective: Objective;
  readonly transform?: Transform;
  readonly metrics?: readonly Metric[];
  readonly stopOn?: string;
  readonly patience: number;
  readonly seed: number;
  readonly init?: Model;
  readonly valid?: Dataset;
}

export function identityOf(data: Dataset, training: Identified): Identity {
  const { model, objective, transform, metrics = [], stopOn = "", patience, seed, init, valid } = training;
  return {
    version: VERSION,
    model: model.spec,
    objective: model.cost ?? objective.spec,
    ...{ transform: transform?.spec ?? "", metrics: metrics.map(({ spec }) => spec).join(","), stopOn },
    ...{ patience: String(patience), seed: String(seed) },
    init: init ? digest(encodeCheckpoint({ saved: init.save() as unknown as Snapshot })) : "",
    ...{ data: digestOf(data), valid: valid ? digestOf(valid) : "" },
  };
}

const CONTENT: Identity = { init: "initial model", data: "training data", valid: "validation data", test: "test data" };

/** The first difference in words, such as "leaves=31, and this run has leaves=8", or undefined. */
export function differenceOf(before: Identity, now: Identity): string | undefined {
  const name = [...new Set([...Object.keys(now), ...Object.keys(before)])].find(
    (key) => (before[key] ?? "") !== (now[key] ?? ""),
  );
  if (name === undefined) return undefined;
  const [was, is] = [before[name] ?? "", now[name] ?? ""];
  if (name in CONTENT) {
    if (was === "") return `no ${CONTENT[name]}, which this run has`;
    return is === "" ? `${CONTENT[name]}, which this run does not have` : `other ${CONTENT[name]}`;
  }
  const option =
    name === "model" ? otherOption(models, was, is) : name === "objective" ? otherOption(objectives, was, is) : undefined;
  if (option) return `${option[0]}, and this run has ${option[1]}`;
  const shown = (value: string) => (value === "" ? `no ${kebabCase(name)}` : `${kebabCase(name)} ${value}`);
  return `${shown(was)}, and this run has ${shown(is)}`;
}

/** The first option in which two specs of the same part differ, as each has it; undefined where the parts are others. */
function otherOption(parts: readonly AnyPart<unknown>[], was: string, is: string): readonly [string, string] | undefined {
  try {
    const [before, now] = [parseSpec(parts, "", was), parseSpec(parts, "", is)];
    if (before.part.id !== now.part.id) return undefined;
    const key = Object.keys({ ...before.options, ...now.options }).find((one) => before.options[one] !== now.options[one]);
    if (key === undefined) return undefined;
    const shown = ({ options }: typeof before) =>
      key in options ? `${kebabCase(key)}=${options[key]}` : `the default of ${kebabCase(key)}`;
    return [shown(before), shown(now)];
  } catch {
    return undefined; // code of the caller, which has no parts
  }
}
