/**
 * From a file of PrefLib to fitted utilities: `tierwise train FILE` on generated files of all kinds, in processor seconds of the whole process.
 * Each file must fit, or be refused in one line, in under 2 s.
 *
 *     npm run bench preflib [seed] [part of the names of files]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { preflibFiles } from "./preflib-files.ts";

const LIMIT = 2;
const [seed = "1", part = ""] = process.argv.slice(2);
const main = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tierwise-preflib-"));
// Prints the processor time of the process after everything else.
const hook = `data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process._rawDebug("cpu "+(user+system)/1e6)})`;
let [files, slow] = [0, 0];
try {
  for (const { name, text } of preflibFiles(Number(seed))) {
    if (!name.includes(part)) continue;
    const path = join(folder, name);
    writeFileSync(path, text);
    const began = performance.now();
    const out = join(folder, "model.json");
    const child = spawnSync(process.execPath, ["--import", hook, main, "train", path, "--out", out, "--quiet"], {
      encoding: "utf8",
    });
    const wall = (performance.now() - began) / 1000;
    const cpu = Math.max(...[...child.stderr.matchAll(/^cpu ([\d.]+)$/gm)].map(([, seconds]) => Number(seconds)));
    const said = child.stderr.replace(/^cpu .*\n?/gm, "").trim();
    const ended =
      child.status === 0
        ? "fits"
        : child.status === 2 && !said.includes("\n")
          ? `refused: ${said.slice(0, 160)}`
          : `FAILED ${child.status}: ${said}`;
    files++;
    if (cpu > LIMIT) slow++;
    console.log(
      `${cpu.toFixed(2).padStart(6)} s ${wall.toFixed(2).padStart(6)} s wall  ${name.padEnd(40)} ${ended.replaceAll(folder, "")}`,
    );
    rmSync(path);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${files} files, ${slow} above ${LIMIT} s of processor time`);
