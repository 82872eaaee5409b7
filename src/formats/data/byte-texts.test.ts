import { expect, it } from "vitest";
import { ByteTexts } from "./byte-texts.ts";

it("thousands of texts have numbers in the order in which they first came, and keep them as the table grows", () => {
  const texts = new ByteTexts();
  const encoder = new TextEncoder();
  const numberOf = (text: string) => {
    const bytes = encoder.encode(`>${text}<`);
    return texts.of(bytes, 1, bytes.length - 1);
  };
  const names = Array.from({ length: 9000 }, (_, i) => `name ${(i * 7919) % 9001} ${"é".repeat(i % 5)}`.trim());
  expect(names.map(numberOf)).toEqual(names.map((_, i) => i));
  expect(names.map(numberOf)).toEqual(names.map((_, i) => i));
  expect(texts.texts).toEqual(names);
  expect([numberOf(` ${names[5]}`), numberOf(`${names[5]} `), numberOf("new")]).toEqual([5, 5, 9000]);
});
