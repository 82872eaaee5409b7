import { expect, it } from "vitest";
import { readerFields } from "../formats/data/read-options.ts";
import { commandText, readingWords } from "./command-text.ts";

it("the words of how data were read are those that differ from the defaults", () => {
  for (const [key, field] of Object.entries(readerFields)) {
    expect(readingWords({ [key]: field.default })).toEqual([]);
    expect(readingWords({ [key]: undefined })).toEqual([]);
    if (typeof field.default !== "boolean") continue;
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(readingWords({ [key]: !field.default })).toEqual([`--${field.default ? "no-" : ""}${name}`]);
  }
  expect(readingWords({ label: "grade" })).toEqual(["--label", "grade"]);
});

it("words are quoted where a shell would change them", () => {
  const quoted = ["plain", "a=b,c/d.e-f:g@h%+", "two words", "it's", "", "a*", "line\nbreak"].map((word) =>
    commandText([word]).slice(9),
  );
  expect(quoted).toEqual(["plain", "a=b,c/d.e-f:g@h%+", "'two words'", "'it'\\''s'", "''", "'a*'", "$'line\\u000abreak'"]);
});
