import { expect, it } from "vitest";
import { caterpillar } from "./caterpillar.ts";

const estimate = (low: number, high: number) => ({ name: "a", value: (low + high) / 2, low, high, rank: "1" }) as never;
const draw = (...bars: readonly (readonly [number, number])[]) =>
  caterpillar(bars.map(([low, high]) => estimate(low, high)), { title: "t", axis: "utility" }); // biome-ignore format: one call

it("a drawing is wider where ranks have more letters, of at least 6 pixels each", () => {
  const width = (rank: string) => {
    const svg = caterpillar([{ name: "a", value: 0, low: -1, high: 1, rank }], { title: "t", axis: "utility" });
    return Number(/width="([\d.]+)"/.exec(svg)![1]);
  };
  expect(width("100 to 200") - width("1 to 3")).toBeGreaterThan(6 * 4);
});

it("a dashed line marks 0 where it lies within the drawing", () => {
  expect(draw([-1, 0.5], [0.25, 2])).toContain("stroke-dasharray");
  for (const bars of [[[0.5, 1]], [[-2, -1]], [[0, 1]], [[-1, 0]]] as const)
    expect(draw(...bars)).not.toContain("stroke-dasharray");
});
