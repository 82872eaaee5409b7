/** One dataset of ballots from the bytes of several files in turn. Items of one name are one item, in whichever file they stand. */
import { Ballots } from "../../data/ballots.ts";
import { Mistake } from "../../mistake.ts";
import { counted, nothingYet, thousands } from "./findings.ts";
import type { Gatherer } from "./gather.ts";
import type { BallotFormat, ReadOptions } from "./index.ts";
import { lines } from "./lines.ts";
import { orders } from "./orders.ts";
import { pairs } from "./pairs.ts";
import { preflib } from "./preflib.ts";
import { rankFeatures } from "./rank-features.ts";
import { tierLists } from "./tier-lists.ts";

/** Reads the lines of one file. */
export interface BallotReader {
  readonly notices: string[];
  line(text: string): void;
  /** The number of ballots that the file held, each as often as it was given. */
  end(): number;
}

const readers: Readonly<Record<BallotFormat, (file: string, ballots: Ballots) => BallotReader>> = {
  preflib,
  orders,
  pairs,
  tiers: tierLists,
  ranks: rankFeatures,
};

export function ballotGatherer(format: (name: string, head: Uint8Array) => BallotFormat, { absentItems }: ReadOptions): Gatherer {
  const ballots = new Ballots();
  const notices: string[] = [];
  const decoder = new TextDecoder();
  let now: { name: string; format: string; reader: BallotReader; before: number; end(): void } | undefined;

  return {
    open(name, head, _size, { groups, weights } = {}) {
      const extra = groups ?? weights;
      if (extra) throw new Mistake(`${extra.name}: ballots have no side files; remove it`);
      const id = format(name, head);
      const reader = readers[id](name, ballots);
      let line = 0;
      const cutter = lines(
        (bytes, from, to) => {
          line++;
          try {
            reader.line(decoder.decode(bytes.subarray(from, to)));
          } catch (error) {
            // What the ballots refuse, such as a count beyond all numbers, happened on this line.
            if (!(error instanceof Mistake) || error.message.startsWith(`${name}:`)) throw error;
            throw new Mistake(`${name}:${line}: ${error.message}`);
          }
        },
        () => `${name}:${line + 1}`,
        { quotes: id === "pairs" },
      );
      now = { name, format: id, reader, before: ballots.distinct, end: cutter.end };
      return { findings: nothingYet(""), push: cutter.push, end: () => {} };
    },

    close() {
      const { name, format: id, reader, before, end } = now!;
      end();
      const weight = reader.end();
      if (weight === 0) throw new Mistake(`${name}: no ballots`);
      const merged = ballots.distinct - before;
      notices.push(
        `${name}: ${counted(weight, "ballot")} (${id})${merged < weight ? `, ${thousands(merged)} of them different` : ""}`,
        ...reader.notices,
      );
    },

    finish() {
      if (!now) throw new Mistake("expected at least one data file, got none");
      const data = ballots.finish(absentItems);
      if (data.starts.length < 2) throw new Mistake(`${now.name}: no ballot compares two items`);
      const said = {
        silent: "nothing is said about items that they leave out",
        last: "items that they leave out share the last tier",
      };
      return {
        data,
        notices: [
          ...notices,
          `${counted(ballots.names.length, "item")}, ${counted(data.starts.length - 1, "different ballot")}`,
          ...(ballots.incomplete > 0
            ? [`${counted(ballots.incomplete, "ballot")} incomplete: ${said[absentItems]} (--absent-items ${absentItems})`]
            : []),
        ],
      };
    },
  };
}
