/** Builders whose arrays grow lose and invent nothing. */
import { expect, it } from "vitest";
import { Builder } from "./builder.ts";
import { MultiLabelBuilder } from "./multilabel-builder.ts";

it.each([255, 256, 257, 1000])("%i rows keep their weights and positions", (rows) => {
  const builder = new Builder();
  const list = builder.list("a");
  builder.row(list, 0, 3); // only the first has a weight of its own
  builder.positionRows(0, [7]);
  for (let row = 1; row < rows; row++) {
    builder.cells.add(1, row);
    builder.row(list, row % 3);
  }
  const { labels, itemWeights } = builder.finish();
  expect([...labels]).toEqual(Array.from({ length: rows }, (_, row) => row % 3));
  expect([...itemWeights!]).toEqual(Array.from({ length: rows }, (_, row) => (row === 0 ? 3 : 1)));
  expect([...builder.finishedPositions!]).toEqual(Array.from({ length: rows }, (_, row) => (row === 0 ? 7 : Number.NaN)));
});

it.each([1023, 1024, 1025, 5000])("%i label sets of two keep all items", (lists) => {
  const builder = new MultiLabelBuilder({ items: 10_000, columns: 1 });
  for (let list = 0; list < lists; list++) {
    builder.addLabel(list, 1);
    builder.addLabel(list + 1, 2);
    expect(builder.end()).toBeUndefined();
  }
  const { starts, items, labels } = builder.finish();
  expect([...starts]).toEqual(Array.from({ length: lists + 1 }, (_, i) => 2 * i));
  expect([...items!]).toEqual(Array.from({ length: 2 * lists }, (_, i) => (i >> 1) + (i & 1)));
  expect([...labels]).toEqual(Array.from({ length: 2 * lists }, (_, i) => 1 + (i & 1)));
});
