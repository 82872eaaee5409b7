// A hash of everything that a build depends on.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";

const parts = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts",
  "src",
  "bench",
  "examples",
  "papers",
  "fuzz",
  "soak",
  "pages",
  ...["test/random-cases.ts", "test/random-trees.ts", "test/compare-trees.ts"], // that soak runs
];

export function stamp(root) {
  const hash = createHash("sha256");
  const walk = (path) => {
    const kind = statSync(`${root}${path}`, { throwIfNoEntry: false });
    if (!kind || path === "papers/results") return; // results are no source
    if (kind.isDirectory()) for (const name of readdirSync(`${root}${path}`).sort()) walk(`${path}/${name}`);
    else if (/\.(tsx?|mjs|json|html|css|svg)$/.test(path) && !path.endsWith(".test.ts") && path !== "src/numeric/binary.ts")
      hash.update(`${path}\n`).update(readFileSync(`${root}${path}`));
  };
  for (const part of parts) walk(part);
  return hash.digest("hex");
}
