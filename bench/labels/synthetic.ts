/**
 * Synthetic multi-label data of the shape of Amazon-670K, written in pieces as a file of the Extreme Classification Repository. Labels
 * are drawn by a power law (the most frequent has a thousand documents, most have two or three) and come in groups of 50; a document has labels
 * of one group mostly. Half of its features are those of its labels and of the group, the others noise, also by a power law.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { below, random } from "../../src/numeric/random.ts";

export interface Shape {
  readonly rows: number;
  readonly features: number;
  readonly labels: number;
}

export const amazon670k: Shape = { rows: 490_449, features: 135_909, labels: 670_091 };

const GROUP = 50; // labels
const NONZERO = 76;
const SKEW = 1.7; // exponent: x ** SKEW of uniform x is the place of a label among all, the most frequent first
const PIECE = 2000; // rows

export function writeSynthetic(path: string, { rows, features, labels }: Shape, seed: number): void {
  const groups = Math.max(1, Math.floor(labels / GROUP));
  const file = openSync(path, "w");
  writeSync(file, `${rows} ${features} ${labels}\n`);
  for (let from = 0; from < rows; from += PIECE) {
    const lines: string[] = [];
    for (let r = from; r < Math.min(rows, from + PIECE); r++) lines.push(document(r));
    writeSync(file, `${lines.join("\n")}\n`);
  }
  closeSync(file);

  function document(r: number): string {
    const draw = random(seed, r);
    const own = new Set([Math.floor(labels * draw() ** SKEW)]);
    const group = [...own][0]! % groups;
    const wanted = 1 + Math.min(14, Math.floor(-4.95 * Math.log(1 - draw())));
    for (let tries = 0; own.size < wanted && tries < 30; tries++) {
      const members = Math.ceil((labels - group) / groups);
      own.add(draw() < 0.8 ? group + groups * Math.floor(members * draw() ** SKEW) : Math.floor(labels * draw() ** SKEW));
    }
    const found = new Map<number, number>();
    const put = (place: number, value: number) => found.set(Math.floor(features * place), value);
    for (const label of own) for (let i = 0; i < 5; i++) put(hash(label, below(draw, 8)) ** 2, 0.5 + draw());
    for (let i = 0; i < 15; i++) put(hash(-1 - group, below(draw, 40)) ** 2, 0.3 + draw());
    for (let tries = 0; found.size < NONZERO && tries < 400; tries++) put(draw() ** 4, 0.1 + 0.5 * draw()); // frequent words weigh less
    const pairs = [...found].sort(([a], [b]) => a - b).map(([feature, value]) => `${feature}:${value.toFixed(4)}`);
    return `${[...own].sort((a, b) => a - b).join(",")} ${pairs.join(" ")}`;
  }
}

/** A number in [0, 1) that follows from two whole numbers. */
function hash(a: number, b: number): number {
  let bits = Math.imul(a ^ 0x5bd1e995, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
