/**
 * Plain orders, one a line: `A > B = C > D`, the best first and `=` or `~` between items that tie, with `12:` before it where the order was
 * given twelve times. A name is what stands between the signs, or anything in double quotes. `#` at the beginning makes a comment.
 */
import type { Ballots } from "../../data/ballots.ts";
import { Mistake, quote } from "../../mistake.ts";
import type { BallotReader } from "./gather-ballots.ts";

export function orders(file: string, ballots: Ballots): BallotReader {
  let number = 0;
  let weight = 0;
  const fail = (text: string): never => {
    throw new Mistake(`${file}:${number}: ${text}`);
  };
  return {
    notices: [],
    line(text) {
      number++;
      const line = text.trim();
      if (line === "" || line.startsWith("#")) return;
      const [, count, rest] = /^(?:(\d+)\s*:)?\s*(.*)$/.exec(line)!;
      if (count !== undefined && Number(count) === 0) return;
      const tiers: number[][] = [[]];
      for (const [, quoted, plain, sign] of rest!.matchAll(/\s*(?:"([^"]*)"|([^>=~"]*))\s*(>|=|~|$)/g)) {
        const name = (quoted ?? plain ?? "").trim();
        if (name === "" && sign === "" && tiers.at(-1)!.length > 0) break; // the end of the line
        if (name === "") fail(`expected names with > or = between them, got ${quote(rest!)}`);
        tiers.at(-1)!.push(ballots.item(name));
        if (sign === ">") tiers.push([]);
        if (sign === "") break;
      }
      const twice = ballots.add(tiers, Number(count ?? 1));
      if (twice >= 0) fail(`the item ${quote(ballots.names[twice]!)} stands in this order twice`);
      weight += Number(count ?? 1);
    },
    end: () => weight,
  };
}
