import { expect, it } from "vitest";
import { parseData } from "../formats/data/parse.ts";
import { repeatedRows } from "./repeated-rows.ts";

const rows = "q,item,y,x\na,i,1,1\na,i,1,2\nb,i,0,3\nb,,1,4\nb,,2,5\nb,i,2,6\n";
const { data } = parseData([{ name: "a.csv", content: rows }], { qid: "q", id: "item", label: "y" });

it("rows that repeat an item of their list are found, as far as wanted; items without a name are different", () => {
  expect([...repeatedRows(data)]).toEqual([
    { list: 0, row: 1, differs: false },
    { list: 1, row: 5, differs: true },
  ]);
  expect([...repeatedRows(data, 5)]).toEqual([{ list: 0, row: 1, differs: false }]);
  expect([...repeatedRows({ ...data, names: {} })]).toEqual([]);
});
