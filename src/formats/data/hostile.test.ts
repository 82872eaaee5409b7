/** Whatever the bytes, a reader answers with a dataset or a Mistake, the same for any cut into chunks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Mistake } from "../../mistake.ts";
import type { Dataset } from "../../types.ts";
import { type GatherOptions, gatherer } from "./gather.ts";
import { readOptions } from "./index.ts";
import { lines } from "./lines.ts";

type Answer = { data: Dataset; notices: readonly string[] } | { mistake: string };

const encode = (text: string) => new TextEncoder().encode(text);

function answer(bytes: Uint8Array, format: "svmlight" | "csv", cuts: readonly number[], groups?: Uint8Array): Answer {
  const labels: GatherOptions["labels"] = "required";
  const gather = gatherer({ ...readOptions({ format, indexBase: "auto" }), labels });
  try {
    const parser = gather.open("a", bytes, undefined, groups ? { groups: { name: "a.query", bytes: groups } } : {});
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    ends.forEach((end, i) => {
      parser.push(bytes.slice(i === 0 ? 0 : ends[i - 1]!, end));
    });
    gather.close();
    return gather.finish();
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    expect(error.message.length).toBeLessThan(4000);
    return { mistake: error.message };
  } finally {
    gather.drop();
  }
}

/** What the data hold takes room in proportion to the bytes that said it. */
function expectSmall(found: Answer, bytes: number): void {
  if ("mistake" in found) return;
  const { features, labels, starts } = found.data;
  expect(features.values.length).toBeLessThanOrEqual(3 * bytes);
  expect(labels.length).toBeLessThanOrEqual(bytes);
  expect(starts.at(-1)).toBe(labels.length);
}

const cuts = fc.array(fc.nat(2000), { maxLength: 6 });
const formats = fc.constantFrom("svmlight", "csv");
const svmlightText = "2 qid:10 1:0.5 3:-1e-3 #docid = GX1\n0 qid:10 2:.25 # second\r\n\n# note\n1.5 qid:x7 1:NULL 2147483647:1\n";
const csvText = 'label,qid,"x, ""y""",id,z\n1,a,0.5,"d,1",NA\r\n0,a,1e3,"d\n2",\n\n2,b,-.5,"",7\n';
const tokens = fc.constantFrom(
  ...'0 1 -1 9999999999 2147483647:1 1:1 2:NULL 1:nan 1e999 qid:1 qid:a qid: : # " , ; \t \n \r\n \u00e9 \ud83d\ude00 NA label qid x'.split(
    " ",
  ),
  " ",
  "\n",
  "label,qid,x\n",
  "1 qid:1 1:1\n",
  "1,a,2\n",
);

describe("hostile bytes", () => {
  const inputs = {
    "random bytes": fc.uint8Array({ maxLength: 400 }),
    "random words of the formats": fc.array(tokens, { maxLength: 60 }).map((words) => encode(words.join(" "))),
    "valid files with a few bytes changed, cut or doubled": fc
      .tuple(fc.constantFrom(svmlightText, csvText), fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 4 }))
      .map(([text, changes]) => {
        let bytes = [...encode(text)];
        for (const [where, byte, how] of changes) {
          const at = where % (bytes.length + 1);
          if (how === 0) bytes[at] = byte;
          else if (how === 1) bytes = bytes.slice(0, at);
          else bytes = [...bytes.slice(0, at), ...bytes.slice(Math.max(0, at - 7))];
        }
        return Uint8Array.from(bytes);
      }),
  };

  it.each(Object.entries(inputs))("%s give data or a Mistake, wherever the chunks end", (_, bytes) => {
    fc.assert(
      fc.property(bytes, formats, cuts, (content, format, where) => {
        const whole = answer(content, format, []);
        expectSmall(whole, content.length);
        expect(answer(content, format, where)).toEqual(whole);
      }),
      { numRuns: 1500 },
    );
  });

  it("valid files read the same wherever the chunks end", () => {
    for (const [text, format] of [
      [svmlightText, "svmlight"],
      [csvText, "csv"],
    ] as const) {
      const bytes = encode(text);
      const whole = answer(bytes, format, []);
      expect(whole).toHaveProperty("data");
      for (let cut = 0; cut <= bytes.length; cut++) expect(answer(bytes, format, [cut, cut + 3])).toEqual(whole);
    }
  });

  it("random group files give data or a Mistake", () => {
    const rows = encode("1 1:1\n0 1:2\n2 1:3\n");
    const groups = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc
        .array(fc.constantFrom("0", "1", "2", "3", "x", "1e3", "-1", "99999999999"), { maxLength: 5 })
        .map((all) => encode(all.join("\n"))),
    );
    fc.assert(
      fc.property(groups, (content) => expectSmall(answer(rows, "svmlight", [], content), 100)),
      { numRuns: 1000 },
    );
  });

  it("a header of very many columns is refused in one short line", () => {
    const header = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");
    expect(answer(encode(`${header}\n`), "csv", [])).toHaveProperty("mistake");
  });

  it("a row of very many features in falling order is sorted", () => {
    const cells = Array.from({ length: 100_000 }, (_, i) => `${100_000 - i}:1`).join(" ");
    const found = answer(encode(`1 qid:1 ${cells}\n`), "svmlight", []);
    expect("data" in found && found.data.features.columns).toBe(100_000);
  });

  it("a line without an end is refused before it fills the memory", () => {
    const cutter = lines(() => {}, () => "a.txt:1", { longest: 1 << 20 }); // biome-ignore format: short
    const chunk = new Uint8Array(1 << 16).fill(49);
    expect(() => {
      for (let i = 0; i < 32; i++) cutter.push(chunk);
    }).toThrow(new Mistake("a.txt:1: the line is longer than 1 MB"));
  });
});
