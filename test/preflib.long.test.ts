/** Every ballot file of PrefLib among the reference data, from file to maximum-likelihood fit. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fit } from "../src/fit.ts";
import { readData } from "../src/formats/data/read.ts";
import { InputError } from "../src/input-error.ts";
import { isUtilities, learner } from "../src/models/index.ts";
import { objective } from "../src/objectives/index.ts";
import { sharedFile } from "./shared.ts";

describe("preflib", () => {
  const root = sharedFile("data/preflib");
  const folders = existsSync(root) ? readdirSync(root) : [];
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`)
      .filter((name) => /\.(soc|soi|toc|toi)(\.gz)?$/.test(name))
      .map((name) => `${root}/${folder}/${name}`),
  );
  it.skipIf(files.length === 0)(
    `each of the ${files.length} files fits to a gradient below 1e-8, or says why it cannot`,
    async () => {
      let fitted = 0;
      for (const file of files) {
        const { data } = await readData([file]);
        try {
          const { model } = fit(data, { model: learner("utilities:errors=no"), objective: objective("pl-partition") });
          expect(isUtilities(model) && model.fit.maxGradient < 1e-8, file).toBe(true);
          fitted++;
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.message, file).toMatch(
            /^the maximum-likelihood estimate does not exist, because of \d+ items? never (above|below|compared)/,
          );
          const prior = learner("utilities:ghost=0.5,errors=no");
          const { model } = fit(data, { model: prior, objective: objective("pl-partition") });
          expect(isUtilities(model) && model.fit.maxGradient < 1e-8, file).toBe(true);
        }
      }
      expect(files.length).toBe(133);
      expect(fitted).toBeGreaterThan(60);
    },
    300_000,
  );
});
