import { defineConfig } from "vitest/config";

/** Tests of more than a few seconds: simulations, thousands of random cases, other compilers. `npm run test:long` runs these alone. */
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
