import { describe, expect, it } from "vitest";
import { parseData } from "../parse.ts";
import { wholeRecords } from "./json-records.ts";

const read = (content: string, name = "rows.json") => parseData([{ name, content }], { labels: "required" });
const failure = (content: string, name?: string) => {
  try {
    read(content, name);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

const RECORDS = [
  '{"qid":"a","label":2,"x":{"y":0.5},"docid":"b]},{"}',
  '{"qid":"a","label":0,"x":{"y":[1,2]},"docid":"\\"[{"}',
  '{"qid":"b","label":1,"docid":"\\\\"}',
];

describe("an array of records", () => {
  it("is read like lines of the same records, however it is written", () => {
    const lines = read(RECORDS.join("\n"), "rows.jsonl").data;
    for (const text of [`[${RECORDS.join(",")}]`, `\uFEFF \n[\r\n${RECORDS.join(" ,\n\t ")}\n]\n\n`, JSON.stringify(RECORDS.map((one) => JSON.parse(one)), null, 2)]) // biome-ignore format: three ways
      for (const name of ["rows.json", "rows.jsonl", "rows"]) expect(read(text, name).data, text).toEqual(lines);
  });

  it("names a record by its line and number", () => {
    expect(failure('[\n{"qid":1,"label":2,"x":1}, {"qid":1,"x":1}]')).toBe(
      'rows.json:2, record 2: column "label": the label is missing; --tiers ratings leaves rows without one out, --label-last NA puts them below all others of their list',
    );
    expect(failure('[{"qid":1,"label":2,"x":"\n1"},\n\n[3]]')).toMatch(/^rows\.json:1, record 1: expected an object as JSON/);
    expect(failure('[{"qid":1,"label":2,"x":1},\n\n[3]]')).toMatch(/^rows\.json:3, record 2: expected an object, such as .*, got an array of 1; of pandas, write records: to_json\(FILE, orient="records", lines=True\)$/); // biome-ignore format: one line
  });

  it.each([
    ['[{"qid":1,"label":2,"x":1}', "rows.json:1, record 1: the array has no end (]); the file may be incomplete"],
    ['[{"qid":1,"label":2,"x":1},]', "rows.json:1, record 2: expected an object, got ]"],
    ['[{"qid":1,"label":2,"x":1},,{"qid":1}]', "rows.json:1, record 2: expected an object, got a comma"],
    ['[{"qid":1,"label":2,"x":1}]\n[]', "rows.json:2: expected the end of the file after the array of records"],
  ])("%s is refused", (text, message) => expect(failure(text)).toBe(message));

  it("is taken for tier lists where each member of its first object is a list", () => {
    expect(read('[{"S":["a"],"A":["b","c"]},{"S":["b"],"A":["a"]}]').data.names.items).toEqual(["a", "b", "c"]);
  });
});

it("the first bytes of a file are cut behind the last whole record", () => {
  const cut = (text: string) => new TextDecoder().decode(wholeRecords(new TextEncoder().encode(text)));
  expect(cut('{"a":1}\n{"a":2}\n{"a"')).toBe('{"a":1}\n{"a":2}\n');
  expect(cut('[{"a":[1,2]},\n{"a":"]},"},{"a"')).toBe('[{"a":[1,2]},\n{"a":"]},"}]');
  expect(cut('[{"a":1}]\n')).toBe('[{"a":1}]');
  expect(cut('[{"a":1')).toBe("");
});

it("an object that goes over several lines is refused with a way to write it on one", () => {
  expect(failure('{\n "qid": 1\n}\n', "rows.jsonl")).toMatch(
    /^rows\.jsonl:1: expected an object as JSON .*; write each object on a line of its own \(jq -c \. FILE\), or all as one array$/,
  );
});

it("ids beyond 2^53 keep their digits, in a name, a list or an object, and other numbers are not touched", () => {
  const { data } = read(
    '[{"qid":1234567890123456789,"label":2,"docid":-9007199254740993,"x":0.12345678901234567},{"qid":1234567890123456788,"label":1,"docid":{"id":1},"x":12345678901234567.5},{"qid":12,"label":1,"docid":"1e3","x":1e17}]',
  );
  expect(data.names.lists).toEqual(["1234567890123456789", "1234567890123456788", "12"]);
  expect(data.names.entries).toEqual(["-9007199254740993", "", "1e3"]);
  expect(data.names.features).toEqual(["x", "docid.id"]);
});

it("texts of millions of letters and digits beside a long id are read, or refused in one line", () => {
  const long = 2e7;
  const id = '{"qid":1234567890123456789,"label":1,"x":1,"note":';
  expect(read(`${id}"${"x".repeat(long)}"}\n`, "rows.jsonl").data.names.lists).toEqual(["1234567890123456789"]);
  expect(failure(`${id}"${"x".repeat(long)}\n`, "rows.jsonl")).toMatch(/^rows\.jsonl:1: expected an object as JSON/);
  expect(failure(`${id}${"1".repeat(long)}.}\n`, "rows.jsonl")).toMatch(/^rows\.jsonl:1: expected an object as JSON/);
});
