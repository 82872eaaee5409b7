/** Reads ballots from several files into one dataset. Items with the same name are the same item in all files. */
import { Ballots } from "../../data/ballots.ts";
import type { VoterTiers } from "../../data/tier-sources.ts";
import { InputError } from "../../input-error.ts";
import type { DatasetReader } from "./dataset-reader.ts";
import { lines } from "./lines.ts";
import { orders } from "./orders.ts";
import { pairs } from "./pairs.ts";
import { counted, emptySummary, thousands } from "./parse-summary.ts";
import { preflib } from "./preflib.ts";
import { rankFeatures } from "./rank-features.ts";
import type { BallotFormat, ReadOptions } from "./read-options.ts";
import { tierLists } from "./tier-lists.ts";

/** Reads the lines of one file. */
export interface BallotReader {
  readonly notices: string[];
  line(text: string): void;
  /** The number of ballots that the file held, each as often as it was given. */
  end(): number;
}

const readers: Readonly<Record<BallotFormat, (file: string, ballots: Ballots, source?: VoterTiers) => BallotReader>> = {
  preflib,
  orders,
  pairs,
  tiers: tierLists,
  ranks: rankFeatures,
};

export function ballotDatasetReader(
  format: (name: string, head: Uint8Array) => BallotFormat,
  { absentItems }: ReadOptions,
  source?: VoterTiers, // makes one ballot of the pairs of a voter
): DatasetReader {
  const ballots = new Ballots();
  const notices: string[] = [];
  const decoder = new TextDecoder();
  let now: { name: string; format: string; reader: BallotReader; before: number; end(): void } | undefined;

  return {
    open(name, head, _size, { groups, weights } = {}) {
      const extra = groups ?? weights;
      if (extra) throw new InputError(`${extra.name}: ballots have no side files; remove it`);
      const id = format(name, head);
      const reader = readers[id](name, ballots, source);
      let line = 0;
      const splitter = lines(
        (bytes, from, to) => {
          line++;
          try {
            reader.line(decoder.decode(bytes.subarray(from, to)));
          } catch (error) {
            // What the ballots refuse, such as a count beyond all numbers, happened on this line.
            if (!(error instanceof InputError) || error.message.startsWith(`${name}:`)) throw error;
            throw new InputError(`${name}:${line}: ${error.message}`);
          }
        },
        () => `${name}:${line + 1}`,
        { quotes: id === "pairs" },
      );
      now = { name, format: id, reader, before: ballots.distinct, end: splitter.end };
      return { summary: emptySummary(""), push: splitter.push, end: () => {} };
    },

    close() {
      const { name, format: id, reader, before, end } = now!;
      end();
      const weight = reader.end();
      if (weight === 0) throw new InputError(`${name}: no ballots`);
      const merged = ballots.distinct - before;
      notices.push(
        `${name}: ${counted(weight, "ballot")} (${id})${merged < weight ? `, ${thousands(merged)} distinct` : ""}`,
        ...reader.notices,
      );
    },

    finish() {
      if (!now) throw new InputError("expected at least one data file, got none");
      const data = ballots.finish(absentItems);
      if (data.starts.length < 2) throw new InputError(`${now.name}: no ballot compares two items`);
      const explanation = {
        silent: "they say nothing about the items that they omit",
        last: "omitted items share the last tier",
      };
      return {
        data,
        notices: [
          ...notices,
          `${counted(ballots.names.length, "item")}, ${counted(data.starts.length - 1, "distinct ballot")}`,
          ...(ballots.incomplete > 0
            ? [`${counted(ballots.incomplete, "ballot")} incomplete: ${explanation[absentItems]} (--absent-items ${absentItems})`]
            : []),
        ],
      };
    },
  };
}
