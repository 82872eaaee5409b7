import { afterEach, describe, expect, it, vi } from "vitest";
import { durationText } from "./progress.ts";

/** What progress writes, on a terminal of 60 columns or elsewhere, as seconds pass. */
async function written(terminal: boolean, act: (bar: import("./progress.ts").Progress) => void, quiet = false): Promise<string> {
  const before = { isTTY: process.stderr.isTTY, columns: process.stderr.columns };
  let text = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((more) => {
    text += more;
    return true;
  });
  try {
    Object.assign(process.stderr, { isTTY: terminal, columns: 60 });
    vi.resetModules(); // the terminal is detected once
    const { progress } = await import("./progress.ts");
    act(progress("Training", quiet));
    return text;
  } finally {
    Object.assign(process.stderr, before);
    write.mockRestore();
  }
}

describe("progress", () => {
  afterEach(() => void vi.useRealTimers());

  it("on a terminal is one line that changes, with the time left", async () => {
    vi.useFakeTimers();
    const text = await written(true, (bar) => {
      vi.advanceTimersByTime(1000);
      bar.at(0.25, "[25]");
      vi.advanceTimersByTime(1000);
      bar.at(0.5, `[50] ${"x".repeat(80)}`);
      bar.line("[50]");
      bar.done();
    });
    const [first, second, ...rest] = text.split("\r\u001b[2K").slice(1);
    expect(first).toBe("Training █████░░░░░░░░░░░░░░░ [25]  3 s left"); // 1 s for a quarter leaves 3 s
    expect(second).toMatch(/^Training █{10}░{10} \[50\] x+$/);
    expect(second).toHaveLength(59); // a line as wide as the terminal would wrap
    expect(rest).toEqual([""]);
    expect(text).not.toContain("\n");
  });

  it("elsewhere is plain lines, and none with quiet", async () => {
    const act = (bar: import("./progress.ts").Progress) => {
      bar.at(0.5, "half");
      bar.line("[1] cost 2");
      bar.done();
    };
    expect(await written(false, act)).toBe("[1] cost 2\n");
    expect(await written(false, act, true)).toBe("");
    expect(await written(true, act, true)).toBe("");
  });

  it("shows time in the unit that fits", () => {
    expect([0.2, 89, 90, 3600, 7200].map(durationText)).toEqual(["0 s", "89 s", "2 min", "60 min", "2.0 h"]);
  });
});
