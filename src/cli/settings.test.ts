import { expect, it } from "vitest";
import { parseSettings } from "./settings.ts";

const parse = (text: string) => Object.fromEntries(parseSettings(text, "c.conf", []));

it("settings in JSON are texts, numbers, true, false and lists of these", () => {
  expect(parse('{"a_b": "x", "n": 2.5, "yes": true, "list": ["p", 3, false]}')).toEqual({
    ...{ "a-b": "x", n: "2.5", yes: "true", list: "p,3,false" },
  });
  for (const value of ['{"b": 1}', "null", '["x", null]', '[["x"]]'])
    expect(() => parse(`{"a": ${value}}`)).toThrow(
      'c.conf: expected a text, a number, true, false or a list of these for "a", got ',
    );
});

it("settings in lines may have comments, and each key once", () => {
  expect(parse("\ufeff# note\na = 1 # one\n\n --B_c=x=y\r\n")).toEqual({ a: "1", "b-c": "x=y" });
  expect(() => parse("a = 1\nA=2\n")).toThrow('c.conf:2: "a" is set twice');
  expect(() => parse("a = 1\n= 2\n")).toThrow('c.conf:2: expected "key = value", got "= 2"');
});
