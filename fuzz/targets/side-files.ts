/** Files that are read beside others: sizes, weights and positions of rows, tables of items and lists; and the compact bodies of requests to rank. */
import { type MemoryFile, parseData } from "../../src/formats/data/parse.ts";
import { decodeRankBody, encodeRankBody, floatsOver } from "../../src/formats/rank-body.ts";
import { random } from "../../src/numeric/random.ts";
import { contentOf } from "../content.ts";
import { answerOf, digestOf, Finding, seedOf, type Target } from "../target.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const rows = "2 1:0.5\n0 1:1 2:3\n1 2:2\n0 1:7\n";

/** One of the three files beside a file of rows; all that its bytes decide is which of them it is. */
const sideFile: Target = {
  id: "side-files",
  seeds: () => ["2\n2\n", "a\na\nb\nb\n", "1\n0.5\n", "1\n.25\n3e2\r\n0\n", "1\n2\n\n1\n2\n", "top\nleft\ntop\nleft"].map(encode),
  words: ["0", "1", "2", "4", "-1", "1e9", "1e-9", "4294967296", "nan", "a", " ", "\t", "\n", "\r\n", "\u00e9", "\u0000"],
  run(bytes) {
    const kind = (["groups", "weights", "positions"] as const)[seedOf(bytes) % 3]!;
    return answerOf(() => {
      const file: MemoryFile = { name: "file.txt", content: rows, ...(kind !== "groups" && { groups: "2\n2\n" }), [kind]: bytes };
      const { data, notices } = parseData([file]);
      const { labels, starts, itemWeights, listWeights } = data;
      if (labels.length !== 4 || starts.at(-1) !== 4) throw new Finding("rows are lost");
      for (const all of [itemWeights, listWeights])
        if (all && !Array.from(all).every((weight) => weight >= 0 && Number.isFinite(weight))) throw new Finding("wrong weights");
      return { digest: digestOf(contentOf(data), notices.join("\n")), shape: `${kind} ${notices.length}` };
    });
  },
};

const table = "label,qid,docid,x\n1,a,d,0.5\n0,a,e,1\n2,b,d,3\n0,b,f,4\n";

/** A table of items or of lists that is joined to rows: these stay as they are. */
const sideTables: Target = {
  id: "side-tables",
  seeds: () =>
    [
      "docid,size,color\nd,1,red\ne,2.5,blue\nf,,red\n",
      'docid;on;day\nd;yes;2024-01-02\n"e";no;\nf;yes;2024-02-29\ng;no;2024-02-29\n',
      "qid,length\na,3\nb,-1e3\n",
      'qid\tkind\na\t"x ""y"""\nb\tz\n',
    ].map(encode),
  words: ["docid", "qid", "id", "a", "b", "d", "e", "f", "NA", "nan", "1e400", ",", ";", "\t", '"', "\n", "\r\n", "\uFEFF"],
  run(bytes) {
    const draw = random(seedOf(bytes));
    const role = draw() < 0.5 ? "items" : "lists";
    return answerOf(() => {
      const files = [
        { name: "file.csv", content: table },
        { name: "side.csv", content: bytes },
      ];
      const { data, notices } = parseData(files, { [role]: "side.csv" });
      const alone = parseData(files.slice(0, 1)).data;
      if (contentOf({ ...data, features: 0, names: 0 }) !== contentOf({ ...alone, features: 0, names: 0 }))
        throw new Finding("labels or lists are others than without the table");
      return { digest: digestOf(contentOf(data), notices.join("\n")), shape: role };
    });
  },
};

/** A body is the same after it is read and written. */
const rankBody: Target = {
  id: "rank-body",
  seeds: () => [
    encodeRankBody({ columns: ["x", "y"], rows: 2, id: "q", ids: ["a", "b"] }, [Float32Array.of(1, 2, 3, Number.NaN)]),
    encodeRankBody({ columns: ["x"], lists: [{ rows: 1 }, { rows: 2, id: "b" }] }, [Float32Array.of(-0, 1e30, 5)]),
  ],
  words: ["TWRK", "{", "}", "[", "]", '"columns"', '"rows"', "null", "1e999", "\u0000", "\u0001", " "],
  run: (bytes) =>
    answerOf(() => {
      const { head, numbers } = decodeRankBody(bytes);
      const again = decodeRankBody(encodeRankBody(head, [numbers]));
      const digest = digestOf(JSON.stringify(head), numbers);
      if (digestOf(JSON.stringify(again.head), again.numbers) !== digest) throw new Finding("another body when written and read");
      if (floatsOver(numbers).length !== Math.floor(numbers.length / 4)) throw new Finding("numbers are lost");
      return { digest, shape: Object.keys(head).sort().join(" ").slice(0, 80) };
    }),
};

export const sideFileTargets: readonly Target[] = [sideFile, sideTables, rankBody];
