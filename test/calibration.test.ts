/** `tierwise evaluate --calibration` as a user runs it. */
import { beforeAll, describe, expect, it } from "vitest";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

describe("evaluate --calibration", () => {
  const cwd = folder({ "train.txt": svmlight(30), "test.txt": svmlight(20), "few.txt": svmlight(2) });
  beforeAll(async () => {
    await succeed(["train", "train.txt", "--out", "m.json", "--quiet"], { cwd });
  });
  const ask = (file: string, ...words: string[]) =>
    tierwise(["evaluate", "m.json", file, "--calibration", "--quiet", ...words], { cwd });

  it("adds to the result a temperature and bins before and after it", async () => {
    const { metrics, calibration } = JSON.parse((await ask("test.txt", "-m", "map", "--json")).out);
    expect(Object.keys(metrics)).toEqual(["map"]);
    expect(calibration.temperature.value).toBeGreaterThan(0);
    for (const { pairs, top } of [calibration.before, calibration.after]) {
      expect(
        pairs.bins.every(({ from, predicted, to }: Record<string, number>) => from! <= predicted! && predicted! <= to!),
      ).toBe(true);
      expect(top.bins.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(top.count);
    }
  });

  it("prints them as tables", async () => {
    const { out } = await ask("test.txt");
    expect(out).toMatch(/^temperature +1 +\d/m);
    expect(out).toMatch(/^pairs: the higher score is better +count +predicted +observed +95 % interval$/m);
    expect(out).toMatch(/^0\.00 to 0\.10 /m);
  });

  it("refuses too few lists", async () => {
    expect(await ask("few.txt")).toMatchObject({
      ...{ code: 2, out: "", err: "tierwise: calibration: expected at least 4 lists with more than one tier, got 2\n" },
    });
  });
});
