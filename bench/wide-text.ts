/**
 * Writes SVMlight text of many rows and features, of the shape of Istella: lists of 300 documents with labels from 0 to 4, without qid but with
 * a file `.query` beside it, which LightGBM reads too. A quarter of the features each is uniform, skewed, a count, or mostly 0.
 */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { random } from "../src/numeric/random.ts";

const LIST = 300; // documents
const VALUES = 1000; // different ones of a feature
const PIECE = 1 << 24; // bytes written at once

/** The text of each value of each feature, " 7:0.25", one after another. */
function valueTexts(features: number): { texts: Uint8Array; ends: Uint32Array } {
  const value = (feature: number, k: number) => {
    const u = (k + 0.5) / VALUES;
    if (feature % 4 === 0) return u.toFixed(3);
    if (feature % 4 === 1) return (-Math.log(u)).toFixed(3);
    if (feature % 4 === 2) return String(Math.floor(40 * u * u));
    return k < 700 ? "0" : u.toFixed(2);
  };
  const all = Array.from({ length: features * VALUES }, (_, i) => {
    const feature = Math.floor(i / VALUES);
    return Buffer.from(` ${feature + 1}:${value(feature, i % VALUES)}`);
  });
  const ends = new Uint32Array(all.length + 1);
  all.forEach((text, i) => {
    ends[i + 1] = ends[i]! + text.length;
  });
  return { texts: Buffer.concat(all), ends };
}

const PART = 2_100_000; // rows written at once, a whole number of lists

/** Writes `path` and `path`.query. Rows of one seed are the same on every machine. */
export function writeWideText(path: string, rows: number, features: number): void {
  for (let part = 0; part * PART < rows; part++) writeWidePart(path, rows, features, part);
}

/** Writes one part of such a file after those before it, so that a large file can be written by several runs. */
export function writeWidePart(path: string, all: number, features: number, part: number): void {
  const rows = Math.min(PART, all - part * PART);
  const seed = part + 1;
  const { texts, ends } = valueTexts(features);
  const draw = random(seed, rows, features);
  const out = openSync(path, part === 0 ? "w" : "a");
  const piece = Buffer.alloc(PIECE);
  const longest = 16 * features + 16;
  let used = 0;
  let state = Math.floor(draw() * 2 ** 32) | 1;
  for (let row = 0; row < rows; row++) {
    if (used + longest > PIECE) {
      writeSync(out, piece, 0, used);
      used = 0;
    }
    const label = used++;
    let relevance = 0;
    for (let feature = 0; feature < features; feature++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const k = (state >>> 0) % VALUES;
      if (feature < 12) relevance += feature % 3 === 0 ? -k : k;
      const at = feature * VALUES + k;
      for (let from = ends[at]!, end = ends[at + 1]!; from < end; from++) piece[used++] = texts[from]!;
    }
    const noisy = relevance / VALUES + 2 * draw();
    piece[label] = 48 + (noisy > 5.6 ? 4 : noisy > 5 ? 3 : noisy > 4.4 ? 2 : noisy > 3.6 ? 1 : 0);
    piece[used++] = 10;
  }
  writeSync(out, piece, 0, used);
  closeSync(out);
  const lists = Math.ceil(all / LIST);
  writeFileSync(`${path}.query`, Array.from({ length: lists }, (_, q) => `${Math.min(LIST, all - q * LIST)}\n`).join(""));
}
