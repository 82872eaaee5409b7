/**
 * Scales of words that are read in one direction by everybody, such as poor, fair, good. Which end is the best of others, such as mild, moderate, severe or small, medium, large,
 * depends on what is asked, so they are not here.
 */

/** Steps of a scale, the worst first; words of one step mean the same. */
const SCALES: readonly (readonly string[])[] = [
  ["terrible|awful|horrible", "very bad|very poor", "bad|poor", "fair|ok|okay|average|acceptable|mediocre", "good", "very good|great", "excellent", "perfect|outstanding"], // biome-ignore format: a scale
  ["well below average", "below average", "average", "above average", "well above average"],
  ["very low|lowest", "low", "medium|med|mid|middle|moderate", "high", "very high|highest"],
  ["never", "rarely|seldom|almost never", "sometimes|occasionally", "often|frequently", "usually|very often|almost always", "always"], // biome-ignore format: a scale
  ["strongly disagree|completely disagree|totally disagree", "disagree", "somewhat disagree|slightly disagree", "neutral|neither|neither agree nor disagree", "somewhat agree|slightly agree", "agree", "strongly agree|completely agree|totally agree"], // biome-ignore format: a scale
  ["very dissatisfied|very unsatisfied", "dissatisfied|unsatisfied", "somewhat dissatisfied", "neutral|neither", "somewhat satisfied", "satisfied", "very satisfied"], // biome-ignore format: a scale
  ["very unlikely", "unlikely", "neutral", "likely", "very likely"],
  ["irrelevant|not relevant|non relevant|nonrelevant", "marginally relevant|slightly relevant", "partially relevant|partly relevant|somewhat relevant", "relevant", "highly relevant|very relevant", "perfectly relevant"], // biome-ignore format: a scale
  ["much worse", "worse", "slightly worse", "same|equal|about the same", "slightly better", "better", "much better"],
  ["bronze", "silver", "gold", "platinum", "diamond"],
  ["no", "maybe|perhaps", "yes"],
];

const STEPS = SCALES.map((scale) => new Map(scale.flatMap((words, step) => words.split("|").map((word) => [word, step] as const)))); // biome-ignore format: one map

const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** The words in the order of a scale that has all of them at different steps, the best first; undefined where there is none. */
export function knownOrder(words: readonly string[]): string[] | undefined {
  for (const steps of STEPS) {
    const places = new Map(words.map((word) => [steps.get(plain(word)), word] as const));
    if (words.length < 2 || places.has(undefined) || places.size < words.length) continue;
    return [...(places as Map<number, string>)].sort(([a], [b]) => b - a).map(([, word]) => word);
  }
  return undefined;
}

/** What an order of labels, the best first, says of its ends, and of the usual order where that is another; `what` begins the line. */
export function orderNotice(what: string, order: readonly string[]): string {
  const [best, worst] = [order[0]!, order.at(-1)!].map((word) => JSON.stringify(word));
  const ends = `${what}: ${best} is the best label, ${worst} the worst`;
  const usual = knownOrder(order);
  if (!usual || usual.every((word, at) => word === order[at])) return ends;
  const isReverse = usual.every((word, at) => word === order[order.length - 1 - at]);
  return isReverse
    ? `${ends}, which is the reverse of their usual order; the best label comes first: --label-order ${wordList(usual)}`
    : `${ends}; their usual order is another: --label-order ${wordList(usual)}`;
}

/** Words as one value of an option. */
function wordList(words: readonly string[]): string {
  const list = words.join(",");
  return /^[\w.,+-]+$/.test(list) ? list : `'${list}'`;
}

const MOST_SHOWN = 12;

/** Advice for labels that are words: the option that puts them in order, which is given only for words of a known scale. */
export function orderAdvice(words: Iterable<string>): string {
  const all = [...words];
  const usual = knownOrder(all);
  const some = `${all.slice(0, MOST_SHOWN).map((word) => JSON.stringify(word)).join(", ")}${all.length > MOST_SHOWN ? ", ..." : ""}`; // biome-ignore format: one line
  const order = usual ? wordList(usual) : `BEST,...,WORST (the labels are ${some})`;
  return `if labels are words, give all of them in order, the best first: --label-order ${order}`;
}
