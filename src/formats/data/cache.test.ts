import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Heap, isInHeap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { type ReadDataOptions, readData } from "./read.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tierwise-cache-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const path = (name: string) => join(home, name);
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(path(name), content);
  return path(name);
};
const text = "2 qid:a 1:0.5 3:-1 # d1\n0 qid:a 2:NULL # d2\n1 qid:b 1:7 # d\u00e9\n";

/** What was read, and the last notice, which is the one about the cache. */
async function read(options: ReadDataOptions = {}, ...names: string[]) {
  const { data, notices, bytes } = await readData(names.length > 0 ? names : [path("a.txt")], { cache: true, ...options });
  return { read: { data, notices: notices.slice(0, -1), bytes }, notice: notices.at(-1)!.replaceAll(home, "~") };
}

const WRITTEN = "the cache ~/a.txt.tierwise-cache was written";
const USED = "read from the cache ~/a.txt.tierwise-cache";
const again = (why: string) => `the cache ~/a.txt.tierwise-cache ${why} and was rewritten`;

describe("the cache", () => {
  it("gives again what was read: data, names, notices", async () => {
    const plain = await readData([write("a.txt", text)]);
    const first = await read();
    expect(first).toEqual({ read: plain, notice: WRITTEN });
    expect(await read()).toEqual({ read: plain, notice: USED });
    expect(plain.data.names.entries).toEqual(["d1", "d2", "d\u00e9"]);
    expect(await readData([path("a.txt")])).toEqual(plain); // unasked, it is left alone
  });

  it("holds many rows, names, weights and groups, dense or sparse, from tables and packed files", async () => {
    const draw = random(3);
    const rows = Array.from({ length: 300 }, (_, row) => {
      const cells = Array.from({ length: 12 }, (_, i) => `${i * (row % 2 ? 1 : 40) + 1}:${draw().toFixed(6)}`);
      return `${row % 5} ${cells.join(" ")} # doc \u{1f600}${row}\n`;
    }).join("");
    write("many.txt.query", Array.from({ length: 30 }, () => "10\n").join(""));
    write("many.txt.weight", Array.from({ length: 300 }, (_, i) => `${i % 7}\n`).join(""));
    const table = `label,qid,x,"y ""z"""\n${Array.from({ length: 50 }, (_, i) => `${i % 3},q${i % 4},${i / 7},${i % 2 ? "NA" : i}\n`).join("")}`;
    for (const [name, options] of [
      [write("many.txt.gz", gzipSync(rows)), {}],
      [write("many.txt", rows), { absent: "missing" }],
      [write("many.txt", rows), { storage: "dense" }],
      [write("table.csv", table), {}],
    ] as const) {
      const plain = await readData([name], options);
      await read(options, name);
      const { read: found, notice: result } = await read(options, name);
      expect(result).toContain("read from the cache");
      expect(found).toEqual(plain);
    }
  });

  it("is out of date when a source, or a file beside it, changes, comes or goes", async () => {
    write("a.txt", text);
    await read();
    write("a.txt", text.replace("0.5", "0.6"));
    utimesSync(path("a.txt"), 1e9, 1e9 + 1);
    expect(statSync(path("a.txt")).size).toBe(Buffer.byteLength(text));
    const changed = await read();
    expect(changed.notice).toBe(again("was out of date (~/a.txt has changed)"));
    expect(changed.read.data.features.values[0]).toBe(Math.fround(0.6));
    utimesSync(path("a.txt"), 1e9, 1e9 + 2);
    expect((await read()).notice).toBe(again("was out of date (~/a.txt has changed)"));
    write("a.txt.weight", "1\n2\n3\n");
    const weighed = await read();
    expect(weighed.notice).toBe(again("was out of date (~/a.txt.weight has changed)"));
    expect([...weighed.read.data.itemWeights!]).toEqual([1, 2, 3]);
    expect((await read()).notice).toBe(USED);
    rmSync(path("a.txt.weight"));
    expect((await read()).notice).toBe(again("was out of date (~/a.txt.weight has changed)"));
    expect((await read()).notice).toBe(USED);
  });

  it("is rebuilt for other options of reading", async () => {
    write("a.txt", text);
    await read();
    const other = await read({ absent: "missing" });
    expect(other.notice).toBe(again("was written with other reading options"));
    expect(other.read).toEqual(await readData([path("a.txt")], { absent: "missing" }));
    expect((await read({ absent: "missing" })).notice).toBe(USED);
    expect((await read({ absent: "missing", labels: "optional" })).notice).toBe(again("was written with other reading options"));
    await expect(read({ absent: "none" as never })).rejects.toThrow("expected one of zero, missing");
  });

  it("damage is noticed wherever it matters, and the data are right all the same", async () => {
    const plain = await readData([write("a.txt", text)]);
    await read();
    const name = path("a.txt.tierwise-cache");
    const whole = readFileSync(name);
    const draw = random(5);
    const damages = Array.from({ length: 60 }, (_, i) => {
      const at = i < 32 ? i : Math.floor(draw() * whole.length);
      const bytes = Uint8Array.from(whole);
      bytes[at]! ^= 1 << Math.floor(draw() * 8);
      return bytes;
    });
    let noticed = 0;
    for (const bytes of [
      ...damages,
      ...[whole.subarray(0, 30), whole.subarray(0, 200), whole.subarray(0, -1), Buffer.alloc(0)],
      Buffer.concat([whole, Buffer.alloc(1)]),
    ]) {
      writeFileSync(name, bytes);
      const { read: found, notice: result } = await read();
      expect(found).toEqual(plain);
      expect([USED, again("was damaged"), again("has another version")]).toContain(result);
      if (result !== USED) expect(readFileSync(name).equals(whole)).toBe(true);
      if (result !== USED) noticed++;
    }
    // The zeros before some arrays are part of nothing.
    expect(noticed).toBeGreaterThan(55);
  });

  it("any change within an array is noticed", async () => {
    write("a.txt", text);
    await read();
    const name = path("a.txt.tierwise-cache");
    const whole = readFileSync(name);
    const labels = Buffer.from(Float32Array.of(2, 0, 1).buffer);
    const at = whole.indexOf(labels);
    expect(at).toBeGreaterThan(0);
    for (let i = 0; i < labels.length; i++) {
      const bytes = Uint8Array.from(whole);
      bytes[at + i]! ^= 0x10;
      writeFileSync(name, bytes);
      expect((await read()).notice).toBe(again("was damaged"));
    }
  });

  it("is written under another name first, and what cannot be written is reported", async () => {
    write("a.txt", text);
    await read();
    expect(readdirSync(home).sort()).toEqual(["a.txt", "a.txt.tierwise-cache"]);
    rmSync(path("a.txt.tierwise-cache"));
    mkdirSync(path("a.txt.tierwise-cache"));
    const { read: found, notice: result } = await read();
    expect(result).toMatch(
      /^the cache ~\/a\.txt\.tierwise-cache could not be read \(EISDIR\) and could not be written \(E\w+.*\)$/,
    );
    expect(found).toEqual(await readData([path("a.txt")]));
    expect(readdirSync(home).sort()).toEqual(["a.txt", "a.txt.tierwise-cache"]);
  });

  it.skipIf(process.getuid?.() === 0)("a folder that may not be written to is no obstacle", async () => {
    write("a.txt", text);
    chmodSync(home, 0o500);
    expect((await read()).notice).toBe("the cache ~/a.txt.tierwise-cache could not be written (EACCES, permission denied)");
    chmodSync(home, 0o700);
  });

  it("may lie in a folder of its own, where files of the same name do not meet", async () => {
    mkdirSync(path("one"));
    mkdirSync(path("two"));
    const [one, two] = [write("one/a.txt", text), write("two/a.txt", text.replaceAll("qid:b", "qid:c"))];
    const cache = path("caches");
    for (const name of [one, two, one, two]) await read({ cache }, name);
    expect(readdirSync(cache).length).toBe(2);
    expect(readdirSync(path("one"))).toEqual(["a.txt"]);
    const { read: found, notice: result } = await read({ cache }, two);
    expect(found.data.names.lists).toEqual(["a", "c"]);
    expect(result).toContain("read from the cache ~/caches/a.txt.");
  });

  it("of several files differs from that of each", async () => {
    const [a, b] = [write("a.txt", text), write("b.txt", text)];
    const plain = await readData([a, b]);
    for (const names of [[a], [a, b], [b, a], [a], [a, b]]) await read({}, ...names);
    const { read: found, notice: result } = await read({}, a, b);
    expect(found).toEqual(plain);
    expect(result).toMatch(/read from the cache ~\/a\.txt\.[0-9a-f]{8}\.tierwise-cache$/);
  });

  it("errors in the data are reported and leave no cache", async () => {
    write("a.txt", "1 qid:1 1:x\n");
    await expect(read()).rejects.toThrow("a.txt:1: expected the value of feature 1");
    await expect(read({}, path("nowhere.txt"))).rejects.toThrow("there is no such file");
    expect(readdirSync(home)).toEqual(["a.txt"]);
  });

  it("large arrays go straight to a heap that is given, also after a damaged one", async () => {
    const rows = Array.from({ length: 4000 }, (_, i) => `${i % 3} qid:${i >> 3} 1:${i} 2:1 3:${-i} 4:2 5:3\n`).join("");
    const plain = await readData([write("a.txt", rows)]);
    await read();
    const heap = new Heap();
    for (const damage of [false, true]) {
      if (damage) {
        const bytes = readFileSync(path("a.txt.tierwise-cache"));
        bytes[bytes.length - 1]! ^= 1;
        write("a.txt.tierwise-cache", bytes);
      }
      const { read: found, notice: result } = await read({ heap });
      expect(result).toBe(damage ? again("was damaged") : USED);
      expect(found).toEqual(plain);
      expect(isInHeap(found.data.features.values)).toBe(true);
    }
    heap.close();
  });
});
