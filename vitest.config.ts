import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that take long: `npm run test:long` runs them (vitest.long.config.ts). */
const long = "**/*.long.test.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "papers/**/*.test.ts"],
    exclude: [long, "**/node_modules/**"],
    // One test file for each core: vitest's default leaves one core to itself, which halves the speed of a small machine.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
