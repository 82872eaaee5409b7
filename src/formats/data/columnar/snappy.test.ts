import { expect, it } from "vitest";
import { random } from "../../../numeric/random.ts";
import { unsnappy } from "./snappy.ts";

type Element = { readonly literal: Uint8Array } | { readonly offset: number; readonly length: number };

/** Seven bits in a byte, the lowest first. */
function varint(value: number): number[] {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(128 | (value % 128));
  return [...bytes, value];
}

const littleEndian = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);

/** The bytes of an element, by the format's description; `wide`: with so many bytes for a length or an offset, where fewer would do. */
function encoded(element: Element, wide = 0): number[] {
  if ("literal" in element) {
    const { length } = element.literal;
    const needed = length <= 60 ? 0 : Math.ceil(Math.log2(length) / 8);
    const bytes = Math.max(needed, wide);
    const head = bytes === 0 ? [(length - 1) << 2] : [(59 + bytes) << 2, ...littleEndian(length - 1, bytes)];
    return [...head, ...element.literal];
  }
  const { offset, length } = element;
  if (wide < 2 && length >= 4 && length <= 11 && offset < 2048)
    return [1 | ((length - 4) << 2) | ((offset >> 8) << 5), offset & 255];
  if (wide < 4 && offset < 65536) return [2 | ((length - 1) << 2), ...littleEndian(offset, 2)];
  return [3 | ((length - 1) << 2), ...littleEndian(offset, 4)];
}

/** What the elements stand for. */
function plain(elements: readonly Element[]): number[] {
  const out: number[] = [];
  for (const one of elements) {
    if ("literal" in one) for (const byte of one.literal) out.push(byte);
    else for (let i = 0; i < one.length; i++) out.push(out[out.length - one.offset]!);
  }
  return out;
}

function decoded(block: readonly number[], size: number): number[] {
  const out = new Uint8Array(size);
  unsnappy(Uint8Array.from(block), out);
  return Array.from(out);
}

const blockOf = (elements: readonly Element[], wide?: number) => [
  ...varint(plain(elements).length),
  ...elements.flatMap((one) => encoded(one, wide)),
];
const bytes = (count: number, seed: number) => {
  const draw = random(seed);
  return Uint8Array.from({ length: count }, () => 256 * draw());
};

it.each([1, 2, 15, 16, 17, 59, 60, 61, 62, 255, 256, 257, 65_535, 65_536, 65_537])("reads a literal of %i bytes", (length) => {
  const literal = bytes(length, length);
  for (const wide of [0, 1, 2, 3, 4]) {
    if (length > 256 ** wide && wide > 0) continue; // a length that so few bytes cannot hold
    expect(decoded(blockOf([{ literal }], wide), length)).toEqual(Array.from(literal));
  }
});

it.each([1, 2, 3, 7, 255, 256, 257, 2047, 2048, 65_535, 65_536, 70_000])("reads copies from %i bytes before", (offset) => {
  const literal = bytes(Math.max(offset, 300), offset);
  const copies = [1, 3, 4, 5, 11, 12, 33, 64].map((length) => ({ offset, length }));
  const elements = [{ literal }, ...copies, { literal: Uint8Array.of(1, 2, 3) }, { offset: 2, length: 9 }];
  const expected = plain(elements);
  for (const wide of [0, 2, 4]) expect(decoded(blockOf(elements, wide), expected.length)).toEqual(expected);
});

it("reads random blocks", () => {
  const draw = random(3);
  for (let round = 0; round < 300; round++) {
    const elements: Element[] = [{ literal: bytes(1 + Math.floor(80 * draw()), round) }];
    for (let i = 0; i < 12; i++) {
      const behind = plain(elements).length;
      if (draw() < 0.4) elements.push({ literal: bytes(1 + Math.floor(100 * draw()), i) });
      else elements.push({ offset: 1 + Math.floor(behind * draw()), length: 1 + Math.floor(64 * draw()) });
    }
    expect(decoded(blockOf(elements, [0, 2, 4][round % 3]), plain(elements).length)).toEqual(plain(elements));
  }
});

it.each<[why: string, block: readonly number[], size: number, message: RegExp]>([
  ["no bytes", [], 0, /no size/],
  ["a size that goes on", [128, 128], 0, /no size/],
  ["a size of six bytes", [128, 128, 128, 128, 128, 1, 0, 7], 1, /no size/],
  ["another size than the page's", [2, 4, 7, 8], 3, /another size/],
  ["a literal of more bytes than there are", [3, 8, 7, 8], 3, /literal ends early/],
  ["a literal of more bytes than the size", [1, 4, 7, 8], 1, /literal ends early/],
  ["a copy before the first byte", [6, 0, 7, 1 | (1 << 2), 2], 6, /not where it should be/],
  ["a copy from nowhere", [6, 0, 7, 1 | (1 << 2), 0], 6, /not where it should be/],
  ["a copy beyond the size", [5, 0, 7, 1 | (1 << 2), 1], 5, /not where it should be/],
  ["too few bytes", [3, 0, 7], 3, /ends early/],
  ["a length that ends early", [61, 60 << 2], 61, /ends early/],
])("refuses %s", (_, block, size, message) => {
  expect(() => decoded(block, size)).toThrow(message);
  expect(() => decoded(block, size)).toThrow(RangeError);
});

it("reads nothing from a block of nothing", () => {
  expect(decoded([0], 0)).toEqual([]);
});

it("reads the largest size that five bytes say", () => {
  // 2^32 - 1: refused for what the page says, not read as a smaller number.
  expect(() => decoded([255, 255, 255, 255, 15], 1)).toThrow(/another size/);
});
