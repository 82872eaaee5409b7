/**
 * Ballots as a table with a header: columns `ballot` (or `voter`), `item` and `tier`, and perhaps `count`, in any order and no others. The tier is a
 * number, 1 the best unless an option says otherwise, or a word: a letter of tier lists, or one of `labelOrder` or `labelLast`. Items of a ballot with the same tier tie. A count is that of the whole ballot, so its rows must agree on it. Rows of a
 * ballot need not be next to each other.
 */
import { counted } from "../../counted.ts";
import type { Ballots } from "../../data/ballots.ts";
import {
  areTierLetters,
  gradesOf,
  type LabelDirection,
  LETTERS_NOTICE,
  notInOrder,
  TIER_LETTERS,
} from "../../data/label-order.ts";
import { orderAdvice, orderNotice } from "../../data/label-scales.ts";
import { isResultWord, LAST, wordAdvice, wordMeaning } from "../../data/label-words.ts";
import { InputError, quote } from "../../input-error.ts";
import type { BallotFormat, BallotParser } from "./format.ts";
import { cells, delimiterOf } from "./pairs.ts";

const NAMES: readonly string[] = ["ballot", "voter", "item", "tier", "count"];

const isHeader = (line: string): boolean => isTierTable(cells(line, delimiterOf(line)));

function isTierTable(columns: readonly string[]): boolean {
  const names = columns.map((name) => name.trim().toLowerCase());
  const known = new Set(names);
  return (
    names.every((name) => NAMES.includes(name)) &&
    known.size === names.length &&
    known.has("item") &&
    known.has("tier") &&
    known.has("ballot") !== known.has("voter")
  );
}

export const tierTable: BallotFormat<"tier-table"> = {
  id: "tier-table",
  about: "a table of ballot, item, tier[, count], tier 1 or S the best",
  extensions: [".tiers"],
  options: ["absentItems", "lowerIsBetter", "higherIsBetter", "labelOrder", "labelLast", "labelMissing", "skipLines"],
  kind: "ballots",
  quotes: true,
  sniff: isHeader,
  columnsOf: (columns) => (isTierTable(columns) ? columns : undefined),
  sharesExtensionsOf: ["csv", "tsv"],
  parser,
};

/** What is below all other tiers; no cell is called so. */
const LAST_TIER = "\0last";

interface Ballot {
  readonly line: number;
  readonly count: number;
  readonly tiers: Map<string, number[]>;
}

function parser(file: string, ballots: Ballots, _source?: unknown, direction: LabelDirection = {}): BallotParser {
  const found = new Map<string, Ballot>();
  const tierLines = new Map<string, number>(); // of each tier, where it is first
  const meaning = wordMeaning(direction);
  const notices: string[] = [];
  let leftOut = 0;
  let number = 0;
  let delimiter = ",";
  let columns: Map<string, number> | undefined;
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };

  const row = (texts: readonly string[]) => {
    const cell = (name: string) => texts[columns!.get(name) ?? -1] ?? "";
    const needed = (name: string) => cell(name) || fail(`the column ${name} is empty`);
    const key = needed(columns!.has("ballot") ? "ballot" : "voter");
    const item = needed("item");
    const word = meaning(cell("tier"));
    if (word !== undefined && Number.isNaN(word)) {
      leftOut++;
      return;
    }
    const tier = word === LAST ? LAST_TIER : needed("tier").trim();
    if (!tierLines.has(tier)) tierLines.set(tier, number);
    const count = cell("count") === "" ? 1 : Number(cell("count"));
    if (!(count >= 0 && Number.isFinite(count))) fail(`expected a count of at least 0, got ${quote(cell("count"))}`);
    const ballot = found.get(key) ?? { line: number, count, tiers: new Map() };
    found.set(key, ballot);
    if (ballot.count !== count)
      fail(`ballot ${quote(key)} has the count ${ballot.count} on line ${ballot.line}, and ${count} here`);
    const items = ballot.tiers.get(tier) ?? [];
    ballot.tiers.set(tier, items);
    items.push(ballots.item(item));
  };

  /** How good each tier is: higher is better. */
  const gradesOfTiers = (): ReadonlyMap<string, number> => {
    const { lowerIsBetter, higherIsBetter, labelOrder = [] } = direction;
    const tiers = [...tierLines.keys()].filter((tier) => tier !== LAST_TIER);
    const graded = (grade: (tier: string) => number) => new Map([[LAST_TIER, -LAST], ...tiers.map((tier): [string, number] => [tier, grade(tier)])]); // biome-ignore format: one line
    const letters = labelOrder.length === 0 && areTierLetters(tiers);
    if (labelOrder.length > 0 || letters) {
      if (letters && (lowerIsBetter || higherIsBetter))
        fail(
          `the tiers are letters, S the best, and --${lowerIsBetter ? "lower" : "higher"}-is-better is for numbers; leave it out`,
        );
      notices.push(letters ? `${file}: tiers are ${LETTERS_NOTICE}` : orderNotice(file, labelOrder));
      const grade = gradesOf(letters ? TIER_LETTERS : labelOrder);
      return graded((tier) => grade(tier) ?? failAt(tier, notInOrder(tier, labelOrder)));
    }
    const words = tiers.filter((tier) => !Number.isFinite(Number(tier)));
    const [word] = words;
    if (word !== undefined) {
      const advice = words.every(isResultWord) ? wordAdvice(words) : orderAdvice(tiers);
      failAt(word, `expected the number of a tier, 1 the best, got ${quote(word)}; ${advice}`);
    }
    if (!lowerIsBetter && !higherIsBetter)
      notices.push(`${file}: the lowest number is taken as the best tier (--higher-is-better takes the highest)`);
    return graded((tier) => (higherIsBetter ? Number(tier) : -Number(tier)));
  };
  const failAt = (tier: string, text: string): never => {
    number = tierLines.get(tier)!;
    return fail(text);
  };

  return {
    notices,
    line(text) {
      number++;
      const line = number === 1 ? text.replace(/^\uFEFF/, "") : text;
      if (line.trim() === "") return;
      if (!columns) {
        if (!isHeader(line)) fail(`expected the columns ballot, item and tier, and perhaps count, got ${quote(line)}`);
        delimiter = delimiterOf(line);
        columns = new Map(cells(line, delimiter).map((name, i) => [name.toLowerCase(), i]));
        return;
      }
      const texts = cells(line, delimiter);
      if (texts.length !== columns.size) fail(`expected ${columns.size} cells as in the header, got ${texts.length}`);
      row(texts);
    },
    end() {
      let weight = 0;
      if (leftOut > 0)
        notices.push(`${file}: ${counted(leftOut, "row")} left out by --label-missing ${direction.labelMissing!.join(",")}`);
      if (found.size === 0) return 0;
      const grades = gradesOfTiers();
      for (const { line, count, tiers } of found.values()) {
        if (count === 0) continue;
        number = line;
        const byGrade = new Map<number, number[]>(); // "1" and "1.0" are one tier
        for (const [tier, items] of tiers) byGrade.set(grades.get(tier)!, [...(byGrade.get(grades.get(tier)!) ?? []), ...items]);
        const inOrder = [...byGrade].sort(([a], [b]) => b - a).map(([, items]) => items);
        const twice = ballots.add(inOrder, count);
        if (twice >= 0) fail(`the item ${quote(ballots.names[twice]!)} occurs twice in this ballot`);
        weight += count;
      }
      return weight;
    },
  };
}
