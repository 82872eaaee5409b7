/**
 * Results of pairs as a table with a header: columns `winner` and `loser`, perhaps `tie` (yes, true, 1, tie or draw make a row a tie) and
 * `count`; or, as arenas of language models write them, `model_a`, `model_b` and `winner`, which holds model_a, model_b, the name of one
 * of the two, or a word for a tie. Cells in double quotes may hold delimiters. A column `voter`, `judge`, `user` or `annotator` is used only
 * by a source of tiers, which makes one ballot of the pairs of a voter; ties then say nothing about the order and are left out. Rows of an item
 * against itself, or of an arena without a winner, are left out with a notice.
 */
import type { Ballots } from "../../data/ballots.ts";
import type { LabelDirection } from "../../data/label-order.ts";
import type { VoterTiers } from "../../data/tier-sources.ts";
import { InputError, quote } from "../../input-error.ts";
import { ByteTexts, splitCells, wholeAt } from "./byte-texts.ts";
import type { BallotFormat, BallotParser } from "./format.ts";
import { undecidedRows } from "./undecided-rows.ts";
import { voterBallots } from "./voter-ballots.ts";

const TIE = /^(tie|tied|draw|equal|tie ?\(both[ _-]?bad\)|both[ _-]?bad)$/i;
/** In a column of ties. */
const YES = /^(1|true|yes)$/i;
const NO_TIE = /^(|0|false|no)$/i;

const WIN = ["winner", "loser"] as const;
const ARENA = ["model_a", "model_b", "winner"] as const;
const VOTER = ["voter", "judge", "user", "annotator"] as const;

const COLUMNS: readonly string[] = [...WIN, ...ARENA, ...VOTER, "tie", "count"];

/** Whether a header names results of pairs. */
export const isPairsHeader = (line: string): boolean => isPairs(cells(line, delimiterOf(line)));

/** Whether these are the columns of results of pairs. */
export function isPairs(columns: readonly string[]): boolean {
  const names = new Set(columns.map((name) => name.trim().toLowerCase()));
  return [WIN, ARENA].some((wanted) => wanted.every((name) => names.has(name)));
}

export const pairs: BallotFormat<"pairs"> = {
  id: "pairs",
  about: "a table of winner, loser[, tie][, count], or of model_a, model_b, winner",
  extensions: [".pairs"],
  options: ["absentItems", "tiers", "skipLines"],
  tiers: "pairs",
  kind: "ballots",
  quotes: true,
  sniff: isPairsHeader,
  columnsOf: (columns) => (isPairs(columns) ? columns.filter((name) => COLUMNS.includes(name.trim().toLowerCase())) : undefined),
  sharesExtensionsOf: ["csv", "tsv"],
  parser,
};

function parser(
  file: string,
  ballots: Ballots,
  source?: VoterTiers,
  _direction?: LabelDirection,
  place = (line: number) => `${file}:${line}`,
): BallotParser {
  const voters = source && voterBallots(file, ballots, source);
  let voter = ""; // its column
  let number = 0;
  let delimiter = ",";
  let columns: Map<string, number> | undefined;
  let size = 0;
  let weight = 0;
  const undecided = undecidedRows();
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };

  const header = (line: string) => {
    delimiter = delimiterOf(line);
    const names = cells(line, delimiter).map((name) => name.toLowerCase());
    columns = new Map(names.map((name, i) => [name, i]));
    size = names.length;
    if (!isPairsHeader(line))
      fail(`expected the columns winner and loser, or model_a, model_b and winner, got ${quote(names.join(", "))}`);
    voter = VOTER.find((name) => columns!.has(name)) ?? "";
    if (source && voter === "")
      fail(`tiers from pairs need a column voter, judge, user or annotator, got ${quote(names.join(", "))}`);
  };
  const row = (found: readonly string[]) => {
    const cell = (name: string) => found[columns!.get(name) ?? -1] ?? "";
    const needed = (name: string) => cell(name) || fail(`the column ${name} is empty`);
    const isArena = columns!.has("model_a");
    const [a, b] = isArena ? [needed("model_a"), needed("model_b")] : [needed("winner"), needed("loser")];
    if (a === b) return undecided.self(a, place(number));
    if (isArena && cell("winner") === "") return undecided.noWinner(place(number));
    const [one, other, tie] = isArena ? arena(a, b, cell("winner")) : won(a, b, cell("tie"));
    const count = cell("count") === "" ? 1 : Number(cell("count"));
    if (!(count >= 0 && Number.isFinite(count))) fail(`expected a count of at least 0, got ${quote(cell("count"))}`);
    const who = voters && needed(voter);
    if (count === 0) return;
    const [better, worse] = [ballots.item(one), ballots.item(other)];
    if (voters) return voters.add(who!, { winner: better, loser: worse, weight: count }, tie);
    ballots.addPair(better, worse, tie, count);
    weight += count;
  };
  const won = (winner: string, loser: string, tie: string): [string, string, boolean] => {
    const meaning = meaningOf(tie, false);
    if (meaning === "nothing") fail(`expected yes or no in the column tie, got ${quote(tie)}`);
    return [winner, loser, meaning === "tie"];
  };
  const arena = (a: string, b: string, winner: string): [string, string, boolean] => {
    if (winner === a || /^(model_)?a$/i.test(winner)) return [a, b, false];
    if (winner === b || /^(model_)?b$/i.test(winner)) return [b, a, false];
    if (!TIE.test(winner)) fail(`expected model_a, model_b or tie in the column winner, got ${quote(winner)}`);
    return [a, b, true];
  };

  const notices: string[] = [];
  let fast: ((bytes: Uint8Array, from: number, to: number) => number) | undefined;
  return {
    notices,
    bytes(bytes, from, to) {
      if (!columns || voters) return false;
      fast ??= byteRows(columns, size, delimiter, ballots);
      const count = fast(bytes, from, to);
      if (Number.isNaN(count)) return false;
      number++;
      weight += count;
      return true;
    },
    line(text) {
      number++;
      const line = number === 1 ? text.replace(/^\uFEFF/, "") : text;
      if (line.trim() === "") return;
      if (!columns) return header(line);
      const found = cells(line, delimiter);
      if (found.length !== size) fail(`expected ${size} cells as in the header, got ${found.length}`);
      row(found);
    },
    end() {
      const leftOut = undecided.notice();
      if (leftOut !== "") notices.push(leftOut);
      return voters ? voters.end(notices) : weight;
    },
  };
}

/** What the text of a cell can say of the winner, or of whether there is none. */
export type Meaning = "a" | "b" | "tie" | "no tie" | "nothing";

/**
 * Adds rows by their bytes: names are decoded once each. Returns the count of a row, or NaN, with nothing added, for a row with quotes or
 * anything out of order, which is then read as text.
 */
function byteRows(columns: ReadonlyMap<string, number>, size: number, delimiter: string, ballots: Ballots) {
  const isArena = columns.has("model_a");
  const [one, other] = isArena ? ["model_a", "model_b"] : WIN;
  const at = (name: string) => columns.get(name) ?? -1;
  const [a, b, winner, tied, counted] = [at(one), at(other), isArena ? at("winner") : -1, isArena ? -1 : at("tie"), at("count")];
  const texts = new ByteTexts();
  const meanings: Meaning[] = []; // by text
  const items: number[] = []; // by text, -1 where it is no item yet
  const starts = new Uint32Array(size + 2);
  const separator = delimiter.charCodeAt(0);
  const numberOf = (bytes: Uint8Array, column: number) => {
    const text = texts.of(bytes, starts[column]!, starts[column + 1]! - 1);
    if (text < items.length) return text;
    items.push(-1);
    meanings.push(meaningOf(texts.texts[text]!, isArena));
    return text;
  };
  const itemOf = (text: number) => (items[text]! >= 0 ? items[text]! : (items[text] = ballots.item(texts.texts[text]!)));
  return (bytes: Uint8Array, from: number, to: number): number => {
    const end = bytes[to - 1] === 13 ? to - 1 : to; // a carriage return
    if (splitCells(bytes, from, end, separator, starts) !== size) return Number.NaN;
    const count = counted < 0 ? 1 : wholeAt(bytes, starts[counted]!, starts[counted + 1]! - 1);
    const [first, second] = [numberOf(bytes, a), numberOf(bytes, b)];
    if (!(count > 0) || first === second || texts.texts[first] === "" || texts.texts[second] === "") return Number.NaN;
    let [better, worse, tie] = [first, second, false];
    if (winner >= 0) {
      const word = numberOf(bytes, winner);
      const meaning = meanings[word]!;
      if (word !== first && meaning !== "a") {
        if (word === second || meaning === "b") [better, worse] = [second, first];
        else if (meaning === "tie") tie = true;
        else return Number.NaN;
      }
    } else if (tied >= 0) {
      const meaning = meanings[numberOf(bytes, tied)]!;
      if (meaning !== "tie" && meaning !== "no tie") return Number.NaN;
      tie = meaning === "tie";
    }
    const i = itemOf(better); // in this order, in which the row as text would number them
    ballots.addPair(i, itemOf(worse), tie, count);
    return count;
  };
}

export function meaningOf(text: string, isArena: boolean): Meaning {
  if (isArena && /^(model_)?a$/i.test(text)) return "a";
  if (isArena && /^(model_)?b$/i.test(text)) return "b";
  if (TIE.test(text) || (!isArena && YES.test(text))) return "tie";
  return !isArena && NO_TIE.test(text) ? "no tie" : "nothing";
}

export const delimiterOf = (line: string) =>
  [",", ";", "\t"].reduce((best, one) => (line.split(one).length > line.split(best).length ? one : best));

export function cells(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const found: string[] = [];
  let at = 0;
  for (;;) {
    while (line[at] === " ") at++;
    let cell = "";
    if (line[at] === '"') {
      for (at++; at < line.length && (line[at] !== '"' || line[at + 1] === '"'); at++) {
        if (line[at] === '"') at++;
        cell += line[at];
      }
      at = line.indexOf(delimiter, at);
    } else {
      const to = line.indexOf(delimiter, at);
      cell = line.slice(at, to < 0 ? undefined : to);
      at = to;
    }
    found.push(cell.trim());
    if (at < 0) return found;
    at++;
  }
}
