import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileStamp } from "./file-stamp.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-stamp-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "model.json");

describe("the stamp of a file", () => {
  it("is undefined where there is none, also in a folder that there is not or below a file", () => {
    expect(fileStamp(path)).toBeUndefined();
    expect(fileStamp(join(folder, "gone", "model.json"))).toBeUndefined();
    writeFileSync(join(folder, "file"), "");
    expect(fileStamp(join(folder, "file", "model.json"))).toBeUndefined();
  });

  it("changes with size, time and the file itself, and with nothing else", () => {
    const at = (seconds: number) => utimesSync(path, 0, seconds);
    writeFileSync(path, "one");
    at(1000);
    const first = fileStamp(path);
    mkdirSync(join(folder, "other"));
    expect(fileStamp(path)).toBe(first);

    writeFileSync(path, "three");
    at(1000);
    const longer = fileStamp(path);
    at(1000.001);
    const later = fileStamp(path);
    writeFileSync(`${path}.new`, "three");
    utimesSync(`${path}.new`, 0, 1000.001);
    renameSync(`${path}.new`, path);
    expect(new Set([first, longer, later, fileStamp(path)]).size).toBe(4);

    rmSync(path);
    expect(fileStamp(path)).toBeUndefined();
  });
});
