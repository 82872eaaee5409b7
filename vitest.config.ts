import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "papers/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
