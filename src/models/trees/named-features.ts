/** Options of trees that name features of the data: "(3+,7-)", "(1,2)(2,3)", "(price=0.5)". */
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import type { Columns } from "../../types.ts";
import { columnName } from "../shared/columns.ts";

/** The names in a text, without the parentheses around them. */
const namesIn = (text: string) =>
  text
    .replace(/^\s*\(([\s\S]*)\)\s*$/, "$1")
    .split(/[,\s]+/)
    .filter((name) => name !== "");

/** Finds features by name. */
function finder(columns: Columns, option: string): (name: string) => number {
  const all = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const places = new Map(all.map((name, c) => [name, c]));
  return (name) => {
    const feature = places.get(name);
    if (feature !== undefined) return feature;
    throw new InputError(`trees, option ${option}: there is no feature ${quote(name)} in the data; ${suggest(name, all)}`);
  };
}

/** The features that an option names, each with a sign after it or none: "(3+,7-)" or "(price-,age)". */
export function mentioned(text: string, columns: Columns, option: string): { feature: number; sign: string }[] {
  const find = finder(columns, option);
  return namesIn(text).map((name) => {
    const [, plain, sign] = /^(.*?)([+-]?)$/.exec(name)!;
    return { feature: find(plain!), sign: sign! };
  });
}

/** The groups of "(1,2)(2,3)", and one more of the features in none; undefined: there are no constraints. */
export function interactionGroups(text: string, columns: Columns): ReadonlySet<number>[] | undefined {
  const option = "interaction-constraints";
  const pieces = text.match(/\([^()]*\)|[^()\s,]+|[()]/g) ?? [];
  const wrong = pieces.find((piece) => !/^\([\s\S]*\)$/.test(piece));
  if (wrong !== undefined)
    throw new InputError(
      `trees, option ${option}: expected groups of features in parentheses, as (1,2)(2,3), got ${quote(text)}`,
    );
  const find = finder(columns, option);
  const groups = pieces.map((piece) => new Set(namesIn(piece).map(find))).filter(({ size }) => size > 0);
  if (groups.length === 0) return undefined;
  const rest = new Set(Array.from({ length: columns.count }, (_, c) => c).filter((c) => !groups.some((group) => group.has(c))));
  return rest.size > 0 ? [...groups, rest] : groups;
}

const HEAVIEST = 1e6; // a factor beyond which only the sign of a gain would count

/** By feature, the factors of "(3=0.5,7=2)"; undefined: all are 1. */
export function weightsOf(text: string, columns: Columns): Float64Array | undefined {
  const option = "feature-weights";
  const find = finder(columns, option);
  const weights = new Float64Array(columns.count).fill(1);
  const given = new Set<number>();
  for (const pair of namesIn(text)) {
    const cut = pair.lastIndexOf("=");
    const factor = cut > 0 && cut + 1 < pair.length ? Number(pair.slice(cut + 1)) : Number.NaN;
    if (!(factor >= 0 && factor <= HEAVIEST))
      throw new InputError(
        `trees, option ${option}: expected feature=weight with weights from 0 to ${HEAVIEST}, got ${quote(pair)}`,
      );
    const feature = find(pair.slice(0, cut));
    if (given.has(feature)) throw new InputError(`trees, option ${option}: feature ${quote(pair.slice(0, cut))} has two weights`);
    given.add(feature);
    weights[feature] = factor;
  }
  return weights.every((weight) => weight === 1) ? undefined : weights;
}
