/** Made-up judged lists for tests of clicks: relevance follows from two features and chance, and the scores of a ranker that knows one of them. */
import { build } from "../data/build.ts";
import { random } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";

/** Lists q0, q1, ... of documents d0, d1, ... with labels 0 to 2. */
export function judgedLists(lists: number, documents: number, seed: number): { data: Dataset; shown: Float64Array } {
  const draw = random(seed);
  const shown: number[] = [];
  const rows = Array.from({ length: lists * documents }, (_, i) => {
    const [a, b, c] = [draw(), draw(), draw()];
    const worth = a + b * b - 0.5 * draw();
    shown.push(3 * a + 2 * draw());
    const label = worth > 1.1 ? 2 : worth > 0.7 ? 1 : 0;
    return { list: `q${Math.floor(i / documents)}`, id: `d${i % documents}`, label, features: [a, b, c] };
  });
  return { data: build(rows), shown: Float64Array.from(shown) };
}
