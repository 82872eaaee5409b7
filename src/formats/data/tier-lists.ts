/**
 * Tier lists as JSON. A tier list is an array of tiers, the best first, each an item or an array of items: `["a", ["b", "c"]]`; or an object
 * whose keys name the tiers, `{ "S": ["a"], "A": ["b", "c"] }`. A file holds one such object, or `{ "tiers": ..., "count": 2 }`, or an array
 * of any of these, also under the key `ballots`. A root array is always an array of tier lists. In an object each tier is an array: one with
 * plain values is a record of something else, and refused.
 */
import type { Ballots } from "../../data/ballots.ts";
import { InputError, quote } from "../../input-error.ts";
import { withExactIntegers } from "../exact-integers.ts";
import { checkNesting, lineAt } from "../json.ts";
import { WRITE_RECORDS } from "./columnar/json-orients.ts";
import type { BallotFormat, BallotParser } from "./format.ts";

const LOOKS = '[["a"], ["b", "c"]] or {"S": ["a"], "A": ["b", "c"]}';

export const tiers: BallotFormat<"tiers"> = {
  id: "tiers",
  about: "tier lists as JSON",
  extensions: [".json"],
  options: ["absentItems"],
  kind: "ballots",
  json: true,
  sniff: (line) => /^\s*[[{]/.test(line),
  parser,
};

function parser(file: string, ballots: Ballots): BallotParser {
  const lines: string[] = [];
  let weight = 0;
  const fail = (text: string): never => {
    throw new InputError(`${file}: ${text}`);
  };
  const shown = (value: unknown) => quote(JSON.stringify(value) ?? "nothing");

  const add = (value: unknown, at: string) => {
    const wrapped = isObject(value) && "tiers" in value;
    const count = wrapped ? (value.count ?? 1) : 1;
    if (typeof count !== "number" || !(count >= 0)) fail(`${at}: expected a count of at least 0, got ${shown(count)}`);
    const tiers = tiersOf(wrapped ? value.tiers : value, at);
    if (count === 0) return;
    const twice = ballots.add(tiers, count as number);
    if (twice >= 0) fail(`${at}: the item ${quote(ballots.names[twice]!)} occurs twice`);
    weight += count as number;
  };
  const tiersOf = (value: unknown, at: string): number[][] => {
    if (isObject(value)) {
      // An object gives keys that look like whole numbers first, whatever their place in the file.
      const number = Object.keys(value).find((key) => /^\d+$/.test(key));
      if (number !== undefined)
        fail(`${at}: tiers named by numbers lose their order in JSON, such as ${quote(number)}; give an array`);
      const plain = Object.entries(value).find(([, tier]) => !Array.isArray(tier));
      if (plain)
        fail(
          `${at}: expected tiers, got a record with ${quote(plain[0])}: ${shown(plain[1])}; a tier list is ${LOOKS}, and records are read as a table: write them as JSON Lines, or as one array of objects`,
        );
    } else if (!Array.isArray(value)) fail(`${at}: expected tiers as an array or an object, got ${shown(value)}`);
    return Object.values(value as object).map((tier: unknown) =>
      (Array.isArray(tier) ? tier : [tier]).map((name: unknown) => {
        if (typeof name === "number") return ballots.item(String(name));
        return typeof name === "string" ? ballots.item(name) : fail(`${at}: expected the name of an item, got ${shown(name)}`);
      }),
    );
  };

  return {
    notices: [],
    line: (text) => void lines.push(text),
    end() {
      let root: unknown;
      const text = withExactIntegers(lines.join("\n").replace(/^\uFEFF/, ""));
      checkNesting(text, file);
      try {
        root = JSON.parse(text);
      } catch (error) {
        const message = (error as Error).message.replace(/\s+/g, " ");
        const at = /position (\d+)/.exec(message)?.[1];
        throw new InputError(
          `${file}:${lineAt(text, at === undefined ? text.length : Number(at))}: expected tier lists as one JSON value, such as ${LOOKS} (${message})`,
        );
      }
      const all = isObject(root) && "ballots" in root ? root.ballots : root;
      if (Array.isArray(all) && areRowsOfTable(all))
        fail(
          `expected tier lists, got rows of texts and numbers, as pandas writes them with orient="values", which has no names of columns; ${WRITE_RECORDS}`,
        );
      if (Array.isArray(all)) all.forEach((one, i) => void add(one, `tier list ${i + 1}`));
      else add(all, "the tier list");
      return weight;
    },
  };
}

/** Whether arrays have texts in one place and numbers in another, everywhere: the cells of a table, and no items in an order. */
function areRowsOfTable(all: readonly unknown[]): boolean {
  const [first] = all;
  if (!Array.isArray(first) || all.length < 2) return false;
  const kinds = new Set(first.map((cell) => typeof cell));
  const areAlike = (row: readonly unknown[]) =>
    row.length === first.length && first.every((cell, c) => typeof cell === typeof row[c] && typeof cell !== "object");
  return kinds.has("string") && kinds.has("number") && all.every((row) => Array.isArray(row) && areAlike(row));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
