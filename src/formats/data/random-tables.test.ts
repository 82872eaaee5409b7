/** Tables of random columns in random dialects are read as a slow reader reads them: `TIERWISE_CASES=12000` reads more of them. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../test/rows.ts";
import { slowCells, slowFeatures } from "../../../test/slow-table.ts";
import { below, random } from "../../numeric/random.ts";
import type { Random } from "../../types.ts";
import { NeedsColumns } from "./csv-direct.ts";
import { type DatasetReaderOptions, datasetReader } from "./dataset-reader.ts";
import { parseData } from "./parse.ts";
import { readOptions } from "./read-options.ts";

const CASES = Number(process.env.TIERWISE_CASES ?? 60);
const FIRST = Number(process.env.TIERWISE_FIRST_CASE ?? 0);

const WORDS = [
  "red",
  "green",
  "New York",
  "a,b",
  'say "x"',
  "ünï",
  "7",
  "007",
  "x;y",
  "p|q",
  "tab\there",
  "N/A",
  "",
  "?",
  "true",
  "inf2",
];

/** A cell of one kind of column. */
type Draw = (draw: Random, row: number) => string;

const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;
const two = (n: number) => String(n).padStart(2, "0");

/** Kinds of columns; `comma` writes decimal commas. */
const kinds: Readonly<Record<string, (draw: Random, comma: boolean) => Draw>> = {
  number: (_, comma) => (draw) => {
    const text = String(Number(((draw() - 0.4) * 10 ** below(draw, 6)).toPrecision(1 + below(draw, 7))));
    return draw() < 0.1
      ? pick(draw, ["", "NA", "nan", "NaN", "?", "None", "null", "\\N"])
      : comma
        ? text.replace(".", ",")
        : text;
  },
  thousands: (chosen, comma) => {
    const sure = [comma ? "." : ",", "'", "\u202f"];
    const [group, low] = [pick(chosen, [comma ? "," : ".", ...sure]), chosen() < 0.3 ? 1000 : 1];
    const [end, decimals] = [pick(chosen, ["", "", "", " €", "%"]), chosen() < 0.3];
    return (draw) => {
      const whole = String(low + below(draw, low * 10 ** below(draw, 7)));
      const cents = decimals && draw() < 0.5 ? `${comma ? "," : "."}${two(below(draw, 100))}` : "";
      return draw() < 0.1 ? "" : `${draw() < 0.1 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${cents}${end}`;
    };
  },
  mostlyNumbers: () => (draw) => (draw() < 0.05 ? pick(draw, ["n.d.", "tba"]) : String(below(draw, 1000) / 8)),
  truth: (chosen) => {
    const pair = pick(chosen, [["True", "False"], ["TRUE", "FALSE"], ["t", "f"], ["yes", "no"], ["Y", "N"], ["1", "true"], ["ja", "Nein"], ["WAHR", "FALSCH"], ["oui", "non"], ["sim", "não"]]); // biome-ignore format: pairs
    return (draw) => (draw() < 0.1 ? "" : pick(draw, pair));
  },
  date: (chosen) => {
    const style = below(chosen, 8);
    return (draw) => {
      if (draw() < 0.1) return "";
      const [year, month, day] = [1990 + below(draw, 40), two(1 + below(draw, 12)), two(1 + below(draw, 28))];
      const time = `${two(below(draw, 24))}:${two(below(draw, 60))}:${two(below(draw, 60))}`;
      if (style === 0) return `${year}-${month}-${day}`;
      if (style === 1) return `${year}-${month}-${day} ${time} UTC`;
      if (style === 2) return `${year}-${month}-${day}T${time}${pick(draw, ["Z", "+01:00", "-0530", ".25Z", ""])}`;
      if (style === 5) return `${day}/${month}/${year}`;
      if (style === 6)
        return `${Number(month)}/${Number(day)}/${year} ${1 + below(draw, 12)}:${two(below(draw, 60))} ${pick(draw, ["AM", "PM"])}`;
      if (style === 7) return `${Number(day)}/${Number(month)}/${year} ${time}`;
      return style === 3 ? `${year}-${month}-${day} ${time}.125+02` : `${Number(day)}.${Number(month)}.${year}`;
    };
  },
  time: (chosen, comma) => {
    const [style, decimals] = [below(chosen, 7), below(chosen, 4)];
    return (draw) => {
      if (draw() < 0.1) return draw() < 0.3 ? "DNF" : "";
      const [whole, hours] = [below(draw, 7200), below(draw, 24)];
      const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
      const end = decimals > 0 ? `${comma ? "," : "."}${String(below(draw, 10 ** decimals)).padStart(decimals, "0")}` : "";
      if (style === 0) return `${two(hours)}:${two(minutes % 60)}:${two(rest)}${end}`;
      if (style === 1) return `${hours + below(chosen, 2)}:${two(rest)}`;
      if (style === 2) return minutes % 3 === 0 ? `${rest}${end}` : `${minutes}:${two(rest)}${end}`;
      if (style === 3)
        return minutes < 60 ? `${minutes}:${two(rest)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(rest)}`;
      if (style === 4) return `${below(draw, 3)} days ${two(hours)}:${two(minutes % 60)}:${two(rest)}`;
      if (style === 5) return `${1 + (hours % 12)}:${two(rest)} ${pick(draw, ["AM", "PM"])}`;
      return `PT${minutes}M${rest}S`;
    };
  },
  category: (chosen) => {
    const words = Array.from({ length: 1 + below(chosen, 6) }, () => pick(chosen, WORDS));
    return (draw) => pick(draw, words);
  },
  texts: (chosen) => {
    const plain = WORDS.filter((word) => !/["\t]/.test(word)); // backslashes beside \N are those of COPY
    const words = Array.from({ length: 1 + below(chosen, 6) }, () => `${pick(chosen, plain)}!`);
    const quoted = (word: string) => (/[\s,{}]/.test(word) ? `"${word}"` : word);
    return (draw) => {
      const array = Array.from({ length: below(draw, 4) }, () => pick(draw, words));
      return draw() < 0.1 ? pick(draw, ["", "NULL"]) : draw() < 0.5 ? JSON.stringify(array) : `{${array.map(quoted).join(",")}}`;
    };
  },
  text: () => (draw, row) => `item ${row} ${below(draw, 1000)}`,
  empty: () => () => "",
};

interface Drawn {
  readonly text: string;
  readonly separator: string;
}

function drawTable(draw: Random): Drawn {
  const separator = pick(draw, [",", ",", ";", "\t", "|"]);
  const comma = separator !== "," && draw() < 0.5;
  const quoteAll = draw() < 0.2;
  const end = draw() < 0.3 ? "\r\n" : "\n";
  const rows = 2 + below(draw, draw() < 0.1 ? 400 : 40);
  const columns = Array.from({ length: 1 + below(draw, 6) }, (_, c) => {
    const kind = pick(draw, Object.keys(kinds));
    return { name: `${kind} ${c}`, draw: kinds[kind]!(draw, comma) };
  });
  const cell = (text: string) =>
    quoteAll || text.includes(separator) || /["\n\r#]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const line = (cells: readonly string[]) => cells.map(cell).join(separator) + end;
  const index = draw() < 0.3; // as pandas writes it
  const head = line([...(index ? [""] : []), "list", "label", ...columns.map(({ name }) => name)]);
  const body = Array.from(
    { length: rows },
    (_, row) =>
    line([...(index ? [String(row)] : []), `q${Math.floor(row / 4)}`, String(below(draw, 3)), ...columns.map((column) => column.draw(draw, row))]), // biome-ignore format: one line
  );
  const before = `${draw() < 0.1 ? `sep=${separator}${end}` : ""}${draw() < 0.2 ? `# a note${end}` : ""}`;
  return { text: `${draw() < 0.2 ? "\uFEFF" : ""}${before}${head}${body.join("")}`, separator };
}

const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  utf8: (text) => new TextEncoder().encode(text),
  utf16le: (text) => Buffer.from(`\uFEFF${text.replace(/^\uFEFF/, "")}`, "utf16le"),
  utf16be: (text) => Buffer.from(`\uFEFF${text.replace(/^\uFEFF/, "")}`, "utf16le").swap16(),
};

/** Reads bytes in pieces, as columns where that is needed. */
function inPieces(bytes: Uint8Array, options: DatasetReaderOptions, draw: Random) {
  const once = (columns: boolean) => {
    const reader = datasetReader({ ...options, columns });
    try {
      const parser = reader.open("a.csv", bytes, undefined, {});
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + below(draw, 50);
        parser.push(bytes.slice(at, at + size));
        at += size;
      }
      reader.close();
      return reader.finish().data;
    } finally {
      reader.drop();
    }
  };
  try {
    return once(false);
  } catch (error) {
    if (!(error instanceof NeedsColumns)) throw error;
    return once(true);
  }
}

describe("random tables", () => {
  it(`${CASES} are read as a slow reader reads them, in any chunks and with the encoding of their model`, () => {
    for (let number = FIRST; number < FIRST + CASES; number++) {
      const draw = random(21, number, 0);
      const { text, separator } = drawTable(draw);
      const options = readOptions({ qid: "list", label: "label" });
      const encoding = pick(draw, Object.keys(encodings));
      const read = parseData([{ name: "a.csv", content: encodings[encoding]!(text) }], options);
      const wanted = slowFeatures(slowCells(text, separator), ["list", "label"], separator);
      const { data } = read;
      const where = `case ${number} (${encoding}):\n${text.slice(0, 2000)}`;
      expect([...(data.names.features ?? [])].sort(), where).toEqual([...wanted.keys()].sort());
      const rows = rowsOf(data.features);
      data.names.features!.forEach((name, c) => {
        expect(rows.map((row) => row[c]), `${name} of ${where}`).toEqual(wanted.get(name)!.map((value) => Math.fround(value) + 0)); // biome-ignore format: one claim
      });
      expect(inPieces(encodings.utf8!(text), options, draw), where).toEqual(data);
      const known = data.names.encoding;
      if (known) expect(parseData([{ name: "a.csv", content: text }], { ...options, scorer: { encoding: known } }).data, where).toEqual(data); // biome-ignore format: one claim
    }
  });
});
