/** Reads ballots from several files into one dataset. Items with the same name are the same item in all files. */
import { counted, thousands } from "../../counted.ts";
import { Ballots } from "../../data/ballots.ts";
import type { VoterTiers } from "../../data/tier-sources.ts";
import { InputError } from "../../input-error.ts";
import type { KindReader } from "./dataset-reader.ts";
import type { BallotFormat, BallotParser } from "./format.ts";
import { lines } from "./lines.ts";
import { emptySummary } from "./parse-summary.ts";
import type { ReadOptions } from "./read-options.ts";

/** `source` makes one ballot of the pairs of a voter. */
export function ballotReader({ absentItems, ...direction }: ReadOptions, source?: VoterTiers): KindReader<BallotFormat> {
  const ballots = new Ballots();
  const notices: string[] = [];
  const decoder = new TextDecoder();
  let now: { name: string; format: string; parser: BallotParser; before: number; end(): void } | undefined;

  return {
    open({ name, format, sideFiles, place }) {
      const extra = sideFiles.groups ?? sideFiles.weights;
      if (extra) throw new InputError(`${extra.name}: ballots have no side files; remove it`);
      const parser = format.parser(name, ballots, source, direction, place);
      let line = 0;
      const splitter = lines(
        (bytes, from, to) => {
          line++;
          try {
            if (!parser.bytes?.(bytes, from, to)) parser.line(decoder.decode(bytes.subarray(from, to)));
          } catch (error) {
            // What the ballots refuse, such as a count beyond all numbers, happened on this line.
            if (!(error instanceof InputError) || error.message.startsWith(`${name}:`)) throw error;
            throw new InputError(`${name}:${line}: ${error.message}`);
          }
        },
        () => `${name}:${line + 1}`,
        { quotes: format.quotes ?? false },
      );
      now = { name, format: format.id, parser, before: ballots.distinct, end: splitter.end };
      return { summary: emptySummary(""), push: splitter.push, end: () => {} };
    },

    close() {
      const { name, format, parser, before, end } = now!;
      end();
      const weight = parser.end();
      if (weight === 0) throw new InputError(`${name}: no ballots`);
      const merged = ballots.distinct - before;
      notices.push(
        `${name}: ${counted(weight, "ballot")} (${format})${merged < weight ? `, ${thousands(merged)} distinct` : ""}`,
        ...parser.notices,
      );
    },

    finish() {
      if (!now) throw new InputError("expected at least one data file, got none");
      const data = ballots.finish(absentItems);
      if (data.starts.length < 2) throw new InputError(`${now.name}: no ballot compares two items`);
      const explanation = {
        silent: `${ballots.incomplete === 1 ? "it says nothing about the items that it omits" : "they say nothing about the items that they omit"}`,
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
