/** Arrow IPC as pyarrow writes it, of every type that is supported, and bytes that are damaged or lie about what they hold. */
import { readFileSync } from "node:fs";
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import type { SourceTable } from "../../../data/table/source-table.ts";
import { InputError } from "../../../input-error.ts";
import { below, random } from "../../../numeric/random.ts";
import { readArrow } from "./arrow.ts";

const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../../test/fixtures/arrow/${name}`, import.meta.url)));

/** Values by column, over all batches; null where one is missing. */
function valuesOf(table: SourceTable): Record<string, unknown[]> {
  const values: Record<string, unknown[]> = {};
  for (const { columns } of table.batches)
    table.columns.forEach((name, c) => {
      const column = columns[c]!;
      const own =
        column.kind === "text"
          ? Array.from(column.codes, (code) => (code < 0 ? null : column.dictionary[code]!))
          : column.kind === "boolean"
            ? Array.from(column.values, (value) => (value > 1 ? null : value === 1))
            : Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
      values[name] = [...(values[name] ?? []), ...own];
    });
  return values;
}

const LONG = "a text of more than twelve bytes";

const types = {
  ...{ qid: ["a", "a", "b"], label: [1, 0, 2], large: ["x", null, LONG], view: ["short", null, LONG] },
  ...{
    bytes: ["u", "v", null],
    fixed: ["uvw", "xyz", null],
    money: [-12.345, null, 99999.999],
    wide: [`1${"0".repeat(30)}`, "-1", null],
  },
  ...{ half: [0.5, null, -2], u64: ["9223372036854775808", "1", null], i16: [-5, null, 300] },
  ...{ ns: [1700000000.1234567, null, -1e-9], ms: [86400, null, 0], time: [45_000, null, 1] },
  ...{ time64: [45_000.000001, null, 0.000001], duration: [1.5, null, -0.001] },
  ...{ category: ["r", "g", "r"], number: [8.5, 7.5, null], "vector.0": [1, null, 3], "vector.1": [2, null, null] },
  ...{ "nested.0.x": [1, 2, null], "nested.0.y.0": [5, null, null], "nested.0.y.1": [null, null, null] },
  ...{ "nested.1.x": [null, 3, null], "nested.1.y.0": [null, 6, null], "nested.1.y.1": [null, 7, null] },
  ...{ flag: [true, null, false], none: [null, null, null] },
};

describe("files of pyarrow", () => {
  it.each(["types.arrow", "types.arrows"])("%s has all values", (name) => {
    expect(valuesOf(readArrow(name, fixture(name)))).toEqual(types);
  });

  it("are read alike where bytes lie at any address", () => {
    const bytes = fixture("types.arrow");
    for (let shift = 1; shift < 9; shift++) {
      const moved = new Uint8Array(bytes.length + shift).subarray(shift);
      moved.set(bytes);
      expect(valuesOf(readArrow("moved", moved))).toEqual(types);
    }
  });

  it("of a slice have its rows, whose ids are numbers again", () => {
    const found = valuesOf(readArrow("slice", fixture("slice.arrow")));
    const {
      "vector.1": _,
      u64: __,
      ...rest
    } = Object.fromEntries(Object.entries(types).map(([name, all]) => [name, all.slice(1)]));
    expect(found).toEqual({ ...rest, u64: [1, null], wide: [-1, null] });
  });

  it("of versions before 0.15 have the same values", () => {
    const { view: _, ...rest } = types;
    expect(valuesOf(readArrow("legacy", fixture("legacy.arrows")))).toEqual(rest);
  });

  it("have dictionaries that grow or are replaced between batches", () => {
    for (const name of ["growing.arrow", "growing.arrows"])
      expect(valuesOf(readArrow(name, fixture(name))).c).toEqual(["r", "g", "b", "r"]);
    expect(valuesOf(readArrow("replaced", fixture("replaced.arrows"))).c).toEqual(["r", "g", "p", "q"]);
  });

  it.each([
    [
      "compressed.arrow",
      "x: the Arrow data are compressed, which is not supported; write them without compression, or as Parquet",
    ],
    [
      "map.arrow",
      'x: column "m" is a map, of which no feature can be made; leave it out of the file, or select the others with --sql',
    ],
  ])("%s is refused", (name, message) => {
    expect(() => readArrow("x", fixture(name))).toThrow(new InputError(message));
  });
});

/** What reading gives: values, or a line that says that the file is damaged or what is not supported. */
function outcome(bytes: Uint8Array): Record<string, unknown[]> | string {
  try {
    return valuesOf(readArrow("x", bytes));
  } catch (error) {
    expect(error, (error as Error).stack ?? "").toBeInstanceOf(InputError);
    const { message } = error as Error;
    expect(message).toMatch(/^x: (the Arrow (data|file) |column ")[^\r\n]+$/);
    return message;
  }
}

describe("damaged bytes", () => {
  const names = ["types.arrow", "types.arrows", "growing.arrow", "replaced.arrows"];

  it.each(names)("of %s, each of them, give values or one line", (name) => {
    const bytes = fixture(name);
    for (const [at, byte] of bytes.entries())
      for (const changed of [byte ^ 1, byte ^ 128, 255 - byte]) {
        bytes[at] = changed;
        outcome(bytes);
        bytes[at] = byte;
      }
  });

  it.each(names)("of %s, several of them or words of 8 bytes, give values or one line", (name) => {
    const draw = random(20);
    const words = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, 8n, 64n];
    for (let i = 0; i < 500; i++) {
      const bytes = fixture(name);
      const view = new DataView(bytes.buffer);
      for (let k = below(draw, 4); k >= 0; k--) {
        if (draw() < 0.5) bytes[below(draw, bytes.length)] = below(draw, 256);
        else view.setBigInt64(8 * below(draw, bytes.length >> 3), words[below(draw, words.length)]!, true);
      }
      outcome(bytes);
    }
  });

  it.each(["types.arrow", "types.arrows"])("%s cut anywhere is never more than its first batches", (name) => {
    const bytes = fixture(name);
    for (let length = 0; length < bytes.length; length += 7) {
      const found = outcome(bytes.subarray(0, length));
      // A stream may end without a mark of its end, after the schema or after all.
      if (typeof found !== "string" && Object.keys(found).length > 0) expect(found).toEqual(types);
      if (name === "types.arrow") expect(found).toEqual(expect.any(String));
    }
  });

  it.each(["growing.arrows", "replaced.arrows"])("%s may be cut between messages, and within one is refused", (name) => {
    const bytes = fixture(name);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const begins = (at: number) => at > 0 && at + 4 <= bytes.length && view.getUint32(at, true) === 0xffffffff; // the mark of a message
    for (let length = 0; length <= bytes.length; length++) {
      const found = outcome(bytes.subarray(0, length));
      if (begins(length) || length === bytes.length) expect(found, `${length} bytes`).not.toEqual(expect.any(String));
      else expect(found, `${length} bytes`).toMatch("damaged or truncated");
    }
  });
});

describe("small files of much", () => {
  const head = (rows: number) => ({
    qid: arrow.makeVector(new Int32Array(rows)),
    label: arrow.makeVector(new Int32Array(rows)),
  });
  const list = new arrow.List(new arrow.Field("item", new arrow.Int8(), true));

  it("lists of which one is long are refused, and those of one length are not", () => {
    const rows = 20_000;
    const lists = Array.from({ length: rows }, (_, row) => (row === 7 ? new Array(20_000).fill(1) : [1]));
    const long = new arrow.Table({ ...head(rows), v: arrow.vectorFromArray(lists, list) });
    expect(outcome(arrow.tableToIPC(long))).toBe(
      'x: column "v" has lists of up to 20000 values; leave it out of the file, or write such data as SVMlight',
    );
    const even = new arrow.Table({ ...head(100), v: arrow.vectorFromArray(lists.slice(100, 200), list) });
    expect(Object.keys(outcome(arrow.tableToIPC(even)))).toEqual(["qid", "label", "v.0"]);
  });

  it("codes beyond the dictionary are refused", () => {
    const dictionary = arrow.vectorFromArray(["r", "g", "r"], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()));
    const bytes = arrow.tableToIPC(new arrow.Table({ ...head(3), c: dictionary }), "stream");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const places = Array.from({ length: bytes.length / 4 - 2 }, (_, i) => 4 * i).filter(
      (at) => view.getInt32(at, true) === 0 && view.getInt32(at + 4, true) === 1 && view.getInt32(at + 8, true) === 0,
    );
    const messages = places.map((at) => {
      view.setInt32(at + 4, 2, true);
      const found = outcome(bytes);
      view.setInt32(at + 4, 1, true);
      return found;
    });
    expect(messages).toContain('x: the Arrow data are damaged (column "c" has a code that its dictionary lacks)');
  });

  it("batches that share bytes, and rows without bytes, are refused", () => {
    const bytes = fixture("growing.arrow");
    const view = new DataView(bytes.buffer);
    const length = view.getInt32(bytes.length - 10, true);
    const found = new Set<unknown>();
    // Among the words of the footer are the places of batches: each of them at the place of another.
    const words = Array.from({ length: Math.floor(length / 8) }, (_, i) => 8 * (Math.ceil((bytes.length - 10 - length) / 8) + i));
    for (const to of words)
      for (const from of words) {
        if (to === from || to + 24 > bytes.length || from + 24 > bytes.length) continue;
        const copy = bytes.slice();
        copy.set(bytes.subarray(from, from + 24), to);
        const result = outcome(copy);
        found.add(typeof result === "string" ? result : "read");
      }
    expect(found).toContain("x: the Arrow data are damaged or truncated (a message is not where it should be)");
  });
});
