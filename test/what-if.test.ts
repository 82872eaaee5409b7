import { expect, it } from "vitest";
import { folder, succeed, tierwise } from "./cli.ts";

it("what-if --top shows the changed items also where they are below", async () => {
  const rows = Array.from({ length: 8 }, (_, i) => `a,d${i},${7 - i},${7 - i}`);
  const cwd = folder({ "x.csv": `qid,docid,label,x\n${rows.join("\n")}\n` });
  await succeed(["train", "x.csv", "--model", "linear:l2=1", "--out", "m.json", "--quiet"], { cwd });
  const shown = async (...words: string[]) => {
    const { out } = await tierwise(["what-if", "m.json", "x.csv", "--set", "x+0.1", "--json", "--quiet", ...words], { cwd });
    return (JSON.parse(out) as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  expect(await shown("--top", "2", "--item", "d5")).toEqual(["d0", "d1", "d5"]);
  expect(await shown("--top", "2", "--item", "d1", "--item", "d7")).toEqual(["d0", "d1", "d7"]);
  expect(await shown("--top", "2")).toEqual(["d0", "d1"]);
  expect(await shown("--item", "d5")).toHaveLength(8);
});
