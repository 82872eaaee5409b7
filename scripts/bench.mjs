// Runs a bench by name, from dist/bench: npm run bench NAME [options of that bench].
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suggest } from "../dist/src/similar-names.js";

const folder = fileURLToPath(new URL("../dist/bench", import.meta.url));
const names = statSync(folder, { throwIfNoEntry: false })
  ? readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => name.slice(0, -3))
      .sort()
  : [];
const name = process.argv[2];

if (name === undefined) console.log(names.join("\n"));
else if (!names.includes(name)) {
  console.error(`no bench is called ${JSON.stringify(name)}; ${suggest(name, names)}`);
  process.exitCode = 2;
} else {
  process.argv.splice(1, 2, `${folder}/${name}.js`); // the bench sees its own options only
  await import(new URL(`../dist/bench/${name}.js`, import.meta.url).href);
}
