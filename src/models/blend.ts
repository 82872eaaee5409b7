/**
 * A weighted sum of the scores of several models: score = Σ weight_m score_m / scale_m, where the scale is the deviation of a model's scores
 * within lists, so that weights of models with scores of any size can be compared. Each model has columns and transforms of its own and is
 * given the features that it knows. What features contribute is the weighted sum of what they contribute to each model.
 */
import { align } from "../data/align.ts";
import { column } from "../data/column.ts";
import { subset } from "../data/subset.ts";
import { InputError, quote } from "../input-error.ts";
import type { Columns, Dataset, DerivedFeatures, Explanation, Model, SavedModel } from "../types.ts";
import { checkColumns, checkScoring, columnName, explainedColumns } from "./shared/columns.ts";
import { savedColumns, savedModel, savedNumber, savedText } from "./shared/saved.ts";

/** One of the models that are blended. */
export interface BlendMember {
  /** What it is called in descriptions: mostly the spec that it was trained with. */
  readonly name: string;
  /** The model. */
  readonly model: Model;
  /** Weight of its scaled scores, 0 or above. */
  readonly weight: number;
  /** What its scores are divided by: their deviation within lists. */
  readonly scale: number;
}

/** A model that adds up the scores of others. */
export interface BlendModel extends Model {
  /** Name of the model. */
  readonly id: "blend";
  /** The models with their weights. */
  readonly members: readonly BlendMember[];
}

/** Whether a model is a blend of others. */
export const isBlend = (model: Model): model is BlendModel => model?.id === "blend" && "members" in model;

/** Every feature that one of the models knows; numbered features keep their numbers. */
export function unionColumns(models: readonly Model[]): Columns {
  const all = models.map(({ columns }) => columns);
  const named = all.filter(({ names }) => names);
  if (named.length > 0 && named.length < all.length)
    throw new InputError("a blend: some of the models know their features by name and others by number, so they share no data");
  const base = Math.min(...all.map((one) => one.base)) as 0 | 1;
  if (named.length === 0) return { count: Math.max(...all.map((one) => one.base + one.count)) - base, base };
  const names = [...new Set(all.flatMap((one) => one.names!))];
  const encoding = all[0]?.encoding;
  if (all.some((one) => JSON.stringify(one.encoding) !== JSON.stringify(encoding)))
    throw new InputError(
      "a blend: the models were trained on tables whose columns they encode differently, so they share no data",
    );
  return { count: names.length, base, names, ...(encoding && { encoding }) };
}

export function blendModel(
  members: readonly BlendMember[],
  columns = unionColumns(members.map(({ model }) => model)),
): BlendModel {
  const active = members.filter(({ weight }) => weight > 0);
  const fitted = (model: Model, data: Dataset) => align(data, model.columns, { unknownFeatures: "ignore" }).data;
  const explained = explainedFeatures(active, columns);
  const canExplain = active.every(({ model }) => model.explain);

  const derived: DerivedFeatures = {
    columns: explained.columns,
    of(data) {
      checkColumns(columns, data);
      const { rows } = data.features;
      const { count, base, names } = explained.columns;
      const values = new Float32Array(rows * count);
      const write = (from: Dataset, c: number, to: number) =>
        column(from.features, c).forEach((value, row) => {
          values[row * count + to] = value;
        });
      for (let c = 0; c < columns.count; c++) write(data, c, c);
      active.forEach(({ model }, m) => {
        const own = model.derived?.of(fitted(model, data));
        if (own)
          explained.places[m]!.forEach((to, c) => {
            if (to >= columns.count) write(own, c, to);
          });
      });
      return {
        ...data,
        features: { kind: "dense", rows, columns: count, values },
        base,
        names: { ...data.names, features: names! },
      };
    },
  };

  return {
    id: "blend",
    ...{ columns, members },
    ...(active.some(({ model }) => model.listwise) && { listwise: true as const }),
    ...(canExplain && explained.columns.count > columns.count && { derived }),
    score(data, into) {
      checkScoring(columns, data, into);
      const scores = into.subarray(0, data.labels.length).fill(0);
      const own = new Float64Array(scores.length);
      for (const { model, weight, scale } of active) {
        model.score(fitted(model, data), own);
        for (let i = 0; i < own.length; i++) scores[i]! += own[i]! * (weight / scale);
      }
    },
    ...(canExplain && {
      explain(data: Dataset, list: number): Explanation {
        checkColumns(columns, data);
        const one = subset(data, Uint32Array.of(list));
        const items = one.labels.length;
        const contributions = Array.from({ length: items }, () => new Float64Array(explained.columns.count));
        const scores = new Float64Array(items);
        let expected = 0;
        active.forEach(({ model, weight, scale }, m) => {
          const own = model.explain!(fitted(model, one), 0);
          expected += own.expected * (weight / scale);
          own.contributions.forEach((parts, i) => {
            scores[i]! += own.scores[i]! * (weight / scale);
            parts.forEach((part, c) => void (contributions[i]![explained.places[m]![c]!]! += part * (weight / scale)));
          });
        });
        return { expected, scores, contributions };
      },
    }),
    save: () => ({
      id: "blend",
      members: members.map(({ name, model, weight, scale }) => ({
        ...{ name, weight, scale },
        ...(sameColumns(model.columns, columns) ? {} : { columns: model.columns }),
        model: model.save(),
      })),
    }),
    describe() {
      const total = active.reduce((sum, { weight }) => sum + weight, 0);
      return {
        title: "blend: a weighted sum of the scores of models",
        facts: { models: members.length, features: columns.count },
        tables: [
          {
            title: "Models, in the order given",
            head: ["model", "kind", "weight", "share", "deviation of scores"],
            rows: members.map(({ name, model, weight, scale }) => [name, model.id, weight, weight / total, scale]),
          },
        ],
      };
    },
  };
}

const sameColumns = (a: Columns, b: Columns) => JSON.stringify(a) === JSON.stringify(b);

/** The features that contributions are of: all columns of the data, then what models compute from them, each name once. */
function explainedFeatures(
  members: readonly BlendMember[],
  columns: Columns,
): { readonly columns: Columns; readonly places: readonly Uint32Array[] } {
  const names = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const places = new Map(names.map((name, c) => [name, c]));
  const all = members.map(({ model }) => {
    const own = explainedColumns(model);
    return Uint32Array.from({ length: own.count }, (_, c) => {
      const name = columnName(own, c);
      const place = places.get(name) ?? names.push(name) - 1;
      places.set(name, place);
      return place;
    });
  });
  return { columns: names.length === columns.count ? columns : { count: names.length, base: columns.base, names }, places: all };
}

export function readBlend(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
): BlendModel {
  const damaged = (what: string) => new InputError(`the model file is damaged: ${what}`);
  const { members } = saved;
  if (!Array.isArray(members) || members.length === 0) throw damaged("members should be a list of models");
  const all = members.map((given: unknown, m): BlendMember => {
    if (typeof given !== "object" || given === null) throw damaged(`member ${m} should be a model with its weight`);
    const member = given as Readonly<Record<string, unknown>>;
    const [weight, scale] = [savedNumber(member, "weight"), savedNumber(member, "scale")];
    if (weight < 0) throw damaged(`the weight of member ${m} should be at least 0, and is ${weight}`);
    if (!(scale > 0)) throw damaged(`the scale of member ${m} should be above 0, and is ${scale}`);
    const own = member.columns === undefined ? columns : savedColumns(member, "columns");
    return { name: savedText(member, "name"), model: revive(savedModel(member, "model"), own), weight, scale };
  });
  if (!all.some(({ weight }) => weight > 0)) throw damaged("all members have weight 0");
  const lacking = all.findIndex(({ model }) => !covers(columns, model.columns));
  if (lacking >= 0) throw damaged(`member ${lacking} has features that the blend, with ${columns.count}, does not have`);
  return blendModel(all, columns);
}

function covers(columns: Columns, own: Columns): boolean {
  if (!columns.names !== !own.names) return false;
  if (columns.names) return own.names!.every((name) => columns.names!.includes(name));
  return own.base >= columns.base && own.base + own.count <= columns.base + columns.count;
}

/** The name of a member for messages. */
export const memberName = ({ name }: BlendMember, m: number): string => `model ${m + 1} (${quote(name)})`;
