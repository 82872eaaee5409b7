import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The tests that take long: files of their own, and more cases of those that draw or simulate (see CONTRIBUTING.md). */
export default defineConfig({
  test: {
    include: [
      "**/*.long.test.ts",
      "src/formats/data/read-shard.test.ts",
      "src/models/utilities/uncertainty.test.ts",
      "test/learners.test.ts",
      "test/random-trees.test.ts",
    ],
    exclude: ["node_modules/**", "dist/**"],
    env: { TIERWISE_CASES: process.env.TIERWISE_CASES ?? "240", TIERWISE_SLOW: "1" },
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
