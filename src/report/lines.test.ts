import { expect, it } from "vitest";
import { lines } from "./lines.ts";

const numbers = (text: string, ...names: readonly string[]) =>
  names.map((name) => Number(new RegExp(` ${name}="([-\\d.]+)"`).exec(text)![1]));
const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const plain = (power: string) => Number(power.replace("⁻", "-").replace(/[⁰-⁹¹²³]/g, (digit) => String(DIGITS.indexOf(digit))));

/** The powers of ten on both axes with their places, and the places of the points. */
function read(svg: string) {
  const texts = [...svg.matchAll(/<text [^>]*>10([⁻⁰¹²³⁴-⁹]+)<\/text>/g)].map(([text, power]) => ({
    power: plain(power!),
    place: numbers(text, "x", "y"),
    isX: text.includes('text-anchor="middle"'),
  }));
  const grid = [...svg.matchAll(/<line [^>]*>/g)].map(([text]) => numbers(text, "x1", "y1", "x2", "y2"));
  return {
    xs: texts.filter(({ isX }) => isX).map(({ power, place }) => [power, place[0]!] as const),
    ys: texts.filter(({ isX }) => !isX).map(({ power, place }) => [power, place[1]! - 4] as const),
    points: [...svg.matchAll(/<circle [^>]*>/g)].map(([text]) => numbers(text, "cx", "cy")),
    grid,
    upright: grid.filter(([x1, , x2]) => x1 === x2).map(([x]) => x!),
    level: grid.filter(([, y1, , y2]) => y1 === y2).map(([, y]) => y!),
  };
}

const draw = (...points: readonly (readonly [number, number])[]) =>
  read(lines([{ name: "a", points }], { title: "t", x: "items", y: "seconds" }));

it("each axis has the powers of ten from the one below all points to the one above, at equal distances", () => {
  const { xs, ys, grid, upright, level } = draw([20, 0.5], [300, 0.02], [40, 7]);
  expect(xs.map(([power]) => power)).toEqual([1, 2, 3]);
  expect(ys.map(([power]) => power)).toEqual([-2, -1, 0, 1]);
  for (const [places, count] of [[xs, 2], [ys, 3]] as const) // biome-ignore format: pairs
    for (const [k, [, place]] of places.entries())
      expect(place).toBeCloseTo(places[0]![1] + ((places[count]![1] - places[0]![1]) * k) / count, 1);
  expect(upright).toEqual(xs.map(([, place]) => place));
  expect(level.slice(0, 4)).toEqual(ys.map(([, place]) => place)); // then the legend
  // Each line of the grid ends at the outermost ones of the other direction.
  for (const [x1, y1, x2, y2] of grid.slice(0, 7)) {
    if (x1 === x2) expect([y1, y2]).toEqual([ys.at(-1)![1], ys[0]![1]]);
    else expect([x1, x2]).toEqual([xs[0]![1], xs.at(-1)![1]]);
  }
  expect(xs[0]![1]).toBeLessThan(xs[1]![1]);
  expect(ys[0]![1]).toBeGreaterThan(ys[1]![1]);
});

it("powers of ten at the ends need no further ones, and a point alone is in a range of two", () => {
  const ends = draw([10, 1], [1000, 100]);
  expect([ends.xs, ends.ys].map((axis) => axis.map(([power]) => power))).toEqual([[1, 2, 3], [0, 1, 2]]); // biome-ignore format: pairs
  const alone = draw([100, 1e-3]);
  expect([alone.xs, alone.ys].map((axis) => axis.map(([power]) => power))).toEqual([[2, 3], [-3, -2]]); // biome-ignore format: pairs
});

it("points lie where their logarithms lie between the powers", () => {
  const given = [[20, 0.5], [300, 0.02], [40, 7], [999, 0.0101]] as const; // biome-ignore format: pairs
  const { xs, ys, points } = draw(...given);
  const at = (axis: readonly (readonly [number, number])[], value: number) => {
    const [[low, from], [high, to]] = [axis[0]!, axis.at(-1)!];
    return from + ((to - from) * (Math.log10(value) - low)) / (high - low);
  };
  for (const [i, [x, y]] of given.entries()) {
    expect(points[i]![0]).toBeCloseTo(at(xs, x), 0);
    expect(points[i]![1]).toBeCloseTo(at(ys, y), 0);
  }
});

it("of many powers every second or third is written, eight or nine at most", () => {
  const powersTo = (top: number) => draw([1, 1], [10 ** top, 10]).xs.map(([power]) => power);
  expect(powersTo(8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(powersTo(9)).toEqual([0, 2, 4, 6, 8]);
  expect(powersTo(16)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
  expect(powersTo(20)).toEqual([0, 3, 6, 9, 12, 15, 18]);
});
