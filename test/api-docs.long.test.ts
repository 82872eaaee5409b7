/** The API reference builds without a warning, which typedoc.json makes an error. Long: about 30 seconds of processor time. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

it("typedoc finds every name documented, every type exported and every link valid", { timeout: 600_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["node_modules/typedoc/bin/typedoc", "--emit", "none"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
});
