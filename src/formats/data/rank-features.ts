/**
 * LETOR rows whose features are ranks, as in the MQ2007-agg and MQ2008-agg data: `label qid:id 1:rank 2:NULL ... # docid = X`. Each feature
 * of a query is a ballot: its documents in the order of their ranks, 1 the best, equal ranks tied, NULL left out. An item is called
 * `qid/docid`, so all queries share one set of items; the labels are ignored.
 */
import type { Ballots } from "../../data/ballots.ts";
import { InputError, quote } from "../../input-error.ts";
import type { BallotFormat, BallotParser } from "./format.ts";
import { documentId } from "./svmlight.ts";

export const ranks: BallotFormat<"ranks"> = {
  id: "ranks",
  about: "LETOR rows whose features are ranks by several judges, NULL if missing; only if requested",
  extensions: [],
  options: ["absentItems"],
  kind: "ballots",
  parser,
};

function parser(file: string, ballots: Ballots): BallotParser {
  const queries = new Map<string, Map<number, Map<number, number[]>>>(); // qid, feature, rank: items
  let number = 0;
  const fail = (text: string): never => {
    throw new InputError(`${file}:${number}: ${text}`);
  };
  return {
    notices: [],
    line(text) {
      number++;
      const [row, ...comment] = text.split("#");
      const words = row!.trim().split(/\s+/);
      if (words[0] === "") return;
      const at = words.findIndex((word) => word.startsWith("qid:"));
      if (at < 0) return fail(`expected "label qid:id number:rank ...", got ${quote(text)} (no qid)`);
      const qid = words[at]!.slice(4);
      const id = documentId(comment.join("#")) || String(number);
      const item = ballots.item(`${qid}/${id}`);
      const query = queries.get(qid) ?? new Map<number, Map<number, number[]>>();
      queries.set(qid, query);
      for (const word of words.slice(at + 1)) {
        const [, feature, value] =
          /^(\d+):(NULL|\d+(?:\.\d+)?)$/.exec(word) ?? fail(`expected number:rank or number:NULL, got ${quote(word)}`);
        if (value === "NULL") continue;
        const ranks = query.get(Number(feature)) ?? new Map<number, number[]>();
        query.set(Number(feature), ranks);
        const tied = ranks.get(Number(value));
        if (tied) tied.push(item);
        else ranks.set(Number(value), [item]);
      }
    },
    end() {
      let weight = 0;
      for (const [qid, query] of queries) {
        for (const [feature, ranks] of [...query].sort(([a], [b]) => a - b)) {
          const twice = ballots.add([...ranks].sort(([a], [b]) => a - b).map(([, tied]) => tied)); // biome-ignore format: one chain
          if (twice >= 0)
            throw new InputError(
              `${file}: query ${quote(qid)}, feature ${feature}: ${quote(ballots.names[twice]!)} occurs twice`,
            );
          weight++;
        }
      }
      return weight;
    },
  };
}
