import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import { arrayOf, arrayText, elementTexts } from "./array-text.ts";

describe("arrays as text", () => {
  it.each<[string, readonly unknown[]]>([
    ['["new","sale"]', ["new", "sale"]],
    ['[ "on sale" , null, 3, true ]', ["on sale", null, 3, true]],
    ["{new,sale}", ["new", "sale"]],
    ['{"on sale",NULL,"NULL","a\\"b\\\\,}",1.5,"12"}', ["on sale", null, "NULL", 'a"b\\,}', 1.5, "12"]],
    ["['new', 'sale']", ["new", "sale"]],
    ["['new' 'sale']", ["new", "sale"]],
    [`["it's", 'a\\n"b"', 'z\\xe9', None, True, 2]`, ["it's", 'a\n"b"', "z\u00e9", null, true, 2]],
    ["[0.5  1.5\n nan 2e3]", [0.5, 1.5, null, 2000]],
    ["[]", []],
    ["{}", []],
    ["[ ]", []],
  ])("%s is one", (text, values) => expect(arrayOf(text)).toEqual(values));

  it.each([
    ...[
      "",
      "new",
      "[",
      "{",
      "{new",
      "new]",
      "[[1],[2]]",
      "{{a,b},{c,d}}",
      '{"a":1}',
      "{'a': 1}",
      "{a b}",
      "{a,}",
      "{,a}",
      "{a,,b}",
    ],
    ...["['a',]x", "['a'", "[a]", "['a' b]", "[1 ... 2]", "[new]", "['a',, 'b']", '[{"a":1}]', "[0:1]={a,b}", "['a',]"],
  ])("%s is none", (text) => expect(arrayOf(text)).toBeUndefined());

  it("have different texts, without missing ones and blanks around them", () => {
    expect(elementTexts('["new"," new ","",null,"tba",7]', ["tba"])).toEqual(["new", "7"]);
    expect(elementTexts("new")).toBeUndefined();
    expect(arrayText(["a", null, 7])).toBe('["a",7]');
  });

  it("of millions of letters are read", () => {
    for (const text of [`{"${'x\\"'.repeat(1e6)}"}`, `['${"x".repeat(5e6)}']`]) expect(arrayOf(text)).toHaveLength(1);
  });

  it("come back from each way to write them", () => {
    const letters = ["a", "B", " ", ",", '"', "\\", "{", "}", "[", "]", "'", "é", "7", "NULL", "\n"];
    for (let seed = 0; seed < 500; seed++) {
      const draw = random(seed, 0, 0);
      const text = () => `x${Array.from({ length: below(draw, 5) }, () => letters[below(draw, letters.length)]).join("")}`;
      const values = Array.from({ length: below(draw, 4) }, () => (draw() < 0.2 ? null : text()));
      const postgres = `{${values.map((one) => (one === null ? "NULL" : /[\s"{},\\]/.test(one) ? `"${one.replace(/["\\]/g, "\\$&")}"` : one)).join(",")}}`; // biome-ignore format: one text
      const python = `[${values.map((one) => (one === null ? "None" : `'${one.replace(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`)).join(", ")}]`; // biome-ignore format: one text
      for (const one of [JSON.stringify(values), postgres, python]) expect([one, arrayOf(one)]).toEqual([one, values]);
    }
  });
});
