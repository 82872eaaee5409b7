/** Every public name, member and option has a doc comment, which editors show, and the comments of options agree with their declarations. */
import { describe, expect, it } from "vitest";
import { readerFields } from "../src/formats/data/read-options.ts";
import * as tierwise from "../src/index.ts";
import type { Field, Part } from "../src/part.ts";
import { hovers, publicNames } from "./public-names.ts";

type AnyField = Field<unknown>;

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** How the comment of an option begins and ends: its meaning, the range of numbers, and the default as code would write it. */
function commentOf({ about, kind, default: value, write }: AnyField): readonly [string, string] {
  const range = !/^a (whole )?number .*\d/.test(kind)
    ? ""
    : Array.isArray(value)
      ? ` Each ${kind.replace(/, or several.*/, "")}.`
      : ` ${upper(kind).replace('"all"', "Infinity")}.`;
  const plain = typeof value !== "object" || Array.isArray(value);
  return [
    `${upper(about)}.${range}`,
    ` Default: ${typeof value === "number" ? value : plain ? JSON.stringify(value) : write(value)}.`,
  ];
}

const isPart = (value: unknown): value is Part<Record<string, unknown>, unknown> =>
  typeof value === "function" && "fields" in value && "id" in value;

const options = Object.entries(tierwise).flatMap(([name, part]) =>
  isPart(part)
    ? Object.entries(part.fields).map(([key, field]) => ({ call: `tierwise.${name}({ ${key}`, key, field: field as AnyField }))
    : [],
);
for (const [key, field] of Object.entries(readerFields))
  options.push({ call: `tierwise.readData([], { ${key}`, key, field: field as AnyField });

/** What an editor shows for each option where a call sets it. */
function shown(): string[] {
  const lines = ['import * as tierwise from "../dist/src/index.js";'];
  const positions: number[] = [];
  for (const { call, key } of options) {
    positions.push(lines.join("\n").length + 1 + call.length - key.length);
    lines.push(`${call}: undefined as never });`);
  }
  return hovers(lines.join("\n"), positions).map((text) => text.replace(/\s+/g, " "));
}

describe("comments", () => {
  it("describe every public name and every member of a public type", () => {
    const names = publicNames();
    expect(names.length).toBeGreaterThan(1000);
    expect(names.filter(({ comment }) => comment.trim() === "").map(({ name, place }) => `${name} (${place})`)).toEqual([]);
  });

  it("of options are shown by editors, with the meaning, range and default that the part declares", () => {
    expect(options.length).toBeGreaterThan(150);
    const comments = shown();
    const wrong = options.flatMap(({ call, key, field }, i) => {
      const found = comments[i]!;
      // Which tools have a preset depends on the metric, so their names are only in the declaration.
      const [begin, end] = key === "as" ? ["Preset of another tool", ' Default: "tierwise".'] : commentOf(field);
      return found.startsWith(begin) && found.endsWith(end)
        ? []
        : [`${call}: expected ${JSON.stringify(begin + end)}, got ${JSON.stringify(found)}`];
    });
    expect(wrong).toEqual([]);
  });
});
