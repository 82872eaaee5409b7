import { defineConfig } from "vitest/config";

/** Tests that take long: `npm run test:long` runs them (vitest.long.config.ts). */
const long = "**/*.long.test.ts";
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        // Modules are loaded once for all of these files. They leave no state behind: what a file sets in a module it also resets.
        test: { name: "src", include: ["src/**/*.test.ts"], exclude: [long], isolate: false, ...limits },
      },
      {
        // These change the working directory, the environment and what Node's own modules export.
        test: { name: "test", include: ["test/**/*.test.ts", "papers/**/*.test.ts"], exclude: [long], ...limits },
      },
    ],
  },
});
