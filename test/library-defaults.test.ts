/**
 * The default that the comment of an option states is true: a call with the option set to it has the same result as the call without it, under
 * circumstances in which another value has another result (every-library-option.test.ts). Defaults of parts, such as objectives and models,
 * are compared with their declarations in comments.test.ts.
 */
import { describe, expect, it } from "vitest";
import { type Call, type Case, callback, functions, members, type Options, outcome } from "./library-calls.ts";
import { functionOptions, otherMembers } from "./public-names.ts";

const LONG = "a call with the default takes long";

/** Options whose default is not compared, and why. Those of which no call shows a difference (`same` of a case) are not either. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  ...{ "autoTrain folds": LONG, "autoTrain metrics": LONG, "autoTrain unknownFeatures": LONG, "bootstrap resamples": LONG },
  ...{ "report seed": LONG, "report unknownFeatures": LONG, "voterClusters rounds": LONG },
  "rankOverHttp scores": "the call shows the request, which has the option or not; the server has the default",
};

/** Members of what the library gives, not of what it takes. */
const OF_MODELS = ["Model.stages.trees"];

/** What comments say of defaults that are no value and that no case has a value for. */
const IN_WORDS = [
  '"auto" with features, or else none',
  "1000 to 10000, fewer for longer lists",
  "20, or none where a budget is given",
  "`davidson()` if there are ties",
  "all",
  "as the file numbers them, which for models trained on arrays is from 0; data files that number the same features from 1 need 1",
  "by adjusted marginal likelihood",
  "by cross-validation",
  "by rank",
  "drawn ones of 3 columns, dense, dense with missing values, and sparse",
  "its number",
  "its position in the list, from 1",
  "labels are numbers, and higher is better",
  "nine tenths of what the machine or the container has",
  "none",
  "none, every position counts alike",
  "none, for data that are only to be ranked",
  "none, so features are numbered",
  "none, so that features are numbers, and arrays of texts have a feature for each of their own texts",
  "not checked",
  "nothing",
  "one for each core; 1 where the model, the objective, a metric or the transform is code of the caller that is no module",
  "one for each list, by the seed and the number of the list",
  "one per core",
  "ratings stay as they are",
  "several, most often pl-partition",
  "the data themselves, which is optimistic",
  "the loss under objectives that are likelihoods, the first metric under others",
  "those that are defined",
  "unknown",
  "what the content looks like",
  "whole numbers that differ in all rows are taken for ids",
];

/** Options that mean nothing where they are left out, or whose comment says otherwise what that means. */
const WITHOUT_DEFAULT = ["anchorItem", "columns", "features", "heap", "items", "judged", "scratch", "signal", "version"];

/** What a comment says after "Default:", without the point. */
const wordsOf = (comment: string) => /Default: (.*?)\.(?=\s|$)/s.exec(comment)?.[1]?.replace(/\s+/g, " ");

/** The value at the beginning, as code would write it; an explanation may follow it. */
function valueIn(words: string): { readonly value: unknown } | undefined {
  const [, text] = /^("[^"]*"|true|false|Infinity|\[.*\]|-?\d[\d.e-]*)(?:$|, (?!or\b))/.exec(words) ?? [];
  if (text === undefined) return undefined;
  return { value: text === "Infinity" ? Infinity : JSON.parse(text) };
}

const options = functionOptions();

const documented = options.flatMap(({ name, option, comment }) => {
  const words = wordsOf(comment);
  const found = functions[name]?.values[option] as Case | undefined;
  if (words === undefined || !found) return [];
  const known = valueIn(words) ?? ("usual" in found ? { value: found.usual } : undefined);
  return [{ name, option, words, found, known }];
});

const checked = documented.filter(
  ({ name, option, found, known }) => known && !found.same && !Object.hasOwn(LEFT_OUT, `${name} ${option}`),
);

/** Results of the calls with what they need alone, once for all options. */
const bases = new Map<Call, Promise<string>>();

const outcomeOrError = (call: Call, options: Options) =>
  outcome(call, options).catch((error: Error) => `refused: ${error.message}`);

it("a default is a value, or words that a case has a value for or that are listed here", () => {
  const inWords = documented.filter(({ known }) => !known).map(({ words }) => words);
  expect([...new Set(inWords)].sort()).toEqual([...IN_WORDS].sort());
  const twice = documented.filter(({ words, found }) => valueIn(words) && "usual" in found);
  expect(twice.map(({ name, option }) => `${name} ${option}`)).toEqual([]);
  const names = documented.map(({ name, option }) => `${name} ${option}`);
  expect(names).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)));
  expect(checked.length).toBeGreaterThan(250);
});

it("an option that may be left out says its default, unless it is called or listed here", () => {
  const silent = options.filter(({ name, option, optional, comment }) => {
    const value = functions[name]?.values[option]?.value;
    return optional && wordsOf(comment) === undefined && value !== callback && typeof value !== "function";
  });
  expect([...new Set(silent.map(({ option }) => option))].sort()).toEqual(WITHOUT_DEFAULT);
});

describe("the default is what its comment says:", () => {
  it.each(checked)("$name, option $option: $words", async ({ name, option, found, known }) => {
    const { call: usual, needs = {} } = functions[name]!;
    const { with: more, call = usual } = found;
    const { [option]: _, ...without } = { ...needs, ...more } as Record<string, unknown>;
    const isBase = call === usual && !more && !(option in needs);
    const result = (isBase && bases.get(call)) || outcomeOrError(call, without);
    if (isBase) bases.set(call, result);
    expect(await outcomeOrError(call, { ...without, [option]: known!.value })).toBe(await result);
  });
});

describe("the default of a member is what its comment says:", () => {
  const defaults = otherMembers().flatMap(({ name, comment }) => {
    const known = valueIn(wordsOf(comment) ?? "");
    return known && !OF_MODELS.includes(name) ? [{ name, ...known }] : [];
  });

  it("members are those that have a call", () => {
    expect(defaults.map(({ name }) => name).sort()).toEqual(Object.keys(members).sort());
  });

  it.each(defaults)("$name: $value", async ({ name, value }) => {
    const { call, value: another } = members[name]!;
    const member = name.split(".")[1]!;
    const result = await outcome(call, {});
    expect(await outcome(call, { [member]: value })).toBe(result);
    expect(await outcome(call, { [member]: another })).not.toBe(result);
  });
});
