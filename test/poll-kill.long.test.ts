/** Ballots that were acknowledged survive SIGKILL of the server. `node scripts/poll-kill.mjs` does the same fifty times. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./cli.ts";

it("no acknowledged ballot is lost or doubled, and the database is undamaged", { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/poll-kill.mjs"), "--kills", "4", "--voters", "4"], { encoding: "utf8" }); // biome-ignore format: a command
  expect(stderr).toBe("");
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ kills: 4, lost: 0, doubled: 0, integrity: "ok" });
  expect(found.acknowledged).toBeGreaterThan(0);
  expect(status).toBe(0);
});
