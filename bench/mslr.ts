/**
 * Made-up data in the shape of MSLR-WEB: 136 features of query and document, some 120 documents a query, five skewed grades.
 *
 * The columns follow the families of the real set: 25 statistics over five fields of a page (body, anchor, title, url, whole), of which
 * anchors are absent in 86 of 100 documents and urls miss the words in 59; small counts, ratios, heavy-tailed term frequencies and their
 * products with idf, values constant within a query, booleans, retrieval scores, and eleven of the page itself. Relevance is a non-linear
 * function of hidden traits that the columns show through noise. The same seed gives the same bytes on every machine.
 */
import { exp, log, logistic } from "../src/numeric/functions.ts";
import { random } from "../src/numeric/random.ts";

export const FEATURES = 136;

export interface Made {
  readonly starts: Uint32Array;
  readonly labels: Float32Array;
  readonly values: Float32Array; // row after row
}

const ABSENT = [0.07, 0.86, 0.23, 0.59, 0.05]; // share of documents whose field shows no query word
const LENGTH = [6.2, 2.2, 1.8, 2.3, 6.3]; // mean log length of a field
const EXCESS = [1.6, 0.9, 0.5, 0.5, 1.6]; // its spread
const CUTS = [0.05, 1.5, 2.75, 3.6]; // where the grades begin: about 52, 32, 13, 2 and 1 in 100

/** Documents in lists of 60 to 180. */
export function mslr(documents: number, seed: number): Made {
  const starts = [0];
  const labels = new Float32Array(documents);
  const values = new Float32Array(documents * FEATURES);
  const row = new Float64Array(FEATURES);
  for (let list = 0, at = 0; at < documents; list++) {
    const draw = random(seed, list);
    const size = Math.min(documents - at, 60 + Math.floor(draw() * 121));
    const query = topic(draw);
    for (let i = 0; i < size; i++, at++) {
      labels[at] = page(row, query, draw);
      values.set(row, at * FEATURES);
    }
    starts.push(at);
  }
  return { starts: Uint32Array.from(starts), labels, values };
}

type Draw = () => number;

interface Topic {
  readonly terms: number;
  readonly idf: readonly number[]; // of each field
  readonly ease: number; // how good its documents are on the whole
  readonly brand: number; // how much it asks for one known site
}

/** Near enough to a normal deviate: the sum of four uniform ones, which has no need of Math.cos. */
const noise = (draw: Draw) => (draw() + draw() + draw() + draw() - 2) * 1.7320508075688772;

function topic(draw: Draw): Topic {
  const terms = 1 + Math.floor(draw() * draw() * 6);
  return {
    terms,
    idf: [7, 14, 13, 14, 7].map((mean) => cut(terms * mean * (0.5 + 0.8 * draw()) * 0.4)),
    ease: 0.45 * noise(draw),
    brand: draw(),
  };
}

const cut = (x: number) => Math.round(x * 1e6) / 1e6;
const whole = (x: number) => Math.max(0, Math.round(x));

/** Fills one row and returns its grade. */
function page(row: Float64Array, query: Topic, draw: Draw): number {
  const match = noise(draw); // how well the words fit
  const fame = noise(draw); // how well the site is known
  const quality = noise(draw);
  const { terms, idf } = query;
  for (let f = 0; f < 5; f++) {
    const there = draw() > ABSENT[f]! * (match > 0.8 ? 0.6 : match < -0.8 ? 1.25 : 1);
    const length = 1 + whole(exp(LENGTH[f]! + EXCESS[f]! * noise(draw)));
    const fit = match + 0.7 * noise(draw);
    const covered = there ? Math.max(1, whole(terms * logistic(1.2 * fit + 0.8))) : 0;
    const tf = there ? Math.max(covered, whole(exp(0.35 * log(length) + 0.8 * fit + 0.5 * noise(draw)))) : 0;
    const least = covered < terms ? 0 : whole((tf / terms) * draw());
    const most = Math.max(least, whole((tf / Math.max(1, covered)) * (1 + 0.6 * draw() * (covered - 1))));
    const mean = tf / terms;
    const spread = terms === 1 ? 0 : (most - mean) * (most - mean) * (0.3 + 0.4 * draw());
    const weight = idf[f]! / terms;
    const set = (statistic: number, value: number) => {
      row[statistic * 5 + f] = cut(value);
    };
    set(0, covered);
    set(1, covered / terms);
    set(2, f === 1 && !there ? 0 : length);
    set(3, idf[f]!);
    [tf, least, most, mean, spread].forEach((value, s) => {
      set(4 + s, value);
      set(9 + s, s === 4 ? value / (length * length) : value / length);
      set(14 + s, s === 4 ? value * weight * weight : value * weight);
    });
    set(19, covered === terms ? 1 : 0);
    set(20, there ? logistic(fit - 0.6 + 0.3 * noise(draw)) : 0);
    const rate = tf / (tf + 0.4 + (1.2 * length) / exp(LENGTH[f]!));
    set(21, idf[f]! * rate * (0.9 + 0.2 * draw()));
    for (let s = 0; s < 3; s++)
      set(22 + s, -terms * (8 + 2 * s) + (there ? 3 * log(1 + tf) - 0.6 * log(length) + 0.5 * s * fit : 0.8 * noise(draw)));
  }
  const slashes = 1 + Math.min(11, whole(exp(1 + 0.5 * noise(draw) - 0.2 * fame)));
  row[125] = slashes;
  row[126] = 10 + whole(12 * slashes * (0.5 + draw()));
  row[127] = draw() < 0.37 ? 0 : whole(exp(5 + 2.4 * noise(draw) + 1.2 * fame));
  row[128] = draw() < 0.51 ? 0 : whole(exp(0.8 + 0.9 * noise(draw)));
  row[129] = whole(65535 * logistic(1.1 * fame + 0.5 * noise(draw)));
  row[130] = whole(65535 * logistic(0.6 * fame + noise(draw)));
  row[131] = whole(252 * logistic(1.2 * quality + 0.6 * noise(draw)));
  row[132] = whole(251 * logistic(-0.9 * quality + 0.9 * noise(draw)));
  const clicks = draw() < logistic(2.6 - 0.9 * match - 0.5 * fame) ? 0 : exp(1.5 + match + noise(draw));
  row[133] = whole(clicks);
  row[134] = draw() < 0.76 ? 0 : whole(clicks * 3 + exp(3 + 1.5 * noise(draw)));
  row[135] = row[134] === 0 ? 0 : cut(exp(2 + 0.8 * quality + 0.7 * noise(draw)));
  const worth =
    0.85 * match +
    0.55 * (match > 0 ? match * logistic(2 * quality) : -0.2 * match * match) +
    0.5 * query.brand * (fame > 1 ? fame : 0) +
    (clicks > 0 ? 0.5 : 0) -
    (slashes > 7 ? 0.4 : 0) +
    query.ease +
    0.85 * noise(draw) -
    0.15;
  let grade = 0;
  while (grade < CUTS.length && worth > CUTS[grade]!) grade++;
  return grade;
}

/** The text of the rows from list to list in the form of LETOR. */
export function svmlight(made: Made, from: number, to: number): string {
  const lines: string[] = [];
  for (let list = from; list < to; list++)
    for (let i = made.starts[list]!; i < made.starts[list + 1]!; i++) {
      let line = `${made.labels[i]} qid:${list + 1}`;
      for (let f = 0; f < FEATURES; f++) line += ` ${f + 1}:${short(made.values[i * FEATURES + f]!)}`;
      lines.push(line);
    }
  return `${lines.join("\n")}\n`;
}

/** Seven digits, which read back as the same float32 nearly always, and as a neighbor else. */
const short = (value: number) => String(Number(value.toPrecision(7)));
