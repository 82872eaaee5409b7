import { describe, expect, it } from "vitest";
import { FlatTables } from "./flat-tables.ts";

const members = ["byte", "short", "int", "long", "text", "table", "list"] as const;
const [LAYOUT, TABLE, TEXT, NESTED, LIST] = [4, 24, 56, 64, 68]; // where things are
const PLACES = [4, 6, 8, 12, 20, 24, 28]; // of the members, from the beginning of the table
const ENTRY = 4;

/** A table with those members that `has` says, of which its layout names the first `known`. */
function bytesOf(has: readonly boolean[], known: number = members.length): Uint8Array {
  const view = new DataView(new ArrayBuffer(LIST + 4 + 2 * ENTRY));
  view.setUint32(0, TABLE, true);
  view.setUint16(LAYOUT, 4 + 2 * known, true);
  members.forEach((_, slot) => void view.setUint16(LAYOUT + 4 + 2 * slot, has[slot] ? PLACES[slot]! : 0, true));
  view.setInt32(TABLE, TABLE - LAYOUT, true);
  view.setUint8(TABLE + 4, 200);
  view.setInt16(TABLE + 6, -2, true);
  view.setInt32(TABLE + 8, -3, true);
  view.setBigInt64(TABLE + 12, 2n ** 40n + 5n, true);
  for (const [place, to] of [[20, TEXT], [24, NESTED], [28, LIST]] as const) // biome-ignore format: pairs
    view.setUint32(TABLE + place, to - TABLE - place, true);
  view.setUint32(TEXT, 3, true);
  view.setUint32(LIST, 2, true);
  const bytes = new Uint8Array(view.buffer);
  bytes.set(new TextEncoder().encode("abc"), TEXT + 4);
  return bytes;
}

/** All members, with `absent` for numbers that are not there. */
function read(bytes: Uint8Array, absent?: number) {
  const tables = new FlatTables(bytes);
  const at = tables.root();
  return {
    byte: tables.byte(at, 0, absent),
    short: tables.short(at, 1, absent),
    int: tables.int(at, 2, absent),
    long: tables.long(at, 3),
    text: new TextDecoder().decode(tables.text(at, 4)),
    table: tables.table(at, 5),
    list: tables.entries(at, 6, ENTRY),
  };
}

const values = {
  ...{ byte: 200, short: -2, int: -3, long: 2 ** 40 + 5, text: "abc", table: NESTED },
  list: [LIST + 4, LIST + 4 + ENTRY],
};
const nothing = (absent: number) => ({ byte: absent, short: absent, int: absent, long: 0, text: "", table: 0, list: [] });
const wanted = (has: readonly boolean[], absent: number) =>
  Object.fromEntries(members.map((name, slot) => [name, has[slot] ? values[name] : nothing(absent)[name]]));

describe("tables of FlatBuffers", () => {
  it("have their members, and the default where one is absent, whichever are there", () => {
    for (let set = 0; set < 2 ** members.length; set++) {
      const has = members.map((_, slot) => ((set >> slot) & 1) === 1);
      expect(read(bytesOf(has))).toEqual(wanted(has, 0));
      expect(read(bytesOf(has), 7)).toEqual(wanted(has, 7));
    }
  });

  it("have no members beyond their layout", () => {
    for (let known = 0; known <= members.length; known++) {
      const all = members.map(() => true);
      expect(read(bytesOf(all, known), 7)).toEqual(wanted(all.map((_, slot) => slot < known), 7)); // biome-ignore format: one line
    }
  });

  it("are read at any address", () => {
    const bytes = bytesOf(members.map(() => true));
    for (let shift = 0; shift < 9; shift++) {
      const moved = new Uint8Array(bytes.length + shift).subarray(shift);
      moved.set(bytes);
      expect(read(moved)).toEqual(values);
    }
  });

  it("that end early are a RangeError", () => {
    const bytes = bytesOf(members.map(() => true));
    for (let length = 0; length < bytes.length; length++)
      expect(() => read(bytes.slice(0, length)), String(length)).toThrow(RangeError);
    const only = (name: (typeof members)[number]) => bytesOf(members.map((one) => one === name));
    expect(() => read(only("text").slice(0, TEXT + 6))).toThrow("a name is longer than its message");
    expect(read(only("text").slice(0, TEXT + 7)).text).toBe("abc");
    expect(() => read(only("list").slice(0, -1))).toThrow("a list is longer than its message");
  });
});
