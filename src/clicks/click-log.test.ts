import { describe, expect, it } from "vitest";
import { clickLog } from "./click-log.ts";
import { exposuresOf } from "./exposures.ts";

const row = (query: string, document: string, position: number, clicked: boolean, impression?: number) => ({
  ...{ query, document, position, clicked },
  ...(impression !== undefined && { impression }),
});

describe("clickLog", () => {
  it("without ids, an impression ends where the query changes or the position does not ascend", () => {
    const log = clickLog([
      ...[row("a", "x", 1, true), row("a", "y", 3, false), row("a", "x", 1, false)],
      ...[row("b", "x", 2, true), row("a", "z", 3, false)],
    ]);
    expect([...log.starts]).toEqual([0, 2, 3, 4, 5]);
    expect([...log.query]).toEqual([0, 0, 1, 0]);
    expect(log.positions).toEqual(["1", "2", "3"]);
    expect([...log.position]).toEqual([0, 2, 0, 1, 2]);
    expect([...log.clicked]).toEqual([1, 0, 0, 1, 0]);
  });

  it("with ids, rows may come in any order, and an id is one of its query", () => {
    const log = clickLog([row("a", "y", 2, true, 7), row("b", "u", 1, false, 7), row("a", "x", 1, false, 7)]);
    expect([...log.starts]).toEqual([0, 2, 3]);
    expect([...log.document].map((d) => log.documents[d])).toEqual(["x", "y", "u"]);
  });

  it("refuses two documents at one position, and a document twice", () => {
    expect(() => clickLog([row("a", "x", 1, true, 1), row("a", "y", 1, true, 1)])).toThrow(/two documents at position 1/);
    expect(() => clickLog([row("a", "x", 1, true, 1), row("a", "x", 2, true, 1)])).toThrow(/has the document "x" twice/);
    expect(() => clickLog([])).toThrow(/at least one row/);
  });

  it("counts by document and position", () => {
    const log = clickLog([
      ...[row("a", "x", 1, true), row("a", "y", 2, false), row("a", "z", 3, true)],
      ...[row("a", "y", 1, false), row("a", "x", 2, true), row("a", "z", 3, false)],
    ]);
    const { starts, position, shown, clicked } = exposuresOf(log);
    expect([...starts]).toEqual([0, 2, 4, 5]); // x and y at two positions, z at one
    expect([...position]).toEqual([0, 1, 0, 1, 2]);
    expect([...shown]).toEqual([1, 1, 1, 1, 2]);
    expect([...clicked]).toEqual([1, 1, 0, 0, 1]);
  });
});
