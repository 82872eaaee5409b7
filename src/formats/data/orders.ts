/**
 * Plain orders, one a line: `A > B = C > D`, the best first and `=` or `~` between items that tie, with `12:` before it where the order was
 * given twelve times. A name is what stands between the signs, or anything in double quotes. `#` at the beginning makes a comment.
 */
import type { Ballots } from "../../data/ballots.ts";
import { InputError, quote } from "../../input-error.ts";
import type { BallotFormat, BallotParser } from "./format.ts";

/** What some programs end lines with, and others do not. */
const SEPARATOR = /[\r\u2028\u2029]/;

export const orders: BallotFormat<"orders"> = {
  id: "orders",
  about: "plain orders, one per line: 12: A > B = C > D",
  extensions: [".orders"],
  options: ["absentItems"],
  kind: "ballots",
  sniff: (line) => /[^\s>]\s*>\s*\S/.test(line),
  parser,
};

function parser(file: string, ballots: Ballots): BallotParser {
  let number = 0;
  let weight = 0;
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };
  return {
    notices: [],
    line(text) {
      number++;
      const line = text.trim();
      if (line === "" || line.startsWith("#")) return;
      if (SEPARATOR.test(line)) fail(`expected an order on a line of its own, got a line separator within ${quote(line)}`);
      const [before, count] = /^(\d+)\s*:/.exec(line) ?? [""];
      if (count !== undefined && Number(count) === 0) return;
      const tiers: number[][] = [[]];
      for (const { name, sign } of names(line.slice(before.length).trim(), fail)) {
        tiers.at(-1)!.push(ballots.item(name));
        if (sign === ">") tiers.push([]);
      }
      const twice = ballots.add(tiers, Number(count ?? 1));
      if (twice >= 0) fail(`the item ${quote(ballots.names[twice]!)} occurs twice in this order`);
      weight += Number(count ?? 1);
    },
    end: () => weight,
  };
}

/** The names of an order, each with the sign after it: one look at each character, for a line may be long. */
function* names(order: string, fail: (text: string) => never): Generator<{ readonly name: string; readonly sign: string }> {
  const sign = /[>=~"]/g;
  const wrong = () => fail(`expected names with > or = between them, got ${quote(order)}`);
  for (let at = 0; at <= order.length; ) {
    while (order[at] === " " || order[at] === "\t") at++;
    let from = at;
    let to = at;
    if (order[at] === '"') {
      from = at + 1;
      to = order.indexOf('"', from);
      if (to < 0) wrong();
      at = to + 1;
    }
    sign.lastIndex = at;
    const end = sign.exec(order)?.index ?? order.length;
    if (from === at) to = end;
    else if (order.slice(at, end).trim() !== "") wrong(); // something after the closing quote
    const name = order.slice(from, to).trim();
    if (name === "" || order[end] === '"') wrong();
    yield { name, sign: order[end] ?? "" };
    at = end + 1;
    if (at > order.length) return;
  }
}
