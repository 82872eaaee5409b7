import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedFile } from "../../../test/shared.ts";
import { summary } from "../../data/summary.ts";
import { InputError } from "../../input-error.ts";
import { dataFormats } from "./formats.ts";
import { parseData } from "./parse.ts";
import { readData } from "./read.ts";
import { readerFields, readOptions } from "./read-options.ts";

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "tierwise-read-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(home, name);
  writeFileSync(path, content);
  return path;
}
const refusal = (path: string, options = {}) =>
  readData([path], options).then(
    () => "read without complaint",
    (error) => {
      expect(error).toBeInstanceOf(InputError);
      return (error as InputError).message.replace(home, "~");
    },
  );

describe("reading files", () => {
  it("a notice that several files have comes once, with the number of files and the sum of what it counts", () => {
    const table = (rows: string) => `Unnamed: 0,qid,label,x\n${rows}`;
    const { notices } = parseData(
      [
        { name: "a.csv", content: table("0,u,1,2\n1,u,0,\n") },
        { name: "b.csv", content: "qid,label,x\nv,1,2\nv,0,3\n" },
        { name: "c.csv", content: table("0,w,1,\n1,w,0,\n") },
        { name: "d.csv", content: table("0,z,1,2\n1,z,0,\n") },
      ],
      {},
    );
    expect(notices.map((line) => line.replace(/(taken as|the index|: 2 rows).*/, "$1"))).toEqual(["a.csv: 2 rows", expect.stringMatching(/^a\.csv and 2 more files: .*Unnamed: 0/), "a.csv and 2 more files: 4 values missing", "b.csv: 2 rows", "c.csv: 2 rows", "d.csv: 2 rows"]); // biome-ignore format: lines
  });

  const text = "1 qid:1 1:2 # a\n0 qid:1 2:3 # b\n";

  it("a file that grows, shrinks or is written again while it is read is refused", async () => {
    const many = "1 qid:1 1:2\n0 qid:1 1:1\n".repeat(150_000); // several chunks
    const changes: Record<string, (path: string) => void> = {
      grows: (path) => appendFileSync(path, text),
      shrinks: (path) => truncateSync(path, many.length - 24),
      changes: (path) => utimesSync(path, 1, 1),
      goes: (path) => rmSync(path),
    };
    for (const [name, change] of Object.entries(changes))
      for (const content of [many, gzipSync(many)]) {
        const path = write(`${name}.txt`, content);
        let once = false;
        const progress = () => {
          if (!once) change(path);
          once = true;
        };
        expect(await refusal(path, { progress })).toMatch(
          /^~\/\w+\.txt: (the file was changed while it was read \(.*\); read it again when nothing writes to it|there is no such file|the gzip data .*)$/,
        );
      }
    expect(await refusal(write("still.txt", many))).toBe("read without complaint");
  });

  it("packed and plain files read alike, whatever they are called", async () => {
    const plain = await readData([write("plain.txt", text)]);
    const packed = await readData([write("packed.txt", gzipSync(text))]);
    const twice = await readData([
      write("two-members.gz", Buffer.concat([gzipSync(text.slice(0, 20)), gzipSync(text.slice(20))])),
    ]);
    expect(packed.data).toEqual(plain.data);
    expect(twice.data).toEqual(plain.data);
    expect(plain.bytes).toBe(text.length);
  });

  it("several files make one dataset in their order, and progress counts their bytes", async () => {
    const seen: [number, number][] = [];
    const paths = [write("s1.txt", text), write("s2.txt", "2 qid:7 3:1\n")];
    const { data, bytes } = await readData(paths, { progress: (read, total) => seen.push([read, total]) });
    expect(data.names.lists).toEqual(["1", "7"]);
    expect(bytes).toBe(text.length + 12);
    expect(seen).toEqual([
      [text.length, text.length + 12],
      [text.length + 12, text.length + 12],
    ]);
  });

  it("finds side files of packed data", async () => {
    const rows = "1 1:1\n0 1:2\n2 1:3\n";
    write("rank.train.query", "2\n1\n");
    write("rank.train.weight", "3\n4\n");
    const { data, notices } = await readData([write("rank.train.gz", gzipSync(rows))]);
    expect([...data.starts]).toEqual([0, 2, 3]);
    expect([...data.listWeights!]).toEqual([3, 4]);
    expect(notices.map((notice) => notice.replaceAll(home, "~"))).toEqual([
      "~/rank.train.gz: 3 rows in 2 lists (sizes from ~/rank.train.query), features 1 to 1 (1-based), absent = 0",
      "~/rank.train.gz: a weight per list from ~/rank.train.weight",
    ]);
    write("both.txt.query", "2\n1\n");
    write("both.txt.group", "1\n2\n");
    expect(await refusal(write("both.txt", rows))).toContain("~/both.txt.group: not the same groups as in");
  });

  it("what cannot be opened is refused in one line", async () => {
    mkdirSync(join(home, "folder"));
    expect(await refusal(join(home, "nowhere.txt"))).toBe("~/nowhere.txt: there is no such file");
    expect(await refusal(join(home, "folder"))).toContain("~/folder: the folder has no data files; expected names");
    expect(await refusal(write("empty.txt", ""))).toBe("~/empty.txt: the file is empty");
    expect(await refusal(write("empty.gz", gzipSync("")))).toBe("~/empty.gz: the file is empty");
    expect(() => parseData([{ name: "empty.txt", content: "" }])).toThrow(/^empty.txt: the file is empty$/);
    expect(await refusal(write("blank.txt", "\n\n"))).toBe("~/blank.txt: no rows, only blank lines and comments");
    expect(await refusal(write("packed.csv.xz", Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)))).toMatch(
      /^~\/packed\.csv\.xz: this is xz, which Node [\d.]+ cannot unpack; unpack it first: xz -dc .+ \| tierwise \.\.\. -$/,
    );
    expect(await refusal(write("bad.txt", "1 qid:1 1:1\n1 qid:1 1:x\n"))).toContain(
      "~/bad.txt:2: expected the value of feature 1",
    );
    await expect(readData([])).rejects.toThrow("expected at least one data file, got none");
  });

  it("packed data that are cut off or damaged are refused, wherever the cut", async () => {
    const packed = gzipSync(Array.from({ length: 500 }, (_, i) => `${i % 3} qid:${i >> 3} 1:${Math.sin(i)}\n`).join(""));
    for (const size of [3, 9, 12, packed.length >> 1, packed.length - 9, packed.length - 1])
      expect(await refusal(write("cut.gz", packed.subarray(0, size)))).toBe(
        "~/cut.gz: the gzip data end unexpectedly; the file is truncated",
      );
    const damaged = Uint8Array.from(packed);
    damaged[packed.length >> 1]! ^= 0xff;
    damaged[packed.length - 6]! ^= 0xff;
    expect(await refusal(write("damaged.gz", damaged))).toMatch(/^~\/damaged\.gz(: the gzip data are damaged$|:\d+: expected)/);
  });

  it.skipIf(process.getuid?.() === 0)("a file that may not be read is refused", async () => {
    const path = write("secret.txt", text);
    chmodSync(path, 0);
    expect(await refusal(path)).toBe("~/secret.txt: permission denied");
  });
});

describe("options of reading", () => {
  it("are declared once and complete themselves", () => {
    expect(readOptions({ ignore: "a, b" as never, indexBase: "0" as never })).toEqual({
      format: "auto",
      label: "",
      qid: "",
      weight: "",
      id: "",
      ignore: ["a", "b"],
      absent: "zero",
      indexBase: 0,
      absentItems: "silent",
      split: "",
      tiers: "",
      positions: "debias",
      categories: [],
      maxCategories: 64,
      decimal: "auto",
      dateColumns: [],
      timeColumns: [],
      missingValues: [],
      skipLines: 0,
      separator: "auto",
      header: true,
      lowerIsBetter: false,
      higherIsBetter: false,
      labelOrder: [],
      labelLast: [],
      labelMissing: [],
      ballots: "auto",
      duplicates: "refuse",
      joinLists: false,
      items: "",
      lists: "",
    });
    expect(() => readOptions({ absent: "none" as never })).toThrow("read, option absent: expected one of zero, missing, got");
    for (const format of dataFormats) for (const option of format.options) expect(readerFields).toHaveProperty(option);
  });
});

const shared = sharedFile("data");
const five = (folder: string, letter: string) => [1, 2, 3, 4, 5].map((i) => `${folder}/${letter}${i}.txt.gz`);

describe.skipIf(!existsSync(shared))("public data, when they lie beside the repository", () => {
  it.each([
    { paths: ["lightgbm-rank/rank.train.gz"], entries: 3005, lists: 201, features: 300, counts: [645, 1211, 858, 222, 69] },
    { paths: ["lightgbm-rank/rank.test.gz"], entries: 768, lists: 50, features: 300, counts: [206, 256, 252, 44, 10] },
    {
      paths: ["mslr-sample/web30k-fold1-vali-sample.txt.gz"],
      entries: 1734,
      lists: 18,
      features: 136,
      counts: [980, 492, 231, 26, 5],
    },
    { paths: ["mslr-sample/web10k-sample.txt.gz"], entries: 1345, lists: 13, features: 136, counts: [478, 548, 267, 40, 12] },
    { paths: five("mq2008", "S"), entries: 15211, lists: 784, features: 46, counts: [12279, 2001, 931], none: 220, most: 121 },
    { paths: five("ohsumed", "T"), entries: 16140, lists: 106, features: 25, counts: [11303, 2585, 2252], none: 1, most: 320 },
    {
      paths: five("mq2007-agg", "A"),
      entries: 69623,
      lists: 1692,
      features: 21,
      counts: [51632, 14128, 3863],
      none: 237,
      most: 147,
      missing: 508381,
    },
  ])("$paths.0 holds what its notes say", async ({ paths, entries, lists, features, counts, none, most, missing = 0 }) => {
    const { data } = await readData(paths.map((path) => join(shared, path)));
    const found = summary(data);
    expect(found).toMatchObject({ entries, lists, features, base: 1, missing });
    expect(found.labels).toEqual(counts.map((count, label) => ({ label, count })));
    if (none !== undefined) expect(found.listsWithoutPositive).toBe(none);
    if (most !== undefined) expect(found.sizes.most).toBe(most);
  });
});

it.each<[what: string, paths: unknown, message: RegExp]>([
  ["one path", "a.txt", /^readData: expected an array of paths, got the text "a\.txt"; put it in brackets$/],
  ["a number", 5, /^readData: expected an array of paths, got 5$/],
  ["an object", { path: "a.txt" }, /^readData: expected an array of paths, got /],
  ["nothing", undefined, /^readData: expected an array of paths, got undefined$/],
  ["a path that is a number", [5], /^readData, a path: expected .*, got 5$/],
])("refuses %s in place of paths", async (_, paths, message) => {
  await expect(readData(paths as string[])).rejects.toThrow(message);
  await expect(readData(paths as string[])).rejects.toThrow(InputError);
});
