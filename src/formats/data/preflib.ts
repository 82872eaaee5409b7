/**
 * PrefLib's orders: soc, soi, toc, toi and cat. Header lines `# KEY: VALUE`, then `count: 1,2,{3,4},5`, the best first, braces around ties.
 * In cat files the groups are categories, and their order is taken as a preference. Before 2022 a file began instead with the number of
 * alternatives, a line `number,name` for each, a line of three counts, and then `count,1,2,{3,4}`; that is read too. PrefLib's other files are
 * recognized and refused: matchings (wmd) and graphs of tournaments and majorities (tog, mjg, wmg, pwg).
 * https://preflib.github.io/PrefLib-Jekyll/format
 */
import { thousands } from "../../counted.ts";
import type { Ballots } from "../../data/ballots.ts";
import { InputError, quote } from "../../input-error.ts";
import type { BallotFormat, BallotParser } from "./format.ts";

/** Alternatives that a header may declare without naming them: memory grows in proportion to the file. */
const MOST_UNNAMED = 100_000;

/** Kinds of files in PrefLib that hold no ballots, and what they hold. */
const OTHERS = [
  ["wmd", "a graph of compatible pairs (a matching problem)"],
  ["tog", "a tournament graph"],
  ["mjg", "a majority graph"],
  ["wmg", "a graph of majorities"],
  ["pwg", "a graph of pairwise counts"],
] as const;

export const preflib: BallotFormat<"preflib"> = {
  id: "preflib",
  about: "PrefLib ballots: count: 1,2,{3,4}",
  extensions: [".soc", ".soi", ".toc", ".toi", ".cat"],
  refused: OTHERS.map(([kind]) => `.${kind}`),
  options: ["absentItems"],
  kind: "ballots",
  sniff: (_, text) => /^# (NUMBER ALTERNATIVES|ALTERNATIVE NAME 1):/m.test(text),
  parser,
};

function parser(file: string, ballots: Ballots): BallotParser {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  const notices: string[] = [];
  let number = 0; // of the line
  let alternatives = -1;
  let voters = -1;
  let counted = 0;
  let stage: "header" | "old names" | "old counts" | "orders" = "header";
  let old = false;
  let itemOf = new Int32Array(0); // by number of the alternative

  const fail = (text: string): never => {
    throw new InputError(`${file}:${number > 0 ? `${number}:` : ""} ${text}`);
  };
  const begin = () => {
    if (alternatives < 0) fail('expected "# NUMBER ALTERNATIVES: n" before the first order');
    if (alternatives > Math.max(MOST_UNNAMED, 2 * names.size))
      fail(
        `the header declares ${alternatives} alternatives and names ${names.size}; expected "# ALTERNATIVE NAME i: name" for each where there are more than ${thousands(MOST_UNNAMED)}`,
      );
    itemOf = Int32Array.from({ length: alternatives + 1 }, (_, i) => (i === 0 ? -1 : ballots.item(names.get(i) ?? String(i))));
    stage = "orders";
  };
  const refuseOther = (kind: string) => {
    const other = OTHERS.find(([name]) => name === kind);
    if (other)
      fail(`this is a ${other[0]} file of PrefLib, ${other[1]}, and holds no ballots; expected a soc, soi, toc, toi or cat file`);
  };

  const header = (line: string) => {
    const cut = line.indexOf(":");
    if (cut < 0) return;
    const [key, value] = [line.slice(1, cut).trim(), line.slice(cut + 1).trim()];
    const name = /^ALTERNATIVE NAME (\d+)$/i.exec(key);
    if (name) rename(Number(name[1]), value);
    else if (/^DATA TYPE$/i.test(key)) refuseOther(value.toLowerCase());
    else if (/^NUMBER ALTERNATIVES$/i.test(key)) alternatives = wholeOf(value, "the number of alternatives");
    else if (/^NUMBER VOTERS$/i.test(key)) voters = wholeOf(value, "the number of voters");
  };
  const rename = (i: number, name: string) => {
    // Two alternatives with the same name are distinguished by their numbers.
    const own = taken.has(name) || name === "" ? `${name} (${i})`.trim() : name;
    taken.add(own);
    names.set(i, own);
  };
  const wholeOf = (text: string, what: string) =>
    /^\d+$/.test(text) ? Number(text) : fail(`expected ${what} as a whole number, got ${quote(text)}`);

  const order = (line: string) => {
    const cut = old ? line.indexOf(",") : line.indexOf(":");
    if (cut < 0) fail(`expected "count${old ? "," : ":"} 1,2,{3,4}", got ${quote(line)}`);
    const count = wholeOf(line.slice(0, cut).trim(), "the number of voters of this order");
    if (count === 0) return;
    const tiers = tiersOf(line.slice(cut + 1), fail, (token) => {
      const i = wholeOf(token, "an alternative");
      if (i < 1 || i > alternatives) fail(`expected an alternative from 1 to ${alternatives}, got ${i}`);
      return itemOf[i]!;
    });
    const twice = ballots.add(tiers, count);
    if (twice >= 0) fail(`the alternative ${quote(ballots.names[twice]!)} occurs twice in this order`);
    counted += count;
  };

  const fast = byteOrders(ballots);
  refuseOther(/\.(\w+)(\.gz)?$/.exec(file)?.[1]?.toLowerCase() ?? "");
  return {
    notices,
    bytes(bytes, from, to) {
      const count = stage === "orders" ? fast(bytes, from, to, old, itemOf) : 0;
      if (count === 0) return false;
      number++;
      counted += count;
      return true;
    },
    line(text) {
      number++;
      const line = text.trim();
      if (line === "") return;
      if (line.startsWith("#")) {
        if (stage === "header") header(line);
        return;
      }
      if (stage === "header" && /^\d+$/.test(line) && alternatives < 0) {
        old = true;
        alternatives = Number(line);
        stage = alternatives > 0 ? "old names" : "old counts";
      } else if (stage === "old names") {
        const [, i, name] =
          /^(\d+)\s*,\s*(.*)$/.exec(line) ?? fail(`expected "number,name" of an alternative, got ${quote(line)}`);
        rename(Number(i), name!);
        if (names.size === alternatives) stage = "old counts";
      } else if (stage === "old counts") {
        const [, all] = /^(\d+)\s*,\s*\d+\s*,\s*\d+$/.exec(line) ?? fail(`expected "voters,sum,orders", got ${quote(line)}`);
        voters = Number(all);
        begin();
      } else {
        if (stage === "header") begin();
        order(line);
      }
    },
    end() {
      if (voters >= 0 && voters !== counted)
        notices.push(`${file}: the header declares ${thousands(voters)} voters, but the orders add up to ${thousands(counted)}`);
      return counted;
    },
  };
}

const [SPACE, RETURN, COMMA, ZERO, COLON, OPEN, CLOSE] = [32, 13, 44, 48, 58, 123, 125];
const MOST_DIGITS = 9;

/** Adds an order by its bytes and returns its count; 0, with nothing added, for a line in which anything is out of order, which is then read as text. */
function byteOrders(ballots: Ballots) {
  let tier = new Uint32Array(64);
  return (bytes: Uint8Array, from: number, to: number, old: boolean, itemOf: Int32Array): number => {
    const separator = old ? COMMA : COLON;
    let [at, count] = [from, 0];
    for (; at < to && bytes[at]! >= ZERO && bytes[at]! < COLON; at++) count = 10 * count + bytes[at]! - ZERO;
    if (at === from || at - from > MOST_DIGITS || bytes[at] !== separator || count === 0) return 0;
    ballots.begin();
    let [size, open] = [0, false];
    for (at++; at < to; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte < COLON) {
        const begin = at;
        let number = 0;
        for (; at < to && bytes[at]! >= ZERO && bytes[at]! < COLON; at++) number = 10 * number + bytes[at]! - ZERO;
        if (at - begin > MOST_DIGITS || number === 0 || number >= itemOf.length) return 0;
        at--;
        if (size === tier.length) {
          const longer = new Uint32Array(2 * size);
          longer.set(tier);
          tier = longer;
        }
        tier[size++] = itemOf[number]!;
        if (open) continue;
        if (ballots.addTier(tier, 0, size) >= 0) return 0;
        size = 0;
      } else if (byte === OPEN) {
        if (open) return 0;
        open = true;
      } else if (byte === CLOSE) {
        if (!open || ballots.addTier(tier, 0, size) >= 0) return 0;
        [size, open] = [0, false];
      } else if (byte !== COMMA && byte !== SPACE && byte !== RETURN) return 0;
    }
    if (open) return 0;
    ballots.end(count);
    return count;
  };
}

/** The items of an order, tier after tier: `1,2,{3,4}`. */
function tiersOf(order: string, fail: (text: string) => never, item: (token: string) => number): number[][] {
  const tiers: number[][] = [];
  let open: number[] | undefined;
  for (const token of order.match(/[{}]|[^,{}\s]+/g) ?? []) {
    if (token === "{") {
      if (open) fail("a brace opens inside braces");
      tiers.push((open = []));
    } else if (token === "}") {
      if (!open) fail("a brace closes that was not opened");
      open = undefined;
    } else if (open) open.push(item(token));
    else tiers.push([item(token)]);
  }
  if (open) fail("a brace opens and is not closed");
  return tiers;
}
