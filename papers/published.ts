/** A paper's own figures, kept as JSON beside its recipe. */
import { readFileSync } from "node:fs";

/** By the folder of the recipe. */
export const published = <T>(folder: string): T =>
  JSON.parse(readFileSync(new URL(`./${folder}/published.json`, import.meta.url), "utf8")) as T;
