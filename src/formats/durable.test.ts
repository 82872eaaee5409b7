import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InputError } from "../input-error.ts";
import { appendDurably, makeFolder, writeDurably, writeDurablyAsync } from "./durable.ts";
import { watchTemporary } from "./temporary.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tierwise-durable-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  watchTemporary(() => {});
});
const path = (name: string) => join(home, name);
const text = (name: string) => readFileSync(path(name), "utf8");

type Call = "openSync" | "writeSync" | "fsyncSync" | "renameSync" | "ftruncateSync" | "closeSync";

/** Runs `act` with calls of the file system replaced, and restores them. */
function withCalls(replaced: Partial<Record<Call, unknown>>, act: () => void): void {
  const before = Object.fromEntries(Object.keys(replaced).map((name) => [name, fs[name as Call]]));
  try {
    Object.assign(fs, replaced);
    syncBuiltinESMExports();
    act();
  } finally {
    Object.assign(fs, before);
    syncBuiltinESMExports();
  }
}

const failing = (code: string) => () => {
  throw Object.assign(new Error("injected"), { code });
};

describe("writeDurably", () => {
  it("takes text, bytes and pieces", () => {
    writeDurably(path("a"), "täxt");
    writeDurably(path("b"), new Uint8Array([104, 105]));
    writeDurably(path("c"), [new Uint8Array([104]), new Uint8Array(0), new Uint8Array([105])]);
    expect([text("a"), text("b"), text("c")]).toEqual(["täxt", "hi", "hi"]);
    expect(readdirSync(home).sort()).toEqual(["a", "b", "c"]);
  });

  it("flushes the file, renames it, and flushes the folder, in this order", () => {
    const calls: string[] = [];
    const files = new Map<number, string>();
    const { openSync, fsyncSync, renameSync } = fs;
    const name = (given: string) => given.replace(home, "~").replace(/\.tierwise-\w+\.part/, "temporary");
    withCalls(
      {
        openSync: (given: string, ...rest: [string]) => {
          const file = openSync(given, ...rest);
          files.set(file, name(given));
          return file;
        },
        fsyncSync: (file: number) => {
          calls.push(`flush ${files.get(file)}`);
          fsyncSync(file);
        },
        renameSync: (from: string, to: string) => {
          calls.push(`rename ${name(from)} ${name(to)}`);
          renameSync(from, to);
        },
      },
      () => writeDurably(path("a"), "new"),
    );
    expect(calls).toEqual(["flush ~/temporary", "rename ~/temporary ~/a", "flush ~"]);
  });

  it.each<[Call, string]>([
    ["openSync", "EROFS"],
    ["writeSync", "ENOSPC"],
    ["fsyncSync", "EIO"],
    ["renameSync", "EACCES"],
  ])("leaves the old file and nothing else where %s fails", (call, code) => {
    writeFileSync(path("a"), "old");
    const announced: string[] = [];
    watchTemporary((_, state) => announced.push(state));
    withCalls({ [call]: failing(code) }, () => {
      expect(() => writeDurably(path("a"), "new")).toThrow(InputError);
      expect(() => writeDurably(path("a"), "new")).toThrow(`${path("a")}: cannot be written (${code}`);
    });
    expect(text("a")).toBe("old");
    expect(readdirSync(home)).toEqual(["a"]);
    expect(announced).toEqual(["created", "gone", "created", "gone"]);
  });

  it("goes on where the system writes only a part", () => {
    const { writeSync } = fs;
    const some = (file: number, bytes: Uint8Array, at: number) => writeSync(file, bytes, at, Math.min(3, bytes.length - at));
    withCalls({ writeSync: some }, () => writeDurably(path("a"), "ten letters"));
    expect(text("a")).toBe("ten letters");
  });

  it("keeps permissions and links", () => {
    writeFileSync(path("a"), "old", { mode: 0o640 });
    fs.chmodSync(path("a"), 0o666);
    symlinkSync("a", path("link"));
    writeDurably(path("link"), "new");
    expect(text("a")).toBe("new");
    expect(fs.lstatSync(path("link")).isSymbolicLink()).toBe(true);
    expect(statSync(path("a")).mode & 0o777).toBe(0o666);
  });

  it("names a folder that does not exist", () => {
    expect(() => writeDurably(path("no/a"), "x")).toThrow(
      `${path("no/a")}: cannot be written (ENOENT, the folder does not exist)`,
    );
  });
});

describe("writeDurablyAsync", () => {
  it("writes the same bytes, and leaves the old file where it fails", async () => {
    await writeDurablyAsync(path("a"), [new Uint8Array([104]), new Uint8Array([105])]);
    expect(text("a")).toBe("hi");
    const broken = (function* () {
      yield new Uint8Array(10);
      throw Object.assign(new Error("injected"), { code: "ENOSPC" });
    })();
    await expect(writeDurablyAsync(path("a"), broken)).rejects.toThrow("cannot be written (ENOSPC, the disk is full)");
    expect(text("a")).toBe("hi");
    expect(readdirSync(home)).toEqual(["a"]);
    await expect(writeDurablyAsync(path("no/a"), [])).rejects.toThrow("cannot be written (ENOENT");
    await expect(writeDurablyAsync(path("a/b"), [])).rejects.toThrow("cannot be written (ENOTDIR");
  });
});

describe("appendDurably", () => {
  const half = (code: string) => {
    const { writeSync } = fs;
    let first = true;
    return (file: number, bytes: Uint8Array, at: number) => {
      if (!first) failing(code)();
      first = false;
      return writeSync(file, bytes, at, 2);
    };
  };

  it("adds all of a text or nothing", () => {
    appendDurably(path("a"), "one\n");
    appendDurably(path("a"), "two\n");
    withCalls({ writeSync: half("ENOSPC") }, () => {
      expect(() => appendDurably(path("a"), "three\n")).toThrow("cannot be written (ENOSPC, the disk is full)");
    });
    withCalls({ writeSync: half("ENOSPC") }, () => {
      expect(() => appendDurably(path("b"), "three\n")).toThrow("cannot be written (ENOSPC, the disk is full)");
    });
    expect(text("a")).toBe("one\ntwo\n");
    expect(readdirSync(home)).toEqual(["a"]);
  });

  it("does not cut off what another process appended before it failed", () => {
    appendDurably(path("a"), "one\n");
    const { writeSync } = fs;
    let first = true;
    const other = (file: number, bytes: Uint8Array, at: number) => {
      if (!first) {
        fs.appendFileSync(path("a"), "other\n");
        failing("ENOSPC")();
      }
      first = false;
      return writeSync(file, bytes, at, 2);
    };
    withCalls({ writeSync: other }, () => expect(() => appendDurably(path("a"), "two\n")).toThrow("ENOSPC"));
    expect(text("a")).toBe("one\ntwother\n");
  });
});

it("makeFolder creates those around it, and says what is in the way", () => {
  makeFolder(path("a/b/c"));
  makeFolder(path("a/b/c"));
  expect(statSync(path("a/b/c")).isDirectory()).toBe(true);
  writeFileSync(path("file"), "");
  expect(() => makeFolder(path("file/x"))).toThrow(`${path("file/x")}: cannot be written (ENOTDIR`);
});
