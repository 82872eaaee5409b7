import { describe, expect, it } from "vitest";
import type { ResultColumnOptions } from "./battle-columns.ts";
import { battleReader } from "./battles-parser.ts";

function read(text: string, options: ResultColumnOptions = {}) {
  const reader = battleReader(options);
  const sink = reader.open("b.csv");
  sink.push(new TextEncoder().encode(text));
  sink.end();
  return reader.finish();
}

const arena = "model_a,model_b,winner,count\na,b,model_a,2\nb,c,model_b,1\nc,a,tie,3\n";
const won = "winner,loser,tie,count\na,b,no,2\nb,c,no,1\nc,a,yes,3\n";

describe("columns of battles", () => {
  it("may have any names, in letters of any case, which are those of winners too", () => {
    const wanted = read(arena);
    const named = arena.replace("model_a,model_b,winner,count", "Left,Right,Result,Times");
    const options = { first: "left", second: "RIGHT", winner: "result", count: "times" };
    expect(read(named, options)).toEqual(wanted);
    expect(read(named.replace("model_a", "Left").replace("model_b", "right"), options)).toEqual(wanted);
    expect(read(named.replace("model_a", "a").replace("model_b", "c"), options)).toEqual(wanted); // by the items' names
    expect(read(arena.replace("model_a,", "left,"), { first: "left" })).toEqual(wanted);
    expect(read(arena.replace("winner", "result"), { winner: "result" })).toEqual(wanted);
  });

  it("may be those of a winner and a loser", () => {
    const named = won.replace("winner,loser,tie,count", "best,beaten,drawn,times");
    expect(read(named, { winner: "best", loser: "beaten", tie: "drawn", count: "times" })).toEqual(read(won));
    expect(read(won.replace("loser", "model_a"), { loser: "model_a" })).toEqual(read(won)); // the option decides, not the name
  });

  it.each<[string, ResultColumnOptions, string]>([
    ["left,right,result\na,b,left\n", {}, 'b.csv:1: expected the columns winner and loser, or model_a, model_b and winner, got "left, right, result"; name them with --first, --second and --winner, or with --winner and --loser'], // biome-ignore format: one line
    ["left,right,result\na,b,left\n", { first: "left", second: "right" }, 'b.csv:1: there is no column "winner", which --winner names otherwise; there are left, right, result'], // biome-ignore format: one line
    ["left,right,result\na,b,left\n", { first: "lft", second: "right", winner: "result" }, 'b.csv:1: there is no column "lft" (--first); did you mean left? (there are left, right, result)'], // biome-ignore format: one line
    ["left,right,result\na,b,left\n", { first: "left", second: "left", winner: "result" }, 'b.csv:1: the column "left" cannot be two things at once'], // biome-ignore format: one line
    ["left,right,result\na,b,1\n", { first: "left", second: "right", winner: "result" }, 'b.csv:2: expected left, right or tie in the column result, got "1"'], // biome-ignore format: one line
    ["best,beaten,drawn\na,b,perhaps\n", { winner: "best", loser: "beaten", tie: "drawn" }, 'b.csv:2: expected yes or no in the column drawn, got "perhaps"'], // biome-ignore format: one line
    [arena, { count: "times" }, 'b.csv:1: there is no column "times" (--count)'],
    [won, { tie: "drawn" }, 'b.csv:1: there is no column "drawn" (--tie)'],
    [won, { first: "winner", loser: "loser" }, "--first is for tables whose column --winner says which of two items won, and --loser for tables of a winner and a loser; leave one out"], // biome-ignore format: one line
    [arena, { second: "model_b", tie: "tie" }, "--second is for tables whose column --winner says which of two items won, and --tie for"], // biome-ignore format: one line
  ])("%j with %j is an error", (text, options, message) => {
    expect(() => read(text, options)).toThrow(message);
  });
});

describe("words of a winner", () => {
  it.each([
    "tie",
    "Tied",
    "draw",
    "equal",
    "tie (bothbad)",
    "tie (both bad)",
    "tie(bothbad)",
    "both bad",
    "both_bad",
    "both-bad",
    "BothBad",
  ])("%s is a tie", (word) => expect(read(`model_a,model_b,winner\na,b,${word}\n`).outcome).toEqual(Uint8Array.of(2)));

  it.each(["1", "true", "yes"])("%s, which says yes in a column of ties, is no result", (word) => {
    expect(() => read(`model_a,model_b,winner\na,b,${word}\n`)).toThrow(`b.csv:2: expected model_a, model_b or tie in the column winner, got "${word}"`); // biome-ignore format: one line
    expect(read(`winner,loser,tie\na,b,${word}\n`).outcome).toEqual(Uint8Array.of(2));
  });
});
