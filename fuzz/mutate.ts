/** Changes valid inputs: bytes, words, numbers, lines, and values inside JSON. */
import { below } from "../src/numeric/random.ts";
import type { Random } from "../src/types.ts";

const NUMBERS = (
  "0 -0 1 -1 2 0.5 1.5 -2 3e38 -3e38 3.5e38 1e39 1e308 1e309 -1e309 1e-45 1e-320 255 256 65535 65536 16777217 2147483647 2147483648 " +
  "4294967295 4294967296 9007199254740993 1e21 99999999999999999999 NaN nan Infinity -inf 0x10 1_000 1e 1. .5 +1 --1 00 1,5 ٣ ''"
).split(" ");
const JSON_VALUES = [null, true, false, 0, -1, 1.5, 1e300, 2 ** 40, "", "NaN", "\u0000", [], {}, [[]], [null], { a: 1 }];
const BYTES = [0, 9, 10, 13, 32, 34, 35, 44, 45, 58, 59, 61, 92, 123, 125, 127, 128, 0xbf, 0xc0, 0xe2, 0xef, 0xf0, 0xff];

/** Everything a mutation may draw from. */
export interface Material {
  readonly words: readonly string[];
  /** Other inputs, to take pieces of. */
  readonly corpus: readonly Uint8Array[];
}

const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;
const encoder = new TextEncoder();
/** Latin-1, so that all bytes survive. */
const textOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

function splice(bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  const result = new Uint8Array(at + inserted.length + Math.max(0, bytes.length - at - removed));
  result.set(bytes.subarray(0, at));
  result.set(inserted, at);
  result.set(bytes.subarray(Math.min(bytes.length, at + removed)), at + inserted.length);
  return result;
}

/** A piece of some length, short ones most often. */
const lengthOf = (draw: Random, most: number) => Math.min(most, Math.floor(2 ** (draw() * 7)));

type Mutation = (bytes: Uint8Array, draw: Random, material: Material) => Uint8Array;

const changeByte: Mutation = (bytes, draw) => {
  const result = bytes.slice();
  if (bytes.length > 0) result[below(draw, bytes.length)] = draw() < 0.7 ? pick(draw, BYTES) : below(draw, 256);
  return result;
};
const flipBit: Mutation = (bytes, draw) => {
  const result = bytes.slice();
  if (bytes.length > 0) result[below(draw, bytes.length)]! ^= 1 << below(draw, 8);
  return result;
};
const removePiece: Mutation = (bytes, draw) =>
  splice(bytes, below(draw, bytes.length + 1), lengthOf(draw, bytes.length), new Uint8Array(0));
const repeatPiece: Mutation = (bytes, draw) => {
  const from = below(draw, bytes.length + 1);
  return splice(bytes, below(draw, bytes.length + 1), 0, bytes.slice(from, from + lengthOf(draw, bytes.length)));
};
const truncate: Mutation = (bytes, draw) => bytes.slice(0, below(draw, bytes.length + 1));
const insertWord: Mutation = (bytes, draw, { words }) =>
  words.length === 0 ? bytes : splice(bytes, below(draw, bytes.length + 1), 0, encoder.encode(pick(draw, words)));
const otherPiece: Mutation = (bytes, draw, { corpus }) => {
  const other = pick(draw, corpus);
  const from = below(draw, other.length + 1);
  const piece = other.slice(from, from + lengthOf(draw, other.length));
  return splice(bytes, below(draw, bytes.length + 1), draw() < 0.5 ? piece.length : 0, piece);
};

/** Another number in the place of one. */
const changeNumber: Mutation = (bytes, draw) => {
  const text = textOf(bytes);
  const found = [...text.matchAll(/-?\d[\d.]*(?:e[+-]?\d+)?/gi)];
  if (found.length === 0) return bytes;
  const one = pick(draw, found);
  const value = draw() < 0.3 ? String(Number(one[0]) + pick(draw, [1, -1, 0.5, 1e-9])) : pick(draw, NUMBERS);
  return splice(bytes, one.index, one[0].length, encoder.encode(value));
};

/** Lines in another order, doubled, removed, or with their fields exchanged. */
const changeLines: Mutation = (bytes, draw) => {
  const lines = textOf(bytes).split("\n");
  const [i, j] = [below(draw, lines.length), below(draw, lines.length)];
  const how = below(draw, 5);
  if (how === 0) [lines[i], lines[j]] = [lines[j]!, lines[i]!];
  else if (how === 1) lines.splice(i, 0, lines[j]!);
  else if (how === 2) lines.splice(i, 1);
  else if (how === 3) lines[i] += lines[j]!;
  else {
    const separator = pick(draw, [",", " ", "\t", ";", ":", "="]);
    const fields = lines[i]!.split(separator);
    const k = below(draw, fields.length);
    if (draw() < 0.5) fields.splice(k, 1);
    else fields.splice(k, 0, pick(draw, fields));
    lines[i] = fields.join(separator);
  }
  return bytesOf(lines.join("\n"));
};

/** Other line ends, a byte order mark, NUL bytes. */
const changeEncoding: Mutation = (bytes, draw) => {
  const how = below(draw, 4);
  if (how === 0) return bytesOf(textOf(bytes).replaceAll("\n", pick(draw, ["\r\n", "\r", "\n\n", "\u0085"])));
  if (how === 1) return splice(bytes, 0, 0, Uint8Array.of(0xef, 0xbb, 0xbf));
  if (how === 2) return Uint8Array.from(Buffer.from(textOf(bytes), "utf16le"));
  return splice(bytes, bytes.length, 0, Uint8Array.of(pick(draw, BYTES)));
};

/** A value somewhere inside JSON removed, doubled, renamed or replaced. */
const changeJson: Mutation = (bytes, draw) => {
  if (bytes.length > 200_000) return bytes;
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return changeNumber(bytes, draw, { words: [], corpus: [] });
  }
  const places: { holder: Record<string, unknown> | unknown[]; key: string | number }[] = [];
  const visit = (value: unknown) => {
    if (places.length > 20_000 || typeof value !== "object" || value === null) return;
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  if (places.length === 0) return encoder.encode(JSON.stringify(pick(draw, JSON_VALUES)));
  const { holder, key } = pick(draw, places);
  const values = holder as Record<string | number, unknown>;
  const how = below(draw, 6);
  if (how === 0 && Array.isArray(holder)) holder.splice(key as number, 1);
  else if (how === 0) delete values[key];
  else if (how === 1 && Array.isArray(holder)) holder.splice(key as number, 0, holder[key as number]);
  else if (how === 1) values[`${key}${pick(draw, ["", "2", " "])}`] = values[key];
  else if (how === 2 && typeof values[key] === "number") values[key] = (values[key] as number) + pick(draw, [1, -1, 0.5, 1e9]);
  else if (how === 3) {
    const other = pick(draw, places);
    values[key] = (other.holder as Record<string | number, unknown>)[other.key];
  } else values[key] = pick(draw, JSON_VALUES);
  try {
    return encoder.encode(JSON.stringify(root));
  } catch {
    return bytes; // a value was put into itself
  }
};

const mutations: readonly Mutation[] = [
  ...[changeByte, flipBit, removePiece, repeatPiece, truncate, insertWord, otherPiece],
  ...[changeNumber, changeNumber, changeNumber, changeLines, changeLines, changeEncoding, changeJson, changeJson],
];

const MOST = 1 << 20; // bytes of an input

/** The input after one to eight random changes. */
export function mutate(bytes: Uint8Array, draw: Random, material: Material): Uint8Array {
  let result = bytes;
  for (let left = Math.floor(2 ** (3 * draw())); left > 0; left--) result = pick(draw, mutations)(result, draw, material);
  return result.length > MOST ? result.slice(0, MOST) : result;
}
