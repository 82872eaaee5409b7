/** Whatever the bytes of a log of clicks, its reader answers with a log or an InputError of one line, the same for any cut into chunks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedTexts } from "../../../test/changed-texts.ts";
import { type ClickLog, checkLog } from "../../clicks/click-log.ts";
import { InputError } from "../../input-error.ts";
import { clickLogReader } from "./click-log-parser.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function answer(bytes: Uint8Array, cuts: readonly number[], minDwell: number): ClickLog | { readonly mistake: string } {
  const reader = clickLogReader({ minDwell });
  try {
    const sink = reader.open("a");
    const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    ends.forEach((end, i) => {
      sink.push(bytes.slice(i === 0 ? 0 : ends[i - 1]!, end));
    });
    sink.end();
    return reader.finish();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    expect(error.message.length).toBeLessThan(4000);
    expect(error.message).toMatch(/^a(:\d+)?: /);
    return { mistake: error.message };
  }
}

const texts = {
  table:
    'session,query,doc,position,clicked,dwell\n1,bread,d1,1,0,\n1,bread,"d,2",2,1,31.5\r\n2,"a ""b""",d2,1,true,7\n2,"a ""b""",d1,3,no,\n',
  rows: '{"query":"q","doc":"x","position":1,"clicked":true,"dwell":40}\n{"query":"q","doc":7,"position":2,"clicked":0}\n',
  impressions: '{"query":"bread","documents":["d1","d2"],"clicked":["d2"]}\n\n{"query":"bread","docs":[1,2,3],"clicks":[]}\n',
};

describe.each(Object.entries(texts))("hostile bytes, %s", (kind, text) => {
  const words = fc.constantFrom(
    ...text.split(/(?<=[\s,:{}[\]"])/),
    ...'0 1 -1 1e7 9999999999 1.5 NaN null true {} [] [[ { } " "" , ; \t \\ \u2028 \uFEFF \0 \r __proto__'.split(" "),
    "\n",
    "9".repeat(400),
    "[".repeat(400),
    '{"a":'.repeat(300),
  );
  const changed = changedTexts(text, words);
  const any = fc.oneof(changed, changed, fc.array(words, { maxLength: 40 }).map((all) => encode(all.join(""))), fc.uint8Array()); // biome-ignore format: kinds
  const dwells = kind === "impressions" ? [0] : [0, 30];

  it("reads what is right", () => {
    for (const minDwell of dwells) expect(answer(encode(text), [], minDwell)).toHaveProperty("queries");
  });

  it("gives a log or an InputError for any change, wherever the chunks end", () => {
    fc.assert(
      fc.property(any, fc.array(fc.nat(2000), { maxLength: 6 }), fc.constantFrom(...dwells), (bytes, cuts, minDwell) => {
        const whole = answer(bytes, [], minDwell);
        if (!("mistake" in whole)) {
          checkLog("the log", whole);
          expect(whole.document.length).toBeLessThanOrEqual(bytes.length);
        }
        expect(answer(bytes, cuts, minDwell)).toEqual(whole);
      }),
      { numRuns: 1500 },
    );
  });
});
