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

it("what-if --item changes that item alone, whichever it is", async () => {
  const ids = ["b", "c", "a", "d"];
  const rows = ids.map((id, i) => `q,${id},${i},${i}`);
  const cwd = folder({ "x.csv": `qid,docid,label,x\n${rows.join("\n")}\n` });
  await succeed(["train", "x.csv", "--model", "linear:l2=1", "--out", "m.json", "--quiet"], { cwd });
  type Item = { id: string; before: { score: number }; after: { score: number } };
  for (const id of ids) {
    const { out } = await tierwise(["what-if", "m.json", "x.csv", "--set", "x+1", "--item", id, "--json", "--quiet"], { cwd });
    const { changed, items } = JSON.parse(out) as { changed: string[]; items: Item[] };
    expect(changed).toEqual([id]);
    expect(items.filter(({ before, after }) => after.score !== before.score).map((one) => one.id)).toEqual([id]);
  }
  const { code, err } = await tierwise(["what-if", "m.json", "x.csv", "--set", "x+1", "--item", "none", "--quiet"], { cwd });
  expect([code, err]).toEqual([2, 'tierwise: --item: the list has no item "none"; there are b, c, a, d\n']);
});
