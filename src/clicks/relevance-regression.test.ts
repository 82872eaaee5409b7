import { expect, it } from "vitest";
import { random } from "../numeric/random.ts";
import { relevanceRegression } from "./relevance-regression.ts";

it("without features, the relevance is clicks over examinations, of which there are at least as many as clicks", () => {
  const found = relevanceRegression(
    { columns: 0, values: new Float64Array(0) },
    Float64Array.of(0, 1, 0),
    Float64Array.of(2, 0.25, 0),
  );
  for (const one of found) expect(one).toBeCloseTo(1 / 3, 9);
});

it("the gradient of the penalized likelihood is 0", () => {
  const draw = random(5);
  const [documents, columns] = [200, 3];
  const values = Float64Array.from({ length: documents * columns }, () => 2 * draw() - 1);
  const examined = Float64Array.from({ length: documents }, () => Math.floor(draw() * 20) / 2);
  const clicks = examined.map((looks, d) => Math.floor(looks * draw() * (values[d * columns]! > 0 ? 0.8 : 0.3)));
  const found = relevanceRegression({ columns, values }, clicks, examined);
  // Weights from the scores of the documents: the score is linear in the features.
  const score = found.map((r) => Math.log(r / (1 - r)));
  const sum = (of: (d: number) => number) => Array.from({ length: documents }, (_, d) => of(d)).reduce((a, b) => a + b, 0);
  expect(sum((d) => clicks[d]! - examined[d]! * found[d]!)).toBeCloseTo(0, 6);
  const weights = slopes(values, score, documents, columns);
  for (let j = 0; j < columns; j++)
    expect(sum((d) => (clicks[d]! - examined[d]! * found[d]!) * values[d * columns + j]!)).toBeCloseTo(10 * weights[j]!, 5);
});

/** The weights of a linear function by its values, found by Kaczmarz steps. */
function slopes(values: Float64Array, score: Float64Array, documents: number, columns: number): Float64Array {
  const weights = new Float64Array(columns);
  let offset = 0;
  for (let round = 0; round < 5000; round++)
    for (let d = 0; d < documents; d++) {
      let off = score[d]! - offset;
      for (let j = 0; j < columns; j++) off -= weights[j]! * values[d * columns + j]!;
      offset += 0.1 * off;
      for (let j = 0; j < columns; j++) weights[j]! += 0.1 * off * values[d * columns + j]!;
    }
  return weights;
}
