import { describe, expect, it } from "vitest";
import { joinedKey, splitKey } from "../formats/data/columns.ts";
import { below, random } from "../numeric/random.ts";
import { listColumns, listMembers } from "./list-columns.ts";

describe("names of lists by several columns", () => {
  it("are taken apart again, whatever is in them", () => {
    const letters = ["a", "é", ",", " ", "\\", ", ", '"', "\n"];
    for (let seed = 0; seed < 500; seed++) {
      const draw = random(seed, 0, 0);
      const parts = Array.from({ length: 2 + below(draw, 3) }, () => Array.from({ length: below(draw, 5) }, () => letters[below(draw, letters.length)]).join("")); // biome-ignore format: one array
      expect(splitKey(joinedKey(parts))).toEqual(parts);
    }
  });

  it("are columns of their own where all names have so many parts, and no other column is called so", () => {
    const lists = [["F0", "Müller"], ["F1", "a, b"]].map(joinedKey); // biome-ignore format: pairs
    const found = listColumns({ qid: "race, judge" }, lists, ["list"])!;
    expect([found.names, ...lists.map((list) => found.of(list))]).toEqual([["race", "judge"], ["F0", "Müller"], ["F1", "a, b"]]); // biome-ignore format: one claim
    expect(listMembers(found, lists[1]!)).toEqual({ race: "F1", judge: "a, b" });
    expect(listColumns({ qid: "race" }, lists)).toBeUndefined();
    expect(listColumns({}, lists)).toBeUndefined();
    expect(listColumns({ qid: "race,judge" }, [...lists, "F2"])).toBeUndefined();
    expect(listColumns({ qid: "race,judge" }, ["F0,Müller, x"])).toBeUndefined(); // of a column that is called so
    expect(listColumns({ qid: "race,rank" }, lists, ["list", "rank"])).toBeUndefined();
  });
});
