// Makes a clone ready to run: installs the packages of package-lock.json and builds dist/, each only when it is due.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stamp } from "./stamp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

const installed = statSync(`${root}node_modules/.package-lock.json`, { throwIfNoEntry: false });
const locked = statSync(`${root}package-lock.json`);
if (!installed || installed.mtimeMs < locked.mtimeMs) {
  console.error("Installing packages (once) ...");
  // Not "npm ci": that refuses a lock file made where the registry offers no packages of other platforms.
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
}

const built = `${root}dist/.stamp`;
if (!existsSync(built) || readFileSync(built, "utf8") !== stamp(root)) {
  console.error("Building ...");
  run(process.execPath, ["scripts/build.mjs"]);
}
