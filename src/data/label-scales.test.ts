import { describe, expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { knownOrder, orderAdvice, orderNotice } from "./label-scales.ts";

const shuffled = (words: readonly string[], seed: number) => {
  const draw = random(seed);
  return words.map((word) => [draw(), word] as const).sort(([a], [b]) => a - b).map(([, word]) => word); // biome-ignore format: one chain
};

describe("words of known scales", () => {
  it.each([
    "excellent,very good,good,fair,poor",
    "Perfect,Excellent,Good,Fair,Bad",
    "high,medium,low",
    "very_high,high,moderate,low,very-low",
    "good,ok,bad",
    "always,often,sometimes,rarely,never",
    "strongly agree,agree,neutral,disagree,strongly disagree",
    "Very Satisfied,Satisfied,Neutral,Dissatisfied",
    "highly relevant,relevant,partially relevant,irrelevant",
    "gold,silver,bronze",
    "yes,maybe,no",
    "excellent,poor",
  ])("have their order, however they are written: %s", (list) => {
    const order = list.split(",");
    for (let seed = 0; seed < 8; seed++) expect(knownOrder(shuffled(order, seed))).toEqual(order);
  });

  it.each([
    ...["none,mild,moderate,severe", "mild,moderate", "small,medium,large", "gold", "first,second", "good,cheap", "ok,okay"],
    ...["low,good", "none,low,high", "red,green,blue", "very good,great", "neutral,good", "S,A,B"],
  ])("others have none: %s", (list) => {
    expect(knownOrder(list.split(","))).toBeUndefined();
  });
});

describe("advice for labels that are words", () => {
  it("has the order of a known scale, and otherwise what cannot be pasted", () => {
    const start = "if labels are words, give all of them in order, the best first: --label-order ";
    expect(orderAdvice(["good", "poor", "excellent", "fair"])).toBe(`${start}excellent,good,fair,poor`);
    expect(orderAdvice(["good", "very good"])).toBe(`${start}'very good,good'`);
    expect(orderAdvice(["mild", "severe"])).toBe(`${start}BEST,...,WORST (the labels are "mild", "severe")`);
    const many = Array.from({ length: 13 }, (_, i) => `w${i}`);
    expect(orderAdvice(many)).toMatch(/"w0", .*"w11", \.\.\.\)$/);
  });
});

describe("the notice of an order", () => {
  it("names its ends, and the usual order where it is another", () => {
    const notice = (order: string) => orderNotice("label", order.split(","));
    expect(notice("red,green")).toBe('label: "red" is the best label, "green" the worst');
    expect(notice("excellent,good,fair,poor")).toBe('label: "excellent" is the best label, "poor" the worst');
    expect(notice("poor,fair,good,excellent")).toBe('label: "poor" is the best label, "excellent" the worst, which is the reverse of their usual order; the best label comes first: --label-order excellent,good,fair,poor'); // biome-ignore format: one line
    expect(notice("good,poor,excellent")).toBe('label: "good" is the best label, "excellent" the worst; their usual order is another: --label-order excellent,good,poor'); // biome-ignore format: one line
    expect(notice("severe,moderate,mild")).toBe('label: "severe" is the best label, "mild" the worst');
  });
});
