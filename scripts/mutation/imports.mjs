// Which test files are nearest to a source, by what they import: those that reach it in the fewest steps.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { isKernel } from "./files.mjs";

/** The files that each file of the copy imports, as far as they are named in it; tests also name built ones. */
function importsOf(copy, file) {
  const text = readFileSync(join(copy, file), "utf8");
  const named = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(([, path]) =>
    posix.join(posix.dirname(file), path),
  );
  const built = [...text.matchAll(/"(?:[./]*dist\/)?((?:src\/)?[\w./-]+)\.js"/g)].flatMap(([, path]) => [
    `${path}.ts`,
    `src/${path}.ts`,
  ]);
  return [...named, ...built].filter((path) => existsSync(join(copy, path)));
}

/** For each source, a function of test files: how many imports lie between (Infinity: it is not reached). */
export function distances(copy, sources, tests) {
  const importers = new Map();
  for (const file of [...sources, ...tests])
    for (const path of importsOf(copy, file)) importers.set(path, [...(importers.get(path) ?? []), file]);
  return (source) => {
    const steps = new Map([[source, 0]]);
    for (const file of steps.keys())
      for (const next of importers.get(file) ?? []) if (!steps.has(next)) steps.set(next, steps.get(file) + 1);
    return (test) => steps.get(test) ?? Number.POSITIVE_INFINITY;
  };
}

/**
 * The test files nearest to a source: the one of its name, then by imports, then by length. Nothing imports the kernels but what calls them under
 * the same name, and the command line is run by the tests of its commands.
 */
export function nearestTests(source, tests, distances, sizeOf) {
  const name = basename(source, ".ts");
  const folder = dirname(source).replace("/wasm", "");
  const word = name.split("-")[0].replace(/s$/, "");
  const steps = isKernel(source)
    ? [`src/numeric/${name}.ts`, `src/numeric/plain/${name}.ts`].map(distances)
    : [distances(source)];
  const rank = (test) => {
    const own = basename(test, ".test.ts");
    const same = own === name ? -10 : folder === "src/cli" && test.startsWith("test/") && own.startsWith(word) ? -5 : 0;
    const other = same < 0 || (isKernel(source) && own === "kernels") ? 2 : Number.POSITIVE_INFINITY;
    const near = Math.min(...steps.map((distance) => distance(test)), other);
    return same + near + (dirname(test) === folder ? 0 : 0.5) + sizeOf(test) / 1e6;
  };
  return tests.filter((test) => Number.isFinite(rank(test))).sort((a, b) => rank(a) - rank(b));
}
